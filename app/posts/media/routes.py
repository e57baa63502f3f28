"""Images of posts: upload, find again, take back, describe and show them."""

from __future__ import annotations

from flask import (
    Blueprint,
    Response,
    current_app,
    flash,
    redirect,
    render_template,
    request,
    send_from_directory,
    url_for,
)
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required
from werkzeug.exceptions import NotFound

from app.accounts.viewer import current_viewer
from app.core.database import reads_only
from app.core.errors import Refused
from app.core.images import BadImage
from app.extensions import db, limiter
from app.posts.loaders import load_own_post
from app.posts.media import files as image_files
from app.posts.media import operations as images
from app.posts.media.cards import card_image
from app.posts.media.forms import named_images
from app.posts.writing.describing import describe_images
from app.web import limits, security
from app.web.htmx import respond
from app.web.uploads import takes_files

bp = Blueprint("media", __name__)


@bp.post("/images")
@takes_files("image", max_bytes=lambda config: int(config["IMAGE_MAX_BYTES"] + config["MAX_CONTENT_LENGTH"]))
@login_required
@limiter.limit(limits.IMAGE, key_func=limits.account_or_address)
def create_image() -> ResponseReturnValue:
    upload = request.files.get("image")
    if upload is None or not upload.filename:
        raise BadImage("Choose an image first.")
    image = images.keep(upload.stream, by=current_user, most_bytes=current_app.config["IMAGE_MAX_BYTES"])
    shown = card_image(image)
    db.session.commit()
    return respond("posts/_composer_image.html", image=shown, or_redirect=url_for("posts.compose"))


@bp.get("/images")
@login_required
@limiter.limit(limits.READ, key_func=limits.account_or_address)
@reads_only
def waiting() -> ResponseReturnValue:
    """Show those images of a draft that still wait for their post; others, and other people's, are left out."""
    named = [choice.id for choice in named_images(request.args)[: images.MAX_IMAGES]]
    chosen = [card_image(image) for image in images.waiting(named, of=current_user)]
    return render_template("posts/_composer_chosen.html", chosen=chosen)


@bp.post("/images/<id:image_id>/delete")
@login_required
@limiter.limit(limits.RELATION, key_func=limits.account_or_address)
def delete_image(image_id: int) -> ResponseReturnValue:
    if not images.discard(image_id, by=current_user):
        raise NotFound("This image doesn’t exist or isn’t visible to you.")
    db.session.commit()
    return respond("", or_redirect=url_for("posts.compose"))


@bp.route("/posts/<id:post_id>/images", methods=["GET", "POST"])
@login_required
@limiter.limit(limits.SETTINGS, methods=["POST"], key_func=limits.account_or_address)
def describe(post_id: int) -> ResponseReturnValue:
    post = load_own_post(post_id, by=current_user)
    shown = [card_image(image) for image in images.images_of(post)]
    if not shown:
        raise NotFound("This post has no images.")
    url, errors, refused = f"{post.author.url}/{post_id}", {}, ""
    typed = {image.id: request.form.get(f"alt-{image.id}", image.alt) for image in shown}
    if request.method == "POST":
        choices = [images.Choice(*choice) for choice in typed.items()]
        errors = images.alt_errors(choices)
        if not errors:
            try:
                describe_images(post, choices, by=current_user)
            except Refused as refusal:
                refused = str(refusal)
            db.session.commit()  # what a rule refused, too, is kept for those who look after the rules
            if not refused:
                flash("Descriptions saved.")
                return redirect(url, 303)
    said = {"typed": typed, "errors": errors, "refused": refused}
    page = render_template("posts/images.html", images=shown, post_id=post_id, back=url, **said)
    return page, 422 if errors or refused else 200


@bp.get("/media/posts/<image_name>")
@reads_only
def show_image(image_name: str) -> Response:
    """Send an image to those who may see its post. Browsers ask again each time: it may have been deleted since."""
    file = image_files.file_of(image_name)
    if file is None or not images.is_visible(file, viewer=current_viewer()):
        raise NotFound("This image doesn’t exist or isn’t visible to you.")
    response = send_from_directory(image_files.folder(), image_name, mimetype="image/webp")
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Content-Security-Policy"] = security.IMAGE_SECURITY_POLICY
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    return response

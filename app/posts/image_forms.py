"""The images in the form that writes a post: those uploaded before, by their ids, and those that come with it."""

from __future__ import annotations

from dataclasses import dataclass, field

from flask import current_app, request

from app.accounts.models import User
from app.core.images import BadImage
from app.posts import images
from app.posts.image_cards import CardImage, card_image
from app.posts.images import Choice


@dataclass
class ChosenImages:
    """What somebody wants to post, and why some of it cannot be posted."""

    choices: list[Choice] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    came_along: bool = False  # as files, from a browser without JavaScript: nobody could describe them yet

    def shown(self, *, to: User) -> list[CardImage]:
        """Return the images for the form that is shown again, with what was typed about them."""
        alts = {choice.id: choice.alt for choice in self.choices}
        waiting = images.waiting(list(alts), of=to)
        return [card_image(image, alt=alts[image.id]) for image in waiting]


def read_images(*, by: User) -> ChosenImages:
    """Read the images of the form that was sent, and keep those that came along with it."""
    chosen = ChosenImages()
    left_out = request.form.getlist("remove")
    for image_id in request.form.getlist("images"):
        if image_id.isascii() and image_id.isdigit() and len(image_id) <= 16 and image_id not in left_out:
            chosen.choices.append(Choice(int(image_id), request.form.get(f"alt-{image_id}", "")))
    uploads = [upload for upload in request.files.getlist("image") if upload.filename]
    if len(chosen.choices) + len(uploads) > images.MOST:
        chosen.errors.append(images.TOO_MANY)
    for upload in uploads[: max(0, images.MOST - len(chosen.choices))]:
        try:
            image = images.keep(upload.stream, by=by, most_bytes=current_app.config["IMAGE_MAX_BYTES"])
        except BadImage as error:
            chosen.errors.append(f"{upload.filename}: {error}")
        else:
            chosen.choices.append(Choice(image.id))
            chosen.came_along = True
    return chosen

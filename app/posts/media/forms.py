"""The images in the form that writes a post: those uploaded before, by their ids, and those that come with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from flask import current_app, request
from werkzeug.datastructures import MultiDict

from app.accounts.models import REMIND, REQUIRE, User
from app.core.images import BadImage
from app.posts.media import operations as images
from app.posts.media.cards import card_image
from app.posts.media.operations import Choice

UNDESCRIBED = "Describe this image first. You’ve asked for this in Settings → Writing."


@dataclass
class ChosenImages:
    """The images that an author wants to post, and why some of them cannot be posted."""

    choices: list[Choice] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    alt_errors: dict[int, str] = field(default_factory=dict)  # what is wrong with a description, by its image
    asks_for_words: bool = False  # once, before they are posted without
    came_along: bool = False  # as files, from a browser without JavaScript: nobody could describe them yet

    @property
    def are_refused(self) -> bool:
        return bool(self.errors or self.alt_errors or self.asks_for_words)

    def again(self, *, to: User) -> dict[str, Any]:
        """Return what a form that is shown again says of images: those that still wait, and why others do not."""
        alts = {choice.id: choice.alt for choice in self.choices}
        shown = [card_image(image, alt=alts[image.id]) for image in images.waiting(list(alts), of=to)]
        waiting = {image.id for image in shown}
        gone = [images.about_gone(choice) for choice in self.choices if choice.id not in waiting]
        return {
            "chosen": shown,
            "asks_for_words": self.asks_for_words,
            "alt_errors": self.alt_errors,
            "image_errors": list(dict.fromkeys([*self.errors, *gone])),
        }

    def check_described(self, wanted: str) -> None:
        """Ask for the descriptions that are missing as the author wants it; a form says whether it may still be asked.

        Images that came along are described on the next page.
        """
        undescribed = [choice.id for choice in self.choices if not choice.alt.strip()]
        if not undescribed:
            return
        if wanted == REQUIRE:
            self.alt_errors |= dict.fromkeys(undescribed, UNDESCRIBED)
        elif wanted == REMIND and not self.came_along:
            self.asks_for_words = "may_ask" in request.form


def named_images(fields: MultiDict[str, str]) -> list[Choice]:
    """Read which images were uploaded before, by their ids, and what was typed about them."""
    left_out = fields.getlist("remove")
    return [
        Choice(int(image_id), fields.get(f"alt-{image_id}", ""))
        for image_id in fields.getlist("images")
        if image_id.isascii() and image_id.isdigit() and len(image_id) <= 16 and image_id not in left_out
    ]


def read_images(*, by: User) -> ChosenImages:
    """Read the images of the form that was sent, and keep those that came along with it."""
    chosen = ChosenImages(named_images(request.form))
    uploads = [upload for upload in request.files.getlist("image") if upload.filename]
    if len(chosen.choices) + len(uploads) > images.MAX_IMAGES:
        chosen.errors.append(images.TOO_MANY)
    for upload in uploads[: max(0, images.MAX_IMAGES - len(chosen.choices))]:
        try:
            image = images.keep(upload.stream, by=by, most_bytes=current_app.config["IMAGE_MAX_BYTES"])
        except BadImage as error:
            chosen.errors.append(f"{upload.filename}: {error}")
        else:
            chosen.choices.append(Choice(image.id))
            chosen.came_along = True
    chosen.alt_errors = images.alt_errors(chosen.choices)
    chosen.check_described(by.descriptions)
    return chosen

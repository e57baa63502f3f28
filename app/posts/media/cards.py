"""What a page shows of an image: its files, the room it takes, and what it shows in words."""

from __future__ import annotations

import json
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Text, cast, func, select
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.orm import InstrumentedAttribute

from app import addresses
from app.posts.media import files as image_files
from app.posts.models import PostImage

# The room of an image that stands alone in its post. What is more than twice as high as wide is cut off (by CSS).
WIDEST, HIGHEST = 560, 520
NARROWEST_SHAPE = 1 / 2


@dataclass(frozen=True, slots=True)
class CardImage:
    """One image, ready to be shown."""

    id: int
    file: str
    width: int
    height: int
    is_moving: bool
    alt: str

    def url(self, size: str) -> str:
        return addresses.image(image_files.name(self.file, size))

    @property
    def full_url(self) -> str:
        """Return where the image can be seen as large as it is kept."""
        return self.url(image_files.MOVING) if self.is_moving else self.still_url

    @property
    def still_url(self) -> str:
        return self.url("l")

    @property
    def small_url(self) -> str:
        return self.url(image_files.kept_sizes(self.width)[0])

    @property
    def srcset(self) -> str:
        widths = {size: min(image_files.WIDTHS[size], self.width) for size in image_files.kept_sizes(self.width)}
        return ", ".join(f"{self.url(size)} {width}w" for size, width in widths.items())

    @property
    def room(self) -> tuple[int, int]:
        """Return the width and height that are kept free for it where it stands alone: in its own shape."""
        shape = self.width / self.height
        width = min(self.width, WIDEST, round(HIGHEST * max(shape, NARROWEST_SHAPE)))
        return width, max(1, round(width / shape))


def card_image(image: PostImage, *, alt: str | None = None) -> CardImage:
    """Return what a page shows of an image that was loaded; `alt` is what the author is just writing about it."""
    words = image.alt if alt is None else alt
    return CardImage(image.id, image.file, image.width, image.height, image.is_moving, words)


def images_in_card(post_id: InstrumentedAttribute[int]) -> ColumnElement[str | None]:
    """Select the images of a post within a card's own statement, as text: rows must be hashable to be kept."""
    image = func.json_build_array(
        PostImage.id, PostImage.file, PostImage.width, PostImage.height, PostImage.is_moving, PostImage.alt
    )
    in_order = func.json_agg(aggregate_order_by(image, PostImage.position))
    of_post = select(cast(in_order, Text)).where(PostImage.post_id == post_id)
    return of_post.correlate_except(PostImage).scalar_subquery()


def read_images(selected: str | None) -> tuple[CardImage, ...]:
    """Return the images that `images_in_card` selected."""
    return tuple(CardImage(*image) for image in json.loads(selected or "[]"))

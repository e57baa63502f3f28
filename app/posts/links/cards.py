"""The card of a page that a post links to: what it calls itself, and where it leads."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import ColumnElement, Text, and_, case, cast, func, select

from app import addresses
from app.core.text import first_link
from app.posts.links.models import LinkedPage, PostLink
from app.posts.models import Post

WIDE_FROM = 400  # pixels; a smaller picture stands beside the words
WIDE_SHAPE = 1.4


@dataclass(frozen=True, slots=True)
class LinkCard:
    """A linked page, ready to be shown."""

    url: str  # as the author wrote it
    host: str
    title: str
    description: str
    picture: str | None
    width: int
    height: int

    @property
    def is_wide(self) -> bool:
        """Say whether its picture stands above the words."""
        return self.width >= WIDE_FROM and self.width >= WIDE_SHAPE * self.height


def link_in_card() -> ColumnElement[Any]:
    """Select what a card shows of the page that a post links to, as one value for `read_link`.

    Posts without a link, and those that show a quote instead, are not looked up.
    """
    shown = (LinkedPage.url, LinkedPage.title, LinkedPage.description)
    picture = (LinkedPage.picture, LinkedPage.picture_width, LinkedPage.picture_height)
    page = select(cast(func.json_build_array(*shown, *picture), Text))
    page = page.join(PostLink, PostLink.page_id == LinkedPage.id)
    page = page.where(PostLink.post_id == Post.id, ~PostLink.is_removed, LinkedPage.title != "")
    may_have_one = and_(Post.text.contains("://"), Post.quote_of_id.is_(None))
    return case((may_have_one, page.correlate(Post).scalar_subquery()))


def read_link(selected: str | None, text: str) -> LinkCard | None:
    """Return the card that `link_in_card` selected, for the link in a text."""
    url = first_link(text) if selected else None
    if not selected or not url:
        return None
    asked, title, description, picture, width, height = json.loads(selected)
    host = (urlsplit(asked).hostname or "").removeprefix("www.")
    file = addresses.link_picture(picture) if picture else None
    return LinkCard(url, host, title, description, file, width or 0, height or 0)

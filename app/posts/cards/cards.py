"""Post cards: what a page shows of an entry, for one viewer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup

from app.core import ids
from app.core.text import to_html
from app.posts.facts import Facts
from app.posts.links.cards import LinkCard, read_link
from app.posts.media.cards import CardImage, read_images
from app.posts.models import EVERYONE

NAMED_REPOSTERS = 2


@dataclass(frozen=True, slots=True)
class Author:
    """Who wrote it, as much as a card shows."""

    id: int
    handle: str
    name: str
    avatar: str | None
    is_private: bool = False

    @property
    def url(self) -> str:
        return f"/@{self.handle}"


class Reposter(NamedTuple):
    """An account that reposted it; without a handle it is the viewer's."""

    handle: str | None
    name: str


@dataclass(frozen=True, slots=True)
class QuotedPost:
    """A post inside another one's card."""

    id: int
    author: Author
    text: str
    html: Markup
    warning: str
    collapsed: str | None  # the words of the viewer's filter that it is collapsed for
    images: tuple[CardImage, ...]
    is_quote: bool  # of a third post, which only its own page shows
    created_at: datetime

    @property
    def url(self) -> str:
        return f"{self.author.url}/{self.id}"


@dataclass(frozen=True, slots=True, eq=False)
class PostCard:
    """An entry, ready to be shown; one object for all viewers who see it alike, so that what is kept is found."""

    entry_id: int  # the place in the feed: of the post, or of the repost
    id: int
    author: Author
    text: str
    html: Markup
    warning: str
    images: tuple[CardImage, ...]
    link: LinkCard | None
    created_at: datetime
    is_edited: bool
    is_hidden: bool  # only its author sees it
    is_held: bool  # and waits for a moderator
    audience: str
    likes: int
    replies: int
    reposts: int
    is_liked: bool  # by the viewer
    is_bookmarked: bool
    is_reposted: bool
    collapsed: str | None  # the words of the viewer's filter that it is collapsed for
    conversation_id: int
    reply_to_id: int | None
    answers: str | None  # the handle of the author it answers, if the viewer may know
    is_quote: bool
    quoted: QuotedPost | None  # None also where the viewer may not see it
    unwanted_quote: int | None  # what it quotes, where the viewer chose not to see that
    reposters: tuple[Reposter, ...]
    more_reposters: int

    @property
    def url(self) -> str:
        return f"{self.author.url}/{self.id}"

    @property
    def is_repost(self) -> bool:
        """Say whether the entry is a repost of the post."""
        return self.entry_id != self.id

    @property
    def entered_at(self) -> datetime:
        """Return when it came into the list: when it was written or, of a repost, when that was made."""
        return ids.time_of(self.entry_id)

    @property
    def said(self) -> str:
        """Return what may be said of it where nothing can be collapsed, as in a title: its warning, if it has one."""
        return said_in(self.collapsed, self.warning, self.text, self.images)

    @property
    def is_public(self) -> bool:
        """Say whether everybody may see it, so that everybody may hand it on."""
        return self.audience == EVERYONE and not self.author.is_private and not self.is_hidden


def said_in(collapsed: str | None, warning: str, text: str, images: Sequence[CardImage]) -> str:
    """Return what may be said of a post in a line."""
    if collapsed is not None:
        return "Filtered post"
    return warning or text or ("Image" if len(images) == 1 else "Images")


def make_card(
    post: Facts,
    *,
    entry_id: int,
    collapsed: str | None,
    quoted: Facts | None,
    unwanted_quote: int | None = None,
    reposters: Sequence[Reposter] = (),
) -> PostCard:
    """Return the card of a post; `quoted` is what it quotes, if the viewer may see that."""
    named, more = tuple(reposters[:NAMED_REPOSTERS]), max(0, len(reposters) - NAMED_REPOSTERS)
    shown_quote = quoted and (quoted.shown, quoted.collapsing_phrase)
    return _card(entry_id, post.shown, collapsed, shown_quote, unwanted_quote, named, more)


@lru_cache(maxsize=5000)
def _card(
    entry_id: int,
    shown: tuple[Any, ...],
    collapsed: str | None,
    quoted: tuple[tuple[Any, ...], str | None] | None,
    unwanted_quote: int | None,
    reposters: tuple[Reposter, ...],
    more_reposters: int,
) -> PostCard:
    post = Facts(*shown)
    return PostCard(
        entry_id=entry_id,
        id=post.id,
        author=author_of(post),
        text=post.text,
        html=to_html(post.text, frozenset((post.mentioned or "").split())),
        warning=post.warning,
        images=read_images(post.images),
        link=read_link(post.link, post.text),
        created_at=ids.time_of(post.id),
        is_edited=post.is_edited,
        is_hidden=post.is_hidden or post.is_held,
        is_held=post.is_held,
        audience=post.audience,
        likes=post.likes,
        replies=post.replies,
        reposts=post.reposts,
        is_liked=post.is_liked,
        is_bookmarked=post.is_bookmarked,
        is_reposted=post.is_reposted,
        collapsed=collapsed,
        conversation_id=post.thread_id or post.id,
        reply_to_id=post.reply_to_id,
        answers=post.answers,
        is_quote=post.quote_of_id is not None,
        quoted=_quoted_post(Facts(*quoted[0]), collapsed=quoted[1]) if quoted else None,
        unwanted_quote=unwanted_quote,
        reposters=reposters,
        more_reposters=more_reposters,
    )


def author_of(post: Facts) -> Author:
    return Author(post.author_id, post.handle, post.name, post.avatar, post.is_private)


def _quoted_post(post: Facts, *, collapsed: str | None) -> QuotedPost:
    return QuotedPost(
        id=post.id,
        author=author_of(post),
        text=post.text,
        html=to_html(post.text, frozenset()),
        warning=post.warning,
        collapsed=collapsed,
        images=read_images(post.images),
        is_quote=post.quote_of_id is not None,
        created_at=ids.time_of(post.id),
    )

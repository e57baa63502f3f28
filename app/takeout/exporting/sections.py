"""The parts of an export, each a list that is read in slices, the newest first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Row, Select, func, select
from sqlalchemy.orm import InstrumentedAttribute

from app import addresses
from app.accounts.models import User
from app.core import ids
from app.core.paging import cut
from app.extensions import db
from app.posts.models import Bookmark, Like, MutedConversation, Post, TagFollow, WordFilter
from app.posts.visibility import visible_to
from app.social.models import NO_REPOSTS, REPOSTS, Block, Follow, Mute
from app.social.queries import listable_to
from app.takeout.exporting import posts

Item = dict[str, Any]
Rows = Sequence[Row[*tuple[Any, ...]]]
AnySelect = Select[*tuple[Any, ...]]


@dataclass(frozen=True)
class Section:
    """One list: its file, what it holds of whom, and what is written down of each row."""

    name: str
    title: str
    empty: str
    select: Callable[[User], AnySelect]
    place: InstrumentedAttribute[int]
    items: Callable[[Rows, User, str], list[Item]]
    header: tuple[str, ...] = ()  # of the same as CSV, if it can be brought in elsewhere
    cells: Callable[[Item, str], tuple[str, ...]] | None = None


@dataclass(frozen=True)
class Part:
    """A slice of a section: what is written down, the files that come with it, and where the next one starts."""

    items: list[Item]
    next_after: int | None
    files: list[tuple[str, Path]] = field(default_factory=list)


def read(section: Section, user: User, *, after: int | None, size: int, origin: str) -> Part:
    """Return the next slice of a section."""
    rows = section.select(user).add_columns(section.place.label("place"))
    if after is not None:
        rows = rows.where(section.place < after)
    found, next_after = cut(
        db.session.execute(rows.order_by(section.place.desc()).limit(size + 1)).all(), size, key=lambda row: row.place
    )
    items = section.items(found, user, origin)
    return Part(items, next_after, [file for item in items for file in item.pop("_files", ())])


def number_in(section: Section, user: User) -> int:
    """Return how many rows a section has."""
    rows = section.select(user).with_only_columns(section.place.label("place"))
    return db.session.scalar(select(func.count()).select_from(rows.subquery())) or 0


def _people(of: InstrumentedAttribute[int], who: InstrumentedAttribute[int], *columns: Any) -> Callable[[User], Any]:
    """Return how to select the people to whom somebody stands in a relation."""

    def select_theirs(user: User) -> AnySelect:
        people: AnySelect = select(User.handle, User.name, *columns)
        here = listable_to(user) if who.class_ is not Block else User.deleted_at.is_(None)
        return people.join(who.class_, who == User.id).where(of == user.id, here)

    return select_theirs


def _people_items(rows: Rows, _: User, origin: str) -> list[Item]:
    items = []
    for row in rows:
        values = row._mapping
        extra = {name: values[name] for name in ("volume", "scope", "until") if name in values}
        person = {"handle": row.handle, "name": row.name, "url": origin + addresses.profile(row.handle)}
        items.append({**person, **extra, "since": ids.time_of(row.place)})
    return items


def _marked(mark: type[Like | Bookmark]) -> Callable[[User], AnySelect]:
    def select_theirs(user: User) -> AnySelect:
        marked: AnySelect = select(Post.id, User.handle, User.name).join(mark, mark.post_id == Post.id)
        return marked.join(User, User.id == Post.author_id).where(
            mark.user_id == user.id, visible_to(user, muted_too=True)
        )

    return select_theirs


def _marked_items(rows: Rows, _: User, origin: str) -> list[Item]:
    return [
        {
            "author": row.handle,
            "name": row.name,
            "url": origin + addresses.post(row.handle, row.id),
            "written_at": ids.time_of(row.id),
            "since": ids.time_of(row.place),
        }
        for row in rows
    ]


def _tag_items(rows: Rows, _: User, origin: str) -> list[Item]:
    return [{"tag": row.tag, "url": origin + addresses.tag(row.tag), "since": ids.time_of(row.place)} for row in rows]


def _filter_items(rows: Rows, _: User, origin: str) -> list[Item]:
    names = ("phrase", "is_whole_word", "action", "until")
    return [{**{name: row._mapping[name] for name in names}, "since": ids.time_of(row.place)} for row in rows]


def _conversation_items(rows: Rows, _: User, origin: str) -> list[Item]:
    return [
        {"url": origin + addresses.thread(row.thread_id), "id": row.thread_id, "since": ids.time_of(row.place)}
        for row in rows
    ]


def _address(item: Item, host: str) -> str:
    return f"{item['handle']}@{host}"


def _follow_cells(item: Item, host: str) -> tuple[str, ...]:
    return _address(item, host), "false" if item["volume"] == NO_REPOSTS else "true", item["volume"]


def _mute_cells(item: Item, host: str) -> tuple[str, ...]:
    until = item["until"].isoformat() if item["until"] else ""
    return _address(item, host), "true", "true" if item["scope"] == REPOSTS else "false", until


def _block_cells(item: Item, host: str) -> tuple[str, ...]:
    return (_address(item, host),)


# The first two columns of each are those that Mastodon writes and reads.
SECTIONS = (
    Section("posts", "Posts", "You haven’t posted anything.", posts.select_posts, Post.id, posts.items),
    Section(
        "follows",
        "People you follow",
        "You don’t follow anyone.",
        _people(Follow.follower_id, Follow.followed_id, Follow.volume),
        Follow.id,
        _people_items,
        ("Account address", "Show boosts", "Volume"),
        _follow_cells,
    ),
    Section(
        "followed_tags",
        "Tags you follow",
        "You don’t follow any tags.",
        lambda user: select(TagFollow.tag).where(TagFollow.user_id == user.id),
        TagFollow.id,
        _tag_items,
    ),
    Section("likes", "Likes", "You haven’t liked anything.", _marked(Like), Like.id, _marked_items),
    Section("bookmarks", "Bookmarks", "You have no bookmarks.", _marked(Bookmark), Bookmark.id, _marked_items),
    Section(
        "mutes",
        "Muted people",
        "You haven’t muted anyone.",
        _people(Mute.muter_id, Mute.muted_id, Mute.scope, Mute.until),
        Mute.id,
        _people_items,
        ("Account address", "Hide notifications", "Only reposts", "Until"),
        _mute_cells,
    ),
    Section(
        "blocks",
        "Blocked people",
        "You haven’t blocked anyone.",
        _people(Block.blocker_id, Block.blocked_id),
        Block.id,
        _people_items,
        ("Account address",),
        _block_cells,
    ),
    Section(
        "muted_conversations",
        "Muted conversations",
        "You haven’t muted any conversations.",
        lambda user: select(MutedConversation.thread_id).where(MutedConversation.user_id == user.id),
        MutedConversation.id,
        _conversation_items,
    ),
    Section(
        "filters",
        "Word filters",
        "You have no word filters.",
        lambda user: select(WordFilter.phrase, WordFilter.is_whole_word, WordFilter.action, WordFilter.until).where(
            WordFilter.user_id == user.id
        ),
        WordFilter.id,
        _filter_items,
    ),
)
BY_NAME = {section.name: number for number, section in enumerate(SECTIONS)}

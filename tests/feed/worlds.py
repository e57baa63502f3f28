"""Small worlds in which all happens that the clauses of a home ask about, drawn at random, and put into Postgres.

Wilder than the site lets people be: they follow those who block them, and repost what was for a few. The clauses must
agree about that, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, NamedTuple, TypeVar

from flask import Flask
from sqlalchemy import insert

from app.accounts.models import User
from app.accounts.standing import FOREVER
from app.core import ids
from app.extensions import Model, db
from app.feed.rules.repeat import REPEAT_HOURS
from app.posts.filters.operations import pattern_of
from app.posts.models import (
    COLLAPSE,
    HIDE,
    Like,
    MutedConversation,
    Post,
    PostImage,
    PostMention,
    PostTag,
    TagFollow,
    WordFilter,
)
from app.social.models import EVERYTHING, REPOSTS, Block, Follow
from app.social.models import Mute as MuteRow
from tests.feed.model import (
    ALL,
    ALL_REPLIES,
    EVERYONE,
    FOLLOWERS,
    HIGHLIGHTS,
    MENTIONED,
    NO_REPLIES,
    NO_REPOSTS,
    Entry,
    Filter,
    Mute,
    World,
)

START, NOW = datetime(2026, 2, 1, tzinfo=UTC), datetime(2026, 11, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)
PEOPLE = range(1, 7)
AUTHORS = (1, 1, 1, 1, 1, 2, 2, 3, 4, 5, 6)  # some write more, so that they have more than highlights
ENTRIES = 26
KINDS = ("post", "post", "reply", "repost", "repost")
POPULAR = 4  # posts that are reposted by many
TAGS = ("tea", "milk")
# Two of them may be just as far apart as makes a repeat, or be a moment closer.
MOMENT = timedelta(milliseconds=1)
STEPS = (*[MOMENT] * 6, HOUR, HOUR, 12 * HOUR, 12 * HOUR - MOMENT, 60 * HOUR)
ENDS = (None, None, NOW - HOUR, NOW, NOW + HOUR)
STATE_ENDS = (NOW - HOUR, NOW, NOW + HOUR, FOREVER)
WORDS = ("pine", "Pineapple", "", "a party", "")
PHRASES = ("pine", "party", "tea", "milk")
T = TypeVar("T")


class Someone(NamedTuple):
    """A reader, as far as the clauses ask."""

    id: int
    repeat_hours: int
    hides_own_reposts: bool
    time_zone: str | None = None


def reader_in(world: World, who: int) -> Someone:
    return Someone(who, world.repeat_hours.get(who, 72), who in world.hides_own_reposts)


def readers(world: World) -> list[int]:
    return [who for who in PEOPLE if who not in world.erased and not world.is_suspended(who)]


# ---- Drawing


def draw_world(random: Random, *, kinds: Sequence[str] = KINDS, entries: int = ENTRIES) -> World:
    """Return a world with people who stand to each other in all ways, and their posts, replies and reposts."""
    pick, world = random.choice, World(NOW)
    for who in PEOPLE:
        world.repeat_hours[who] = pick(REPEAT_HOURS)
        _add(world.hides_own_reposts, who, when=pick((True, False)))
        _add(world.private, who, when=pick((True, False, False, False)))
        world.followed_tags |= {(who, tag) for tag in pick(((), (), TAGS[:1], TAGS[1:], TAGS))}
        world.filters[who] = {number: _filter(pick) for number in range(pick((0, 0, 1, 2)))}
        for whom in PEOPLE:
            if whom != who:
                _relate(world, (who, whom), pick)
    _add(world.erased, pick(PEOPLE), when=pick((True, False)))
    for state in (world.limited, world.suspended):
        for who in pick(((), (pick(AUTHORS),), (pick(AUTHORS),))):
            state[who] = pick(STATE_ENDS)
    moment = START
    for _ in range(entries):
        moment += pick(STEPS)
        entry = _entry(world, ids.id_at(moment), pick, kinds)
        world.entries[entry.id] = entry
    conversations = [(entry.author, entry.conversation) for entry in world.entries.values()]
    for who in PEOPLE:
        theirs = [conversation for author, conversation in conversations if author == who]
        muted = pick(pick((theirs, [conversation for _, conversation in conversations])) or [0])
        _add(world.muted_conversations, (who, muted), when=pick((True, True, False)))
    return world


def _add(to: set[T], what: T, *, when: bool) -> None:
    if when:
        to.add(what)


def _relate(world: World, two: tuple[int, int], pick: Callable[[Sequence[Any]], Any]) -> None:
    if volume := pick((None, None, None, ALL, ALL, ALL_REPLIES, NO_REPLIES, NO_REPOSTS, HIGHLIGHTS, HIGHLIGHTS)):
        world.follows[two] = volume
    match pick(("", "", "", "", "", "block", "mute", "mute")):
        case "block":
            world.blocks.add(two)
        case "mute":
            world.mutes[two] = Mute(only_reposts=pick((True, False)), until=pick(ENDS))


def _filter(pick: Callable[[Sequence[Any]], Any]) -> Filter:
    return Filter(
        pick(PHRASES), is_whole_word=pick((True, False)), until=pick(ENDS), collapses=pick((True, False, False))
    )


def _entry(world: World, entry_id: int, pick: Callable[[Sequence[Any]], Any], kinds: Sequence[str]) -> Entry:
    author, posts = pick(AUTHORS), [each for each in world.entries.values() if not each.repost_of]
    kind, older = pick(kinds), pick(posts) if posts else None
    popular = pick(posts[:POPULAR]) if posts and pick((True, False)) else older
    if kind == "repost" and popular and not world.repost_by(author, popular):
        return Entry(entry_id, author, repost_of=popular)
    likes = set(PEOPLE[: pick((0, 0, 1, 2, 4))])
    reply_to = older if kind == "reply" else None
    mentions = frozenset(pick(((), (), (pick(PEOPLE),), (1, 2, 3))))
    audience = pick((EVERYONE, EVERYONE, EVERYONE, EVERYONE, FOLLOWERS, MENTIONED))
    if pick((True, *[False] * 9)):
        return Entry(
            entry_id, author, audience=audience, mentions=mentions, reply_to=reply_to, likes=likes, is_deleted=True
        )
    tags = frozenset(pick(((), (), (), TAGS[:1], TAGS[1:], TAGS)))
    said = [pick(WORDS), *(f"#{tag}" for tag in sorted(tags)), *(f"@p{who}" for who in sorted(mentions))]
    is_held = pick((*[False] * 16, True))
    return Entry(
        entry_id,
        author,
        text=" ".join(said),
        warning=pick(("", "", "", "pine")),
        alts=pick(((), (), (), ("a pine",), ("", "pineapples"))),
        audience=audience,
        mentions=mentions,
        tags=tags,
        reply_to=reply_to,
        quote_of=pick(posts) if posts and pick((True, False, False)) else None,
        likes=likes,
        hidden_until=FOREVER if is_held else pick((*[None] * 16, *STATE_ENDS)),
        is_held=is_held,
        removed_until=pick((*[None] * 16, *STATE_ENDS)),
    )


# ---- Inserting


@contextmanager
def inserted(app: Flask, world: World) -> Iterator[None]:
    """Have a world in Postgres for a while: nothing of it is ever committed."""
    with app.app_context():
        _insert_world(world)
        try:
            yield
        finally:
            db.session.rollback()


def _insert_world(world: World) -> None:
    """Put a world into the transaction of the session, a statement for each table."""
    _insert_people(world)
    entries = list(world.entries.values())
    _insert(Post, [_post_row(entry) for entry in entries])
    _insert(PostMention, [{"post_id": each.id, "user_id": who} for each in entries for who in each.mentions])
    _insert(PostTag, [{"post_id": each.id, "tag": tag} for each in entries for tag in each.tags])
    _insert(Like, [{"post_id": each.id, "user_id": who} for each in entries for who in each.likes])
    images = [(each, *image) for each in entries for image in enumerate(each.alts)]
    size = {"width": 40, "height": 30}
    _insert(
        PostImage,
        [
            {"owner_id": post.author, "post_id": post.id, "position": at, "file": f"{post.id}-{at}", "alt": alt, **size}
            for post, at, alt in images
        ],
    )


def _insert_people(world: World) -> None:
    _insert(
        User,
        [
            {
                "id": who,
                "handle": f"p{who}",
                "name": f"Person {who}",
                "email": f"p{who}@example.org",
                "password_hash": "",
                "is_private": who in world.private,
                "repeat_hours": world.repeat_hours.get(who, 72),
                "hides_own_reposts": who in world.hides_own_reposts,
                "deleted_at": NOW if who in world.erased else None,
                "limited_until": world.limited.get(who),
                "suspended_until": world.suspended.get(who),
            }
            for who in sorted(people_of(world))
        ],
    )
    follows = world.follows.items()
    _insert(Follow, [{"follower_id": a, "followed_id": b, "volume": volume} for (a, b), volume in follows])
    _insert(Block, [{"blocker_id": a, "blocked_id": b} for a, b in world.blocks])
    _insert(
        MuteRow,
        [
            {"muter_id": a, "muted_id": b, "scope": REPOSTS if mute.only_reposts else EVERYTHING, "until": mute.until}
            for (a, b), mute in world.mutes.items()
        ],
    )
    _insert(MutedConversation, [{"user_id": who, "thread_id": thread} for who, thread in world.muted_conversations])
    _insert(TagFollow, [{"user_id": who, "tag": tag} for who, tag in world.followed_tags])
    filters = [(who, each) for who, theirs in world.filters.items() for each in theirs.values()]
    _insert(
        WordFilter,
        [
            {
                "user_id": who,
                "phrase": each.phrase,
                "pattern": pattern_of(each.phrase, is_whole_word=each.is_whole_word),
                "is_whole_word": each.is_whole_word,
                "action": COLLAPSE if each.collapses else HIDE,
                "until": each.until,
            }
            for who, each in filters
        ],
    )


def people_of(world: World) -> set[int]:
    """Return all who write, or of whom something is known."""
    related = (two for pairs in (world.follows, world.blocks, world.mutes) for two in pairs)
    return {*(entry.author for entry in world.entries.values()), *(who for two in related for who in two), *PEOPLE}


def _post_row(entry: Entry) -> dict[str, Any]:
    return {
        "id": entry.id,
        "author_id": entry.author,
        "text": entry.text,
        "warning": entry.warning,
        "audience": entry.audience,
        "repost_of_id": entry.repost_of and entry.repost_of.id,
        "quote_of_id": entry.quote_of and entry.quote_of.id,
        "reply_to_id": entry.reply_to and entry.reply_to.id,
        "reply_to_author_id": entry.reply_to and entry.reply_to.author,
        "thread_id": entry.conversation if entry.reply_to else None,
        "deleted_at": NOW if entry.is_deleted else None,
        "hidden_until": entry.hidden_until,
        "held_at": NOW if entry.is_held else None,
        "removed_until": entry.removed_until,
    }


def _insert(table: type[Model], rows: list[dict[str, Any]]) -> None:
    if rows:
        db.session.execute(insert(table).values(rows))

"""Put the made-up population into the database, in one transaction: an interrupted fill leaves nothing behind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import Insert, insert, text

from app.accounts import avatars, passwords
from app.accounts.models import User, UserCounters
from app.core import ids
from app.core.text import mentioned_handles, tags_in
from app.demo.people import MARKER, Person
from app.demo.population import Population
from app.demo.portraits import save_portrait
from app.demo.progress import track
from app.demo.reactions import Reaction
from app.demo.scenes import draw_scene, pictured
from app.demo.writing import Written
from app.extensions import db
from app.posts.media import files as image_files
from app.posts.models import Like, Post, PostImage, PostMention, PostTag
from app.posts.writing.operations import MAX_MENTIONS
from app.social.models import Follow

PASSWORD = "freshet-demo"  # noqa: S105 (printed on the screen at every start)
# No password has this hash: nobody can log in as the account that marks the site as a demo, and delete it.
NO_PASSWORD = "!"  # noqa: S105
BATCH = 500
THREADS = 2

Row = dict[str, Any]
Entry = Written | Reaction


def fill(population: Population) -> None:
    """Store everybody and everything; the caller commits."""
    with _portraits(population.people) as portraits:
        user_ids = _store_people(population.people, portraits)
        _store(
            insert(Follow).returning(Follow.id), "People following each other", list(_follow_rows(population, user_ids))
        )
        _store_posts(population, user_ids)
        db.session.execute(
            text("ANALYZE users, user_counters, follows, posts, post_counters, post_mentions, post_tags, likes")
        )


@contextmanager
def _portraits(people: Sequence[Person]) -> Iterator[dict[str, str]]:
    """Draw the pictures; remove them again if what follows fails."""
    folder = avatars.folder()
    folder.mkdir(parents=True, exist_ok=True)
    sitters = [person.handle for person in people if person.has_portrait]
    files: dict[str, str] = {}
    try:
        with ThreadPoolExecutor(THREADS) as pool:  # Pillow encodes without holding the interpreter
            for handle, file in zip(
                track("Pictures", sitters), pool.map(partial(save_portrait, folder=folder), sitters), strict=True
            ):
                files[handle] = file
        yield files
    except BaseException:
        for file in files.values():
            avatars.remove(file)
        raise


def _store_people(people: Sequence[Person], portraits: dict[str, str]) -> dict[str, int]:
    """Store the accounts and return their ids by handle in lower case."""
    # Argon2 is slow on purpose. One hash for all is fine where the password is printed on the screen anyway.
    password_hash = passwords.hash_password(PASSWORD)
    rows = [_user_row(person, password_hash, portraits.get(person.handle)) for person in people]
    new_users = insert(User).returning(User.id, sort_by_parameter_order=True)
    stored: list[int] = []
    for batch in track("People", _batches(rows)):
        stored += db.session.scalars(new_users, batch)
    db.session.execute(insert(UserCounters), [{"user_id": user_id} for user_id in stored])
    return {person.handle.lower(): user_id for person, user_id in zip(people, stored, strict=True)}


def _user_row(person: Person, password_hash: str, portrait: str | None) -> Row:
    return {
        "handle": person.handle,
        "name": person.name,
        "email": f"{person.handle.lower()}@example.org",
        "password_hash": NO_PASSWORD if person.handle == MARKER else password_hash,
        "bio": person.bio,
        "avatar": portrait,
        "role": person.role,
        "created_at": person.joined,
    }


def _follow_rows(population: Population, user_ids: dict[str, int]) -> Iterator[Row]:
    moments = [following.moment for following in population.followings]
    for following, entry_id in zip(population.followings, ids_at(moments), strict=True):
        follower, followed = user_ids[following.follower.lower()], user_ids[following.followed.lower()]
        yield {"follower_id": follower, "followed_id": followed, "id": entry_id}


def _store_posts(population: Population, user_ids: dict[str, int]) -> None:
    joined = {person.handle.lower(): person.joined for person in population.people}
    rows: dict[int, Row] = {}
    mentions, tags = [], []
    entries: list[Entry] = [*population.posts, *population.quotes, *population.reposts]
    entries.sort(key=lambda entry: entry.moment)
    for entry, entry_id in zip(entries, ids_at([entry.moment for entry in entries]), strict=True):
        rows[id(entry)] = _entry_row(entry, entry_id, rows, population, user_ids)
        if isinstance(entry, Written):
            mentions += [{"post_id": entry_id, "user_id": user_ids[handle]} for handle in _known_handles(entry, joined)]
            tags += [{"post_id": entry_id, "tag": tag} for tag in sorted(tags_in(entry.text))]
    _store(insert(Post).returning(Post.id), "Posts", list(rows.values()))
    _store(insert(PostMention).returning(PostMention.post_id), "Mentions", mentions)
    _store(insert(PostTag).returning(PostTag.post_id), "Tags", tags)
    _store_pictures(population.posts, rows)
    posts = [rows[id(post)]["id"] for post in population.posts]
    _store(insert(Like).returning(Like.id), "Likes", list(_like_rows(population, posts, user_ids)))


def _store_pictures(posts: Sequence[Written], rows: dict[int, Row]) -> None:
    """Give some posts a picture; remove the files again if that fails."""
    files: list[str] = []
    try:
        for post, scene in track("Photographs", list(pictured(posts))):
            saved = image_files.save(draw_scene(scene, post.text))
            files.append(saved.file)
            row = rows[id(post)]
            values = {"file": saved.file, "width": saved.width, "height": saved.height, "alt": scene.alt}
            db.session.execute(insert(PostImage).values(owner_id=row["author_id"], post_id=row["id"], **values))
    except BaseException:
        for file in files:
            image_files.remove(file)
        raise


def _entry_row(
    entry: Entry, entry_id: int, rows: dict[int, Row], population: Population, user_ids: dict[str, int]
) -> Row:
    """Return the row of a post or repost; `rows` has those of all older entries, by what they were made from."""
    row: Row = {"id": entry_id, "text": "", "repost_of_id": None, "quote_of_id": None}
    row |= {"reply_to_id": None, "reply_to_author_id": None, "thread_id": None}
    if isinstance(entry, Reaction):
        original = rows[id(population.posts[entry.post])]
        return row | {"author_id": user_ids[entry.handle.lower()], "repost_of_id": original["id"]}
    row |= {"author_id": user_ids[entry.author.lower()], "text": entry.text}
    if entry.quotes:
        row["quote_of_id"] = rows[id(entry.quotes)]["id"]
    if entry.answers:
        answered = rows[id(entry.answers)]
        row |= {"reply_to_id": answered["id"], "reply_to_author_id": answered["author_id"]}
        row["thread_id"] = answered["thread_id"] or answered["id"]
    return row


def _like_rows(population: Population, posts: Sequence[int], user_ids: dict[str, int]) -> Iterator[Row]:
    moments = [like.moment for like in population.likes]
    for like, entry_id in zip(population.likes, ids_at(moments), strict=True):
        yield {"post_id": posts[like.post], "user_id": user_ids[like.handle.lower()], "id": entry_id}


def _known_handles(post: Written, joined: dict[str, datetime]) -> list[str]:
    """Return the people that a post mentions, as `publish_post` would have found them when it was written."""
    handles = sorted(mentioned_handles(post.text))[:MAX_MENTIONS]
    return [handle for handle in handles if handle in joined and joined[handle] <= post.moment]


def ids_at(moments: Iterable[datetime]) -> Iterator[int]:
    """Turn moments in ascending order into ids, no two the same."""
    last = 0
    for moment in moments:
        last = max(last, ids.id_at(moment)) + 1
        yield last


def _store(rows_into: Insert, title: str, rows: Sequence[Row]) -> None:
    """Insert rows in batches. RETURNING makes each batch one statement, for which the counting triggers run once."""
    for batch in track(title, _batches(rows)):
        db.session.execute(rows_into, batch)


def _batches(rows: Sequence[Row]) -> list[Sequence[Row]]:
    return [rows[start : start + BATCH] for start in range(0, len(rows), BATCH)]

"""Lists of posts, in pages: profiles, tags, bookmarks, quotes, and the people behind likes and reposts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from sqlalchemy import BigInteger, BindParameter, Select, Text, and_, bindparam, or_, select

from app.accounts.models import User
from app.accounts.reader import Reader
from app.core.ids import MAX_ID
from app.core.paging import PAGE_SIZE, cut
from app.core.statements import AnyViewer, Compiled
from app.extensions import db
from app.posts.cards.cards import PostCard
from app.posts.cards.reading import cards_for
from app.posts.models import (
    MENTIONED,
    Bookmark,
    Like,
    Post,
    PostImage,
    PostMention,
    PostTag,
    Viewer,
)
from app.posts.visibility import DELETED, visible_to
from app.social.queries import (
    Person,
    followed_by,
    listable_to,
    people_page,
    select_people,
)

CardPage = tuple[Sequence[PostCard], int | None]  # the cards, and below which id the next page starts
CHUNK = PAGE_SIZE + 4  # candidates that are decided over facts at once
MAX_CHUNKS = 4  # beyond them Postgres decides


@dataclass(frozen=True)
class PostList:
    """A list of posts, newest first, of which the clauses leave what its viewer may see."""

    select_candidates: Callable[[], Select[int]]
    muted_too: bool = False  # the page names the author

    def read(self, viewer: Reader | None, place: int, *, upwards: bool, values: Mapping[str, object]) -> CardPage:
        """Return the cards next to a place, in the direction of reading, and where the page after starts."""
        cards: list[PostCard] = []
        for _ in range(MAX_CHUNKS):
            ids = [row[0] for row in self._candidates(upwards).rows(**values, place=place)]
            cards += cards_for(ids, viewer=viewer, muted_too=self.muted_too)
            if len(cards) > PAGE_SIZE or len(ids) < CHUNK:
                return cut(cards, PAGE_SIZE, key=_place_of)
            place = ids[-1]
        who = {"viewer_id": viewer.id} if viewer else {}
        ids = [row[0] for row in self._visible(viewer is None, upwards).rows(**values, **who, place=place)]
        cards += cards_for(ids, viewer=viewer, muted_too=self.muted_too)
        if len(cards) <= PAGE_SIZE < len(ids):  # some of them have gone since; there may be more
            return cards, ids[-1]
        return cut(cards, PAGE_SIZE, key=_place_of)

    @cache  # noqa: B019  # the lists of this module live as long as the process
    def _candidates(self, upwards: bool) -> Compiled:
        # An index of each author's posts knows those alone that are not deleted.
        return Compiled(lambda: _some(self.select_candidates().where(~DELETED.sql(None, Post, None)), CHUNK, upwards))

    @cache  # noqa: B019
    def _visible(self, for_strangers: bool, upwards: bool) -> Compiled:
        viewer = None if for_strangers else AnyViewer()
        return Compiled(lambda: _some(self._select_visible(viewer), PAGE_SIZE + 1, upwards))

    def _select_visible(self, viewer: Viewer) -> Select[int]:
        return self.select_candidates().where(visible_to(viewer, muted_too=self.muted_too))


def _some(posts: Select[int], size: int, upwards: bool) -> Select[int]:
    """Select the posts next to a place: a number that Postgres knows when it plans, or it would sort them all."""
    place = bindparam("place", type_=BigInteger)
    if upwards:
        return posts.where(Post.id > place).order_by(Post.id).limit(size)
    return posts.where(Post.id < place).order_by(Post.id.desc()).limit(size)


def _place_of(card: PostCard) -> int:
    return card.entry_id


def _given(name: str) -> BindParameter[int]:
    return bindparam(name, type_=BigInteger)


def _of_author() -> Select[int]:
    return select(Post.id).where(Post.author_id == _given("author_id"))


def _on_their_own() -> Select[int]:
    return _of_author().where(or_(Post.reply_to_id.is_(None), Post.reply_to_author_id == _given("author_id")))


def _replies_to_others() -> Select[int]:
    return _of_author().where(Post.reply_to_author_id != _given("author_id"))


def _pictured() -> Select[int]:
    pictured = select(PostImage.post_id).where(PostImage.owner_id == _given("author_id"))
    return _of_author().where(Post.id.in_(pictured))


def _tagged() -> Select[int]:
    is_tagged = and_(PostTag.post_id == Post.id, PostTag.tag == bindparam("tag", type_=Text))
    return select(Post.id).join(PostTag, is_tagged)


def _latest() -> Select[int]:
    return select(Post.id).where(Post.reply_to_id.is_(None), Post.repost_of_id.is_(None))


def _quoting() -> Select[int]:
    return select(Post.id).where(Post.quote_of_id == _given("post_id"))


def _letters() -> Select[int]:
    reader_id = _given("reader_id")
    is_mentioned = and_(PostMention.post_id == Post.id, PostMention.user_id == reader_id)
    is_letter = and_(Post.audience == MENTIONED, Post.author_id != reader_id)
    return select(Post.id).join(PostMention, is_mentioned).where(is_letter, ~followed_by(reader_id, Post.author_id))


ON_THEIR_OWN = PostList(_on_their_own, muted_too=True)
REPLIES, PICTURED = PostList(_replies_to_others, muted_too=True), PostList(_pictured, muted_too=True)
TAGGED, LATEST, QUOTING = PostList(_tagged), PostList(_latest), PostList(_quoting)
LETTERS = PostList(_letters)


@dataclass(frozen=True)
class Listing:
    """One list of posts, such as that of one author."""

    posts: PostList
    values: Mapping[str, object]

    def page(self, *, viewer: Reader | None, before: int | None = None, above: int | None = None) -> CardPage:
        """Return the newest cards below a place, or the oldest above one, and where the next page starts."""
        if above is None:
            return self.posts.read(viewer, MAX_ID if before is None else before, upwards=False, values=self.values)
        cards, edge = self.posts.read(viewer, above, upwards=True, values=self.values)
        return cards[::-1], edge


def posts_by(author: User) -> Listing:
    """Return what an account says on its own, the newest first: posts, quotes, reposts, and how they go on."""
    return Listing(ON_THEIR_OWN, {"author_id": author.id})


def replies_by(author: User) -> Listing:
    """Return what an account answered to others."""
    return Listing(REPLIES, {"author_id": author.id})


def pictures_by(author: User) -> Listing:
    """Return an account's posts with images."""
    return Listing(PICTURED, {"author_id": author.id})


def posts_tagged(tag: str) -> Listing:
    """Return the posts under a tag."""
    return Listing(TAGGED, {"tag": tag})


def latest_posts() -> Listing:
    """Return the latest posts of all, without replies and reposts."""
    return Listing(LATEST, {})


def letters_to(reader: User) -> Listing:
    """Return the posts only for people they mention, a reader among them, by authors whom the reader does not follow.

    Those by others are in the reader's home.
    """
    return Listing(LETTERS, {"reader_id": reader.id})


def quotes_of(post: Post) -> Listing:
    """Return the posts that quote a post, the newest first."""
    return Listing(QUOTING, {"post_id": post.id})


def bookmarked_by(viewer: User, *, before: int | None = None, above: int | None = None) -> CardPage:
    """Return the posts in the viewer's bookmarks, the last bookmarked first: below a place, or the next above one."""
    kept = select(Bookmark.id, Bookmark.post_id).join(Post, Post.id == Bookmark.post_id)
    kept = kept.where(Bookmark.user_id == viewer.id, visible_to(viewer, muted_too=True))
    if before is not None:
        kept = kept.where(Bookmark.id < before)
    if above is not None:
        kept = kept.where(Bookmark.id > above)
    order = Bookmark.id if above is not None else Bookmark.id.desc()
    rows = db.session.execute(kept.order_by(order).limit(PAGE_SIZE + 1)).all()
    page, edge = cut(rows, key=lambda row: row[0])
    ids = [row[1] for row in page]
    return cards_for(ids[::-1] if above is not None else ids, viewer=viewer, muted_too=True), edge


def place_in_bookmarks(viewer: User, post_id: int) -> int | None:
    """Return the place of a post in the viewer's bookmarks, if it is there."""
    theirs = (Bookmark.user_id == viewer.id, Bookmark.post_id == post_id)
    return db.session.scalar(select(Bookmark.id).where(*theirs))


def reposter_of(entry_id: int, post: Post, *, viewer: User) -> Person | None:
    """Return who brought an entry for a post, if it is a repost that the viewer may see and not their own."""
    if entry_id > MAX_ID:
        return None
    people = select_people(viewer).join(Post, Post.author_id == User.id).where(User.id != viewer.id)
    people = people.where(Post.id == entry_id, Post.repost_of_id == post.id, visible_to(viewer, muted_too=True))
    found, _ = people_page(people, User.id, before=None, viewer=viewer)
    return found[0] if found else None


def likers_of(post: Post, *, viewer: User | None, before: int | None) -> tuple[Sequence[Person], int | None]:
    """Return who likes a post, the last first."""
    people = select_people(viewer).join(Like, Like.user_id == User.id)
    return people_page(
        people.where(Like.post_id == post.id, listable_to(viewer)), Like.id, before=before, viewer=viewer
    )


def reposters_of(post: Post, *, viewer: User | None, before: int | None) -> tuple[Sequence[Person], int | None]:
    """Return who reposted a post, the last first."""
    people = select_people(viewer).join(Post, Post.author_id == User.id)
    people = people.where(Post.repost_of_id == post.id, visible_to(viewer, muted_too=True), listable_to(viewer))
    return people_page(people, Post.id.expression, before=before, viewer=viewer)

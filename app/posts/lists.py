"""Lists of posts, in pages: profiles, tags, bookmarks, quotes, and the people behind likes and reposts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from sqlalchemy import BigInteger, BindParameter, Integer, Select, Text, and_, bindparam, or_, select

from app.accounts.models import User
from app.accounts.reader import Reader
from app.core.ids import MAX_ID
from app.core.paging import PAGE_SIZE, cut
from app.core.statements import AnyViewer, Compiled
from app.extensions import db
from app.posts.models import (
    Bookmark,
    Like,
    Post,
    PostImage,
    PostTag,
    Viewer,
)
from app.posts.visibility import visible_to
from app.social.queries import (
    Person,
    listable_to,
    people_page,
    select_people,
)


@dataclass(frozen=True)
class PostList:
    """A list of posts, newest first, as statements that are compiled once: for strangers, and for everybody else."""

    select_posts: Callable[[Viewer], Select[int]]

    def page(
        self, *, viewer: Reader | None, before: int | None, size: int = PAGE_SIZE, **values: object
    ) -> tuple[Sequence[int], int | None]:
        """Return the newest ids below `before`, and where the next page starts."""
        asked = {**values, "below": MAX_ID if before is None else before, "size": size + 1}
        who = {"viewer_id": viewer.id} if viewer else {}
        found = [row[0] for row in self._statement(viewer is None).rows(**who, **asked)]
        return cut(found, size, key=lambda post_id: post_id)

    @cache  # noqa: B019  # the lists of this module live as long as the process
    def _statement(self, for_strangers: bool) -> Compiled:
        return Compiled(lambda: self._select(None if for_strangers else AnyViewer()))

    def _select(self, viewer: Viewer) -> Select[int]:
        posts = self.select_posts(viewer).where(Post.id < bindparam("below", type_=BigInteger))
        return posts.order_by(Post.id.desc()).limit(bindparam("size", type_=Integer))


def _given(name: str) -> BindParameter[int]:
    return bindparam(name, type_=BigInteger)


def _entries_of_author(viewer: Viewer) -> Select[int]:
    return select(Post.id).where(Post.author_id == _given("author_id"), visible_to(viewer, muted_too=True))


def _on_their_own(viewer: Viewer) -> Select[int]:
    own = or_(Post.reply_to_id.is_(None), Post.reply_to_author_id == _given("author_id"))
    return _entries_of_author(viewer).where(own)


def _replies_to_others(viewer: Viewer) -> Select[int]:
    return _entries_of_author(viewer).where(Post.reply_to_author_id != _given("author_id"))


def _pictured(viewer: Viewer) -> Select[int]:
    pictured = select(PostImage.post_id).where(PostImage.owner_id == _given("author_id"))
    return _entries_of_author(viewer).where(Post.id.in_(pictured))


def _tagged(viewer: Viewer) -> Select[int]:
    is_tagged = and_(PostTag.post_id == Post.id, PostTag.tag == bindparam("tag", type_=Text))
    return select(Post.id).join(PostTag, is_tagged).where(visible_to(viewer))


def _latest(viewer: Viewer) -> Select[int]:
    posts = select(Post.id).where(Post.reply_to_id.is_(None), Post.repost_of_id.is_(None))
    return posts.where(visible_to(viewer))


def _quoting(viewer: Viewer) -> Select[int]:
    return select(Post.id).where(Post.quote_of_id == _given("post_id"), visible_to(viewer))


ON_THEIR_OWN, REPLIES, PICTURED = PostList(_on_their_own), PostList(_replies_to_others), PostList(_pictured)
TAGGED, LATEST, QUOTING = PostList(_tagged), PostList(_latest), PostList(_quoting)


def posts_by(author: User, *, viewer: Reader | None, before: int | None) -> tuple[Sequence[int], int | None]:
    """Return what an account says on its own, the newest first: posts, quotes, reposts, and how they go on."""
    return ON_THEIR_OWN.page(viewer=viewer, before=before, author_id=author.id)


def replies_by(author: User, *, viewer: Reader | None, before: int | None) -> tuple[Sequence[int], int | None]:
    """Return what an account answered to others."""
    return REPLIES.page(viewer=viewer, before=before, author_id=author.id)


def pictures_by(author: User, *, viewer: Reader | None, before: int | None) -> tuple[Sequence[int], int | None]:
    """Return an account's posts with images."""
    return PICTURED.page(viewer=viewer, before=before, author_id=author.id)


def posts_tagged(tag: str, *, viewer: Reader | None, before: int | None) -> tuple[Sequence[int], int | None]:
    """Return the posts under a tag."""
    return TAGGED.page(viewer=viewer, before=before, tag=tag)


def latest_posts(*, viewer: Reader | None, before: int | None) -> tuple[Sequence[int], int | None]:
    """Return the latest posts of all, without replies and reposts."""
    return LATEST.page(viewer=viewer, before=before)


def quotes_of(post: Post, *, viewer: Reader | None, before: int | None) -> tuple[Sequence[int], int | None]:
    """Return the posts that quote a post, the newest first."""
    return QUOTING.page(viewer=viewer, before=before, post_id=post.id)


def bookmarked_by(viewer: User, *, before: int | None) -> tuple[Sequence[int], int | None]:
    """Return the posts in the viewer's bookmarks, the last bookmarked first."""
    kept = select(Bookmark.id, Bookmark.post_id).join(Post, Post.id == Bookmark.post_id)
    kept = kept.where(Bookmark.user_id == viewer.id, visible_to(viewer, muted_too=True))
    if before is not None:
        kept = kept.where(Bookmark.id < before)
    rows = db.session.execute(kept.order_by(Bookmark.id.desc()).limit(PAGE_SIZE + 1)).all()
    page, next_before = cut(rows, key=lambda row: row[0])
    return [row[1] for row in page], next_before


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

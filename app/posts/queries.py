"""Read posts. Every list of posts starts from `visible_to`."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ARRAY, ColumnElement, Select, Text, and_, any_, case, cast, exists, func, literal, or_, select
from sqlalchemy.dialects.postgresql import array
from sqlalchemy.orm import InstrumentedAttribute, aliased
from sqlalchemy.orm.util import AliasedClass

from app.accounts.models import User
from app.core.ids import MAX_ID
from app.core.paging import PAGE_SIZE, cut
from app.core.statements import AnyViewer, present
from app.extensions import db
from app.posts.models import (
    EVERYONE,
    HIDE,
    MENTIONED,
    Bookmark,
    Like,
    MutedConversation,
    Post,
    PostImage,
    PostMention,
    PostTag,
    WordFilter,
)
from app.social.queries import (
    Person,
    blocks_between,
    followed_by,
    listable_to,
    muted_by,
    people_page,
    select_people,
)

# Aliases, so that a predicate keeps its own rows inside a statement that selects from the same table.
_Author, _Target, _Mention, _Image = aliased(User), aliased(Post), aliased(PostMention), aliased(PostImage)
PostRow = type[Post] | AliasedClass[Post]
Viewer = User | AnyViewer | None


def visible_to(viewer: Viewer, post: PostRow = Post, *, muted_too: bool = False) -> ColumnElement[bool]:
    """Hold for the posts that a viewer may see: the only place that knows. A repost is seen where its post is seen.

    `muted_too` is for pages that name the author (profile, permalink): whoever goes there asked for that person.
    """
    reposted = exists().where(_Target.id == post.repost_of_id, one_visible_to(viewer, _Target))
    return and_(
        one_visible_to(viewer, post, muted_too=muted_too),
        or_(post.repost_of_id.is_(None), reposted),
    )


def visible_in_thread(viewer: Viewer, post: PostRow) -> ColumnElement[bool]:
    """Hold for what a viewer sees of a conversation that they opened, and may have muted as a whole."""
    may = one_visible_to(viewer, post, muted_too=True)
    if viewer is None:
        return may
    unwanted = or_(muted_by(viewer.id, post.author_id), is_filtered_by(viewer, post, HIDE))
    return and_(may, or_(post.author_id == viewer.id, ~unwanted))


def standing_in_thread(viewer: Viewer, post: PostRow) -> tuple[ColumnElement[bool], ...]:
    """Return whether a post of a conversation is gone, is one that the viewer chose not to read, and is shown."""
    erased = exists().where(_Author.id == post.author_id, _Author.deleted_at.is_not(None))
    is_gone = or_(post.id.is_(None), post.deleted_at.is_not(None), erased)
    is_shown = visible_in_thread(viewer, post)
    return is_gone, and_(one_visible_to(viewer, post, muted_too=True), ~is_shown), is_shown


def one_visible_to(viewer: Viewer, post: PostRow, *, muted_too: bool = False) -> ColumnElement[bool]:
    """Hold for the posts that a viewer may see, of rows that are no reposts."""
    return and_(post.deleted_at.is_(None), shown_to(viewer, post, muted_too=muted_too))


def shown_to(viewer: Viewer, post: PostRow = Post, *, muted_too: bool = False) -> ColumnElement[bool]:
    """Hold for the posts that a viewer may see or, if they are deleted, might have seen."""
    here = (_Author.id == post.author_id, _Author.deleted_at.is_(None))
    if viewer is None:
        return exists().where(*here, ~_Author.is_private, post.audience == EVERYONE)
    # About the post outside of both: left alone, SQLAlchemy would ask for a mention in any post at all.
    mentioned = exists().where(_Mention.post_id == post.id, _Mention.user_id == viewer.id).correlate_except(_Mention)
    in_audience = case(
        (post.author_id == viewer.id, True),
        (post.audience == MENTIONED, mentioned),
        (and_(post.audience == EVERYONE, ~_Author.is_private), True),
        else_=followed_by(viewer.id, post.author_id),
    )
    may = and_(exists().where(*here, in_audience), ~blocks_between(viewer.id, post.author_id))
    return may if muted_too else and_(may, or_(post.author_id == viewer.id, ~_unwanted_by(viewer, post)))


def _unwanted_by(viewer: User | AnyViewer, post: PostRow) -> ColumnElement[bool]:
    """Hold for the posts that a viewer chose not to come across: by person, by conversation, by words."""
    return or_(
        muted_by(viewer.id, post.author_id),
        in_muted_conversation(viewer, post),
        is_filtered_by(viewer, post, HIDE),
    )


def in_muted_conversation(viewer: User | AnyViewer, post: PostRow = Post) -> ColumnElement[bool]:
    """Hold for the posts of a conversation that a viewer has muted."""
    conversation = func.coalesce(post.thread_id, post.id)
    return exists().where(MutedConversation.user_id == viewer.id, MutedConversation.thread_id == conversation)


def is_filtered_by(viewer: User | AnyViewer, post: PostRow, *actions: str) -> ColumnElement[bool]:
    """Hold for the posts that match one of the viewer's word filters that hold now.

    In two steps, each with all the filters at once: LIKE finds what may match, a regular expression what does. With a
    hundred filters and five hundred posts that takes 40 ms; asking filter by filter takes 3 s, for Postgres keeps only
    32 compiled expressions. Without filters nothing is looked at.
    """
    theirs = _filters_that_hold(viewer, *actions)
    signs_escaped = func.regexp_replace(_without_case(WordFilter.phrase), r"([\\%_])", r"\\\1", "g")
    rough = literal("%") + func.replace(signs_escaped, " ", "%") + literal("%")
    roughly = select(func.array_agg(rough)).where(*theirs).scalar_subquery()
    exactly = select(func.string_agg(WordFilter.pattern, "|")).where(*theirs).scalar_subquery()
    words = words_of(post)
    may_match = _without_case(words).like(any_(cast(roughly, ARRAY(Text))))
    return case((roughly.is_(None), False), else_=and_(may_match, words.regexp_match(exactly, "i")))


def filter_that_matches(viewer: User | AnyViewer, post: PostRow, *actions: str) -> Select[str]:
    """Select the phrase of a filter that a post matches, the oldest of several."""
    matches = words_of(post).regexp_match(WordFilter.pattern, "i")
    phrase = select(WordFilter.phrase).where(*_filters_that_hold(viewer, *actions), matches)
    return phrase.order_by(WordFilter.id).limit(1)


def _filters_that_hold(viewer: User | AnyViewer, *actions: str) -> tuple[ColumnElement[bool], ...]:
    holds = or_(WordFilter.until.is_(None), WordFilter.until > present())
    return WordFilter.user_id == viewer.id, WordFilter.action == any_(array(actions)), holds


def words_of(post: PostRow) -> ColumnElement[str]:
    """Select all that a post says, in its images too; what stands between the parts is neither a letter nor a space."""
    alts = select(func.string_agg(_Image.alt, literal("\x01"))).where(_Image.post_id == post.id)
    return func.concat_ws(literal("\x01"), post.warning, post.text, alts.correlate_except(_Image).scalar_subquery())


def _without_case(words: ColumnElement[str] | InstrumentedAttribute[str]) -> ColumnElement[str]:
    return func.lower(func.upper(words))  # Greek has two small letters for one capital


def post_by_id(post_id: int) -> Post | None:
    """Return a post whoever may see it, with its author: for deciding between 404 and 410."""
    return db.session.get(Post, post_id)


def ids_page(posts: Select[int], *, before: int | None, size: int = PAGE_SIZE) -> tuple[Sequence[int], int | None]:
    """Return the newest ids of a selection below `before`, and where the next page starts."""
    if before is not None:
        posts = posts.where(Post.id < before)
    found = db.session.scalars(posts.order_by(Post.id.desc()).limit(size + 1)).all()
    return cut(found, size, key=lambda post_id: post_id)


def posts_by(author: User, *, viewer: User | None, before: int | None) -> tuple[Sequence[int], int | None]:
    """Return what an account says on its own, the newest first: posts, quotes, reposts, and how they go on."""
    on_their_own = or_(Post.reply_to_id.is_(None), Post.reply_to_author_id == author.id)
    return ids_page(_entries_of(author, viewer).where(on_their_own), before=before)


def replies_by(author: User, *, viewer: User | None, before: int | None) -> tuple[Sequence[int], int | None]:
    """Return what an account answered to others."""
    return ids_page(_entries_of(author, viewer).where(Post.reply_to_author_id != author.id), before=before)


def pictures_by(author: User, *, viewer: User | None, before: int | None) -> tuple[Sequence[int], int | None]:
    """Return an account's posts with images."""
    pictured = select(PostImage.post_id).where(PostImage.owner_id == author.id)
    return ids_page(_entries_of(author, viewer).where(Post.id.in_(pictured)), before=before)


def _entries_of(author: User, viewer: User | None) -> Select[int]:
    return select(Post.id).where(Post.author_id == author.id, visible_to(viewer, muted_too=True))


def posts_tagged(tag: str, *, viewer: User | None, before: int | None) -> tuple[Sequence[int], int | None]:
    """Return the posts under a tag."""
    tagged = select(Post.id).join(PostTag, and_(PostTag.post_id == Post.id, PostTag.tag == tag))
    return ids_page(tagged.where(visible_to(viewer)), before=before)


def latest_posts(*, viewer: User | None, before: int | None) -> tuple[Sequence[int], int | None]:
    """Return everybody's posts, without what they answer and repost."""
    posts = select(Post.id).where(Post.reply_to_id.is_(None), Post.repost_of_id.is_(None))
    return ids_page(posts.where(visible_to(viewer)), before=before)


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


def quotes_of(post: Post, *, viewer: User | None, before: int | None) -> tuple[Sequence[int], int | None]:
    """Return the posts that quote a post, the newest first."""
    return ids_page(select(Post.id).where(Post.quote_of_id == post.id, visible_to(viewer)), before=before)

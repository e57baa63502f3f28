"""Why an entry is in somebody's home feed or not: what each rule finds, for the reader and for whoever runs the site.

The rules themselves decide (`rules`, `posts.queries`); here they are asked one by one and put into words. What a reader
must not learn, such as who blocks them, is said to whoever runs the site alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import BigInteger, Select, bindparam, select
from sqlalchemy.orm import aliased

from app.accounts.models import User
from app.core import ids, times
from app.core.statements import AnyViewer, Compiled
from app.extensions import db
from app.feed.explain.facts import Finding, Question, Verdicts
from app.posts.cards.cards import to_cards
from app.posts.cards.columns import select_home_cards
from app.posts.filters.matching import filter_that_matches
from app.posts.models import EVERYONE, FOLD, HIDE, MENTIONED, Post, PostMention, PostTag, TagFollow
from app.posts.visibility import in_muted_conversation
from app.social.models import ALL, FEW, NO_REPLIES, NO_REPOSTS, Mute
from app.social.queries import is_blocked_either_way, relation_to

_Shown = aliased(Post)
A_YEAR = 365 * 24  # hours from which on it is always


def findings(asked: Question, found: Verdicts) -> list[Finding]:
    """Say what each rule finds."""
    about_repost = _repeat(asked, found) if asked.is_repost else ()
    return [
        *_who(asked, found),
        *_tags(asked),
        *_volume(asked, found),
        *_reply(asked, found),
        *about_repost,
        *_hiding(asked),
        *_folding(asked),
    ]


def _who(asked: Question, found: Verdicts) -> Iterator[Finding]:
    reader, by = f"@{asked.reader.handle}", f"@{asked.by.handle}"
    if asked.is_own:
        if asked.is_repost:
            yield Finding("who", "it is the reader's own repost", True, "You reposted it.")
        else:
            yield Finding("who", "it is the reader's own post", True, "It’s your own post.")
        return
    if asked.is_repost:
        yield _reposters(asked)
    if asked.follow is None:
        decides = None if found.follows_tag else False
        yield Finding("who", f"{reader} does not follow {by}", decides, f"You don’t follow {by}.")
        return
    since = ids.time_of(asked.follow.id)
    yield Finding(
        "who",
        f"{reader} has followed {by} since {times.in_full(since)}",
        True,
        f"You’ve followed {by} since {times.day(since)}.",
    )


def _reposters(asked: Question) -> Finding:
    """Name who reposted it: whoever brought this entry, then the others whom the reader follows."""
    by, author = f"@{asked.by.handle}", f"@{asked.author.handle}"
    says = f"it is the repost by {by} of post {asked.post.id} by {author}"
    cards = to_cards(_home_card.rows(viewer_id=asked.reader.id, entry_id=asked.entry.id))
    others = [f"@{each.handle}" if each.handle else "you" for each in cards[0].reposters[1:]] if cards else []
    if cards and cards[0].more_reposters:
        more = cards[0].more_reposters
        others.append(f"{more} other{'s' if more > 1 else ''} you follow")
    too = f" {' and '.join(others)} reposted it too." if others else ""
    return Finding("repost", says, None, f"Reposted by {by}.{too}")


@Compiled
def _home_card() -> Select[*tuple[Any, ...]]:
    return select_home_cards(AnyViewer(), select(Post.id).where(Post.id == bindparam("entry_id", type_=BigInteger)))


def _tags(asked: Question) -> Iterator[Finding]:
    followed = select(TagFollow).join(PostTag, PostTag.tag == TagFollow.tag)
    followed = followed.where(TagFollow.user_id == asked.reader.id, PostTag.post_id == asked.entry.id)
    for tag in db.session.scalars(followed.order_by(TagFollow.tag)):
        since = times.day(tag.followed_at)
        yield Finding(
            "tag",
            f"@{asked.reader.handle} has followed #{tag.tag} since {since}",
            True,
            f"You’ve followed #{tag.tag} since {since}.",
        )


def _volume(asked: Question, found: Verdicts) -> Iterator[Finding]:
    if asked.follow is None or asked.follow.volume == ALL:
        return
    by, volume = f"@{asked.by.handle}", asked.follow.volume
    passes = found.follows_at_volume
    chose = {
        NO_REPLIES: f"You chose to hide replies by {by}",
        NO_REPOSTS: f"You chose to hide reposts by {by}",
        FEW: f"You chose to see only highlights from {by}",
    }[volume]
    this = {
        NO_REPLIES: "this isn’t one" if passes else "this is one",
        NO_REPOSTS: "this isn’t one" if passes else "this is one",
        FEW: "this is one" if passes else "this isn’t one",
    }[volume]
    if asked.entry.reply_to_author_id == asked.reader.id:
        this = "replies to you are always shown"
    decides = None if not passes and found.follows_tag else passes
    yield Finding(
        "volume", f"@{asked.reader.handle} follows {by} at volume {volume}: {this}", decides, f"{chose}; {this}."
    )


def _reply(asked: Question, found: Verdicts) -> Iterator[Finding]:
    entry, by = asked.entry, f"@{asked.by.handle}"
    if entry.reply_to_id is None or entry.reply_to_author_id is None:
        return
    answered = db.session.get(User, entry.reply_to_author_id)
    name = f"@{answered.handle}" if answered else "someone who is gone"
    says = f"{by} replied to {name} (post {entry.reply_to_id})"
    if answered is None or answered.deleted_at or is_blocked_either_way(asked.reader.id, answered.id):
        told = "someone"  # whom the reader does not meet
    else:
        told = name
    if asked.is_own:
        yield Finding("reply", says, True, None if told == "someone" else f"You replied to {told}.")
    elif entry.reply_to_author_id == asked.by.id:
        yield Finding("reply", f"{by} replied to themselves", True, f"{by} is continuing their own thread.")
    elif entry.reply_to_author_id == asked.reader.id:
        yield Finding("reply", says, True, f"{by} replied to you.")
    elif found.reply_belongs:
        both = "you follow both" if asked.follow else f"you follow {told}"
        yield Finding("reply", f"{says}, whom the reader follows, too", True, f"{by} replied to {told}, and {both}.")
    else:
        words = f"{by} replied to {told}, who you don’t follow. Replies like that stay out of your home feed."
        yield Finding("reply", f"{says}, whom the reader does not follow", False, words)


def _repeat(asked: Question, found: Verdicts) -> Iterator[Finding]:
    reader = asked.reader
    if found.reposts_muted:
        mute = db.session.get_one(Mute, (reader.id, asked.by.id))
        for_how_long = _until(mute)
        yield Finding(
            "mute",
            f"@{reader.handle} muted reposts by @{asked.by.handle}{for_how_long}",
            False,
            f"You’ve muted reposts by @{asked.by.handle}{for_how_long}.",
        )
    window = _repeat_window(reader)
    if found.earlier_id is not None:
        when = times.in_full(ids.time_of(found.earlier_id))
        yield Finding(
            "repeat",
            f"hidden: an earlier entry ({found.earlier_id}) was in the feed on {when}; repeats are hidden {window}",
            False,
            f"This post was already in your feed, on {when}. You chose to hide repeats {window}.",
        )
    elif found.is_repeat:
        words = "reposted it, and hides other people's reposts of it"
        told = "You reposted it, and chose to hide other people’s reposts of it."
        yield Finding("repeat", f"hidden: @{reader.handle} {words}", False, told)
    else:
        yield Finding(
            "repeat",
            f"no earlier entry for this post; repeats are hidden {window}"
            if reader.repeat_hours
            else "the reader hides no repeats",
            True,
        )


def _repeat_window(reader: User) -> str:
    hours = reader.repeat_hours
    if hours >= A_YEAR:
        return "forever"
    return f"within {hours // 24} days" if hours % 24 == 0 and hours > 24 else f"within {hours} hours"


def _hiding(asked: Question) -> Iterator[Finding]:
    """Say what hides the entry: from everybody, from this reader, or by their own choice."""
    hiding = [*_hidden(asked, asked.entry, asked.by)]
    if asked.is_repost:
        hiding += _hidden(asked, asked.post, asked.author)
    yield from hiding or [Finding("filters", "nothing hides it", True)]


def _hidden(asked: Question, post: Post, author: User) -> Iterator[Finding]:
    reader, name = asked.reader, f"@{author.handle}"
    relation = relation_to(author, viewer=reader)
    for rule, holds, words in [
        ("deleted", post.deleted_at is not None, "the post was deleted"),
        ("account", author.deleted_at is not None, f"the account of {name} was deleted"),
        ("block", relation.blocks, f"@{reader.handle} blocks {name}"),
        ("block", relation.blocked_by, f"{name} blocks @{reader.handle}"),
    ]:
        if holds:
            yield Finding(rule, words, False)
    if reader.id == author.id:
        return
    yield from _audience(asked, post, author, follows=relation.follows)
    if relation.mutes:
        for_how_long = _until(db.session.get_one(Mute, (reader.id, author.id)))
        yield Finding(
            "mute", f"@{reader.handle} muted {name}{for_how_long}", False, f"You’ve muted {name}{for_how_long}."
        )
    if db.session.scalar(select(in_muted_conversation(reader)).where(Post.id == post.id)):
        told = "You’ve muted this conversation."
        yield Finding("conversation", f"@{reader.handle} muted conversation {post.conversation_id}", False, told)
    if phrase := db.session.scalar(_filter_on(asked, post, HIDE)):
        yield Finding(
            "filter",
            f"a word filter of @{reader.handle} hides it",  # which words is nobody else's business
            False,
            f"Your filter “{phrase}” hides it.",
        )


def _audience(asked: Question, post: Post, author: User, *, follows: bool) -> Iterator[Finding]:
    name = f"@{author.handle}"
    if post.audience == MENTIONED:
        is_named = db.session.get(PostMention, (post.id, asked.reader.id)) is not None
        yield Finding(
            "audience",
            "only for the people mentioned",
            is_named,
            "It’s only for people it mentions, and you’re one of them.",
        )
    elif author.is_private:
        told = f"{name} has a private account, and you’re a follower."
        yield Finding("private", f"the account of {name} is private: only for followers", follows, told)
    elif post.audience != EVERYONE:
        yield Finding(
            "audience", "only for followers", follows, f"It’s only for followers of {name}, and you’re one of them."
        )


def _folding(asked: Question) -> Iterator[Finding]:
    if asked.author.id != asked.reader.id and (phrase := db.session.scalar(_filter_on(asked, asked.post, FOLD))):
        yield Finding("fold", "a word filter of the reader collapses it", None, f"Your filter “{phrase}” collapses it.")


def _filter_on(asked: Question, post: Post, action: str) -> Select[str]:
    return filter_that_matches(asked.reader, _Shown, action).where(_Shown.id == post.id)


def _until(mute: Mute) -> str:
    return f" until {times.in_full(mute.until)}" if mute.until else ""

"""The home feed as its design says it, in plain Python: slow, short, and the judge of the engine.

Written from the words of the design, not from the SQL. It keeps what happened in sets and dictionaries, and looks at
everything for every question.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from app.core import ids

EVERYONE, FOLLOWERS, MENTIONED = "everyone", "followers", "mentioned"
ALL_REPLIES, ALL, NO_REPLIES, NO_REPOSTS, HIGHLIGHTS = "all_replies", "all", "no_replies", "no_reposts", "highlights"
FEW_A_DAY = 3
NOBODY = 0  # reads without an account
Pair = tuple[int, int]  # who, whom


@dataclass(eq=False)
class Entry:
    """A post, or a repost of one. Its id is its time."""

    id: int
    author: int
    text: str = ""
    audience: str = EVERYONE
    mentions: frozenset[int] = frozenset()
    tags: frozenset[str] = frozenset()
    reply_to: Entry | None = None
    repost_of: Entry | None = None
    likes: set[int] = field(default_factory=set)
    is_deleted: bool = False
    quote_of: Entry | None = None
    warning: str = ""
    alts: tuple[str, ...] = ()  # what its images show, in words
    hidden_until: datetime | None = None  # by a moderator
    is_held: bool = False  # by a rule, and hidden as long
    removed_until: datetime | None = None

    @property
    def conversation(self) -> int:
        return self.reply_to.conversation if self.reply_to else self.id


@dataclass(frozen=True)
class Mute:
    """What of somebody is not wanted, and until when."""

    only_reposts: bool
    until: datetime | None


@dataclass(frozen=True)
class Filter:
    """A phrase that hides posts, or collapses them."""

    phrase: str
    is_whole_word: bool
    until: datetime | None
    collapses: bool = False  # them, and hides none

    def finds(self, entry: Entry) -> bool:
        phrase = re.escape(self.phrase)
        pattern = re.compile(rf"\b{phrase}\b" if self.is_whole_word else phrase, re.IGNORECASE)
        return any(pattern.search(words) for words in (entry.warning, entry.text, *entry.alts))


@dataclass
class World:
    """Who wrote what and who wants to read it, at one moment."""

    now: datetime
    entries: dict[int, Entry] = field(default_factory=dict)
    follows: dict[Pair, str] = field(default_factory=dict)  # at which volume
    requests: set[Pair] = field(default_factory=set)
    blocks: set[Pair] = field(default_factory=set)
    mutes: dict[Pair, Mute] = field(default_factory=dict)
    private: set[int] = field(default_factory=set)
    limited: dict[int, datetime] = field(default_factory=dict)  # accounts, until when
    suspended: dict[int, datetime] = field(default_factory=dict)
    erased: set[int] = field(default_factory=set)  # accounts that were deleted, and what they wrote not yet
    filters: dict[int, dict[int, Filter]] = field(default_factory=dict)  # of each reader, by id
    muted_conversations: set[Pair] = field(default_factory=set)
    followed_tags: set[tuple[int, str]] = field(default_factory=set)
    repeat_hours: dict[int, int] = field(default_factory=dict)
    hides_own_reposts: set[int] = field(default_factory=set)

    # ---- the feed

    def home(self, reader: int) -> list[int]:
        """Return the entries of a home, newest first."""
        newest_first = sorted(self.entries.values(), key=lambda entry: -entry.id)
        return [entry.id for entry in newest_first if self.belongs(reader, entry) and not self.is_repeat(reader, entry)]

    def belongs(self, reader: int, entry: Entry) -> bool:
        """The home filter, the repost rule left aside."""
        return (
            self.has_reason(reader, entry)
            and self.sees(reader, entry)
            and self.reply_belongs(reader, entry)
            and not (entry.repost_of and self.is_muted(reader, entry.author, only_reposts=True))
        )

    def has_reason(self, reader: int, entry: Entry) -> bool:
        """One's own, by somebody whom one follows at that volume, or under a tag that one follows."""
        if entry.author == reader or any((reader, tag) in self.followed_tags for tag in entry.tags):
            return True
        volume = self.follows.get((reader, entry.author))
        if volume and entry.reply_to and entry.reply_to.author == reader:
            return True
        if volume and entry.audience == MENTIONED:
            return True
        if volume == NO_REPLIES:
            return entry.reply_to is None or entry.reply_to.author == entry.author
        if volume == NO_REPOSTS:
            return entry.repost_of is None
        if volume == HIGHLIGHTS:
            return self.is_among_best(entry)
        return volume in (ALL, ALL_REPLIES)

    def is_among_best(self, entry: Entry) -> bool:
        """The few posts of an author's day that moved most people. What is only for those mentioned is no rival."""
        if entry.reply_to or entry.repost_of:
            return False
        if entry.audience == MENTIONED:
            return True
        day = [
            other
            for other in self.entries.values()
            if other.author == entry.author
            and ids.time_of(other.id).date() == ids.time_of(entry.id).date()
            and not (other.is_deleted or other.reply_to or other.repost_of or other.audience == MENTIONED)
            and not (self.is_on(other.hidden_until) or self.is_on(other.removed_until))
        ]
        return entry in sorted(day, key=lambda other: (-self.moved(other), other.id))[:FEW_A_DAY]

    def moved(self, post: Entry) -> int:
        """How many liked, answered or reposted a post, as its card counts them."""
        answers = [other for other in self.entries.values() if post in (other.reply_to, other.repost_of)]
        public = [other for other in answers if other.audience == EVERYONE and not self.is_closed_to_most(other.author)]
        likes = post.likes - self.suspended.keys()
        return len(likes) + sum(not (other.is_deleted or other.hidden_until or other.removed_until) for other in public)

    def is_closed_to_most(self, who: int) -> bool:
        """Say whether what somebody writes is not counted; what has ended by itself still is not, until it is noted."""
        return who in self.private or who in self.limited or who in self.suspended

    def reply_belongs(self, reader: int, entry: Entry) -> bool:
        """The reader follows both sides, or the author answers themselves, or either side is the reader.

        Or the reader wants all replies of the author, whom they follow, or it is only for the people it mentions.
        """
        if entry.audience == MENTIONED and (reader, entry.author) in self.follows:
            return True
        if entry.reply_to is None or self.follows.get((reader, entry.author)) == ALL_REPLIES:
            return True
        sides = {entry.author, entry.reply_to.author}
        return len(sides) == 1 or reader in sides or all((reader, side) in self.follows for side in sides)

    def is_repeat(self, reader: int, entry: Entry) -> bool:
        """A repost of what was there already, within the time in which the reader calls that a repeat."""
        if entry.repost_of is None:
            return False
        post = entry.repost_of
        same = [other for other in self.entries.values() if other is post or other.repost_of is post]
        if reader in self.hides_own_reposts and entry.author != reader and self.repost_by(reader, post):
            return True
        if reader in self.hides_own_reposts and entry.author == reader:
            same = [post]  # one's own repost stands for all of them
        window = timedelta(hours=self.repeat_hours.get(reader, 72))
        return any(
            other.id < entry.id
            and ids.time_of(entry.id) - ids.time_of(other.id) < window
            and self.belongs(reader, other)
            for other in same
        )

    # ---- who sees what

    def sees(self, reader: int, entry: Entry) -> bool:
        """What a reader may see and wants to; a repost where its post is seen."""
        if entry.repost_of and not self.sees(reader, entry.repost_of):
            return False
        return self.may_read(reader, entry) and (entry.author == reader or not self.is_unwanted(reader, entry))

    def may_read(self, reader: int, entry: Entry) -> bool:
        return not (
            entry.is_deleted
            or entry.author in self.erased
            or self.is_hidden(reader, entry)
            or self.is_held(reader, entry)
            or self.is_on(entry.removed_until)
            or self.is_suspended(entry.author)
            or self.is_limited_to_others(reader, entry)
            or self.is_for_others(reader, entry)
            or self.is_closed(reader, entry)
            or self.is_blocked(reader, entry.author)
        )

    def is_hidden(self, reader: int, entry: Entry) -> bool:
        """A post that a moderator hid is seen by its author."""
        return self.is_on(entry.hidden_until) and not entry.is_held and reader != entry.author

    def is_held(self, reader: int, entry: Entry) -> bool:
        """A post that waits for review is seen by its author."""
        return entry.is_held and reader != entry.author

    def is_suspended(self, who: int) -> bool:
        return self.is_on(self.suspended.get(who))

    def is_limited(self, who: int) -> bool:
        return self.is_on(self.limited.get(who))

    def is_limited_to_others(self, reader: int, entry: Entry) -> bool:
        """A limited account is seen by its followers alone, whomever it speaks to."""
        return self.is_limited(entry.author) and not self.knows(reader, entry.author)

    def knows(self, reader: int, who: int) -> bool:
        return reader == who or (reader, who) in self.follows

    def meets(self, reader: int, who: int) -> bool:
        """Say whether somebody may come across an account."""
        is_there = who not in self.erased and not self.is_suspended(who)
        return is_there and (not self.is_limited(who) or self.knows(reader, who)) and not self.is_blocked(reader, who)

    def is_on(self, until: datetime | None) -> bool:
        """Say whether a state that ends at a moment holds."""
        return until is not None and until > self.now

    def is_for_others(self, reader: int, entry: Entry) -> bool:
        """Whom its author chose: everyone, their followers, or the people whom it mentions."""
        if reader == entry.author or entry.audience == EVERYONE:
            return False
        return (
            reader not in entry.mentions if entry.audience == MENTIONED else (reader, entry.author) not in self.follows
        )

    def is_closed(self, reader: int, entry: Entry) -> bool:
        """A private account is read by its followers; what it says to those it mentions, by them."""
        is_closed = entry.author in self.private and entry.audience != MENTIONED
        return is_closed and reader != entry.author and (reader, entry.author) not in self.follows

    def is_unwanted(self, reader: int, entry: Entry, *, in_thread: bool = False) -> bool:
        """Say whether a reader chose not to read it; a conversation that they muted they may still open."""
        return (
            self.is_muted(reader, entry.author, only_reposts=False)
            or (self.is_in_muted_conversation(reader, entry) and not in_thread)
            or bool(self.filtering(reader, entry, collapses=False))
        )

    def is_in_muted_conversation(self, reader: int, entry: Entry) -> bool:
        return reader != entry.author and (reader, entry.conversation) in self.muted_conversations

    def filtering(self, reader: int, entry: Entry, *, collapses: bool) -> list[str]:
        """Return the phrases of the reader's filters that hide a post of somebody else, or that collapse it."""
        theirs = self.filters.get(reader, {}).values() if reader != entry.author else ()
        return [
            each.phrase
            for each in theirs
            if each.collapses == collapses and self.holds(each.until) and each.finds(entry)
        ]

    def is_muted(self, reader: int, author: int, *, only_reposts: bool) -> bool:
        mute = self.mutes.get((reader, author))
        return mute is not None and mute.only_reposts == only_reposts and self.holds(mute.until)

    def holds(self, until: datetime | None) -> bool:
        return until is None or until > self.now

    def is_blocked(self, a: int, b: int) -> bool:
        return bool({(a, b), (b, a)} & self.blocks)

    # ---- what people can do

    def posts(self) -> list[Entry]:
        """Return the posts that are not deleted, reposts left out, oldest first."""
        return [self.entries[at] for at in sorted(self.entries) if self._is_post(self.entries[at])]

    def _is_post(self, entry: Entry) -> bool:
        return entry.repost_of is None and not entry.is_deleted

    def readable(self, reader: int) -> list[Entry]:
        """Return the posts that somebody can open, and so answer."""
        return [post for post in self.posts() if self.may_read(reader, post)]

    def handed_on(self, reader: int) -> list[Entry]:
        """Return the posts that somebody may repost or quote: for everyone, or one's own."""
        return [
            post
            for post in self.readable(reader)
            if post.author == reader or (post.audience == EVERYONE and post.author not in self.private)
        ]

    def repost_by(self, who: int, post: Entry) -> Entry | None:
        """Return somebody's repost of a post."""
        return next((e for e in self.entries.values() if e.repost_of is post and e.author == who), None)

    def follow(self, who: int, whom: int) -> None:
        """Follow, or ask a private account; nothing while one blocks the other."""
        if self.is_blocked(who, whom) or (who, whom) in self.follows:
            return
        if whom in self.private:
            self.requests.add((who, whom))
        else:
            self.follows[(who, whom)] = ALL

    def accept(self, who: int, whom: int) -> None:
        """Let somebody follow who has asked."""
        if (who, whom) in self.requests:
            self.requests.discard((who, whom))
            self.follows.setdefault((who, whom), ALL)

    def block(self, who: int, whom: int) -> None:
        """Block, which ends follows and requests both ways."""
        self.blocks.add((who, whom))
        for two in ((who, whom), (whom, who)):
            self.follows.pop(two, None)
            self.requests.discard(two)

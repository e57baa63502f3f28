"""What the rules that are switched on say to a post, once for each that is written or edited.

One statement reads the rules; those who run the site are not judged at all. A rule that breaks matches nothing, is
switched off in the same transaction, and the log hears of it from a job.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import regex
from sqlalchemy import BigInteger, Select, bindparam, insert, literal, select, update

from app.accounts.models import User
from app.accounts.standing import FOREVER
from app.activity import operations as activity
from app.activity import verbs
from app.core import clock, ids
from app.core.errors import Refused
from app.core.statements import Compiled, rows_changed
from app.core.text import links_in, mentioned_handles
from app.extensions import db
from app.posts.models import Post
from app.posts.rules.matching import Conditions, Recent, Written, matches
from app.posts.rules.models import BROKEN, HOLD, ON, REFUSE, WARN, Rule, RuleMatch

MAX_RECENT = 300  # posts of one author in a day that are looked at
REFUSED = "This can’t be posted here."
WARNING = "Sensitive content"


class RefusedByRule(Refused):
    """What the people who run the site do not want to be posted; the sentence is theirs."""

    field = "text"


@dataclass(frozen=True)
class Judgement:
    """The rules that a post matches, and what follows from them."""

    matched: Sequence[Conditions] = ()

    def first(self, action: str) -> Conditions | None:
        """Return the oldest of the rules that say one thing."""
        return next((rule for rule in self.matched if rule.action == action), None)

    def warning_over(self, warning: str) -> str:
        """Return the content warning of the post: the author's own, or that of a rule."""
        rule = self.first(WARN)
        return warning or ((rule.sentence or WARNING) if rule else "")

    def columns(self) -> dict[str, Any]:
        """Return what is stored with the post: whether it waits for somebody to look at it."""
        return {"held_at": clock.now(), "hidden_until": FOREVER} if self.first(HOLD) else {}


NOT_JUDGED = Judgement()


def judge(text: str, warning: str, alts: Sequence[str], *, by: User, post_id: int | None = None) -> Judgement:
    """Return which rules a post matches that is about to be stored, or refuse it."""
    if by.is_staff:
        return NOT_JUDGED
    rules = _rules.rows_as(Conditions)
    if not rules:
        return NOT_JUDGED
    now = clock.now()
    recent = partial(recent_of, by.id, at=now, before=post_id)
    written = Written(text, warning, alts, at=now, joined_at=by.created_at, recent_of_author=recent)
    judgement = Judgement([rule for rule in rules if _matches(rule, written)])
    if refusing := judgement.first(REFUSE):
        note(judgement, None, by=by, said=text)
        raise RefusedByRule(refusing.sentence or REFUSED)
    return judgement


def note(judgement: Judgement, post_id: int | None, *, by: User, said: str = "") -> None:
    """Keep what a post matched, for the pages of the rules."""
    if not judgement.matched:
        return
    # With their rows locked: one that is deleted at this moment must not take the post along.
    there = select(Rule.id, literal(by.id), literal(post_id, BigInteger), literal(said))
    there = there.where(Rule.id.in_([rule.id for rule in judgement.matched])).order_by(Rule.id)
    columns = ["rule_id", "author_id", "post_id", "said"]
    db.session.execute(insert(RuleMatch).from_select(columns, there.with_for_update(read=True, key_share=True)))


def _matches(rule: Conditions, post: Written) -> bool:
    try:
        return matches(rule, post)
    except (regex.error, TimeoutError, ValueError, OverflowError) as error:
        switch_off(rule.id, f"{type(error).__name__}: {error}")
        return False


def switch_off(rule_id: int, why: str) -> None:
    """Switch a broken rule off; of several who notice at once, one tells the log."""
    is_on = (Rule.id == rule_id, Rule.state == ON)
    if rows_changed(update(Rule).where(*is_on).values(state=BROKEN, broken_by=why[:200])):
        activity.record(verbs.RULE_BROKE, actor_id=None, subject_id=rule_id)


def recent_of(author_id: int, *, at: datetime, before: int | None) -> Recent:
    """Return what an author did in the day before a moment, or before a post of theirs."""
    end = ids.MAX_ID if before is None else before
    rows = _recent.rows(author_id=author_id, since=ids.id_at(at - timedelta(days=1)), before=end)
    hour = ids.id_at(at - timedelta(hours=1))
    with_links = sum(any(links_in(row[1])) for row in rows)
    return Recent(with_links, sum(len(mentioned_handles(row[1])) for row in rows if row[0] >= hour))


@Compiled
def _rules() -> Select[*tuple[Any, ...]]:
    columns = [getattr(Rule, name) for name in Conditions._fields]
    return select(*columns).where(Rule.state == literal(ON)).order_by(Rule.id)


@Compiled
def _recent() -> Select[int, str]:
    author_id, since, before = (bindparam(name, type_=BigInteger) for name in ("author_id", "since", "before"))
    newest_first = select(Post.id, Post.text).where(
        Post.author_id == author_id, Post.id >= since, Post.id < before, Post.deleted_at.is_(None)
    )
    return newest_first.order_by(Post.id.desc()).limit(MAX_RECENT)

"""Write, switch and delete rules. One that is written or changed is off, and is tried on the posts of a week first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import delete, func, select

from app.accounts.models import User
from app.activity import operations as activity
from app.activity import verbs
from app.core import clock, ids
from app.core.errors import NotAllowed, Refused
from app.core.locks import advisory_lock
from app.core.text import clean, clean_line, is_blank, too_long_by
from app.extensions import db
from app.moderation.log import actions as log
from app.moderation.log.operations import enter
from app.posts.filters.operations import LONGEST_PHRASE, MAX_PHRASE_CODE_POINTS
from app.posts.rules.matching import host_of, pattern_for
from app.posts.rules.models import FLAG, HOLD, OFF, ON, REFUSE, WARN, Rule, RuleMatch

MAX_RULES = 50
MAX_LINES = 50  # phrases or domains of one rule
MAX_NAME = 80
MAX_SENTENCE = 300
LONGEST_WARNING = 100
MOST_DAYS, MOST_POSTS, MOST_MENTIONS = 3650, 200, 1000
RUN_OVER = timedelta(days=7)
KEPT = timedelta(days=90)


class BadName(Refused):
    """A rule that could not be told from others."""

    field = "name"


class BadRuleAction(Refused):
    """Nothing that a rule can do."""

    field = "action"


class BadSentence(Refused):
    """A sentence that cannot be shown."""

    field = "sentence"


class BadPhrases(Refused):
    """Phrases that cannot be looked for."""

    field = "phrases"


class BadDomains(Refused):
    """Domains that no link leads to."""

    field = "domains"


class NothingAsked(BadPhrases):
    """A rule that every post would match."""

    def __init__(self) -> None:
        super().__init__("Give at least one condition: words, domains, or something about the account.")


class BadAge(Refused):
    """No number of days."""

    field = "younger_than"


class BadLinks(Refused):
    """No number of posts with links."""

    field = "links_over"


class BadMentions(Refused):
    """No number of mentions."""

    field = "mentions_over"


@dataclass(frozen=True)
class Draft:
    """A rule as it was typed."""

    name: str
    action: str
    sentence: str = ""
    phrases: str = ""
    is_whole_word: bool = True
    domains: str = ""
    younger_than: int | None = None
    links_over: int | None = None
    mentions_over: int | None = None


def add_rule(draft: Draft, *, by: User) -> Rule:
    """Keep a new rule, which is off."""
    advisory_lock("rules")  # two at once would both find room for the last one
    if (db.session.scalar(select(func.count()).select_from(Rule)) or 0) >= MAX_RULES:
        raise NotAllowed(f"There are {MAX_RULES} rules already. Delete one first.")
    rule = Rule(state=OFF, run=0)
    _set(rule, draft)
    db.session.add(rule)
    db.session.flush()
    enter(log.RULE_ADDED, None, by=by, reason="", before={}, after={"rule": rule.name, **_told(rule)})
    start_run(rule)
    return rule


def change_rule(rule: Rule, draft: Draft, *, by: User) -> None:
    """Let a rule ask or do something else. It is off until it is switched on again."""
    db.session.refresh(rule, with_for_update=True)
    before = {"rule": rule.name, **_told(rule)}
    _set(rule, draft)
    rule.state, rule.broken_by = OFF, ""
    db.session.flush()
    after = {"rule": rule.name, **_told(rule)}
    changed = [name for name in after if before.get(name) != after[name]]
    kept = {"rule", *changed}
    enter(
        log.RULE_CHANGED,
        None,
        by=by,
        reason="",
        before={name: value for name, value in before.items() if name in kept},
        after={name: value for name, value in after.items() if name in kept},
    )
    start_run(rule)


def switch_rule(rule: Rule, *, on: bool, by: User) -> bool:
    """Switch a rule on or off; say whether that was new."""
    db.session.refresh(rule, with_for_update=True)
    state = ON if on else OFF
    if rule.state == state:
        return False
    rule.state, rule.broken_by = state, ""
    done = log.RULE_SWITCHED_ON if on else log.RULE_PAUSED
    enter(done, None, by=by, reason="", before={"rule": rule.name}, after={})
    return True


def delete_rule(rule: Rule, *, by: User) -> None:
    """Delete a rule, and what it matched with it; what it held waits on."""
    enter(log.RULE_DELETED, None, by=by, reason="", before={"rule": rule.name, **_told(rule)}, after={})
    db.session.execute(delete(Rule).where(Rule.id == rule.id))


def start_run(rule: Rule) -> None:
    """Try a rule on the posts of the last days, from the start; a run that is under way ends."""
    now = clock.now()
    rule.run += 1
    rule.run_from = rule.run_at = ids.id_at(now - RUN_OVER)
    rule.run_to = ids.id_at(now)
    rule.run_matched, rule.run_newest = 0, []
    db.session.flush()
    activity.record(verbs.RULE_WRITTEN, actor_id=None, subject_id=rule.id, details={"run": rule.run})


def forget_old_matches() -> None:
    """Forget what rules matched long ago."""
    db.session.execute(delete(RuleMatch).where(RuleMatch.id < ids.id_at(clock.now() - KEPT)))


def _set(rule: Rule, draft: Draft) -> None:
    rule.name = _checked_name(draft.name)
    if draft.action not in (FLAG, WARN, HOLD, REFUSE):
        raise BadRuleAction("Choose what happens.")
    rule.action, rule.sentence = draft.action, _checked_sentence(draft)
    rule.phrases, rule.domains = _checked_phrases(draft.phrases), _checked_domains(draft.domains)
    rule.is_whole_word = draft.is_whole_word
    rule.pattern = pattern_for(rule.phrases, is_whole_word=draft.is_whole_word)
    numbers = (draft.younger_than, draft.links_over, draft.mentions_over)
    rule.younger_than, rule.links_over, rule.mentions_over = numbers
    if not (rule.phrases or rule.domains or any(number is not None for number in numbers)):
        raise NothingAsked


def _checked_name(name: str) -> str:
    name = clean_line(name)
    if is_blank(name):
        raise BadName("Give the rule a name.")
    if too_long_by(name, MAX_NAME):
        raise BadName(f"At most {MAX_NAME} characters.")
    return name


def _checked_sentence(draft: Draft) -> str:
    sentence, longest = clean_line(draft.sentence), LONGEST_WARNING if draft.action == WARN else MAX_SENTENCE
    if too_long_by(sentence, longest):
        raise BadSentence(f"At most {longest} characters.")
    return "" if is_blank(sentence) else sentence


def _lines(text: str, wrong: type[Refused]) -> list[str]:
    lines = [clean_line(line) for line in clean(text).splitlines()]
    kept = list(dict.fromkeys(line for line in lines if not is_blank(line)))
    if len(kept) > MAX_LINES:
        raise wrong(f"At most {MAX_LINES} lines.")
    return kept


def _checked_phrases(text: str) -> str:
    phrases = _lines(text, BadPhrases)
    for phrase in phrases:
        if too_long_by(phrase, LONGEST_PHRASE) or len(phrase) > MAX_PHRASE_CODE_POINTS:
            raise BadPhrases(f"Each line can have {LONGEST_PHRASE} characters.")
    return "\n".join(phrases)


def _checked_domains(text: str) -> str:
    domains = []
    for line in _lines(text, BadDomains):
        domain = host_of(line.removeprefix("*."))
        if domain is None or "." not in domain or len(domain) > 253 or " " in domain:
            raise BadDomains(f"“{line[:60]}” isn’t a domain. Write it like shop.example.")
        domains.append(domain)
    return "\n".join(dict.fromkeys(domains))


def _told(rule: Rule) -> dict[str, str | int | bool | None]:
    """Return what a rule is, for the log: what is not asked is left out."""
    columns = ("action", "sentence", "phrases", "domains", "younger_than", "links_over", "mentions_over")
    values = {name: getattr(rule, name) for name in columns}
    return {name: value for name, value in values.items() if value not in (None, "")}

"""Whether a rule matches what is posted: one decision in Python, for what is written now and for a dry run.

Nothing here takes long. Phrases are matched as word filters match them, by a pattern in which nothing can be tried in
two ways; should one take long all the same, the engine gives up after MAX_SECONDS and the rule is broken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from typing import NamedTuple
from urllib.parse import unquote

import regex

from app.core.text import links_in, mentioned_handles
from app.posts.filters.operations import pattern_of

MAX_SECONDS = 0.1
# Neither a letter nor a space: it stands between the parts of a post, as `filters.matching.words_of` has it.
_BETWEEN = "\x01"


class Conditions(NamedTuple):
    """What a rule asks of a post; what is None or empty is not asked."""

    id: int
    name: str
    action: str
    sentence: str
    pattern: str
    domains: str
    younger_than: int | None
    links_over: int | None
    mentions_over: int | None


class Recent(NamedTuple):
    """What an author did before: posts with links in the last day, mentions in the last hour."""

    posts_with_links: int
    mentions: int


@dataclass(frozen=True)
class Written:
    """What is posted, by whom and when; what they did before is asked only where it matters."""

    text: str
    warning: str
    alts: Sequence[str]
    at: datetime
    joined_at: datetime
    recent_of_author: Callable[[], Recent]

    @cached_property
    def words(self) -> str:
        return _BETWEEN.join((self.warning, self.text, *self.alts))

    @cached_property
    def hosts(self) -> set[str]:
        return {host for url in links_in(self.text) if (host := host_of(url))}

    @cached_property
    def mentions(self) -> int:
        return len(mentioned_handles(self.text))

    @cached_property
    def recent(self) -> Recent:
        return self.recent_of_author()


def matches(rule: Conditions, post: Written) -> bool:
    """Say whether all that a rule asks is so; a rule that asks nothing matches nothing."""
    asked = [check(rule, post) for check in _CHECKS]
    return any(answer is not None for answer in asked) and False not in asked and _exceeds(rule, post)


def _has_phrase(rule: Conditions, post: Written) -> bool | None:
    if not rule.pattern:
        return None
    return _compiled(rule.pattern).search(post.words, timeout=MAX_SECONDS) is not None


def _has_domain(rule: Conditions, post: Written) -> bool | None:
    if not rule.domains:
        return None
    domains = rule.domains.split()
    return any(host == domain or host.endswith(f".{domain}") for host in post.hosts for domain in domains)


def _is_new(rule: Conditions, post: Written) -> bool | None:
    return None if rule.younger_than is None else post.at - post.joined_at < timedelta(days=rule.younger_than)


def _may_exceed_links(rule: Conditions, post: Written) -> bool | None:
    return None if rule.links_over is None else bool(post.hosts)


def _may_exceed_mentions(rule: Conditions, post: Written) -> bool | None:
    return None if rule.mentions_over is None else bool(post.mentions)


_CHECKS = (_has_phrase, _has_domain, _is_new, _may_exceed_links, _may_exceed_mentions)


def _exceeds(rule: Conditions, post: Written) -> bool:
    """Say whether an author did more than a rule allows, with this post; asked last, for that is a statement."""
    if rule.links_over is not None and post.recent.posts_with_links + 1 <= rule.links_over:
        return False
    return rule.mentions_over is None or post.recent.mentions + post.mentions > rule.mentions_over


def pattern_for(phrases: str, *, is_whole_word: bool) -> str:
    """Return the regular expression that finds any of some phrases, one a line."""
    return "|".join(pattern_of(phrase, is_whole_word=is_whole_word) for phrase in phrases.splitlines())


@lru_cache(maxsize=200)
def _compiled(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern, regex.IGNORECASE)


def host_of(url: str) -> str | None:
    """Return the host that a link leads to, in the one spelling under which it is compared."""
    behind = url.split(":", 1)[-1] if "://" in url else url
    authority = behind.replace("\\", "/").lstrip("/").split("/", 1)[0].split("?", 1)[0].split("#", 1)[0]
    host = authority.rpartition("@")[2].partition(":")[0]
    return plain_domain(unquote(host))


def plain_domain(name: str) -> str | None:
    """Return a domain in lower case and ASCII; None if it cannot be one."""
    name = name.strip().rstrip(".").lower()
    try:
        return name.encode("idna").decode() or None
    except UnicodeError:
        return name if name.isascii() and name else None

"""Why an entry is in a reader's home feed or not: what each clause finds, for the reader and for the admin.

The clauses decide (`feed.rules`, `posts.visibility`) and say what they found. What a reader must not learn, such as who
blocks them, is said to the admin alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from app.accounts.models import User
from app.feed.home.filtering import read_entry, reposters_of
from app.feed.rules import home
from app.feed.rules.entries import Entry
from app.posts.clauses import Finding


@dataclass(frozen=True)
class Explanation:
    """Whether an entry is in a reader's home, and what each clause finds."""

    entry: Entry
    is_in: bool
    findings: list[Finding]


def explain_entry(entry_id: int, reader: User) -> Explanation:
    """Ask every clause about an entry."""
    entry = read_entry(entry_id, reader)
    findings = [*_repost(entry, reader), *home.findings(entry, reader), *_collapsing(entry)]
    return Explanation(entry, home.is_in_home(entry, reader), findings)


def _repost(entry: Entry, reader: User) -> Iterator[Finding]:
    """Name who reposted it: who brought this entry, then the others that the reader follows."""
    if not entry.is_repost or entry.facts.author_id == reader.id:
        return
    says = f"it is the repost by @{entry.facts.handle} of post {entry.post.id} by @{entry.post.handle}"
    others = reposters_of(entry, reader)[1:]
    named = [f"@{each.handle}" if each.handle else "You" for each in others[:1]]
    if more := len(others) - 1 if others else 0:
        named.append(f"{more} other{'s' if more > 1 else ''} you follow")
    too = f" {' and '.join(named)} reposted it too." if named else ""
    yield Finding("repost", says, None, f"Reposted by @{entry.facts.handle}.{too}")


def _collapsing(entry: Entry) -> Iterator[Finding]:
    if phrase := entry.post.collapsing_phrase:
        yield Finding(
            "collapse", "a word filter of the reader collapses it", None, f"Your filter “{phrase}” collapses it."
        )

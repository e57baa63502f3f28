"""Cards by id: facts are read, the clauses decide, and what is left is shown, in a fixed number of statements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from app.accounts.reader import Reader
from app.posts.cards.cards import PostCard, Reposter, make_card
from app.posts.cards.pointers import pointers
from app.posts.facts import Facts, facts_about
from app.posts.visibility import is_visible


def cards_for(entry_ids: Sequence[int], *, viewer: Reader | None, muted_too: bool = False) -> list[PostCard]:
    """Return the cards of those entries that the viewer may see, in the order given."""
    if not entry_ids:
        return []
    return cards_of(entry_ids, facts_along(entry_ids, viewer=viewer), viewer=viewer, muted_too=muted_too)


def facts_along(entry_ids: Sequence[int], *, viewer: Reader | None, without_filter: int = 0) -> dict[int, Facts]:
    """Return the facts about entries and, as far as this process knows it, about what they point at."""
    facts = facts_about(pointers.read_along(entry_ids), viewer=viewer, without_filter=without_filter)
    pointers.note(facts.values())
    return facts


def cards_of(
    entry_ids: Sequence[int], entries: Mapping[int, Facts], *, viewer: Reader | None, muted_too: bool = False
) -> list[PostCard]:
    """Return the same from facts that were read before, of which there may be more."""
    seen = [
        entries[entry_id]
        for entry_id in entry_ids
        if entry_id in entries and is_visible(entries[entry_id], viewer, muted_too=muted_too)
    ]
    known = {**entries, **related_to(seen, entries, viewer=viewer)}
    cards = (_card_for(entry, known, viewer, muted_too=muted_too) for entry in seen)
    return [card for card in cards if card]


def related_to(
    entries: Iterable[Facts], known: Mapping[int, Facts], *, viewer: Reader | None, without_filter: int = 0
) -> dict[int, Facts]:
    """Return the facts about what entries repost and quote, and about what the reposted posts quote."""
    pointed_at = {each for entry in entries for each in (entry.repost_of_id, entry.quote_of_id) if each}
    found: dict[int, Facts] = {}
    for _ in range(2):
        if missing := pointed_at - known.keys() - found.keys():
            found |= facts_about(missing, viewer=viewer, without_filter=without_filter)
        reposted = (found.get(entry.repost_of_id or 0) or known.get(entry.repost_of_id or 0) for entry in entries)
        pointed_at = {post.quote_of_id for post in reposted if post and post.quote_of_id}
    return found


def quoted_in(post: Facts, known: Mapping[int, Facts], viewer: Reader | None) -> Facts | None:
    """Return what a post quotes, if the viewer may see it."""
    quoted = known.get(post.quote_of_id or 0)
    return quoted if quoted and is_visible(quoted, viewer) else None


def unwanted_quote_in(post: Facts, known: Mapping[int, Facts], viewer: Reader | None) -> int | None:
    """Return what a post quotes, if the viewer could see it, and chose not to."""
    quoted = known.get(post.quote_of_id or 0)
    is_unwanted = quoted and not is_visible(quoted, viewer) and is_visible(quoted, viewer, muted_too=True)
    return quoted.id if quoted and is_unwanted else None


def _card_for(entry: Facts, known: Mapping[int, Facts], viewer: Reader | None, *, muted_too: bool) -> PostCard | None:
    post, reposters = entry, list[Reposter]()
    if entry.repost_of_id is not None:
        reposted = known.get(entry.repost_of_id)
        is_own = viewer is not None and entry.author_id == viewer.id
        if reposted is None or not is_visible(reposted, viewer, muted_too=muted_too and is_own):
            return None
        post, reposters = reposted, [Reposter(entry.handle, entry.name)]
    collapsed = post.collapsing_phrase or (post.hiding_phrase if muted_too else None)
    return make_card(
        post,
        entry_id=entry.id,
        collapsed=collapsed,
        quoted=quoted_in(post, known, viewer),
        unwanted_quote=unwanted_quote_in(post, known, viewer),
        reposters=reposters,
    )

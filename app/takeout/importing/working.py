"""Follow, mute or block the people of a list, a slice at a time. What is so already stays as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from sqlalchemy import func, select

from app.accounts.models import User
from app.accounts.standing import is_here
from app.core import clock
from app.extensions import db
from app.social import in_bulk, operations
from app.social.in_bulk import ALREADY, BLOCKED, FOLLOWED, UNKNOWN
from app.social.models import EVERYTHING, Mute
from app.takeout.importing.reading import ODD, Entry
from app.takeout.models import BLOCKS, FOLLOWS, Import

SLICE = 50  # of people; a follow takes a lock for each
MUTED, YOU, OVER = "muted", "you", "over"

People = Mapping[str, User]  # by their handles, in lower case


def work_through(found: Import, *, by: User) -> bool:
    """Do the next slice of a list and note what came of it; say whether it was the last."""
    entries = found.entries[found.done : found.done + SLICE]
    people = _people(entries)
    outcomes = _outcomes(found.kind, entries, people, by=by)
    counts, skipped = dict(found.counts), {why: list(handles) for why, handles in found.skipped.items()}
    for entry, outcome in zip(entries, outcomes, strict=True):
        if _is_skipped(outcome, found.kind):
            skipped.setdefault(outcome, []).append(entry["handle"])
        else:
            counts[outcome] = counts.get(outcome, 0) + 1
    found.counts, found.skipped = counts, skipped
    found.done += len(entries)
    if found.done < found.total:
        return False
    found.finished_at = clock.now()
    found.entries = []  # nobody needs it any more
    return True


def _is_skipped(outcome: str, kind: str) -> bool:
    return outcome in {ODD, "elsewhere", UNKNOWN, YOU, OVER} or (outcome == BLOCKED and kind == FOLLOWS)


def _people(entries: Sequence[Entry]) -> People:
    handles = [entry["handle"].lower() for entry in entries if "why" not in entry]
    known = select(User).where(func.lower(User.handle).in_(handles), is_here())
    return {user.handle.lower(): user for user in db.session.scalars(known)}


def _outcomes(kind: str, entries: Sequence[Entry], people: People, *, by: User) -> list[str]:
    """Do what is wanted with the people of some lines, and return what came of each line."""
    outcomes = {user.id: YOU if user.id == by.id else ALREADY for user in people.values()}
    others = {people[handle].id: entry for entry in entries if (handle := entry["handle"].lower()) in people}
    others.pop(by.id, None)
    if kind == FOLLOWS:
        outcomes |= _follow(others, people, by=by)
    elif kind == BLOCKS:
        outcomes |= in_bulk.block_many(list(others), by=by)
    else:
        outcomes |= _mute(others, people, by=by)
    return [_outcome(entry, people, outcomes) for entry in entries]


def _outcome(entry: Entry, people: People, outcomes: Mapping[int, str]) -> str:
    user = None if "why" in entry else people.get(entry["handle"].lower())
    return outcomes[user.id] if user else entry.get("why", UNKNOWN)


def _follow(wanted: Mapping[int, Entry], people: People, *, by: User) -> Mapping[int, str]:
    outcomes = in_bulk.follow_many(list(wanted), by=by)
    for user in people.values():
        if outcomes.get(user.id) == FOLLOWED and "volume" in wanted[user.id]:
            operations.set_volume(user, wanted[user.id]["volume"], by=by)
    return outcomes


def _mute(wanted: Mapping[int, Entry], people: People, *, by: User) -> Mapping[int, str]:
    holds = (Mute.until.is_(None)) | (Mute.until > clock.now())
    muted = set(db.session.scalars(select(Mute.muted_id).where(Mute.muter_id == by.id, holds)))
    outcomes = {}
    for user in sorted(people.values(), key=lambda user: user.id):
        if user.id not in wanted or user.id in muted:
            continue
        until = _moment(wanted[user.id].get("until", ""))
        if until is not None and until <= clock.now():
            outcomes[user.id] = OVER
            continue
        operations.mute(user, by=by, scope=wanted[user.id].get("scope", EVERYTHING), until=until)
        outcomes[user.id] = MUTED
    return outcomes


def _moment(written: str) -> datetime | None:
    """Return the moment that a file names; none where it is for ever, or says nothing that can be read."""
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)

"""Make an export, slice by slice: lists as JSON, as HTML and, where they can be brought in elsewhere, as CSV."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from app.accounts import avatars
from app.accounts.models import User
from app.core import clock
from app.core.spreadsheets import csv_line
from app.outbox.rows import State
from app.takeout.exporting import archive, page
from app.takeout.exporting.archive import Archive, Piece
from app.takeout.exporting.operations import DAYS
from app.takeout.exporting.sections import BY_NAME, SECTIONS, Part, Section, number_in, read
from app.takeout.models import Export

SLICE = 100  # of rows; each post may have four images
FINISH = "finish"
AVATAR = "images/profile.webp"


def go_on(export: Export, user: User, state: State, *, origin: str) -> State | None:
    """Write the next slice and return where to go on, or None when the file is where its owner can fetch it."""
    with archive.opened(export.file, state.get("kept", {})) as kept:
        at = state.get("at", "")
        if at == FINISH:
            if not archive.finished(export.file).exists() and not kept.is_whole():
                return {}
            export.size = kept.finish(_texts(user, origin, state["numbers"]))
            export.expires_at = clock.now() + timedelta(days=DAYS)
            export.done = export.total
            return None
        if not at or not kept.is_whole():
            kept = Archive(export.file)
            state = _begin(export, user, kept)
        return _go_on(export, user, kept, state, origin=origin)


def _begin(export: Export, user: User, kept: Archive) -> State:
    numbers = {section.name: number_in(section, user) for section in SECTIONS}
    export.done, export.total = 0, sum(numbers.values())
    if user.avatar:
        kept.add([(AVATAR, avatars.folder() / user.avatar)])
    return {"at": SECTIONS[0].name, "after": None, "numbers": dict.fromkeys(numbers, 0)}


def _go_on(export: Export, user: User, kept: Archive, state: State, *, origin: str) -> State:
    at, after, numbers = state["at"], state["after"], dict(state["numbers"])
    room = SLICE
    while room > 0 and at != FINISH:
        section = SECTIONS[BY_NAME[at]]
        part = read(section, user, after=after, size=room, origin=origin)
        _write(section, part, kept, user=user, origin=origin)
        room -= len(part.items)
        numbers[at] += len(part.items)
        after = part.next_after
        at = at if after is not None else _next(at)
    export.done = min(sum(numbers.values()), export.total)  # more may have come meanwhile
    return {"at": at, "after": after, "numbers": numbers, "kept": kept.state}


def _next(at: str) -> str:
    number = BY_NAME[at] + 1
    return SECTIONS[number].name if number < len(SECTIONS) else FINISH


def _write(section: Section, part: Part, kept: Archive, *, user: User, origin: str) -> None:
    """Write a slice behind what its files say so far."""
    if not part.items:
        return
    kept.add(part.files)
    lead = "," if kept.sizes.get(f"{section.name}.json") else ""
    kept.append(f"{section.name}.json", lead + ",".join("\n" + _json(item) for item in part.items))
    kept.append(f"{section.name}.html", page.items(section.name, part.items, user=user, origin=origin))
    if section.cells is not None:
        lines = [csv_line(section.cells(item, urlsplit(origin).netloc)) for item in part.items]
        kept.append(f"{section.name}.csv", "".join(lines))


def _texts(user: User, origin: str, numbers: dict[str, int]) -> Iterator[tuple[str, Sequence[Piece]]]:
    """Yield the texts of an export by their names, each in pieces."""
    yield "index.html", list(_page(user, origin, numbers))
    yield "profile.json", [_json(page.profile_of(user, origin), indent=2) + "\n"]
    yield "settings.json", [_json(page.settings_of(user), indent=2) + "\n"]
    for section in SECTIONS:
        yield f"{section.name}.json", ["[", Path(f"{section.name}.json"), "\n]\n"]
        if section.cells is not None:
            yield f"{section.name}.csv", [csv_line(section.header), Path(f"{section.name}.csv")]


def _page(user: User, origin: str, numbers: dict[str, int]) -> Iterator[Piece]:
    yield page.top(user, origin, numbers)
    for section in SECTIONS:
        yield page.section_top(section, numbers[section.name])
        yield Path(f"{section.name}.html")
        yield page.section_end(section, numbers[section.name])
    yield page.end(user, origin)


def _json(value: object, *, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent, default=_moment)


def _moment(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(type(value))

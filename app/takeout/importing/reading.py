"""Read a list of people from a file: CSV as this site writes it, as Mastodon does, or just a handle on each line."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Collection, Iterator, Sequence
from io import StringIO
from typing import IO

from app.core.errors import Refused
from app.core.spreadsheets import plain_cell
from app.social.models import NO_REPOSTS, REPOSTS, VOLUMES

MAX_BYTES = 1024 * 1024
MAX_PEOPLE = 5000
LONGEST_SHOWN = 60  # of what is no handle

Entry = dict[str, str]  # the handle, or why it is none; and what else the file says

_HANDLE = re.compile(r"@?(?P<handle>[A-Za-z0-9_]{2,30})(@(?P<host>[^@\s]+))?")
_HEADERS = {"account address", "handle"}  # of a first column; the first is Mastodon's
ELSEWHERE, ODD = "elsewhere", "odd"


class BadList(Refused):
    """A file in which there are no people to be found."""

    field = "file"


def read_list(upload: IO[bytes], *, hosts: Collection[str]) -> list[Entry]:
    """Return the people that a file names, each once, or say why it cannot be read. `hosts` are this site's."""
    text = _text_of(upload.read(MAX_BYTES + 1))
    entries: dict[str, Entry] = {}
    try:
        for cells in _rows(text):
            entry = _entry(cells, hosts=hosts)
            entries.setdefault(entry["handle"].lower(), entry)
            if len(entries) > MAX_PEOPLE:
                raise BadList(
                    f"This list is too long. Up to {MAX_PEOPLE:,} people fit; split it and bring in the parts."
                )
    except csv.Error as error:
        raise BadList("This isn’t a CSV file. Choose a list with one handle on each line.") from error
    if all(entry.get("why") == ODD for entry in entries.values()):
        raise BadList("There are no handles in this file. Each line should begin with one, like ada or @ada.")
    return list(entries.values())


def _text_of(raw: bytes) -> str:
    """Return what a file says, in the encodings that spreadsheets write."""
    if len(raw) > MAX_BYTES:
        raise BadList("This file is too large. The limit is 1 MB.")
    if not raw.strip():
        raise BadList("This file is empty.")
    if raw.startswith(b"PK"):
        raise BadList(
            "This is a zip file or a spreadsheet. Unzip it first, or save it as CSV, and choose the CSV file."
        )
    encoding = "utf-16" if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        raise BadList("This file isn’t plain text in UTF-8. Save it again as “CSV UTF-8” and choose that.") from error
    if "\0" in text:
        raise BadList("This isn’t a CSV file. Choose a list with one handle on each line.")
    return text


def _rows(text: str) -> Iterator[dict[str, str]]:
    """Yield the lines by the names of their columns; without a header there is only the first."""
    first = text.lstrip().partition("\n")[0]
    delimiter = next((sign for sign in ",;\t" if sign in first), ",")
    lines = (line for line in csv.reader(StringIO(text, newline=""), delimiter=delimiter) if any(map(str.strip, line)))
    names: Sequence[str] = [""]
    for number, line in enumerate(lines):
        cells = [plain_cell(cell) for cell in line]
        if number == 0 and cells[0].lower() in _HEADERS:
            names = ["", *(cell.lower() for cell in cells[1:])]
            continue
        yield dict(zip(names, cells, strict=False))


def _entry(cells: dict[str, str], *, hosts: Collection[str]) -> Entry:
    address = cells[""]
    match = _HANDLE.fullmatch(address)
    if match is None:
        return {"handle": address[:LONGEST_SHOWN], "why": ODD}
    if match["host"] and match["host"].lower() not in hosts:
        return {"handle": address[:LONGEST_SHOWN], "why": ELSEWHERE}
    entry = {"handle": match["handle"], "until": cells.get("until", "")[:40]}
    if cells.get("only reposts", "").lower() == "true":
        entry["scope"] = REPOSTS
    if cells.get("show boosts", "").lower() == "false":
        entry["volume"] = NO_REPOSTS
    if cells.get("volume") in VOLUMES:
        entry["volume"] = cells["volume"]
    return {name: value for name, value in entry.items() if value}

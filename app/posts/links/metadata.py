"""What a page of the web says about itself: title, description and picture, from whatever its HTML is."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass

from lxml import etree

from app.core.text import shortened

LONGEST_TITLE, LONGEST_DESCRIPTION = 200, 300
MAX_READ_CHARACTERS = 5000  # of a title or description, before it is cleaned
DECLARED_WITHIN = 2048
MAX_DEPTH, FED_AT_ONCE = 500, 4096
_DECLARED = re.compile(rb"""<meta[^>]{0,500}charset\s{0,20}=\s{0,20}["']?\s{0,20}([\w:.-]{1,40})""", re.IGNORECASE)
_NAME = re.compile(r"[\w.:-]{1,40}", re.ASCII)
# Encodings that pages have. Python knows others, of which some take quadratic time, and some are no encodings of text.
_PAGES_HAVE = re.compile(r"utf-8|utf-16(-[bl]e)?|iso8859-\d+|cp\d+|koi8-[rut]|gb\w+|big5\w*|euc_\w+|shift_jis\w*|ascii")
_TITLES, _DESCRIPTIONS = ("og:title", "twitter:title"), ("og:description", "twitter:description", "description")
_PICTURES = ("og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src")


@dataclass(frozen=True)
class Metadata:
    """What a page says about itself, as plain text; "" where it says nothing."""

    title: str
    description: str
    picture: str  # where it is, perhaps relative to the page


def read_metadata(html: bytes, charset: str | None = None) -> Metadata:
    """Return what a page says about itself, the first of each kind.

    As events, without a tree, and no further than to where it nests too deeply: no page may cost more than its length,
    and for each end tag the parser looks through all that is open.
    """
    reader = _Reader()
    parser = etree.HTMLParser(target=reader, encoding="utf-8", no_network=True, huge_tree=False)
    page = html.decode(_encoding(html, charset), "replace").replace("\0", "").encode("utf-8", "replace")
    try:
        for start in range(0, len(page), FED_AT_ONCE):
            parser.feed(page[start : start + FED_AT_ONCE])
            if reader.depth > MAX_DEPTH:
                break
        else:
            parser.close()
    except etree.XMLSyntaxError:  # nothing in it that could be a page
        pass
    return Metadata(
        title=shortened(reader.first(_TITLES) or reader.title, LONGEST_TITLE),
        description=shortened(reader.first(_DESCRIPTIONS), LONGEST_DESCRIPTION),
        picture=reader.first(_PICTURES).strip(),
    )


class _Reader:
    """Takes the title and the metadata out of the events of a page."""

    def __init__(self) -> None:
        self.said: dict[str, str] = {}
        self.title = ""
        self.depth = 0
        self._in_title = False
        self._has_title = False

    def first(self, names: tuple[str, ...]) -> str:
        """Return what the page says under the first of these names that it uses."""
        return next((self.said[name] for name in names if self.said.get(name)), "")

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.depth += 1
        if tag == "title" and not self._has_title:
            self._in_title = self._has_title = True
        if tag == "meta":
            name = (attributes.get("property") or attributes.get("name") or "").strip().lower()
            self.said.setdefault(name, attributes.get("content", "")[:MAX_READ_CHARACTERS])

    def end(self, tag: str) -> None:
        self.depth -= 1
        if tag == "title":
            self._in_title = False

    def data(self, text: str) -> None:
        if self._in_title and len(self.title) < MAX_READ_CHARACTERS:
            self.title += text[:MAX_READ_CHARACTERS]

    def close(self) -> None:
        """End; lxml asks for it."""


def _encoding(html: bytes, charset: str | None) -> str:
    """Return the encoding of a page: by its mark, by its server, by itself; UTF-8 if none of them is known."""
    if html.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    if html.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    declared = _DECLARED.search(html[:DECLARED_WITHIN])
    for name in (charset or "", declared[1].decode("ascii", "replace") if declared else ""):
        if known := _known(name):
            return known
    return "utf-8"


def _known(name: str) -> str | None:
    if not _NAME.fullmatch(name := name.strip()):  # Python keeps whatever it was asked for
        return None
    try:
        known = codecs.lookup(name).name
    except LookupError:
        return None
    if known in {"iso8859-1", "ascii"}:
        return "cp1252"  # as browsers read it
    return known if _PAGES_HAVE.fullmatch(known) else None

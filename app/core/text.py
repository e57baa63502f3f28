"""What people write: cleaned, counted as people count, and turned into safe HTML with its links."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator
from typing import Literal

import regex
from markupsafe import Markup, escape

from app import addresses

HANDLE = r"[A-Za-z0-9_]{2,30}"

# A link ends before the punctuation that follows it; a closing bracket belongs to it only if it was opened in it.
_URL = r"(?i:https?)://[^\s<>\"'\u201c\u201d]+"
_MENTION = rf"(?<![\w@/])@(?P<handle>{HANDLE})(?![\w@])"
_TAG = r"(?<![\w#&/])#(?P<tag>[\p{L}\p{N}_]{0,63}\p{L}[\p{L}\p{N}\p{M}_]{0,63})(?!\w)"
_ENTITY = regex.compile(rf"(?P<url>{_URL})|{_MENTION}|{_TAG}")
_TRAILING = ".,;:!?…'\"*_~)]}>»›。、，！？：；）】」』"
_OPENED_BY = {")": "(", "）": "（", "]": "[", "}": "{"}

_GRAPHEME = regex.compile(r"\X")
_PILED = regex.compile(r"\p{M}{100}")  # marks on one letter; no language has a third of that
_BLANK_LINES = regex.compile(r"\n{3,}")
MAX_CODE_POINTS_PER_CHARACTER = (
    8  # of a character, on average: a family emoji has seven, a mischievous letter thousands
)
# Control characters and the marks that turn the direction of what follows around; tab and newline stay.
_UNWANTED = regex.compile(r"[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff--[\n\t]]", regex.V1)


def clean(text: str) -> str:
    """Return text as it is stored: one spelling for each character, Unix line ends, nothing invisible around it."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _normal("NFC", _UNWANTED.sub("", text))
    lines = [line.rstrip() for line in text.split("\n")]
    text = _BLANK_LINES.sub("\n\n", "\n".join(lines))
    return text.strip()


def _normal(form: Literal["NFC", "NFKC"], text: str) -> str:
    """Spell each character in one way. Sorting marks takes quadratic time: where they pile up they stay as they are."""
    return text if _PILED.search(text) else unicodedata.normalize(form, text)


def clean_line(text: str) -> str:
    """Return text as it is stored where only one line makes sense: a name, a title."""
    return " ".join(clean(text).split())


def is_blank(text: str) -> bool:
    """Say whether a text shows nothing: only spaces, joiners and other characters without ink."""
    return not regex.search(r"[^\p{Z}\p{C}\p{M}\u2800\u3164\u115f\u1160\uffa0]", text)


def count_characters(text: str) -> int:
    """Count as people see: a flag, a family emoji or an accented letter is one character."""
    return len(_GRAPHEME.findall(text))


def too_long_by(text: str, longest: int) -> int:
    """Return how many characters a text has too many. What they are made of counts, too, where it is very much."""
    counted = max(count_characters(text), math.ceil(len(text) / MAX_CODE_POINTS_PER_CHARACTER))
    return max(0, counted - longest)


def shortened(text: str, longest: int) -> str:
    """Return what a stranger wrote as one line, cut where it grows too long; what characters are made of counts."""
    if is_blank(line := clean_line(text)):
        return ""
    most = longest * MAX_CODE_POINTS_PER_CHARACTER
    characters = _GRAPHEME.findall(line[:most])
    if len(characters) <= longest and len(line) <= most:
        return line
    return "".join(characters[: longest - 1]).rstrip() + "…"


def first_link(text: str) -> str | None:
    """Return the first link in a text, as it is linked."""
    return next(links_in(text), None)


def links_in(text: str) -> Iterator[str]:
    """Yield the links in a text, as they are linked."""
    urls = (_without_trailing(match["url"]) for match in _ENTITY.finditer(text) if match["url"])
    return (url for url in urls if _short(url))


def mentioned_handles(text: str) -> set[str]:
    """Return the handles that a text mentions, in lower case. Whether they exist is for the database to say."""
    return {match["handle"].lower() for match in _ENTITY.finditer(text) if match["handle"]}


def tags_in(text: str) -> set[str]:
    """Return the tags of a text, as they are looked up."""
    keys = {tag_key(match["tag"]) for match in _ENTITY.finditer(text) if match["tag"]}
    return {key for key in keys if is_tag(key)}


def tag_key(tag: str) -> str:
    """Return the spelling under which a tag is stored: #Tea and #tea are one."""
    return _normal("NFKC", tag).casefold()


def is_tag(tag: str) -> bool:
    """Say whether `tag` could stand behind a #."""
    match = _ENTITY.fullmatch("#" + tag)
    return bool(match and match["tag"])


def to_html(text: str, mentions: frozenset[str]) -> Markup:
    """Return safe HTML: everything escaped, line breaks kept, URLs, tags and the handles in `mentions` linked."""
    out, end = [], 0
    for match in _ENTITY.finditer(text):
        shown, link = _link(match, mentions)
        if link is not None:
            out += [_plain(text[end : match.start()]), link]
            end = match.start() + len(shown)
    return Markup("").join([*out, _plain(text[end:])])


def with_links(text: str) -> Markup:
    """Return safe HTML of a text that mentions nobody: everything escaped, its URLs linked."""
    return to_html(text, frozenset())


def _link(match: regex.Match[str], mentions: frozenset[str]) -> tuple[str, Markup | None]:
    """Return what of a match is linked, and the link; None where it stays plain text."""
    if match["url"]:
        url = _without_trailing(match["url"])
        if not _short(url):
            return url, None
        return url, Markup('<a href="{}" rel="nofollow noopener noreferrer" target="_blank">{}</a>').format(
            url, _short(url)
        )
    if match["handle"]:
        handle = match["handle"]
        if handle.lower() not in mentions:
            return match[0], None
        return match[0], Markup('<a class="mention" href="{}">{}</a>').format(addresses.profile(handle), match[0])
    key = tag_key(match["tag"])
    if not is_tag(key):
        return match[0], None
    return match[0], Markup('<a class="tag" href="{}">{}</a>').format(addresses.tag(key), match[0])


def _without_trailing(url: str) -> str:
    while url[-1] in _TRAILING:
        opening = _OPENED_BY.get(url[-1])
        if opening and url.count(opening) >= url.count(url[-1]):
            break
        url = url[:-1]
    return url


def _short(url: str) -> str:
    """Return a URL as it is shown: without its scheme, and cut where it grows too long to read."""
    shown = url.split("://", 1)[1].removeprefix("www.").removesuffix("/")
    return shown if len(shown) <= 42 else shown[:40] + "…"


def _plain(text: str) -> Markup:
    return escape(text).replace("\n", Markup("<br>"))


def initials(name: str) -> str:
    """Return one or two letters that stand for a name where there is no picture."""
    words = [word for word in regex.findall(r"[\p{L}\p{N}\p{M}]+", name) if word]
    letters = [words[0], words[-1]] if len(words) > 1 else words
    return "".join(_capital(_GRAPHEME.findall(word)[0]) for word in letters) or "?"


def _capital(letter: str) -> str:
    """Return the capital of a letter, unless it would be two: ß stays."""
    return letter.upper() if count_characters(letter.upper()) == 1 else letter

"""Words as the site's own typeface can draw them: measured, broken into lines, without what it has no letters for."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import regex
from PIL import ImageFont

FONT = Path(__file__).parent.parent / "static" / "vendor" / "bricolage-grotesque.woff2"
REGULAR, BOLD = 420, 700
NOTHING = "\uffff"  # what no typeface has; it is drawn as whatever else is missing
LEAST_DRAWN = 0.8  # share of the letters below which the rest would say something else
_CHARACTER = regex.compile(r"\X")


@lru_cache(maxsize=32)
def font(size: int, weight: int = REGULAR) -> ImageFont.FreeTypeFont:
    """Return the site's typeface in one size and weight. Not to be used by two threads at once."""
    found = ImageFont.truetype(str(FONT), size)
    found.set_variation_by_axes([weight])
    return found


@lru_cache(maxsize=4096)
def _is_known(character: str) -> bool:
    if character.isspace():
        return True
    small = font(16)
    drawn, missing = small.getmask(character), small.getmask(NOTHING)
    return (drawn.size, bytes(drawn)) != (missing.size, bytes(missing))


def drawable(text: str) -> str:
    """Return what of a text can be drawn: all but pictures and odd signs, or nothing if letters are missing."""
    characters = [each for each in _CHARACTER.findall(text) if not each.isspace()]
    letters = [each for each in characters if regex.match(r"\p{L}|\p{N}", each)]
    drawn = [each for each in letters if all(map(_is_known, each))]
    if not drawn or len(drawn) < LEAST_DRAWN * len(letters):
        return ""
    kept = (each if all(map(_is_known, each)) else " " for each in _CHARACTER.findall(text))
    return " ".join("".join(kept).split())


def fitted(text: str, widest: int, size: int, weight: int = REGULAR) -> str:
    """Return a line cut to a width."""
    return lines(text, widest, 1, size, weight)[0] if text else ""


def lines(text: str, widest: int, most: int, size: int, weight: int = REGULAR) -> list[str]:
    """Break a text into no more than so many lines, of which the last may end in an ellipsis."""
    typeface, found, rest = font(size, weight), list[str](), text.split()
    while rest and len(found) < most:
        line = rest.pop(0)
        while rest and typeface.getlength(f"{line} {rest[0]}") <= widest:
            line += f" {rest.pop(0)}"
        if typeface.getlength(line) > widest:  # one word that is too long
            cut = next(at for at in range(len(line), 0, -1) if at == 1 or typeface.getlength(line[:at]) <= widest)
            line, rest = line[:cut], [line[cut:], *rest]
        found.append(line)
    if rest:
        last = found[-1]
        while last and typeface.getlength(f"{last}…") > widest:
            last = last[:-1]
        found[-1] = last.rstrip(" ,;:.–-") + "…"
    return found

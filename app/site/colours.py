"""A colour of the site's own, and the others that follow from it: all must be legible, by day and by night."""

from __future__ import annotations

import re

from app.core.errors import Refused

LEGIBLE = 4.5  # what WCAG asks of small text
WHITE, BLACK = (255, 255, 255), (0, 0, 0)
# What text stands on in each theme: the lightest and the darkest ground of tokens.css.
BY_DAY = ((255, 255, 255), (238, 243, 243))
BY_NIGHT = ((10, 18, 21), (24, 36, 42))

Colour = tuple[int, int, int]
Palette = dict[str, tuple[Colour, Colour]]  # by the name in tokens.css: by day, by night


class BadColour(Refused):
    """A colour that nobody could read."""

    field = "colour"


def read(typed: str) -> Colour:
    """Return a colour that was typed as #0b6b7a, or with three digits."""
    digits = typed.strip().lower().removeprefix("#")
    if re.fullmatch(r"[0-9a-f]{3}", digits, flags=re.ASCII):
        digits = "".join(digit * 2 for digit in digits)
    if not re.fullmatch(r"[0-9a-f]{6}", digits, flags=re.ASCII):
        raise BadColour("Enter a colour like #0b6b7a: six digits from 0 to 9 and a to f.")
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


def checked(typed: str) -> str:
    """Return a colour as it is stored; refuse one that is too pale to be read on white."""
    colour = read(typed)
    if min(contrasts(palette(colour))) < LEGIBLE:
        raise BadColour("That colour is too pale to read on a white page. Choose a darker one.")
    return spelled(colour)


def palette(colour: Colour) -> Palette:
    """Return what follows from a colour: by night it is made lighter until it can be read."""
    night = next(
        mixed for part in range(101) if _contrast(mixed := _mix(colour, WHITE, part / 100), BY_NIGHT[1]) >= LEGIBLE + 1
    )
    return {
        "accent": (colour, night),
        "accent-strong": (_mix(colour, BLACK, 0.22), _mix(night, WHITE, 0.35)),
        "accent-soft": (_mix(colour, WHITE, 0.88), _mix(night, BY_NIGHT[0], 0.82)),
        "on-accent": (WHITE, _mix(colour, BLACK, 0.85)),
    }


def contrasts(found: Palette) -> list[float]:
    """Return how well each can be read on what it stands on."""
    grounds = (BY_DAY, BY_NIGHT)
    return [
        contrast
        for theme in (0, 1)
        for contrast in (
            *(_contrast(found["accent"][theme], ground) for ground in grounds[theme]),
            *(_contrast(found["accent-strong"][theme], ground) for ground in grounds[theme]),
            _contrast(found["accent-strong"][theme], found["accent-soft"][theme]),
            _contrast(found["on-accent"][theme], found["accent"][theme]),
        )
    ]


def stylesheet(colour: Colour) -> str:
    """Return the rules that put a palette over the one in tokens.css."""
    pairs = palette(colour).items()
    rules = "".join(f"--{name}: light-dark({spelled(day)}, {spelled(night)}); " for name, (day, night) in pairs)
    return f":root {{ {rules}}}\n"


def spelled(colour: Colour) -> str:
    """Return a colour as CSS spells it."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _mix(one: Colour, other: Colour, part: float) -> Colour:
    """Return a colour with so much of another in it."""
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(one, other, strict=True))
    return red, green, blue


def _contrast(one: Colour, other: Colour) -> float:
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Colour) -> float:
    shares = (share / 255 for share in colour)
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

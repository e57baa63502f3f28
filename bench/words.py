"""Words as people use them: a few in every second post, most of them hardly ever. For texts that can be searched."""

from __future__ import annotations

from itertools import accumulate, product
from random import Random

# The head of the list is English, so that a page reads like one; the long tail is made of syllables.
COMMON = (
    "the to of and a in is it for that on with was you this as are be have at not but we by they from or an all so "
    "there out up what about no one can just now more when my morning heron weir bread train rain coffee bridge "
    "garden radio bicycle library oven swift comma sourdough tomato coast river market window paper evening"
).split()
SYLLABLES = (
    "ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zu bra cle dri fro glu sha tre pli".split(),
) * 3
VOCABULARY = 20_000
WORDS_IN_FRAGMENT = 5
FRAGMENTS = 65_536


def vocabulary() -> list[str]:
    """Return all words, the most frequent first; no made-up one is the beginning of another."""
    made_up = ["".join(syllables) + "n" for syllables in product(*SYLLABLES)]
    Random(1).shuffle(made_up)
    return [*COMMON, *made_up[: VOCABULARY - len(COMMON)]]


def fragments(*, seed: int = 42) -> list[str]:
    """Return pieces of sentences, whose words follow Zipf's law: the n-th word is drawn 1/n as often as the first."""
    words = vocabulary()
    weights = list(accumulate(1 / rank for rank in range(1, len(words) + 1)))
    chosen = Random(seed).choices(words, cum_weights=weights, k=FRAGMENTS * WORDS_IN_FRAGMENT)
    return [" ".join(chosen[at : at + WORDS_IN_FRAGMENT]) for at in range(0, len(chosen), WORDS_IN_FRAGMENT)]

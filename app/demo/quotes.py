"""Let people quote what they liked, with a word of their own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random

from app.demo.reactions import Reaction
from app.demo.writing import Written

QUOTES = 45
COMMENTS = (
    "Reading this again this evening.",
    "This made my morning.",
    "Exactly this, and I could not have said it better.",
    "I keep thinking about this one.",
    "For everybody who asked me about it last week:",
    "Worth the minute it takes.",
    "And that is how it was, I was there.",
    "Somebody had to say it.",
    "Cutting this out and putting it on the fridge.",
    "I laughed longer at this than I will admit.",
    "My grandmother would have agreed, and added salt.",
    "The best thing I have read since Sunday.",
    "Every word.",
    "Not sure I agree, but I am glad that somebody thinks about it.",
    "Filed under things I wish I had noticed first.",
)


def make_quotes(
    posts: Sequence[Written], reposts: Sequence[Reaction], rng: Random, *, now: datetime, longest: int
) -> list[Written]:
    """Turn some who would have reposted into people who quote, a while later."""
    comments = [comment for comment in COMMENTS if len(comment) <= longest]
    quotes = []
    for repost in rng.sample(reposts, min(QUOTES, len(reposts))) if comments else []:
        moment = repost.moment + timedelta(minutes=rng.uniform(2, 90))
        if moment < now:
            quotes.append(Written(repost.handle, moment, rng.choice(comments), quotes=posts[repost.post]))
    return quotes

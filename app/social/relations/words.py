"""What is said of a choice about a person."""

from __future__ import annotations

from app.social.durations import FOR_EVER
from app.social.models import ALL, HIGHLIGHTS, NO_REPLIES, NO_REPOSTS

VOLUME_WORDS = {
    ALL: "You’ll see everything from {}.",
    NO_REPLIES: "You’ll see everything from {} except replies.",
    NO_REPOSTS: "You’ll see everything from {} except reposts.",
    HIGHLIGHTS: "You’ll see only highlights from {}.",
}
DURATION_WORDS = {"hour": " for an hour", "day": " for a day", "week": " for a week", FOR_EVER: ""}
# Of a mute that is brought back: whether it is of reposts alone.
AS_BEFORE = {False: "You’ve muted {} again.", True: "You’ll see {} again, but not their reposts, as before."}

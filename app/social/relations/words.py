"""What is said of a choice about a person."""

from __future__ import annotations

from app.social.durations import FOR_EVER
from app.social.models import ALL, ALL_REPLIES, HIGHLIGHTS, NO_REPLIES, NO_REPOSTS

VOLUME_WORDS = {
    ALL_REPLIES: "You’ll see posts, reposts and all replies by {}.",
    ALL: "You’ll see posts and reposts by {}, and their replies to people you follow.",
    NO_REPLIES: "You won’t see replies to others by {}.",
    NO_REPOSTS: "You won’t see reposts by {}.",
    HIGHLIGHTS: "You’ll see only highlights from {}, and replies to you.",
}
DURATION_WORDS = {"hour": " for an hour", "day": " for a day", "week": " for a week", FOR_EVER: ""}
# Of a mute that is brought back: whether it is of reposts alone.
AS_BEFORE = {False: "You’ve muted {} again.", True: "You’ll see {} again, but not their reposts, as before."}

"""What can be done to a post or an account, by the names under which it is kept and sent. Names never change."""

from __future__ import annotations

from dataclasses import dataclass

from app.moderation.log import actions as log


@dataclass(frozen=True)
class Kind:
    """One thing that can be done: what it is called, and what it means to the one it is done to."""

    name: str
    logged: str  # under which name it enters the log
    undone: str  # and its undoing
    label: str  # on a form
    hint: str
    told: str  # to the person
    can_end: bool = True  # by itself, on a day that is chosen


HIDE = Kind(
    "hide",
    log.POST_HIDDEN,
    log.POST_RESTORED,
    "Hide the post",
    "Only its author sees it, and sees that it’s hidden.",
    "A moderator has hidden a post of yours. Nobody but you can see it.",
)
REMOVE = Kind(
    "remove",
    log.POST_REMOVED,
    log.POST_RESTORED,
    "Remove the post",
    "Nobody sees it any more, not even its author.",
    "A moderator has removed a post of yours. Nobody can see it any more.",
)
MARK = Kind(
    "mark",
    log.POST_MARKED,
    log.POST_UNMARKED,
    "Add a content warning",
    "People see the warning first, and open the post if they want to.",
    "A moderator has put a content warning on a post of yours. People see the warning first.",
)
WARN = Kind(
    "warn",
    log.PERSON_WARNED,
    log.PERSON_UNWARNED,
    "Warn",
    "They read your reason, and confirm that they have, before they go on.",
    "This is a warning from the people who run this site.",
    can_end=False,
)
LIMIT = Kind(
    "limit",
    log.PERSON_LIMITED,
    log.PERSON_UNLIMITED,
    "Limit",
    "Only their followers find and see them. Nobody else can follow them meanwhile.",
    "Your account is limited. Only people who follow you already can find you and see your posts.",
)
FREEZE = Kind(
    "freeze",
    log.PERSON_FROZEN,
    log.PERSON_UNFROZEN,
    "Freeze",
    "They can read, but not post, like, follow or change anything.",
    "Your account is frozen. You can read everything, but not post, like, follow or change anything.",
)
SUSPEND = Kind(
    "suspend",
    log.PERSON_SUSPENDED,
    log.PERSON_UNSUSPENDED,
    "Suspend",
    "They’re logged out, and nobody sees them or anything they posted.",
    "Your account is suspended. Nobody can see you or anything you posted.",
)
DELETE = Kind(
    "delete",
    log.DELETION_PLANNED,
    log.DELETION_CANCELLED,
    "Delete the account",
    "They’re suspended at once, and everything of theirs is erased in 14 days. Until then it can be undone.",
    "Your account is suspended and will be deleted, with everything in it.",
    can_end=False,
)

ON_POSTS = {kind.name: kind for kind in (HIDE, REMOVE, MARK)}
ON_PEOPLE = {kind.name: kind for kind in (WARN, LIMIT, FREEZE, SUSPEND, DELETE)}
KINDS = ON_POSTS | ON_PEOPLE

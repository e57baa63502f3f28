"""What those who run the site can do, by the names under which the record keeps it. Names never change."""

from __future__ import annotations

ROLE_CHANGED = "role.changed"
RESET_LINK_MADE = "reset_link.made"
FACTOR_REMOVED = "factor.removed"
SITE_CHANGED = "site.changed"
SIGNUP_APPROVED = "signup.approved"
SIGNUP_DECLINED = "signup.declined"
INVITE_REVOKED = "invite.revoked"
ANNOUNCED = "announcement.made"
TAKEN_BACK = "announcement.deleted"
JOB_RETRIED = "job.retried"
JOB_DROPPED = "job.dropped"

# What the pages call them.
WORDS = {
    ROLE_CHANGED: "Changed role",
    RESET_LINK_MADE: "Made a link for a new password",
    FACTOR_REMOVED: "Switched off second factor",
    SITE_CHANGED: "Changed the site",
    SIGNUP_APPROVED: "Approved sign-up",
    SIGNUP_DECLINED: "Declined sign-up",
    INVITE_REVOKED: "Revoked invite",
    ANNOUNCED: "Announced something",
    TAKEN_BACK: "Deleted an announcement",
    JOB_RETRIED: "Tried a job again",
    JOB_DROPPED: "Dropped a job",
}

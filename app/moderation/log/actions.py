"""What those who run the site can do, by the names under which the record keeps it. Names never change."""

from __future__ import annotations

ROLE_CHANGED = "role.changed"
RESET_LINK_MADE = "reset_link.made"
FACTOR_REMOVED = "factor.removed"
POST_HIDDEN = "post.hidden"
POST_REMOVED = "post.removed"
POST_RESTORED = "post.restored"
POST_MARKED = "post.marked"
POST_UNMARKED = "post.unmarked"
PERSON_WARNED = "person.warned"
PERSON_UNWARNED = "person.unwarned"
PERSON_LIMITED = "person.limited"
PERSON_UNLIMITED = "person.unlimited"
PERSON_FROZEN = "person.frozen"
PERSON_UNFROZEN = "person.unfrozen"
PERSON_SUSPENDED = "person.suspended"
PERSON_UNSUSPENDED = "person.unsuspended"
DELETION_PLANNED = "deletion.planned"
DELETION_CANCELLED = "deletion.cancelled"
APPEAL_ACCEPTED = "appeal.accepted"
APPEAL_DECLINED = "appeal.declined"
REPORT_CLAIMED = "report.claimed"
REPORT_GIVEN_BACK = "report.returned"
REPORT_CLOSED = "report.closed"
REPORT_NOTED = "report.noted"
ANSWER_ADDED = "answer.added"
ANSWER_CHANGED = "answer.changed"
ANSWER_REMOVED = "answer.removed"
SITE_CHANGED = "site.changed"
SIGNUP_APPROVED = "signup.approved"
SIGNUP_DECLINED = "signup.declined"
INVITE_REVOKED = "invite.revoked"
ANNOUNCED = "announcement.made"
TAKEN_BACK = "announcement.deleted"
JOB_RETRIED = "job.retried"
JOB_DROPPED = "job.dropped"
POST_APPROVED = "post.approved"
POST_DECLINED = "post.declined"
RULE_ADDED = "rule.added"
RULE_CHANGED = "rule.changed"
RULE_SWITCHED_ON = "rule.switched_on"
RULE_PAUSED = "rule.paused"
RULE_DELETED = "rule.deleted"
RULE_BROKE = "rule.broke"
BLOCK_ADDED = "signup_block.added"
BLOCK_REMOVED = "signup_block.removed"

# What the pages call them.
WORDS = {
    ROLE_CHANGED: "Changed role",
    RESET_LINK_MADE: "Made a link for a new password",
    FACTOR_REMOVED: "Switched off second factor",
    POST_HIDDEN: "Hid a post",
    POST_REMOVED: "Removed a post",
    POST_RESTORED: "Restored a post",
    POST_MARKED: "Put a warning on a post",
    POST_UNMARKED: "Took a warning off a post",
    PERSON_WARNED: "Warned",
    PERSON_UNWARNED: "Took back a warning",
    PERSON_LIMITED: "Limited",
    PERSON_UNLIMITED: "Ended the limit",
    PERSON_FROZEN: "Froze",
    PERSON_UNFROZEN: "Unfroze",
    PERSON_SUSPENDED: "Suspended",
    PERSON_UNSUSPENDED: "Ended the suspension",
    DELETION_PLANNED: "Planned the deletion",
    DELETION_CANCELLED: "Cancelled the deletion",
    APPEAL_ACCEPTED: "Accepted the appeal",
    APPEAL_DECLINED: "Declined the appeal",
    REPORT_CLAIMED: "Took on a report",
    REPORT_GIVEN_BACK: "Gave back a report",
    REPORT_CLOSED: "Closed a report",
    REPORT_NOTED: "Wrote a note on a report",
    ANSWER_ADDED: "Added a ready-made answer",
    ANSWER_CHANGED: "Changed a ready-made answer",
    ANSWER_REMOVED: "Removed a ready-made answer",
    SITE_CHANGED: "Changed the site",
    SIGNUP_APPROVED: "Approved sign-up",
    SIGNUP_DECLINED: "Declined sign-up",
    INVITE_REVOKED: "Revoked invite",
    ANNOUNCED: "Announced something",
    TAKEN_BACK: "Deleted an announcement",
    JOB_RETRIED: "Tried a job again",
    JOB_DROPPED: "Dropped a job",
    POST_APPROVED: "Approved a held post",
    POST_DECLINED: "Declined a held post",
    RULE_ADDED: "Added a rule",
    RULE_CHANGED: "Changed a rule",
    RULE_SWITCHED_ON: "Switched a rule on",
    RULE_PAUSED: "Paused a rule",
    RULE_DELETED: "Deleted a rule",
    RULE_BROKE: "A rule broke and was switched off",
    BLOCK_ADDED: "Blocked sign-ups",
    BLOCK_REMOVED: "Allowed sign-ups again",
}

"""THE table: what follows from what. Each verb, and the jobs that must run after it is committed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from app.accounts import jobs as accounts
from app.accounts import sessions
from app.accounts.email import jobs as addresses
from app.accounts.joining import operations as joining
from app.accounts.passkeys import challenges
from app.activity import partitions, verbs
from app.feed.admin import lag
from app.feed.timelines import jobs as feed
from app.feed.timelines import modes
from app.mail import jobs as mail
from app.mail import links as mail_links
from app.moderation.actions import operations as moderation
from app.moderation.dashboard import measuring
from app.moderation.rules import jobs as rules
from app.moderation.rules import operations as rules_operations
from app.outbox import names
from app.outbox.rows import BatchJob, Job, Servers
from app.outbox.schedule import Task
from app.posts import jobs as posts
from app.posts.deleting import operations as deleting
from app.posts.filters import operations as filters
from app.posts.links import jobs as links
from app.posts.links import queries as links_queries
from app.posts.links import refreshing as links_refreshing
from app.posts.links import tidying as links_tidying
from app.posts.media import operations as images
from app.social import jobs as social
from app.social import operations as social_operations
from app.takeout.exporting import jobs as exporting
from app.takeout.exporting import operations as exports
from app.takeout.importing import jobs as importing
from app.takeout.importing import operations as imports

JOBS: Mapping[str, Job] = {
    names.FAN_OUT_POST: feed.fan_out_post,
    names.BACKFILL_FOLLOW: feed.backfill_follow,
    names.NOTE_OLDER_POSTS: feed.note_older_posts,
    names.FINISH_DEMOTION: feed.finish_demotion,
    names.PURGE_POSTS: posts.purge_posts,
    names.REMOVE_IMAGES: posts.remove_images,
    names.FETCH_LINKED_PAGE: links.fetch_linked_page,
    names.PURGE_RELATIONS: social.purge_relations,
    names.ACCEPT_REQUESTS: social.accept_requests,
    names.PURGE_ACCOUNT: accounts.purge_account,
    names.REMOVE_AVATAR: accounts.remove_avatar,
    names.SEND_RESET: addresses.send_reset,
    names.SEND_MAIL: mail.send_mail,
    names.MAKE_EXPORT: exporting.make_export,
    names.REMOVE_EXPORT: exporting.remove_export,
    names.BRING_IN: importing.bring_in,
    names.DRY_RUN_RULE: rules.dry_run_rule,
    names.LOG_BROKEN_RULE: rules.log_broken_rule,
}

FOLLOWS_FROM: Mapping[str, Sequence[str]] = {
    # An account goes in three steps, each in slices: its posts, its relations, itself.
    verbs.ACCOUNT_DELETED: [names.PURGE_POSTS],
    verbs.POSTS_PURGED: [names.PURGE_RELATIONS],
    verbs.RELATIONS_PURGED: [names.PURGE_ACCOUNT],
    verbs.ACCOUNT_OPENED: [names.ACCEPT_REQUESTS],
    verbs.POST_CREATED: [names.FAN_OUT_POST],
    verbs.POST_REPOSTED: [names.FAN_OUT_POST],
    verbs.POST_RESTORED: [names.FAN_OUT_POST],  # timelines that were built meanwhile do not have it
    verbs.POST_RETAGGED: [names.FAN_OUT_POST],  # into the windows of its new tags; a second time is harmless
    verbs.PERSON_FOLLOWED: [names.BACKFILL_FOLLOW],
    # Whatever lets posts into a feed that are older than what its reader has seen.
    verbs.TAG_FOLLOWED: [names.NOTE_OLDER_POSTS],
    verbs.VOLUME_CHOSEN: [names.NOTE_OLDER_POSTS],
    verbs.REPOSTS_CHOSEN: [names.NOTE_OLDER_POSTS],
    verbs.PERSON_UNMUTED: [names.NOTE_OLDER_POSTS],
    verbs.MUTE_NARROWED: [names.NOTE_OLDER_POSTS],
    verbs.MUTE_ENDED: [names.NOTE_OLDER_POSTS],
    verbs.PERSON_UNBLOCKED: [names.NOTE_OLDER_POSTS],
    verbs.CONVERSATION_UNMUTED: [names.NOTE_OLDER_POSTS],
    verbs.FILTER_CHANGED: [names.NOTE_OLDER_POSTS],
    verbs.FILTER_REMOVED: [names.NOTE_OLDER_POSTS],
    verbs.FILTER_ENDED: [names.NOTE_OLDER_POSTS],
    verbs.AUTHOR_DEMOTED: [names.FINISH_DEMOTION],
    verbs.AVATAR_REPLACED: [names.REMOVE_AVATAR],
    verbs.IMAGES_REMOVED: [names.REMOVE_IMAGES],
    verbs.LINK_POSTED: [names.FETCH_LINKED_PAGE],
    verbs.EXPORT_REQUESTED: [names.MAKE_EXPORT],
    verbs.EXPORT_REMOVED: [names.REMOVE_EXPORT],
    verbs.IMPORT_REQUESTED: [names.BRING_IN],
    verbs.RULE_WRITTEN: [names.DRY_RUN_RULE],
    verbs.RULE_BROKE: [names.LOG_BROKEN_RULE],
}

# Jobs that do many open rows at once.
IN_BATCHES: Mapping[str, BatchJob] = {names.FAN_OUT_POST: feed.fan_out_posts}

# Jobs that wait for servers of other people, and for which nobody must wait; and which server that is, if not our own.
ERRANDS: Mapping[str, Servers | None] = {names.FETCH_LINKED_PAGE: links_queries.hosts_of, names.SEND_MAIL: None}

RECURRING = [
    Task("erase deleted posts", timedelta(seconds=30), deleting.erase_deleted),
    Task("end what a moderator did for a time", timedelta(seconds=30), moderation.end_what_is_over),
    Task("make partitions of activity", timedelta(hours=12), partitions.make_partitions),
    Task("choose pushed and pulled authors", timedelta(hours=1), modes.recompute),
    Task("forget old lags", timedelta(hours=6), lag.forget_old),
    Task("remove images that nobody posted", timedelta(hours=1), images.forget_orphans),
    Task("ask linked pages again", timedelta(minutes=5), links_refreshing.ask_again),
    Task("remove pages that no post links to", timedelta(hours=1), links_tidying.forget_unused),
    Task("forget mutes whose time is over", timedelta(minutes=5), social_operations.forget_ended_mutes),
    Task("note filters whose time is over", timedelta(minutes=5), filters.note_ended_filters),
    Task("forget filters whose time is over", timedelta(hours=6), filters.forget_ended_filters),
    Task("forget old links of mails", timedelta(hours=6), mail_links.forget_old),
    Task("count the day", timedelta(minutes=10), measuring.measure),
    Task("forget declined sign-ups", timedelta(hours=6), joining.forget_requests),
    Task("forget what rules matched long ago", timedelta(hours=6), rules_operations.forget_old_matches),
    Task("forget what passkeys have signed", timedelta(hours=6), challenges.forget_used),
    Task("forget expired sessions", timedelta(hours=6), sessions.forget_expired),
    Task("remove old exports", timedelta(hours=1), exports.forget_old_exports),
    Task("forget old imports", timedelta(hours=6), imports.forget_old_imports),
]

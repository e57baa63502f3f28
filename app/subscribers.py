"""THE table: what follows from what. Each verb, and the jobs that must run after it is committed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from app.accounts import jobs as accounts
from app.accounts import sessions
from app.activity import partitions, verbs
from app.activity.operations import BatchJob, Job
from app.activity.schedule import Task
from app.feed import jobs as feed
from app.feed import lag, modes
from app.posts import hiding, images
from app.posts import jobs as posts
from app.social import jobs as social
from app.social import operations as social_operations

FOLLOWS_FROM: Mapping[str, Sequence[Job]] = {
    # An account goes in three steps, each in slices: what it wrote, whom it knew, itself.
    verbs.ACCOUNT_DELETED: [posts.purge_posts],
    verbs.POSTS_PURGED: [social.purge_relations],
    verbs.RELATIONS_PURGED: [accounts.purge_account],
    verbs.ACCOUNT_OPENED: [social.accept_requests],
    verbs.POST_CREATED: [feed.fan_out_post],
    verbs.POST_REPOSTED: [feed.fan_out_post],
    verbs.POST_RETAGGED: [feed.fan_out_post],  # into the windows of its new tags; a second time is harmless
    verbs.PERSON_FOLLOWED: [feed.backfill_follow],
    verbs.AUTHOR_DEMOTED: [feed.finish_demotion],
    verbs.AVATAR_REPLACED: [accounts.remove_avatar],
    verbs.IMAGES_REMOVED: [posts.remove_images],
}

# Jobs that do many open rows at once.
IN_BATCHES: Mapping[Job, BatchJob] = {feed.fan_out_post: feed.fan_out_posts}

RECURRING = [
    Task("make partitions of activity", timedelta(hours=12), partitions.make_partitions),
    Task("choose pushed and pulled authors", timedelta(hours=1), modes.recompute),
    Task("forget old lags", timedelta(hours=6), lag.forget_old),
    Task("remove images that nobody posted", timedelta(hours=1), images.forget_orphans),
    Task("forget mutes whose time is over", timedelta(hours=6), social_operations.forget_ended_mutes),
    Task("forget filters whose time is over", timedelta(hours=6), hiding.forget_ended_filters),
    Task("forget expired sessions", timedelta(hours=6), sessions.forget_expired),
]

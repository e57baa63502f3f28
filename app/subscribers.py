"""THE table: what follows from what. Each verb, and the jobs that must run after it is committed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from app.accounts import jobs as accounts
from app.accounts import sessions
from app.activity import partitions, verbs
from app.activity.operations import Job
from app.activity.schedule import Task
from app.posts import jobs as posts
from app.social import jobs as social

FOLLOWS_FROM: Mapping[str, Sequence[Job]] = {
    # An account goes in three steps, each in slices: what it wrote, whom it knew, itself.
    verbs.ACCOUNT_DELETED: [posts.purge_posts],
    verbs.POSTS_PURGED: [social.purge_relations],
    verbs.RELATIONS_PURGED: [accounts.purge_account],
    verbs.AVATAR_REPLACED: [accounts.remove_avatar],
}

RECURRING = [
    Task("make partitions of activity", timedelta(hours=12), partitions.make_partitions),
    Task("forget expired sessions", timedelta(hours=6), sessions.forget_expired),
]

"""All tables in one import, for migrations and tools. The models themselves live in their packages."""

from __future__ import annotations

from app.accounts.models import LoginSession, RetiredHandle, User, UserCounters
from app.activity.models import Activity
from app.feed.models import AuthorMode, FanoutLag, FeedMark, FeedState
from app.outbox.models import OutboxRow, ScheduledTask
from app.posts.models import Bookmark, Like, Post, PostCounters, PostImage, PostMention, PostTag
from app.social.models import Block, Follow, Mute

__all__ = [
    "Activity",
    "AuthorMode",
    "Block",
    "Bookmark",
    "FanoutLag",
    "FeedMark",
    "FeedState",
    "Follow",
    "Like",
    "LoginSession",
    "Mute",
    "OutboxRow",
    "Post",
    "PostCounters",
    "PostImage",
    "PostMention",
    "PostTag",
    "RetiredHandle",
    "ScheduledTask",
    "User",
    "UserCounters",
]

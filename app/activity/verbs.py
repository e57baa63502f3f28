"""Everything that can happen, as `noun.past_tense`."""

from __future__ import annotations

ACCOUNT_CREATED = "account.created"
ACCOUNT_DELETED = "account.deleted"
POSTS_PURGED = "posts.purged"
RELATIONS_PURGED = "relations.purged"
ACCOUNT_PURGED = "account.purged"
AVATAR_REPLACED = "avatar.replaced"
POST_CREATED = "post.created"
POST_DELETED = "post.deleted"
AUTHOR_DEMOTED = "author.demoted"
PERSON_FOLLOWED = "person.followed"
PERSON_UNFOLLOWED = "person.unfollowed"
PERSON_MUTED = "person.muted"
PERSON_UNMUTED = "person.unmuted"
PERSON_BLOCKED = "person.blocked"
PERSON_UNBLOCKED = "person.unblocked"

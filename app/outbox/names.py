"""The names of jobs, as they stand in the outbox. A name never changes: rows that are open would find no job."""

from __future__ import annotations

FAN_OUT_POST = "feed.fan_out_post"
BACKFILL_FOLLOW = "feed.backfill_follow"
NOTE_OLDER_POSTS = "feed.note_older_posts"
FINISH_DEMOTION = "feed.finish_demotion"
PURGE_POSTS = "posts.purge_posts"
REMOVE_IMAGES = "posts.remove_images"
FETCH_LINKED_PAGE = "links.fetch_page"
PURGE_RELATIONS = "social.purge_relations"
ACCEPT_REQUESTS = "social.accept_requests"
PURGE_ACCOUNT = "accounts.purge_account"
REMOVE_AVATAR = "accounts.remove_avatar"
SEND_RESET = "accounts.send_reset"
SEND_MAIL = "mail.send"
DRY_RUN_RULE = "rules.dry_run"
LOG_BROKEN_RULE = "rules.log_broken"

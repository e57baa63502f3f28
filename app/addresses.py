"""The addresses of the site, by what they lead to. They are public names: templates know them as `to`, rules as text.

Not url_for, which takes many times as long and needs a request: a page has dozens of them, and cards are kept for many.
`tests/web/test_addresses.py` compares each with the rule that answers it. With `undo`, an address takes back what the
one without it does.
"""

from __future__ import annotations

from urllib.parse import quote, urlencode


def _asking(path: str, **query: object) -> str:
    """Return a path with those of the parameters that are given."""
    given = {name: value for name, value in query.items() if value not in (None, "")}
    return f"{path}?{urlencode(given, safe='/')}" if given else path


def _or_undo(path: str, undo: bool) -> str:
    return f"{path}/delete" if undo else path


# ---- The feed


def home() -> str:
    return "/"


def feed() -> str:
    return "/feed"


def around(path: str) -> str:
    """Return where a list, read both ways, shows what is around an entry, whose id follows."""
    return f"{path}?near="


def feed_jump() -> str:
    return "/feed/jump"


def new_posts(since: int | str, *, show: bool = False) -> str:
    return f"/feed/new?show=1&since={since}" if show else f"/feed/new?since={since}"


def seen() -> str:
    return "/feed/seen"


def left_off() -> str:
    return "/feed/left-off"


def dismiss(announcement_id: int) -> str:
    return f"/announcements/{announcement_id}/dismiss"


def why(entry_id: int, *, at: str) -> str:
    return _asking(f"/posts/{entry_id}/why", at=at)


# ---- Finding


def explore() -> str:
    return "/explore"


def people() -> str:
    return "/explore/people"


def search(query: str = "", within: str = "") -> str:
    return _asking("/search", **{"q": query, "in": within})


def search_tips(query: str = "") -> str:
    return _asking("/search", q=query, tips=1)


def tag(key: str) -> str:
    return f"/tags/{quote(key)}"


def follow_tag(key: str, *, undo: bool = False) -> str:
    return _or_undo(f"/tags/{quote(key)}/follow", undo)


# ---- People


def profile(handle: str) -> str:
    return f"/@{handle}"


def profile_jump(handle: str) -> str:
    return f"/@{handle}/jump"


def followers(handle: str) -> str:
    return f"/@{handle}/followers"


def following(handle: str) -> str:
    return f"/@{handle}/following"


def follow(handle: str, *, undo: bool = False) -> str:
    return _or_undo(f"/@{handle}/follow", undo)


def mute(handle: str, *, undo: bool = False, back: str | None = None) -> str:
    return _asking(_or_undo(f"/@{handle}/mute", undo), next=back)


def block(handle: str, *, undo: bool = False) -> str:
    return _or_undo(f"/@{handle}/block", undo)


def volume(handle: str, *, back: str | None = None) -> str:
    return _asking(f"/@{handle}/volume", next=back)


def remove_follower(handle: str, *, back: str | None = None) -> str:
    return _asking(f"/@{handle}/follower/delete", next=back)


def report_person(handle: str, *, back: str | None = None) -> str:
    return _asking(f"/@{handle}/report", next=back)


def follow_requests() -> str:
    return "/requests"


def posts_for_you() -> str:
    return "/requests/posts"


def accept_request(handle: str) -> str:
    return f"/@{handle}/request/accept"


def decline_request(handle: str) -> str:
    return f"/@{handle}/request/decline"


def avatar(file: str) -> str:
    return f"/media/avatars/{file}"


# ---- Posts


def post(handle: str, post_id: int) -> str:
    return f"/@{handle}/{post_id}"


def drawn_picture(handle: str, post_id: int | None = None) -> str:
    return f"/@{handle}/picture.png" if post_id is None else f"/@{handle}/{post_id}/picture.png"


def site_picture() -> str:
    return "/picture.png"


def tag_picture(key: str) -> str:
    return f"/tags/{quote(key)}/picture.png"


def thread(post_id: int) -> str:
    return f"/posts/{post_id}/thread"


def history(handle: str, post_id: int) -> str:
    return f"/@{handle}/{post_id}/history"


def report_post(post_id: int) -> str:
    return f"/posts/{post_id}/report"


def likes(handle: str, post_id: int) -> str:
    return f"/@{handle}/{post_id}/likes"


def reposts(handle: str, post_id: int) -> str:
    return f"/@{handle}/{post_id}/reposts"


def quotes(handle: str, post_id: int) -> str:
    return f"/@{handle}/{post_id}/quotes"


def post_menu(post_id: int, *, entry: int) -> str:
    return f"/posts/{post_id}/menu?entry={entry}"


def like(post_id: int, *, undo: bool = False) -> str:
    return _or_undo(f"/posts/{post_id}/like", undo)


def repost(post_id: int, *, undo: bool = False) -> str:
    return _or_undo(f"/posts/{post_id}/repost", undo)


def bookmark(post_id: int, *, undo: bool = False) -> str:
    return _or_undo(f"/posts/{post_id}/bookmark", undo)


def mute_conversation(post_id: int, *, undo: bool = False) -> str:
    return _or_undo(f"/posts/{post_id}/mute", undo)


def actions() -> str:
    return "/posts/actions"


def bookmarks() -> str:
    return "/bookmarks"


def image(name: str) -> str:
    return f"/media/posts/{name}"


def link_picture(name: str) -> str:
    return f"/media/links/{name}"


def link_card(post_id: int, *, undo: bool = False) -> str:
    return _or_undo(f"/posts/{post_id}/link", undo)


# ---- Writing


def compose(*, reply_to: int | None = None, quote_of: int | None = None) -> str:
    return _asking("/compose", reply_to=reply_to, quote_of=quote_of)


def drafts() -> str:
    return "/drafts"


def posts() -> str:
    return "/posts"


def edit(post_id: int) -> str:
    return f"/posts/{post_id}/edit"


def describe_images(post_id: int) -> str:
    return f"/posts/{post_id}/images"


def delete(post_id: int) -> str:
    return f"/posts/{post_id}/delete"


def restore(post_id: int) -> str:
    return f"/posts/{post_id}/restore"


# ---- For those who run the site


def admin() -> str:
    return "/admin"


def admin_feed() -> str:
    return "/admin/feed"


def admin_log(**asked: str) -> str:
    return _asking("/admin/log", **asked)


def admin_log_file(**asked: str) -> str:
    return _asking("/admin/log.csv", **asked)


def admin_person(handle: str) -> str:
    return f"/admin/people/{handle}"


def admin_act_on_person(handle: str, *, undo: int = 0) -> str:
    return f"/admin/people/{handle}/actions" + (f"/{undo}/undo" if undo else "")


def admin_post(post_id: int) -> str:
    return f"/admin/posts/{post_id}"


def admin_act_on_post(post_id: int, *, undo: int = 0) -> str:
    return f"/admin/posts/{post_id}/actions" + (f"/{undo}/undo" if undo else "")


def admin_appeals() -> str:
    return "/admin/appeals"


def admin_answer_appeal(action_id: int) -> str:
    return f"/admin/appeals/{action_id}"


def admin_held() -> str:
    return "/admin/held"


def admin_rules() -> str:
    return "/admin/rules"


def admin_new_rule() -> str:
    return "/admin/rules/new"


def admin_rule(rule_id: int) -> str:
    return f"/admin/rules/{rule_id}"


def admin_edit_rule(rule_id: int) -> str:
    return f"/admin/rules/{rule_id}/edit"


def admin_switch_rule(rule_id: int) -> str:
    return f"/admin/rules/{rule_id}/switch"


def admin_run_rule(rule_id: int) -> str:
    return f"/admin/rules/{rule_id}/run"


def admin_delete_rule(rule_id: int) -> str:
    return f"/admin/rules/{rule_id}/delete"


def admin_block_signups() -> str:
    return "/admin/rules/blocks"


def admin_allow_signups(block_id: int) -> str:
    return f"/admin/rules/blocks/{block_id}/delete"


def decisions() -> str:
    return "/decisions"


def decision(action_id: int) -> str:
    return f"/decisions/{action_id}"


def acknowledge(action_id: int) -> str:
    return f"/decisions/{action_id}/acknowledge"


def appeal(action_id: int) -> str:
    return f"/decisions/{action_id}/appeal"


def admin_roles(*, handle: str = "") -> str:
    return _asking("/admin/roles", handle=handle)


def admin_access(*, handle: str = "") -> str:
    return _asking("/admin/access", handle=handle)


def make_reset_link() -> str:
    return "/admin/access/link"


def remove_factor() -> str:
    return "/admin/access/factor/delete"


def admin_reports(tab: str = "") -> str:
    return _asking("/admin/reports", tab=tab)


def admin_report(case_id: int) -> str:
    return f"/admin/reports/{case_id}"


def admin_claim(case_id: int, *, undo: bool = False) -> str:
    return _or_undo(f"/admin/reports/{case_id}/claim", undo)


def admin_close(case_id: int) -> str:
    return f"/admin/reports/{case_id}/close"


def admin_act_on_report(case_id: int) -> str:
    return f"/admin/reports/{case_id}/act"


def admin_act_on_many() -> str:
    return "/admin/reports/act"


def admin_close_many() -> str:
    return "/admin/reports/close"


def admin_report_note(case_id: int) -> str:
    return f"/admin/reports/{case_id}/notes"


def admin_report_image(case_id: int, name: str) -> str:
    return f"/admin/reports/{case_id}/images/{name}"


def admin_answers() -> str:
    return "/admin/answers"


def admin_answer(answer_id: int) -> str:
    return f"/admin/answers/{answer_id}"


def delete_admin_answer(answer_id: int) -> str:
    return f"/admin/answers/{answer_id}/delete"


def site_settings() -> str:
    return "/admin/settings"


def admin_people(**asked: str) -> str:
    return _asking("/admin/people", **asked)


def announcements() -> str:
    return "/admin/announcements"


def delete_announcement(announcement_id: int) -> str:
    return f"/admin/announcements/{announcement_id}/delete"


def admin_jobs() -> str:
    return "/admin/jobs"


def retry_job(row_id: int) -> str:
    return f"/admin/jobs/{row_id}/retry"


def drop_job(row_id: int) -> str:
    return f"/admin/jobs/{row_id}/delete"


def approvals() -> str:
    return "/admin/approvals"


def admin_invites() -> str:
    return "/admin/invites"


def revoke_any_invite(invite_id: int) -> str:
    return f"/admin/invites/{invite_id}/delete"


# ---- What everybody may know of the site


def about() -> str:
    return "/about"


def rules() -> str:
    return "/rules"


def privacy() -> str:
    return "/privacy"


def site_colour(colour: str) -> str:
    return f"/site/{colour.removeprefix('#')}.css"


def site_icon(file: str) -> str:
    return f"/media/site/{file}"


# ---- Accounts and settings


def sign_up() -> str:
    return "/signup"


def waiting() -> str:
    return "/signup/waiting"


def invited(code: str) -> str:
    return _asking("/signup", invite=code)


def check_handle() -> str:
    return "/signup/handle"


def log_in(*, back: str | None = None) -> str:
    return _asking("/login", next=back)


def log_out() -> str:
    return "/logout"


def give_code(*, back: str | None = None) -> str:
    return _asking("/login/code", next=back)


def factors() -> str:
    return "/settings/factors"


def new_factor() -> str:
    return "/settings/factors/new"


def recovery_codes() -> str:
    return "/settings/factors/codes"


def delete_factor() -> str:
    return "/settings/factors/delete"


def passkeys() -> str:
    return "/settings/factors/passkeys"


def new_passkey() -> str:
    return "/settings/factors/passkeys/new"


def passkey(passkey_id: int) -> str:
    return f"/settings/factors/passkeys/{passkey_id}"


def remove_passkey(passkey_id: int) -> str:
    return f"/settings/factors/passkeys/{passkey_id}/delete"


def ask_passkey() -> str:
    return "/login/passkey/ask"


def log_in_by_passkey() -> str:
    return "/login/passkey"


def give_passkey() -> str:
    return "/login/code/passkey"


def confirm_email(token: str) -> str:
    return f"/confirm/{token}"


def send_confirmation() -> str:
    return "/settings/email/confirm"


def forgot_password() -> str:
    return "/reset"


def reset_password(token: str) -> str:
    return f"/reset/{token}"


def settings(section: str = "") -> str:
    return f"/settings/{section}"


def revoke_session(session_id: int) -> str:
    return f"/settings/sessions/{session_id}/delete"


def revoke_other_sessions() -> str:
    return "/settings/sessions/delete"


def revoke_invite(invite_id: int) -> str:
    return f"/settings/invites/{invite_id}/delete"


def word_filter(filter_id: int) -> str:
    return f"/settings/filters/{filter_id}"


def delete_word_filter(filter_id: int) -> str:
    return f"/settings/filters/{filter_id}/delete"


def try_word_filter() -> str:
    return "/settings/filters/test"


def ask_for_export() -> str:
    return "/settings/data/export"


def discard_export() -> str:
    return "/settings/data/export/delete"


def export_file() -> str:
    return "/export.zip"


def data_status(part: str) -> str:
    return f"/settings/data?part={part}"


def unmute_conversation(thread_id: int) -> str:
    return f"/settings/conversations/{thread_id}/delete"

"""Who may use which address: one table for the whole site. An address that it does not know fails the test."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.people import FRAGMENT, Member
from tests.web.scene import FIELDS, Scene, assert_in_our_design, endpoints, stored

CAST = (
    "stranger",
    "mallory",
    "bob",
    "carol",
    "mod",
    "warden",
    "alice",
)  # the owner last: she may be taking the thing away

# What may come of it.
YES = "the page, or the redirect after a form"
LOG_IN = "asked to log in: sent there and back from a page, told so where something was being sent"
HOME = "sent home"
PROFILE = "led to the profile, which says why"
FORBIDDEN = "403"
NOT_HERE = "404"
PASSWORD_FIRST = "led to the log-in page"
GONE = "410"
REFUSED = "422"

Role = tuple[str, str, str, str, str, str, str]
ANYONE: Role = (YES, YES, YES, YES, YES, YES, YES)
LOGGED_IN: Role = (LOG_IN, YES, YES, YES, YES, YES, YES)
NOT_LOGGED_IN: Role = (YES, HOME, HOME, HOME, HOME, HOME, HOME)
LEADS_HOME: Role = (HOME, HOME, HOME, HOME, HOME, HOME, HOME)  # by the door for strangers, past it for the others
LOGGED_IN_LEADS_HOME: Role = (LOG_IN, HOME, HOME, HOME, HOME, HOME, HOME)
ADMIN: Role = (LOG_IN, FORBIDDEN, FORBIDDEN, FORBIDDEN, YES, FORBIDDEN, FORBIDDEN)
STAFF: Role = (LOG_IN, FORBIDDEN, FORBIDDEN, FORBIDDEN, YES, YES, FORBIDDEN)
STAFF_ONCE: Role = (LOG_IN, FORBIDDEN, FORBIDDEN, FORBIDDEN, YES, REFUSED, FORBIDDEN)  # the second is too late
WHOM_IT_IS_ABOUT: Role = (LOG_IN, NOT_HERE, NOT_HERE, NOT_HERE, NOT_HERE, NOT_HERE, YES)
NOT_THE_LAST_ADMIN: Role = (LOG_IN, YES, YES, YES, REFUSED, YES, YES)
NOT_BLOCKED: Role = (YES, NOT_HERE, YES, YES, YES, YES, YES)
LOGGED_IN_AND_NOT_BLOCKED: Role = (LOG_IN, NOT_HERE, YES, YES, YES, YES, YES)
SOMEBODY_ELSE_AND_NOT_BLOCKED: Role = (LOG_IN, NOT_HERE, YES, YES, YES, YES, FORBIDDEN)
SOMEBODY_ELSE: Role = (LOG_IN, YES, YES, YES, YES, YES, FORBIDDEN)
AUTHOR: Role = (LOG_IN, NOT_HERE, FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN, YES)
OWNER: Role = (LOG_IN, NOT_HERE, NOT_HERE, NOT_HERE, NOT_HERE, NOT_HERE, YES)
FOLLOWER: Role = (LOG_IN, NOT_HERE, YES, FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN)
WHOM_ALICE_FOLLOWS: Role = (LOG_IN, NOT_HERE, NOT_HERE, NOT_HERE, NOT_HERE, NOT_HERE, NOT_HERE)
LINK_OVER: Role = (GONE, GONE, GONE, GONE, GONE, GONE, GONE)
NO_PASSKEY: Role = (REFUSED, HOME, HOME, HOME, HOME, HOME, HOME)
NOTHING_SIGNED: Role = (LOG_IN, REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, REFUSED)
DOOR: Role = (PASSWORD_FIRST, HOME, HOME, HOME, HOME, HOME, HOME)
NOBODY_AFTER_SETUP: Role = (NOT_HERE, NOT_HERE, NOT_HERE, NOT_HERE, NOT_HERE, NOT_HERE, NOT_HERE)

# Everything that has an owner is Alice's: the handle, the post, the session, the pictures.
RULES: dict[tuple[str, str], Role] = {
    ("static", "GET"): ANYONE,
    ("favicon", "GET"): ANYONE,
    ("avatar", "GET"): ANYONE,  # under a name that only her pages tell
    ("healthz", "GET"): ANYONE,
    ("readyz", "GET"): ANYONE,
    ("accounts.setup", "GET"): NOBODY_AFTER_SETUP,
    ("accounts.setup", "POST"): NOBODY_AFTER_SETUP,
    ("accounts.create_account", "GET"): NOT_LOGGED_IN,
    ("accounts.create_account", "POST"): LEADS_HOME,
    ("accounts.check_handle", "GET"): ANYONE,
    ("accounts.log_in", "GET"): NOT_LOGGED_IN,
    ("accounts.log_in", "POST"): LEADS_HOME,
    ("accounts.give_code", "GET"): DOOR,  # whoever gave their password: tests/accounts/test_factors.py
    ("accounts.give_code", "POST"): DOOR,
    ("factors.factors", "GET"): LOGGED_IN,
    ("factors.offer_app", "POST"): LOGGED_IN,
    ("factors.create_app", "POST"): LOGGED_IN,  # without an offer of their own they begin anew
    ("factors.create_codes", "POST"): LOGGED_IN,
    ("factors.delete_app", "POST"): LOGGED_IN,
    ("passkeys.ask_passkey", "POST"): ANYONE,
    ("passkeys.log_in_by_passkey", "POST"): NO_PASSKEY,
    ("passkeys.give_passkey", "POST"): DOOR,
    ("passkeys.offer_passkey", "POST"): LOGGED_IN,
    ("passkeys.create_passkey", "POST"): NOTHING_SIGNED,  # what is: tests/accounts/test_passkeys.py
    ("passkeys.passkey", "GET"): OWNER,
    ("passkeys.rename_passkey", "POST"): OWNER,
    ("passkeys.delete_passkey", "POST"): OWNER,
    ("accounts.log_out", "POST"): LOGGED_IN,
    ("email.confirm_email", "GET"): LINK_OVER,  # links that hold: tests/accounts/test_addresses.py and test_reset.py
    ("email.create_confirmation", "POST"): LINK_OVER,
    ("email.send_confirmation", "POST"): LOGGED_IN,
    ("email.forgot_password", "GET"): ANYONE,
    ("email.forgot_password", "POST"): ANYONE,
    ("email.reset_password", "GET"): LINK_OVER,
    ("email.reset_password", "POST"): LINK_OVER,
    ("settings.index", "GET"): LOGGED_IN,
    ("settings.profile", "GET"): LOGGED_IN,
    ("settings.profile", "POST"): LOGGED_IN,
    ("settings.email", "GET"): LOGGED_IN,
    ("settings.email", "POST"): LOGGED_IN,
    ("settings.password", "GET"): LOGGED_IN,
    ("settings.password", "POST"): LOGGED_IN,
    ("settings.sessions", "GET"): LOGGED_IN,
    ("settings.revoke_session", "POST"): LOGGED_IN,  # of another's session it does nothing: see test_sessions
    ("settings.revoke_other_sessions", "POST"): LOGGED_IN,
    ("settings.appearance", "GET"): LOGGED_IN,
    ("settings.appearance", "POST"): LOGGED_IN,
    ("settings.writing", "GET"): LOGGED_IN,
    ("settings.writing", "POST"): LOGGED_IN,
    ("settings.time_zone", "GET"): LOGGED_IN,
    ("settings.time_zone", "POST"): LOGGED_IN,
    ("settings.guess_time_zone", "POST"): LOGGED_IN,
    ("takeout.data", "GET"): LOGGED_IN,  # one's own alone: see tests/takeout
    ("takeout.create_import", "POST"): LOGGED_IN,
    ("takeout.create_export", "POST"): LOGGED_IN,
    ("takeout.delete_export", "POST"): LOGGED_IN,
    ("takeout.export_file", "GET"): OWNER,  # whose it is, only the session says
    ("settings.delete_account", "GET"): LOGGED_IN,
    ("settings.delete_account", "POST"): NOT_THE_LAST_ADMIN,
    ("social.create_follow", "POST"): SOMEBODY_ELSE_AND_NOT_BLOCKED,
    ("social.delete_follow", "POST"): LOGGED_IN_AND_NOT_BLOCKED,
    ("social.confirm_delete_follower", "GET"): WHOM_ALICE_FOLLOWS,
    ("social.delete_follower", "POST"): LOGGED_IN_AND_NOT_BLOCKED,  # whoever does not follow stays as they are
    ("social.volume", "GET"): FOLLOWER,
    ("social.set_volume", "POST"): FOLLOWER,
    ("social.mute", "GET"): SOMEBODY_ELSE_AND_NOT_BLOCKED,
    ("social.create_mute", "POST"): SOMEBODY_ELSE,  # who is blocked may mute and block, too
    ("social.delete_mute", "POST"): LOGGED_IN_AND_NOT_BLOCKED,  # what one has not done one cannot undo
    ("social.create_block", "POST"): SOMEBODY_ELSE,
    ("social.delete_block", "POST"): LOGGED_IN_AND_NOT_BLOCKED,
    ("people.followers", "GET"): NOT_BLOCKED,
    ("people.following", "GET"): NOT_BLOCKED,
    ("hiding.mutes", "GET"): LOGGED_IN,
    ("hiding.create_mute", "POST"): LOGGED_IN,
    ("hiding.blocks", "GET"): LOGGED_IN,
    ("hiding.create_block", "POST"): LOGGED_IN,
    ("filters.filters", "GET"): LOGGED_IN,
    ("filters.create_filter", "POST"): LOGGED_IN,
    ("filters.edit_filter", "GET"): OWNER,
    ("filters.change_filter", "POST"): OWNER,
    ("filters.delete_filter", "POST"): OWNER,
    ("filters.preview_filter", "POST"): LOGGED_IN,
    ("threads.mute_conversation", "POST"): LOGGED_IN_AND_NOT_BLOCKED,
    ("threads.unmute_conversation", "POST"): LOGGED_IN_AND_NOT_BLOCKED,
    ("threads.conversations", "GET"): LOGGED_IN,
    ("threads.delete_conversation", "POST"): LOGGED_IN,  # of one that is not muted it does nothing
    ("tags.create_follow", "POST"): LOGGED_IN,
    ("tags.delete_follow", "POST"): LOGGED_IN,
    ("tags.followed", "GET"): LOGGED_IN,
    ("requests.waiting", "GET"): LOGGED_IN,
    ("letters.posts_for_you", "GET"): LOGGED_IN,
    ("requests.accept", "POST"): LOGGED_IN_AND_NOT_BLOCKED,  # whoever has not asked is not let in: see test_requests
    ("requests.decline", "POST"): LOGGED_IN_AND_NOT_BLOCKED,
    ("privacy.privacy", "GET"): LOGGED_IN,
    ("privacy.privacy", "POST"): LOGGED_IN,
    ("preferences.feed", "GET"): LOGGED_IN,
    ("preferences.feed", "POST"): LOGGED_IN,
    ("posts.compose", "GET"): LOGGED_IN,
    ("posts.drafts", "GET"): LOGGED_IN,  # which there are, only the browser knows
    ("posts.create_post", "POST"): LOGGED_IN,
    ("posts.show", "GET"): NOT_BLOCKED,
    ("posts.thread", "GET"): NOT_BLOCKED,
    ("posts.menu", "GET"): LOGGED_IN_AND_NOT_BLOCKED,
    ("deleting.confirm_delete", "GET"): AUTHOR,
    ("deleting.delete_post", "POST"): AUTHOR,
    ("deleting.restore_post", "POST"): AUTHOR,
    ("editing.edit", "GET"): AUTHOR,
    ("editing.update_post", "POST"): AUTHOR,
    ("editing.show_history", "GET"): NOT_BLOCKED,
    ("reactions.create_like", "POST"): LOGGED_IN_AND_NOT_BLOCKED,
    ("reactions.delete_like", "POST"): LOGGED_IN,  # what one did is taken back wherever the post is
    ("reactions.create_bookmark", "POST"): LOGGED_IN_AND_NOT_BLOCKED,
    ("reactions.delete_bookmark", "POST"): LOGGED_IN,
    ("reactions.create_repost", "POST"): LOGGED_IN_AND_NOT_BLOCKED,
    ("reactions.delete_repost", "POST"): LOGGED_IN,
    ("reactions.likes", "GET"): NOT_BLOCKED,
    ("reactions.reposts", "GET"): NOT_BLOCKED,
    ("reactions.quotes", "GET"): NOT_BLOCKED,
    ("reactions.actions", "GET"): ANYONE,
    ("reactions.bookmarks", "GET"): LOGGED_IN,
    ("profiles.profile", "GET"): NOT_BLOCKED,
    ("profiles.jump", "GET"): NOT_BLOCKED,
    ("profiles.replies", "GET"): NOT_BLOCKED,
    ("profiles.pictures", "GET"): NOT_BLOCKED,
    ("tags.show", "GET"): ANYONE,
    ("sharing.post_picture", "GET"): ANYONE,  # as a stranger sees it
    ("sharing.profile_picture", "GET"): ANYONE,
    ("sharing.site_picture", "GET"): ANYONE,
    ("sharing.tag_picture", "GET"): ANYONE,
    ("media.create_image", "POST"): LOGGED_IN,
    ("media.waiting", "GET"): LOGGED_IN,  # one's own alone: see tests/posts/test_images.py
    ("media.delete_image", "POST"): OWNER,
    ("media.describe", "GET"): AUTHOR,
    ("media.describe", "POST"): AUTHOR,
    ("links.create_card", "POST"): AUTHOR,
    ("links.delete_card", "POST"): AUTHOR,
    ("links.show_picture", "GET"): NOT_BLOCKED,  # as a post with it: see tests/posts/test_links.py
    ("media.show_image", "GET"): NOT_BLOCKED,  # as its post: see tests/posts/test_images.py
    ("feed.home", "GET"): ANYONE,
    ("feed.feed", "GET"): LOGGED_IN,
    ("feed_jump.jump", "GET"): LOGGED_IN,
    ("feed.new", "GET"): LOGGED_IN_LEADS_HOME,  # a plain link; htmx gets the pill
    ("feed.create_seen", "POST"): LOGGED_IN,
    ("feed.left_off", "GET"): LOGGED_IN_LEADS_HOME,
    ("feed_explain.why", "GET"): LOGGED_IN_AND_NOT_BLOCKED,
    ("feed_admin.feed", "GET"): ADMIN,
    ("moderation.index", "GET"): STAFF,
    ("roles.roles", "GET"): ADMIN,
    ("roles.roles", "POST"): ADMIN,
    ("site_settings.site_settings", "GET"): ADMIN,
    ("site_settings.site_settings", "POST"): ADMIN,
    ("joining.waiting", "GET"): ANYONE,
    ("joining.invites", "GET"): LOGGED_IN,
    ("joining.invites", "POST"): STAFF,  # members, too, where the settings of the site say so
    ("joining.delete_invite", "POST"): OWNER,
    ("invites.invites", "GET"): ADMIN,
    ("invites.delete_invite", "POST"): ADMIN,
    ("announcements.announcements", "GET"): ADMIN,
    ("announcements.announcements", "POST"): ADMIN,
    ("announcements.delete_announcement", "POST"): (LOG_IN, FORBIDDEN, FORBIDDEN, FORBIDDEN, YES, FORBIDDEN, FORBIDDEN),
    ("dismissing.dismiss", "POST"): LOGGED_IN,
    ("members.people", "GET"): STAFF,
    ("open_jobs.jobs", "GET"): ADMIN,
    ("open_jobs.retry_job", "POST"): ADMIN,
    ("open_jobs.drop_job", "POST"): ADMIN,
    ("approvals.approvals", "GET"): STAFF,
    ("approvals.approvals", "POST"): STAFF,
    ("site.about", "GET"): ANYONE,
    ("site.rules", "GET"): ANYONE,
    ("site.privacy", "GET"): ANYONE,
    ("site.colour", "GET"): ANYONE,
    ("site.icon", "GET"): NOBODY_AFTER_SETUP,  # there is none; see tests/site/test_settings.py
    ("log.log", "GET"): STAFF,
    ("log.export", "GET"): STAFF,
    ("access.access", "GET"): ADMIN,
    ("access.create_link", "POST"): ADMIN,
    ("access.delete_factor", "POST"): ADMIN,
    ("actions.person", "GET"): STAFF,
    ("actions.act_on_person", "POST"): STAFF_ONCE,
    ("actions.undo_on_person", "POST"): STAFF,
    ("actions.post", "GET"): STAFF,
    ("actions.act_on_post", "POST"): STAFF_ONCE,
    ("actions.undo_on_post", "POST"): STAFF,
    ("appeals.appeals", "GET"): STAFF,
    ("appeals.answer_appeal", "POST"): STAFF_ONCE,
    ("held.held", "GET"): STAFF,
    ("held.decide", "POST"): STAFF,
    ("rules.rules", "GET"): STAFF,
    ("rules.rule", "GET"): STAFF,
    ("rules.new", "GET"): ADMIN,
    ("rules.create_rule", "POST"): ADMIN,
    ("rules.edit", "GET"): ADMIN,
    ("rules.update_rule", "POST"): ADMIN,
    ("rules.switch", "POST"): ADMIN,
    ("rules.run", "POST"): ADMIN,
    ("rules.delete_rule", "POST"): ADMIN,
    ("rules.create_block", "POST"): ADMIN,
    ("rules.delete_block", "POST"): ADMIN,
    ("decisions.decisions", "GET"): LOGGED_IN,
    ("decisions.decision", "GET"): WHOM_IT_IS_ABOUT,
    ("decisions.acknowledge", "POST"): WHOM_IT_IS_ABOUT,
    ("decisions.appeal", "POST"): WHOM_IT_IS_ABOUT,
    ("reports.post", "GET"): SOMEBODY_ELSE_AND_NOT_BLOCKED,
    ("reports.report_post", "POST"): SOMEBODY_ELSE_AND_NOT_BLOCKED,
    ("reports.person", "GET"): SOMEBODY_ELSE_AND_NOT_BLOCKED,
    ("reports.report_person", "POST"): SOMEBODY_ELSE_AND_NOT_BLOCKED,
    ("reports.made", "GET"): LOGGED_IN,  # one's own alone: see test_reports
    ("queue.reports", "GET"): STAFF,
    ("queue.close_many", "POST"): STAFF,
    ("queue.act_on_many", "POST"): STAFF,
    ("queue.act", "POST"): STAFF,
    ("queue.report", "GET"): STAFF,
    ("queue.claim", "POST"): STAFF,
    ("queue.delete_claim", "POST"): STAFF,
    ("queue.close", "POST"): STAFF,
    ("queue.create_note", "POST"): STAFF,
    ("queue.image", "GET"): STAFF,
    ("answers.answers", "GET"): ADMIN,
    ("answers.create_answer", "POST"): ADMIN,
    ("answers.edit_answer", "GET"): ADMIN,
    ("answers.change_answer", "POST"): ADMIN,
    ("answers.delete_answer", "POST"): ADMIN,
    ("explore.posts", "GET"): ANYONE,
    ("explore.people", "GET"): ANYONE,
    ("completion.complete", "GET"): LOGGED_IN,
    ("completion.suggest", "GET"): ANYONE,
    ("search.search", "GET"): ANYONE,
}
ALL = sorted(RULES)


def test_every_address_of_the_site_has_a_rule(whole_app: Flask) -> None:
    assert endpoints(whole_app) == set(RULES)


@pytest.mark.parametrize(("endpoint", "method"), ALL)
def test_everybody_gets_what_their_role_allows(scene: Scene, endpoint: str, method: str) -> None:
    path = dict(scene.paths(method))[endpoint]
    for who, outcome in zip(CAST, RULES[endpoint, method], strict=True):
        response = ask(scene[who], method, path, endpoint)
        assert outcome_of(response, method, path) == outcome, f"{who}: {response.status}"


# What of a private Alice is there for whom, where it differs from the table above; her profile says that it is closed.
TO_FOLLOWERS: Role = (NOT_HERE, NOT_HERE, YES, NOT_HERE, NOT_HERE, NOT_HERE, YES)
TO_LOGGED_IN_FOLLOWERS: Role = (LOG_IN, NOT_HERE, YES, NOT_HERE, NOT_HERE, NOT_HERE, YES)
AUTHOR_AMONG_FOLLOWERS: Role = (LOG_IN, NOT_HERE, FORBIDDEN, NOT_HERE, NOT_HERE, NOT_HERE, YES)
SOMEBODY_ELSE_AMONG_FOLLOWERS: Role = (LOG_IN, NOT_HERE, YES, NOT_HERE, NOT_HERE, NOT_HERE, FORBIDDEN)
TO_PROFILE: Role = (PROFILE, NOT_HERE, YES, PROFILE, PROFILE, PROFILE, YES)
PRIVATE_RULES: dict[tuple[str, str], Role] = {
    ("sharing.post_picture", "GET"): NOBODY_AFTER_SETUP,
    ("sharing.profile_picture", "GET"): NOBODY_AFTER_SETUP,
    ("people.followers", "GET"): TO_PROFILE,
    ("people.following", "GET"): TO_PROFILE,
    ("posts.show", "GET"): TO_FOLLOWERS,
    ("posts.thread", "GET"): TO_FOLLOWERS,
    ("posts.menu", "GET"): TO_LOGGED_IN_FOLLOWERS,
    ("deleting.confirm_delete", "GET"): AUTHOR_AMONG_FOLLOWERS,
    ("deleting.delete_post", "POST"): AUTHOR_AMONG_FOLLOWERS,
    ("deleting.restore_post", "POST"): AUTHOR_AMONG_FOLLOWERS,
    ("editing.edit", "GET"): AUTHOR_AMONG_FOLLOWERS,
    ("editing.update_post", "POST"): AUTHOR_AMONG_FOLLOWERS,
    ("editing.show_history", "GET"): TO_FOLLOWERS,
    ("threads.mute_conversation", "POST"): TO_LOGGED_IN_FOLLOWERS,
    ("threads.unmute_conversation", "POST"): TO_LOGGED_IN_FOLLOWERS,
    ("reactions.create_like", "POST"): TO_LOGGED_IN_FOLLOWERS,
    ("reactions.create_bookmark", "POST"): TO_LOGGED_IN_FOLLOWERS,
    ("reactions.create_repost", "POST"): AUTHOR_AMONG_FOLLOWERS,
    ("reactions.likes", "GET"): TO_FOLLOWERS,
    ("reactions.reposts", "GET"): TO_FOLLOWERS,
    ("reactions.quotes", "GET"): TO_FOLLOWERS,
    ("media.describe", "GET"): AUTHOR_AMONG_FOLLOWERS,
    ("media.describe", "POST"): AUTHOR_AMONG_FOLLOWERS,
    ("links.create_card", "POST"): AUTHOR_AMONG_FOLLOWERS,
    ("links.delete_card", "POST"): AUTHOR_AMONG_FOLLOWERS,
    ("links.show_picture", "GET"): TO_FOLLOWERS,
    ("media.show_image", "GET"): TO_FOLLOWERS,
    ("feed_explain.why", "GET"): TO_LOGGED_IN_FOLLOWERS,
    ("reports.post", "GET"): SOMEBODY_ELSE_AMONG_FOLLOWERS,
    ("reports.report_post", "POST"): SOMEBODY_ELSE_AMONG_FOLLOWERS,
}


@pytest.mark.parametrize(("endpoint", "method"), ALL)
def test_of_a_private_account_everybody_gets_what_their_role_allows(scene: Scene, endpoint: str, method: str) -> None:
    scene["alice"].close()
    path = dict(scene.paths(method))[endpoint]
    for who, outcome in zip(CAST, PRIVATE_RULES.get((endpoint, method), RULES[endpoint, method]), strict=True):
        response = ask(scene[who], method, path, endpoint)
        assert outcome_of(response, method, path) == outcome, f"{who}: {response.status}"


@pytest.mark.parametrize("who", ["stranger", "mallory", "carol", "mod", "warden"])
def test_on_no_page_is_anything_that_a_private_account_wrote(scene: Scene, who: str) -> None:
    scene["alice"].close()
    scene["carol"].send("/@alice/follow")  # to ask is not enough
    for endpoint, path in scene.paths("GET"):
        if endpoint == "actions.post":  # where those who run the site decide about it
            continue
        if endpoint == "queue.image" or (endpoint.startswith("queue.") and who in {"mod", "warden"}):
            continue  # what was reported, they see: that is what it is reported for. The address names the image
        text = seen(scene[who], path)
        assert "tea.example" not in text and scene.image_name not in text, path
        assert f'data-post="{scene.post_id}"' not in text, path


def test_asking_for_the_headers_alone_is_answered_like_asking_for_the_page(scene: Scene) -> None:
    different = []
    for _, path in scene.paths("GET"):
        for who in ("stranger", "mallory", "alice"):
            page, head = scene[who].get(path), scene[who].client.head(path)
            if (head.status_code, head.location) != (page.status_code, page.location):
                different.append(f"{who} {path}: GET {page.status_code}, HEAD {head.status_code}")
    assert different == []


@pytest.mark.parametrize(("endpoint", "method"), [key for key in ALL if RULES[key][0] == LOG_IN])
def test_a_session_that_ended_is_told_so_in_one_sentence_by_htmx(scene: Scene, endpoint: str, method: str) -> None:
    path = dict(scene.paths(method))[endpoint]
    stranger = scene["stranger"]
    data = {"csrf_token": stranger.csrf_token} if method == "POST" else None
    response = stranger.client.open(path, method=method, headers=FRAGMENT, data=data)
    assert response.status_code == 401
    assert response.mimetype == "text/plain"
    assert "Log in again" in response.text


def test_whoever_is_logged_in_stays_who_they_are_at_the_door(scene: Scene) -> None:
    before = stored(scene.app)
    for endpoint in ("accounts.create_account", "accounts.log_in"):
        ask(scene["carol"], "POST", dict(scene.paths("POST"))[endpoint], endpoint)
    assert stored(scene.app) == before
    assert "@carol" in scene["carol"].get("/").text


def test_a_stranger_sees_nothing_of_the_people_who_are_logged_in(scene: Scene) -> None:
    for _, path in scene.paths("GET"):
        text = seen(scene["stranger"], path)
        assert "alice@example.org" not in text
        assert "/logout" not in text


@pytest.mark.parametrize("who", ["mallory", "bob", "carol", "mod", "warden"])
def test_nobody_sees_the_address_of_another_person(scene: Scene, who: str) -> None:
    for _, path in scene.paths("GET"):
        assert "alice@example.org" not in seen(scene[who], path)


def test_whoever_is_blocked_meets_nothing_of_the_blocker_on_any_page(scene: Scene) -> None:
    mallory = scene["mallory"]
    for _, path in scene.paths("GET"):
        text = seen(mallory, path)
        assert "@alice" not in text and scene.avatar not in text, path


def test_whoever_was_muting_the_blocker_finds_nothing_of_them_in_settings(scene: Scene) -> None:
    alice, mallory = scene["alice"], scene["mallory"]
    alice.unblock(mallory)
    mallory.mute(alice)
    alice.block(mallory)
    assert "@alice" not in mallory.get("/settings/mutes").text


@pytest.mark.parametrize("undo", ["follow/delete", "mute/delete", "block/delete"])
def test_whoever_is_blocked_learns_nothing_by_undoing_what_they_never_did(scene: Scene, undo: str) -> None:
    response = scene["mallory"].send(f"/@alice/{undo}", fragment=True, relation="shown")
    assert response.status_code == 404
    assert "follower" not in response.text


def seen(who: Member, path: str) -> str:
    """Return what an address shows somebody; pictures as far as they are text."""
    return who.get(path).get_data().decode(errors="replace")


def ask(who: Member, method: str, path: str, endpoint: str) -> TestResponse:
    """Use an address as a page of ours would."""
    return who.get(path) if method == "GET" else who.send(path, **FIELDS.get(endpoint, {}))


HOMEWARDS = {"/login", "/login/code", "/login/passkey", "/login/code/passkey", "/signup", "/feed/new"}


def outcome_of(response: TestResponse, method: str, path: str) -> str:
    """Name what came of a request; every refusal must be a page of ours."""
    code = response.status_code
    if code == 422 and path == "/settings/delete":
        assert "only admin" in response.text
        return REFUSED
    if code == 422 and path.startswith("/admin/"):
        assert "already" in response.text
        return REFUSED
    if code == 422 and path in {"/login/passkey", "/settings/factors/passkeys"}:
        assert_in_our_design(response)
        return REFUSED
    if code in {403, 404, 405, 410}:
        assert_in_our_design(response)
        return str(code)
    if code == 401:
        assert_in_our_design(response)
        assert method == "POST" and "Log in" in response.text
        return LOG_IN
    target = urlsplit(response.location or "")
    if code == 303 and target.path == "/login" and path.startswith("/login/code"):
        return PASSWORD_FIRST
    if code == 303 and target.path == "/login" and path not in {"/login", "/reset"}:
        assert method == "GET" and parse_qs(target.query)["next"] == [path]
        return LOG_IN
    if method == "GET" and code == 303 and target.path == "/@alice":
        return PROFILE
    if code == 303 and target.path == "/" and path in HOMEWARDS:
        return HOME
    if code == 303 and target.path in {"/", "/feed"} and path == "/feed/left-off":
        return HOME
    if code == 200 and path == "/settings/factors/codes":  # Alice has a second factor, and so new codes
        return YES
    if code == 204 and path in {"/feed/seen", "/settings/time-zone/guess"}:
        return YES
    leads_on = path.endswith("/thread")
    shows_a_page = (method == "GET" and not leads_on) or path in {
        "/settings/filters/test",
        "/settings/factors/new",
        "/settings/factors/passkeys/new",
        "/login/passkey/ask",
        "/admin/access/link",
    }
    assert code == (200 if shows_a_page else 303), response.status
    return YES

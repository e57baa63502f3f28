"""Every address that a page or a script names leads to the endpoint that it is meant for."""

from __future__ import annotations

import inspect
import re
from urllib.parse import unquote

import pytest
from flask import Flask

from app import addresses as to
from config import ROOT

ADDRESSES = [
    (to.home(), "feed.home", "GET"),
    (to.feed(), "feed.feed", "GET"),
    (to.around(to.feed()), "feed.feed", "GET"),
    (to.feed_jump(), "feed_jump.jump", "GET"),
    (to.new_posts(7), "feed.new", "GET"),
    (to.seen(), "feed.create_seen", "POST"),
    (to.left_off(), "feed.left_off", "GET"),
    (to.new_posts(7, show=True), "feed.new", "GET"),
    (to.why(7, at="/explore?x=1&y"), "feed_explain.why", "GET"),
    (to.admin(), "moderation.index", "GET"),
    (to.admin_feed(), "feed_admin.feed", "GET"),
    (to.admin_log(), "log.log", "GET"),
    (to.admin_log(words="a b", who="@c"), "log.log", "GET"),
    (to.admin_log_file(words="a b"), "log.export", "GET"),
    (to.admin_person("alice"), "actions.person", "GET"),
    (to.admin_act_on_person("alice"), "actions.act_on_person", "POST"),
    (to.admin_act_on_person("alice", undo=8), "actions.undo_on_person", "POST"),
    (to.admin_post(7), "actions.post", "GET"),
    (to.admin_act_on_post(7), "actions.act_on_post", "POST"),
    (to.admin_act_on_post(7, undo=8), "actions.undo_on_post", "POST"),
    (to.admin_appeals(), "appeals.appeals", "GET"),
    (to.admin_answer_appeal(8), "appeals.answer_appeal", "POST"),
    (to.admin_held(), "held.held", "GET"),
    (to.admin_held(), "held.decide", "POST"),
    (to.admin_rules(), "rules.rules", "GET"),
    (to.admin_rules(), "rules.create_rule", "POST"),
    (to.admin_new_rule(), "rules.new", "GET"),
    (to.admin_rule(9), "rules.rule", "GET"),
    (to.admin_edit_rule(9), "rules.edit", "GET"),
    (to.admin_edit_rule(9), "rules.update_rule", "POST"),
    (to.admin_switch_rule(9), "rules.switch", "POST"),
    (to.admin_run_rule(9), "rules.run", "POST"),
    (to.admin_delete_rule(9), "rules.delete_rule", "POST"),
    (to.admin_block_signups(), "rules.create_block", "POST"),
    (to.admin_allow_signups(9), "rules.delete_block", "POST"),
    (to.decisions(), "decisions.decisions", "GET"),
    (to.decision(8), "decisions.decision", "GET"),
    (to.acknowledge(8), "decisions.acknowledge", "POST"),
    (to.appeal(8), "decisions.appeal", "POST"),
    (to.admin_roles(), "roles.roles", "POST"),
    (to.admin_roles(handle="bob"), "roles.roles", "GET"),
    (to.admin_reports(), "queue.reports", "GET"),
    (to.admin_reports("mine"), "queue.reports", "GET"),
    (to.admin_report(7), "queue.report", "GET"),
    (to.admin_claim(7), "queue.claim", "POST"),
    (to.admin_claim(7, undo=True), "queue.delete_claim", "POST"),
    (to.admin_close(7), "queue.close", "POST"),
    (to.admin_close_many(), "queue.close_many", "POST"),
    (to.admin_act_on_report(7), "queue.act", "POST"),
    (to.admin_act_on_many(), "queue.act_on_many", "POST"),
    (to.admin_report_note(7), "queue.create_note", "POST"),
    (to.admin_report_image(7, "a.l.webp"), "queue.image", "GET"),
    (to.admin_answers(), "answers.create_answer", "POST"),
    (to.admin_answer(7), "answers.change_answer", "POST"),
    (to.delete_admin_answer(7), "answers.delete_answer", "POST"),
    (to.report_post(7), "reports.report_post", "POST"),
    (to.report_person("alice", back="/@alice"), "reports.report_person", "POST"),
    (to.site_settings(), "site_settings.site_settings", "POST"),
    (to.announcements(), "announcements.announcements", "POST"),
    (to.delete_announcement(7), "announcements.delete_announcement", "POST"),
    (to.dismiss(7), "dismissing.dismiss", "POST"),
    (to.admin_people(), "members.people", "GET"),
    (to.admin_people(words="a b", role="admin"), "members.people", "GET"),
    (to.admin_jobs(), "open_jobs.jobs", "GET"),
    (to.retry_job(7), "open_jobs.retry_job", "POST"),
    (to.drop_job(7), "open_jobs.drop_job", "POST"),
    (to.approvals(), "approvals.approvals", "POST"),
    (to.admin_invites(), "invites.invites", "GET"),
    (to.revoke_any_invite(7), "invites.delete_invite", "POST"),
    (to.revoke_invite(7), "joining.delete_invite", "POST"),
    (to.settings("invites"), "joining.invites", "POST"),
    (to.waiting(), "joining.waiting", "GET"),
    (to.invited("a-b_C"), "accounts.create_account", "GET"),
    (to.about(), "site.about", "GET"),
    (to.rules(), "site.rules", "GET"),
    (to.privacy(), "site.privacy", "GET"),
    (to.site_colour("#0b6b7a"), "site.colour", "GET"),
    (to.site_icon("a.png"), "site.icon", "GET"),
    (to.explore(), "explore.posts", "GET"),
    (to.people(), "explore.people", "GET"),
    (to.search(), "search.search", "GET"),
    (to.search("two words & more", "posts"), "search.search", "GET"),
    (to.search_tips(), "search.search", "GET"),
    (to.tag("thé_1"), "tags.show", "GET"),
    (to.follow_tag("tea"), "tags.create_follow", "POST"),
    (to.follow_tag("tea", undo=True), "tags.delete_follow", "POST"),
    (to.profile("alice"), "profiles.profile", "GET"),
    (to.profile_jump("alice"), "profiles.jump", "GET"),
    (to.drawn_picture("alice"), "sharing.profile_picture", "GET"),
    (to.site_picture(), "sharing.site_picture", "GET"),
    (to.tag_picture("thé_1"), "sharing.tag_picture", "GET"),
    (to.drawn_picture("alice", 7), "sharing.post_picture", "GET"),
    (to.followers("alice"), "people.followers", "GET"),
    (to.following("alice"), "people.following", "GET"),
    (to.follow("alice"), "social.create_follow", "POST"),
    (to.follow("alice", undo=True), "social.delete_follow", "POST"),
    (to.mute("alice"), "social.create_mute", "POST"),
    (to.mute("alice", back="/@alice"), "social.mute", "GET"),
    (to.mute("alice", undo=True), "social.delete_mute", "POST"),
    (to.block("alice"), "social.create_block", "POST"),
    (to.block("alice", undo=True), "social.delete_block", "POST"),
    (to.volume("alice"), "social.set_volume", "POST"),
    (to.volume("alice", back="/"), "social.volume", "GET"),
    (to.remove_follower("alice"), "social.delete_follower", "POST"),
    (to.remove_follower("alice", back="/"), "social.confirm_delete_follower", "GET"),
    (to.follow_requests(), "requests.waiting", "GET"),
    (to.posts_for_you(), "letters.posts_for_you", "GET"),
    (to.accept_request("alice"), "requests.accept", "POST"),
    (to.decline_request("alice"), "requests.decline", "POST"),
    (to.avatar("1-a.webp"), "avatar", "GET"),
    (to.post("alice", 7), "posts.show", "GET"),
    (to.thread(7), "posts.thread", "GET"),
    (to.history("alice", 7), "editing.show_history", "GET"),
    (to.likes("alice", 7), "reactions.likes", "GET"),
    (to.reposts("alice", 7), "reactions.reposts", "GET"),
    (to.quotes("alice", 7), "reactions.quotes", "GET"),
    (to.post_menu(7, entry=8), "posts.menu", "GET"),
    (to.like(7), "reactions.create_like", "POST"),
    (to.like(7, undo=True), "reactions.delete_like", "POST"),
    (to.repost(7), "reactions.create_repost", "POST"),
    (to.repost(7, undo=True), "reactions.delete_repost", "POST"),
    (to.bookmark(7), "reactions.create_bookmark", "POST"),
    (to.bookmark(7, undo=True), "reactions.delete_bookmark", "POST"),
    (to.mute_conversation(7), "threads.mute_conversation", "POST"),
    (to.mute_conversation(7, undo=True), "threads.unmute_conversation", "POST"),
    (to.actions(), "reactions.actions", "GET"),
    (to.bookmarks(), "reactions.bookmarks", "GET"),
    (to.image("a-l.webp"), "media.show_image", "GET"),
    (to.link_picture("a.webp"), "links.show_picture", "GET"),
    (to.link_card(7), "links.create_card", "POST"),
    (to.link_card(7, undo=True), "links.delete_card", "POST"),
    (to.compose(), "posts.compose", "GET"),
    (to.compose(reply_to=7), "posts.compose", "GET"),
    (to.compose(quote_of=7), "posts.compose", "GET"),
    (to.posts(), "posts.create_post", "POST"),
    (to.edit(7), "editing.edit", "GET"),
    (to.edit(7), "editing.update_post", "POST"),
    (to.describe_images(7), "media.describe", "POST"),
    (to.delete(7), "deleting.confirm_delete", "GET"),
    (to.delete(7), "deleting.delete_post", "POST"),
    (to.drafts(), "posts.drafts", "GET"),
    (to.restore(7), "deleting.restore_post", "POST"),
    (to.sign_up(), "accounts.create_account", "GET"),
    (to.log_in(), "accounts.log_in", "POST"),
    (to.log_in(back="/@alice"), "accounts.log_in", "GET"),
    (to.log_out(), "accounts.log_out", "POST"),
    (to.admin_access(), "access.access", "GET"),
    (to.admin_access(handle="alice"), "access.access", "GET"),
    (to.make_reset_link(), "access.create_link", "POST"),
    (to.remove_factor(), "access.delete_factor", "POST"),
    (to.give_code(), "accounts.give_code", "POST"),
    (to.give_code(back="/@alice"), "accounts.give_code", "GET"),
    (to.factors(), "factors.create_app", "POST"),
    (to.new_factor(), "factors.offer_app", "POST"),
    (to.recovery_codes(), "factors.create_codes", "POST"),
    (to.delete_factor(), "factors.delete_app", "POST"),
    (to.ask_passkey(), "passkeys.ask_passkey", "POST"),
    (to.log_in_by_passkey(), "passkeys.log_in_by_passkey", "POST"),
    (to.give_passkey(), "passkeys.give_passkey", "POST"),
    (to.new_passkey(), "passkeys.offer_passkey", "POST"),
    (to.passkeys(), "passkeys.create_passkey", "POST"),
    (to.passkey(7), "passkeys.passkey", "GET"),
    (to.passkey(7), "passkeys.rename_passkey", "POST"),
    (to.remove_passkey(7), "passkeys.delete_passkey", "POST"),
    (to.confirm_email("a.b-c_d"), "email.confirm_email", "GET"),
    (to.confirm_email("a.b-c_d"), "email.create_confirmation", "POST"),
    (to.send_confirmation(), "email.send_confirmation", "POST"),
    (to.forgot_password(), "email.forgot_password", "GET"),
    (to.reset_password("a.b-c_d"), "email.reset_password", "POST"),
    (to.check_handle(), "accounts.check_handle", "GET"),
    (to.settings(), "settings.index", "GET"),
    (to.revoke_session(7), "settings.revoke_session", "POST"),
    (to.revoke_other_sessions(), "settings.revoke_other_sessions", "POST"),
    (to.word_filter(7), "filters.edit_filter", "GET"),
    (to.word_filter(7), "filters.change_filter", "POST"),
    (to.delete_word_filter(7), "filters.delete_filter", "POST"),
    (to.try_word_filter(), "filters.preview_filter", "POST"),
    (to.ask_for_export(), "takeout.create_export", "POST"),
    (to.discard_export(), "takeout.delete_export", "POST"),
    (to.export_file(), "takeout.export_file", "GET"),
    (to.data_status("import"), "takeout.data", "GET"),
    (to.unmute_conversation(7), "threads.delete_conversation", "POST"),
]
SCRIPTS = {
    "home": ("GET", "feed.home"),
    "explore": ("GET", "explore.posts"),
    "search": ("GET", "search.search"),
    "suggestions": ("GET", "completion.suggest"),
    "actions": ("GET", "reactions.actions"),
    "bookmarks": ("GET", "reactions.bookmarks"),
    "compose": ("GET", "posts.compose"),
    "drafts": ("GET", "posts.drafts"),
    "edit": ("GET", "editing.edit"),
    "why": ("GET", "feed_explain.why"),
    "newPosts": ("GET", "feed.new"),
    "seen": ("POST", "feed.create_seen"),
    "images": ("POST", "media.create_image"),
    "deleteImage": ("POST", "media.delete_image"),
    "completions": ("GET", "completion.complete"),
    "checkHandle": ("GET", "accounts.check_handle"),
    "logIn": ("GET", "accounts.log_in"),
    "askPasskey": ("POST", "passkeys.ask_passkey"),
    "logOut": ("POST", "accounts.log_out"),
    "deleteAccount": ("POST", "settings.delete_account"),
    "guessTimeZone": ("POST", "settings.guess_time_zone"),
    "profiles": ("GET", "profiles.profile"),
}


def endpoint_of(app: Flask, address: str, method: str) -> str:
    path, _, query = address.partition("?")
    endpoint, _ = app.url_map.bind("localhost").match(unquote(path), method, query_args=query)
    return str(endpoint)


@pytest.mark.parametrize(("address", "endpoint", "method"), ADDRESSES)
def test_an_address_leads_to_its_endpoint(whole_app: Flask, address: str, endpoint: str, method: str) -> None:
    assert re.fullmatch(r"/[\w/@%.+=&?-]*", address, flags=re.ASCII), "nothing in it needs escaping"
    assert endpoint_of(whole_app, address, method) == endpoint


def test_every_address_is_compared() -> None:
    source = inspect.getsource(inspect.getmodule(test_every_address_is_compared) or object)
    public = {name for name, _ in inspect.getmembers(to, inspect.isfunction) if not name.startswith("_")}
    missing = {name for name in public - {"quote", "urlencode"} if f"(to.{name}(" not in source}
    assert not missing


def test_what_is_given_arrives_as_it_was() -> None:
    assert to.search("50% & more", "posts") == "/search?q=50%25+%26+more&in=posts"
    assert to.log_in(back="/search?q=a&in=tags") == "/login?next=/search%3Fq%3Da%26in%3Dtags"
    assert to.new_posts(0) == "/feed/new?since=0"


def test_scripts_know_the_same_addresses(whole_app: Flask) -> None:
    source = (ROOT / "app/static/js/addresses.js").read_text()
    named = dict(re.findall(r"""^  (\w+): (?:\(id\) => )?["`]([^"`]+)["`],""", source, flags=re.MULTILINE))
    assert set(named) == set(SCRIPTS)
    for name, (method, endpoint) in SCRIPTS.items():
        address = named[name].replace("${id}", "7") + ("alice" if name == "profiles" else "")
        assert endpoint_of(whole_app, address, method) == endpoint, name

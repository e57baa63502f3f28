"""The whole cast on a site with something on it, and an example of every address of the site."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from flask import Flask
from sqlalchemy import text
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from app.extensions import db
from tests.accounts.images import image_file
from tests.people import PASSWORD, Member


class SameAgain(BytesIO):
    """A file that can be sent again and again: whoever closes it only rewinds it."""

    def close(self) -> None:
        self.seek(0)


NEW_ACCOUNT = {"handle": "newcomer", "name": "New Comer", "email": "new@example.org", "password": PASSWORD}
# What makes each form succeed, where it asks for more than its token.
FIELDS: dict[str, dict[str, Any]] = {
    "accounts.setup": NEW_ACCOUNT,
    "accounts.create_account": NEW_ACCOUNT,
    "accounts.log_in": {"login": "dora", "password": PASSWORD},  # they have no second factor
    "passkeys.ask_passkey": {"purpose": "log_in"},
    "passkeys.create_passkey": {"name": "My phone"},
    "passkeys.rename_passkey": {"name": "My phone"},
    "email.forgot_password": {"email": "alice@example.org"},
    "email.reset_password": {"password": "another good password"},
    "settings.profile": {"name": "Somebody"},
    "settings.email": {"email": "other@example.org", "current_password": PASSWORD},
    "settings.password": {"password": "another good password", "current_password": PASSWORD},
    "settings.delete_account": {"current_password": PASSWORD},
    "settings.appearance": {"theme": "dark", "density": "compact"},
    "settings.writing": {"descriptions": "never"},
    "settings.time_zone": {"time_zone": "Europe/Vienna"},
    "settings.guess_time_zone": {"time_zone": "Europe/Vienna"},
    "filters.create_filter": {"phrase": "spoiler", "match": "word", "action": "hide", "lasts": "ever"},
    "filters.change_filter": {"phrase": "spoilers", "match": "part", "action": "collapse", "lasts": "keep"},
    "filters.preview_filter": {"phrase": "spoiler", "match": "word", "action": "hide", "lasts": "ever"},
    "posts.create_post": {"text": "something new"},
    "editing.update_post": {"text": "something else"},
    "social.set_volume": {"volume": "highlights"},
    "access.create_link": {"handle": "carol"},
    "access.delete_factor": {"handle": "carol"},
    "actions.act_on_person": {"action": "limit", "reason": "be kind"},
    "actions.act_on_post": {"action": "mark", "reason": "be kind"},
    "appeals.answer_appeal": {"decision": "decline", "answer": "it stays"},
    "decisions.appeal": {"text": "that was wrong"},
    "held.decide": {"approve": "1:"},
    "rules.create_rule": {"name": "No pills", "action": "flag", "phrases": "pills"},
    "rules.update_rule": {"name": "No watches", "action": "flag", "phrases": "watches"},
    "rules.switch": {"on": "yes"},
    "rules.create_block": {"kind": "handle", "value": "spam*"},
    "roles.roles": {"handle": "carol", "role": "moderator"},
    "reports.report_post": {"reason": "spam"},
    "reports.report_person": {"reason": "spam"},
    "queue.close": {"outcome": "nothing"},
    "queue.close_many": {"case": "1", "outcome": "nothing"},
    "queue.act": {"target": "person", "person-action": "limit", "person-reason": "Because of the rules."},
    "queue.act_on_many": {"case": "1", "act-action": "warn", "act-reason": "Because of the rules."},
    "queue.create_note": {"text": "Something to know"},
    "answers.create_answer": {"title": "Gone", "text": "It’s gone."},
    "answers.change_answer": {"title": "Removed", "text": "It was removed."},
    "site_settings.site_settings": {"version": "0", "audience": "everyone", "inviters": "staff"},
    "announcements.announcements": {"text": "Tea at five"},
    "joining.invites": {"uses": "1", "lasts": "week"},
    "approvals.approvals": {"request": "1", "decision": "approve"},
    "hiding.create_mute": {"handle": "dora"},
    "hiding.create_block": {"handle": "dora"},
    "preferences.feed": {"repeat_hours": "12"},
    "takeout.create_import": {"kind": "mutes", "file": (SameAgain(b"dora\n"), "list.csv")},
    "media.create_image": {"image": (SameAgain(image_file().getvalue()), "photo.png")},
}


# Which decision is in the example of an address.
DECIDED = {"actions.undo_on_post": "post", "appeals.answer_appeal": "appealed"}


@dataclass(frozen=True)
class Scene:
    """Everybody, and things that belong to Alice."""

    app: Flask
    people: dict[str, Member]
    post_id: int
    session_id: int
    avatar: str
    filter_id: int
    image_id: int  # waits for its post
    image_name: str  # of an image in the post
    picture_name: str  # of the page that the post links to
    ruled: dict[str, int]  # a rule and a block of sign-ups
    decided: dict[str, int]  # what was decided about Alice and is over: `person`, `post`, and what she `appealed`
    case_id: int  # about the post, which Bob reported
    answer_id: int
    invite_id: int
    passkey_id: int

    def __getitem__(self, who: str) -> Member:
        return self.people[who]

    def path(self, rule: Rule) -> str:
        """Return an example of an address, about Alice where it is about somebody."""
        values: dict[str, object] = {
            "handle": "alice",
            "post_id": self.post_id,
            "session_id": self.session_id,
            "thread_id": self.post_id,
            "filter_id": self.filter_id,
            "tag": "tea",
            "token": "WzEsMV0.of-a-link-that-is-over",
            "file": self.avatar,
            "image_id": self.image_id,
            "image_name": self.image_name,
            "picture_name": self.picture_name,
            "case_id": self.case_id,
            "answer_id": self.answer_id,
            "passkey_id": self.passkey_id,
            "filename": "css/base.css",
            "digits": "0b6b7a",
            "invite_id": self.invite_id,
            "row_id": 7,
            "announcement_id": 1,
            "version": "v0123456789",
            **self.ruled,
            "action_id": self.decided[DECIDED.get(rule.endpoint, "person")],
        }
        known = {name: values[name] for name in rule.arguments}
        return str(self.app.url_map.bind("localhost").build(rule.endpoint, known))

    def paths(self, method: str) -> Iterator[tuple[str, str]]:
        """Yield every endpoint that takes the method, with an example of its address."""
        for rule in self.app.url_map.iter_rules():
            if method in (rule.methods or ()):
                yield rule.endpoint, self.path(rule)


def endpoints(app: Flask) -> set[tuple[str, str]]:
    """Return every endpoint with each method that it answers itself."""
    return {
        (rule.endpoint, method)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }


def stored(app: Flask) -> dict[str, str | None]:
    """Return a fingerprint of each table, to show that nothing was stored."""
    prints = (
        f"SELECT '{table}' AS name, md5(string_agg(t::text, '|' ORDER BY t::text)) AS fingerprint FROM {table} t"
        for table in sorted(db.metadata.tables)
    )
    with app.app_context():
        rows = db.session.execute(text(" UNION ALL ".join(prints)))
        return {row.name: row.fingerprint for row in rows}


def assert_in_our_design(response: TestResponse) -> None:
    """Check that a page is ours and shows nothing of the machinery."""
    assert response.mimetype == "text/html", response.mimetype
    assert response.text.startswith("<!doctype html>")
    assert re.search(r"/static/v[0-9a-f]{10}/css/base\.css", response.text) and "· Freshet</title>" in response.text
    assert "Traceback" not in response.text and "werkzeug" not in response.text.lower()


def assert_refused(response: TestResponse, *codes: int) -> None:
    """Check that a request was refused with one of these codes, on a page of ours."""
    assert response.status_code in codes, f"{response.status}: {response.text[:300]}"
    assert_in_our_design(response)

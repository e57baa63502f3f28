"""Every e-mail is there as text and as HTML, and nothing that people choose becomes markup or a header."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from jinja2 import StrictUndefined

from app.mail.messages import compose
from config import ROOT
from tests.mailbox import FROM, SITE, configured, text_of

FOLDER = ROOT / "app" / "templates" / "mail"
TEMPLATES = sorted(path.stem for path in FOLDER.glob("*.txt"))
VALUES: dict[str, Any] = {
    "handle": "alice",
    "links": {7: f"{SITE}/reset/token", 8: f"{SITE}/reset/other"},
    "accounts": [{"handle": "alice", "link": 7}, {"handle": "bob", "link": 8}],
    "name": "My phone",
    "browser": "Firefox on Linux",
    "address": "203.0.113.7",
    "at": "19 November 2026, 12:00",
}


def test_every_mail_has_both_forms() -> None:
    assert TEMPLATES
    assert sorted(path.stem for path in FOLDER.glob("*.html") if not path.stem.startswith("_")) == TEMPLATES


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_mail_says_the_same_in_both_forms(whole_app: Flask, template: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_app.jinja_env, "undefined", StrictUndefined)
    with whole_app.app_context(), configured(whole_app, SITE_NAME="R&D <b>", SITE_URL=SITE, MAIL_FROM=FROM):
        mail = compose(template, to="a@example.org", message_id="1", values=VALUES)
    text, html = text_of(mail), text_of(mail, "html")
    assert "R&D <b>" in text or "@alice" in text
    assert "<b>" not in text.replace("R&D <b>", "") and "R&amp;D &lt;b&gt;" in html
    assert mail["Subject"] and mail["Subject"] not in text.splitlines()[0], "the first line is the subject alone"
    assert ("/reset/token" in text) == ("/reset/token" in html)

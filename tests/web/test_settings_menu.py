"""The menu of the settings is what the pages declare: none is missing, and their order is the one that people know."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from app.web.settings import GROUPS, Section, menu
from tests.people import Member

MENU = {
    "You": ["profile", "privacy", "appearance", "writing", "time-zone"],
    "What you see": ["feed", "tags", "filters", "mutes", "conversations", "blocks", "reports"],
    "Account": ["email", "password", "factors", "sessions", "invites", "data", "delete"],
}
PATHS = [f"/settings/{page}" for pages in MENU.values() for page in pages]


def test_the_menu_has_its_groups_and_their_pages_in_order(whole_app: Flask) -> None:
    with whole_app.test_request_context("/settings/"):
        shown = {group: [entry.path for entry in entries] for group, entries in menu()}
    assert shown == {group: [f"/settings/{page}" for page in pages] for group, pages in MENU.items()}


def test_every_page_of_the_settings_is_in_the_menu(whole_app: Flask) -> None:
    pages = {
        rule.rule
        for rule in whole_app.url_map.iter_rules()
        if rule.rule.startswith("/settings/") and "GET" in (rule.methods or ()) and not rule.arguments
    }
    with whole_app.test_request_context("/settings/"):
        assert pages - {"/settings/"} == {entry.path for _, entries in menu() for entry in entries}


def test_no_two_pages_claim_the_same_place(whole_app: Flask) -> None:
    views = whole_app.view_functions.values()
    sections: list[Section] = [view.settings_section for view in views if hasattr(view, "settings_section")]
    assert len({(section.group, section.place) for section in sections}) == len(sections) == len(PATHS)
    assert {section.group for section in sections} == set(GROUPS)


@pytest.mark.parametrize("path", PATHS)
def test_a_page_marks_itself_in_the_menu(alice: Member, path: str) -> None:
    text = alice.get(path).text
    assert re.findall(r'<a href="(/settings/[a-z-]+)" aria-current="page">', text) == [path]


def test_a_page_below_a_section_marks_the_section(alice: Member) -> None:
    alice.send("/settings/filters", phrase="tea", match="word", action="hide", lasts="ever")
    [path] = re.findall(r'href="(/settings/filters/\d+)"', alice.get("/settings/filters").text)
    assert '<a href="/settings/filters" aria-current="page">' in alice.get(path).text

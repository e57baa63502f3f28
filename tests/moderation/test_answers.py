"""Ready-made answers: written by admins, chosen by moderators, read by those who reported."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask

from app.moderation.log import actions
from tests.moderation.reporting import logged, only_case, report
from tests.people import Member


def answers(who: Member) -> list[str]:
    """Return the addresses of the answers there are."""
    return re.findall(r'href="(/admin/answers/\d+)"', who.get("/admin/answers").text)


def test_an_admin_adds_changes_and_removes_an_answer_on_the_record(app: Flask, mod: Member) -> None:
    mod.send("/admin/answers", title="Gone", text="It’s gone.")
    [path] = answers(mod)
    mod.send(path, title="Removed", text="It was removed.")
    assert "It was removed." in mod.get(path).text and "It’s gone." not in mod.get("/admin/answers").text
    mod.send(path, title="Removed", text="It was removed.")  # no change is no entry
    assert mod.send(f"{path}/delete").status_code == 303
    assert answers(mod) == [] and mod.get(path).status_code == 404
    assert [action for _, action, _ in logged(app)] == [
        actions.ANSWER_ADDED,
        actions.ANSWER_CHANGED,
        actions.ANSWER_REMOVED,
    ]
    assert "Added a ready-made answer" in mod.get("/admin/log").text


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"title": " ", "text": "It’s gone."}, "Give it a title"),
        ({"title": "x" * 61, "text": "It’s gone."}, "A title can have up to 60 characters."),
        ({"title": "Gone", "text": ""}, "Write what the answer says."),
        ({"title": "Gone", "text": "x" * 1001}, "An answer can have up to 1000 characters."),
    ],
)
def test_an_answer_that_cannot_be_used_is_said_and_keeps_what_was_typed(
    mod: Member, fields: dict[str, Any], sentence: str
) -> None:
    mod.send("/admin/answers", title="There already", text="Something")
    for path in ("/admin/answers", answers(mod)[0]):
        response = mod.send(path, **fields)
        assert response.status_code == 422 and sentence in response.text
        assert all(each in response.text for each in fields.values())
    assert "There already" in mod.get("/admin/answers").text


def test_a_moderator_chooses_an_answer_or_writes_their_own(
    app: Flask, mod: Member, warden: Member, alice: Member, bob: Member
) -> None:
    mod.send("/admin/answers", title="Gone", text="Thank you. It’s gone.")
    [path] = answers(mod)
    ready = path.rsplit("/", 1)[1]
    for own, read in (("", "Thank you. It’s gone."), ("My own words.", "My own words.")):
        report(bob, alice.write("Buy my watches"))
        case_id = re.findall(r'href="/admin/reports/(\d+)"', warden.get("/admin/reports").text)[0]
        assert "Gone</option>" in warden.get(f"/admin/reports/{case_id}").text
        warden.send(f"/admin/reports/{case_id}/close", outcome="acted", canned=ready, answer=own)
        page = bob.get("/settings/reports").text
        assert page.count(read) == 1 and "Gone<" not in page


def test_what_was_answered_stays_when_the_answer_changes(app: Flask, mod: Member, alice: Member, bob: Member) -> None:
    mod.send("/admin/answers", title="Gone", text="Thank you. It’s gone.")
    [path] = answers(mod)
    report(bob, alice.write("Buy my watches"))
    mod.send(f"/admin/reports/{only_case(app).id}/close", outcome="acted", canned=path.rsplit("/", 1)[1])
    mod.send(path, title="Gone", text="Another text")
    mod.send(f"{path}/delete")
    assert "Thank you. It’s gone." in bob.get("/settings/reports").text


def test_moderators_choose_answers_and_do_not_write_them(mod: Member, warden: Member) -> None:
    mod.send("/admin/answers", title="Gone", text="It’s gone.")
    [path] = answers(mod)
    for address in ("/admin/answers", path):
        assert warden.get(address).status_code == 403
        assert warden.send(address, title="Mine", text="Mine").status_code == 403
    assert warden.send(f"{path}/delete").status_code == 403
    assert "/admin/answers" not in warden.get("/admin").text

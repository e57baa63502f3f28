"""The queue of reports: in order, worked on by one moderator at a time, decided on the record."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from flask import Flask

from app.core.paging import PAGE_SIZE
from app.moderation.log import actions
from tests.moderation.reporting import cases, listed, logged, only_case, report
from tests.people import Member, next_link
from tests.threads import at_once


@pytest.fixture
def case_id(app: Flask, alice: Member, bob: Member) -> int:
    """A case about a post by Alice, reported by Bob."""
    report(bob, alice.write("Buy my watches"), note="Every day")
    return only_case(app).id


def test_the_most_reported_comes_first_and_of_these_the_oldest(
    app: Flask, alice: Member, bob: Member, carol: Member, warden: Member
) -> None:
    posts = [alice.write(f"Watch number {number}") for number in range(3)]
    for post in posts:
        report(bob, post)
    report(carol, posts[1])
    one, two, three = (case.id for case in cases(app))
    page = warden.get("/admin/reports").text
    assert listed(page) == [two, one, three]
    assert "2 people" in page and "Spam or a scam (2)" in page and "Watch number 1" in page


def test_every_case_is_reached_page_by_page_once(app: Flask, alice: Member, bob: Member, warden: Member) -> None:
    for number in range(PAGE_SIZE + 3):
        report(bob, alice.write(f"Watch number {number}"))
    found, path = list[int](), "/admin/reports?tab=open"
    while path:
        page = warden.get(path).text
        found += listed(page)
        path = next_link(page) or ""
    assert found == [case.id for case in cases(app)]
    warden.send("/admin/reports/close", case=found, outcome="nothing")
    path, closed = "/admin/reports?tab=closed", list[int]()
    while path:
        page = warden.get(path, fragment=bool(closed)).text
        closed += listed(page)
        path = next_link(page) or ""
    assert sorted(closed) == found and len(closed) == len(found)


def test_the_way_onwards_is_of_one_tab_and_one_moderator(
    app: Flask, alice: Member, bob: Member, warden: Member, mod: Member
) -> None:
    for number in range(PAGE_SIZE + 1):
        report(bob, alice.write(f"Watch number {number}"))
    path = next_link(warden.get("/admin/reports").text) or ""
    assert warden.get(path).status_code == 200
    assert mod.get(path).status_code == 400
    assert warden.get(path.replace("tab=open", "tab=mine")).status_code == 400


def test_the_tabs_are_what_is_open_what_is_mine_and_what_is_closed(
    app: Flask, alice: Member, bob: Member, warden: Member, mod: Member
) -> None:
    for number in range(3):
        report(bob, alice.write(f"Watch number {number}"))
    first, second, third = (case.id for case in cases(app))
    warden.send(f"/admin/reports/{first}/claim")
    mod.send(f"/admin/reports/{second}/claim")
    warden.send(f"/admin/reports/{third}/close", outcome="acted")
    tabs = {tab: listed(warden.get(f"/admin/reports?tab={tab}").text) for tab in ("open", "mine", "closed", "odd")}
    assert tabs == {"open": [first, second], "mine": [first], "closed": [third], "odd": [first, second]}
    assert "With @maud" in warden.get("/admin/reports").text


def test_the_menu_says_how_many_are_open_to_those_who_moderate(
    case_id: int, warden: Member, mod: Member, carol: Member
) -> None:
    for who in (warden, mod):
        assert re.search(r'Reports</b>.*?<span class="badge">1</span>', who.get("/admin").text)
    warden.send(f"/admin/reports/{case_id}/close", outcome="acted")
    assert re.search(r'Reports</b>.*?<span class="badge"></span>', warden.get("/admin").text)
    assert "/admin/reports" not in carol.get("/").text


def test_a_report_is_shown_with_all_that_is_needed_to_decide(
    app: Flask, alice: Member, bob: Member, carol: Member, warden: Member
) -> None:
    post = alice.write("Buy my watches")
    report(bob, alice, note="An earlier one")
    warden.send(f"/admin/reports/{only_case(app).id}/close", outcome="nothing")
    report(bob, post, note="Every day")
    report(carol, post, reason="other", note="To me, too")
    page = warden.get(f"/admin/reports/{cases(app)[-1].id}").text
    assert "Buy my watches" in page and "It still says the same." in page
    assert "@bob" in page and "Every day" in page and "@carol" in page and "To me, too" in page
    assert "Joined" in page and f"/admin/reports/{cases(app)[0].id}" in page and "left as it was" in page


def test_what_has_become_of_it_since_is_shown_beside_it(
    app: Flask, case_id: int, alice: Member, bob: Member, warden: Member
) -> None:
    path = f"/admin/reports/{case_id}"
    post = alice.feed("/@alice")[0]
    alice.send(f"/posts/{post}/edit", text="Harmless")
    page = warden.get(path).text
    assert "Buy my watches" in page and "It has been changed since." in page and "Harmless" in page
    alice.delete(post)
    page = warden.get(path).text
    assert "Buy my watches" in page and "It has been deleted since." in page and "Harmless" not in page


def test_moderators_see_what_few_may_see_and_its_images_once_it_is_reported(
    app: Flask, alice: Member, bob: Member, warden: Member, carol: Member
) -> None:
    image = alice.upload()
    report(bob, alice.write("For followers", audience="followers", images=image, **{f"alt-{image}": "A watch"}))
    page = warden.get(f"/admin/reports/{only_case(app).id}").text
    [path] = set(re.findall(r'src="(/admin/reports/\d+/images/[^"]+)"', page))
    assert "For followers" in page and 'alt="A watch"' in page
    picture = warden.get(path)
    assert (picture.status_code, picture.mimetype) == (200, "image/webp")
    assert warden.get(path.replace("/admin/reports", "/media").replace("images", "x")).status_code == 404
    assert carol.get(path).status_code == 403
    assert warden.get(re.sub(r"images/.*", "images/" + "x" * 22 + ".l.webp", path)).status_code == 404
    other = alice.upload()
    alice.write("Not reported", audience="followers", images=other)
    another = re.findall(r"/media/posts/([^ \"]+\.l\.webp)", bob.get("/@alice").text)
    assert {warden.get(re.sub(r"images/.*", f"images/{each}", path)).status_code for each in another} == {200, 404}


def test_a_report_is_taken_on_given_back_and_taken_on_by_another(
    app: Flask, case_id: int, warden: Member, mod: Member
) -> None:
    path = f"/admin/reports/{case_id}"
    warden.send(f"{path}/claim")
    assert only_case(app).claimed_by_id == warden.id
    assert "You’re working on this" in warden.get(path).text and "@wanda is working on this" in mod.get(path).text
    warden.send(f"{path}/claim/delete")
    assert only_case(app).claimed_by_id is None
    mod.send(f"{path}/claim")
    assert only_case(app).claimed_by_id == mod.id
    assert logged(app) == [
        ("wanda", actions.REPORT_CLAIMED, "alice"),
        ("wanda", actions.REPORT_GIVEN_BACK, "alice"),
        ("maud", actions.REPORT_CLAIMED, "alice"),
    ]


def test_of_two_moderators_who_take_on_a_report_at_once_one_gets_it(
    app: Flask, case_id: int, warden: Member, join: Callable[..., Member]
) -> None:
    others = [join(f"warden_{number}", role="moderator") for number in range(3)]
    at_once(*(partial(who.send, f"/admin/reports/{case_id}/claim") for who in [warden, *others]))
    assert [action for _, action, _ in logged(app)] == [actions.REPORT_CLAIMED]
    told = [who for who in [warden, *others] if "is working on this already" in who.get("/admin/reports").text]
    assert len(told) == 3


def test_what_another_works_on_is_theirs_until_they_give_it_back_or_an_admin_takes_over(
    app: Flask, case_id: int, warden: Member, mod: Member, join: Callable[..., Member]
) -> None:
    path, other = f"/admin/reports/{case_id}", join("second", role="moderator")
    warden.send(f"{path}/claim")
    other.send(f"{path}/claim", take_over="yes")
    other.send(f"{path}/close", outcome="acted")
    mod.send(f"{path}/close", outcome="acted")
    assert other.send(f"{path}/claim/delete").status_code == 403
    assert (only_case(app).claimed_by_id, only_case(app).outcome) == (warden.id, None)
    assert "Take over" in mod.get(path).text and "Take over" not in other.get(path).text
    mod.send(f"{path}/claim")
    assert only_case(app).claimed_by_id == warden.id, "an admin says so"
    mod.send(f"{path}/claim", take_over="yes")
    assert only_case(app).claimed_by_id == mod.id


def test_a_report_is_closed_once_with_an_answer(app: Flask, case_id: int, warden: Member, mod: Member) -> None:
    path = f"/admin/reports/{case_id}/close"
    answers = at_once(
        partial(warden.send, path, outcome="acted", answer="Gone."),
        partial(mod.send, path, outcome="nothing", answer="Fine."),
    )
    assert [answer.status_code for answer in answers] == [303, 303]
    assert [action for _, action, _ in logged(app)] == [actions.REPORT_CLOSED]
    page = warden.get(f"/admin/reports/{case_id}").text
    assert "Closed by @" in page and ("Gone." in page) != ("Fine." in page)
    warden.send(f"/admin/reports/{case_id}/claim")
    assert only_case(app).claimed_by_id is None, "what is closed is nobody’s work"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"answer": "Typed before"}, "Choose what came of it."),
        ({"answer": "Typed before", "outcome": "whatever"}, "Choose what came of it."),
        ({"answer": "x" * 1001, "outcome": "acted"}, "An answer can have up to 1000 characters."),
    ],
)
def test_a_decision_that_is_none_is_said_and_keeps_what_was_typed(
    app: Flask, case_id: int, warden: Member, fields: dict[str, Any], sentence: str
) -> None:
    for path in (f"/admin/reports/{case_id}/close", "/admin/reports/close"):
        response = warden.send(path, case=case_id, **fields)
        assert response.status_code == 422 and sentence in response.text and fields["answer"] in response.text
    assert f'value="{case_id}" aria-label="A post by @alice" checked' in response.text
    assert only_case(app).outcome is None and logged(app) == []


def test_many_are_closed_at_once_but_not_what_another_works_on(
    app: Flask, alice: Member, bob: Member, warden: Member, mod: Member
) -> None:
    for number in range(4):
        report(bob, alice.write(f"Watch number {number}"))
    ids = [case.id for case in cases(app)]
    mod.send(f"/admin/reports/{ids[1]}/claim")
    warden.send(f"/admin/reports/{ids[3]}/claim")
    warden.send("/admin/reports/close", case=[ids[0], ids[1], ids[3], 1, "x"], outcome="acted", answer="All gone.")
    page = warden.get("/admin/reports").text
    assert "2 reports were closed." in page and "@maud is working on this." in page
    assert [case.outcome for case in cases(app)] == ["acted", None, None, "acted"]
    assert bob.get("/settings/reports").text.count("All gone.") == 2
    assert [entry for entry in logged(app) if entry[1] == actions.REPORT_CLOSED] == [
        ("wanda", actions.REPORT_CLOSED, "alice")
    ] * 2


def test_closing_many_without_a_tick_says_so(app: Flask, case_id: int, warden: Member) -> None:
    response = warden.send("/admin/reports/close", outcome="acted", answer="Typed before")
    assert response.status_code == 422
    assert "Tick the reports that it’s about." in response.text and "Typed before" in response.text


def test_two_who_close_the_same_many_at_once_do_not_wait_for_each_other_for_ever(
    app: Flask, alice: Member, bob: Member, carol: Member, warden: Member, mod: Member
) -> None:
    for number in range(6):
        post = alice.write(f"Watch number {number}")
        report(bob, post)
        report(carol, post)
    ids = [case.id for case in cases(app)]
    answers = at_once(
        partial(warden.send, "/admin/reports/close", case=ids, outcome="acted"),
        partial(mod.send, "/admin/reports/close", case=ids[::-1], outcome="nothing"),
    )
    assert [answer.status_code for answer in answers] == [303, 303]
    assert len(logged(app)) == 6


def test_a_note_is_for_those_who_moderate_and_on_every_report_about_that_person(
    app: Flask, case_id: int, alice: Member, bob: Member, warden: Member, mod: Member
) -> None:
    assert "Write something first." in warden.send(f"/admin/reports/{case_id}/notes", text=" ").text
    warden.send(f"/admin/reports/{case_id}/notes", text="Knows better")
    report(bob, alice)
    for case in cases(app):
        assert "Knows better" in mod.get(f"/admin/reports/{case.id}").text
    for who in (alice, bob):
        assert "Knows better" not in who.get("/settings/reports").text
    assert logged(app) == [("wanda", actions.REPORT_NOTED, "alice")]


def test_everything_is_in_the_log_with_a_way_to_the_report(case_id: int, warden: Member) -> None:
    warden.send(f"/admin/reports/{case_id}/claim")
    warden.send(f"/admin/reports/{case_id}/notes", text="A note")
    warden.send(f"/admin/reports/{case_id}/close", outcome="acted", answer="Gone.")
    page = warden.get("/admin/log").text
    for words in ("Took on a report", "Wrote a note on a report", "Closed a report"):
        assert words in page
    assert page.count(f'href="/admin/reports/{case_id}"') == 3 and "@alice</a>" in page


def test_a_report_that_is_none_is_not_found(warden: Member) -> None:
    assert warden.get("/admin/reports/123").status_code == 404
    for what in ("claim", "claim/delete", "close", "notes"):
        assert warden.send(f"/admin/reports/123/{what}").status_code == 404


def test_a_moderator_who_is_reported_sees_nothing_of_it_and_does_not_decide(
    app: Flask, warden: Member, bob: Member, mod: Member
) -> None:
    report(bob, warden, note="Bob’s own words")
    case_id = only_case(app).id
    path = f"/admin/reports/{case_id}"
    assert listed(warden.get("/admin/reports").text) == [] and listed(mod.get("/admin/reports").text) == [case_id]
    assert '<span class="badge">1</span>' in mod.get("/admin").text
    assert '<span class="badge">1</span>' not in warden.get("/admin").text
    assert warden.get(path).status_code == 403
    for what in ("claim", "claim/delete", "close", "notes"):
        assert warden.send(f"{path}/{what}", outcome="nothing", text="Well").status_code == 403
    warden.send("/admin/reports/close", case=case_id, outcome="nothing")
    assert (only_case(app).outcome, only_case(app).claimed_by_id) == (None, None)
    mod.send(f"{path}/notes", text="Bob says so")
    mod.send(f"{path}/close", outcome="nothing")
    assert listed(warden.get("/admin/reports?tab=closed").text) == []
    assert "@bob" not in warden.get("/admin/log").text and "Bob says so" not in warden.get("/admin/log").text

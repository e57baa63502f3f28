"""Reporting: what one sees and nothing else, never oneself, once however often, and nobody is told who did."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select, text

from app.extensions import db
from app.moderation.reports.models import Report, ReportNote, Snapshot
from tests.moderation.reporting import cases, only_case, report
from tests.people import Member
from tests.threads import at_once


def notes(app: Flask) -> list[tuple[str, str]]:
    with app.app_context():
        return [(each.reason, each.note) for each in db.session.scalars(select(ReportNote).order_by(ReportNote.id))]


def kept(app: Flask) -> list[dict[str, object]]:
    with app.app_context():
        return [each.said for each in db.session.scalars(select(Snapshot).order_by(Snapshot.id))]


def close_all(app: Flask, warden: Member, outcome: str = "acted", **fields: Any) -> None:
    for case in cases(app):
        if case.outcome is None:
            response = warden.send(f"/admin/reports/{case.id}/close", outcome=outcome, **fields)
            assert response.status_code == 303, response.text


def test_a_post_is_reported_from_its_menu(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("Buy my watches")
    assert f'href="/posts/{post}/report"' in bob.get(f"/posts/{post}/menu").text
    form = bob.get(f"/posts/{post}/report").text
    assert "Report this post" in form and "Spam or a scam" in form
    response = bob.send(f"/posts/{post}/report", reason="spam", note="Every day the same", next="/explore")
    assert (response.status_code, response.location) == (303, "/explore")
    assert "the moderators will look at it" in bob.get("/explore").text
    case = only_case(app)
    assert (case.kind, case.reporters) == ("post", 1)
    assert notes(app) == [("spam", "Every day the same")]


def test_a_person_is_reported_from_their_profile(app: Flask, alice: Member, bob: Member) -> None:
    assert 'href="/@alice/report?' in bob.get("/@alice").text
    report(bob, alice, reason="pretending")
    case = only_case(app)
    assert (case.kind, case.reporters) == ("person", 1)


def test_a_report_holds_ten_notes_of_its_reporter(app: Flask, alice: Member, bob: Member, carol: Member) -> None:
    post = alice.write("Buy my watches")
    for n in range(10):
        report(bob, post, note=f"note {n}")
    response = bob.send(f"/posts/{post}/report", reason="spam", note="one more")
    assert response.status_code == 422 and "10 notes" in response.text and "one more" in response.text
    assert len(notes(app)) == 10
    report(bob, post, note="note 9")  # the same form again
    report(carol, post, note="mine")
    assert len(notes(app)) == 11


def test_over_the_page_the_form_comes_and_goes_without_it(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("Buy my watches")
    form = bob.get(f"/posts/{post}/report", fragment=True).text
    assert "<html" not in form and 'id="sheet-title"' in form
    wrong = bob.send(f"/posts/{post}/report", fragment=True, note="No reason")
    assert wrong.status_code == 422 and "<html" not in wrong.text and "No reason" in wrong.text
    right = bob.send(f"/posts/{post}/report", fragment=True, reason="spam")
    assert (right.status_code, right.text) == (200, "")
    assert "the moderators will look at it" in right.headers["HX-Trigger"]


def test_nobody_reports_themselves(app: Flask, alice: Member) -> None:
    post = alice.write("Me")
    for path in (f"/posts/{post}/report", "/@alice/report"):
        assert alice.get(path).status_code == 403
        assert alice.send(path, reason="spam").status_code == 403
    assert "/report" not in alice.get(f"/posts/{post}/menu").text + alice.get("/@alice").text
    assert cases(app) == []


def test_what_one_cannot_see_cannot_be_reported(app: Flask, alice: Member, carol: Member, mallory: Member) -> None:
    followers = alice.write("For followers", audience="followers")
    everyone = alice.write("For everyone")
    for who, path, status in (
        (carol, f"/posts/{followers}/report", 404),
        (mallory, f"/posts/{everyone}/report", 404),
        (mallory, "/@alice/report", 404),
        (carol, "/posts/1/report", 404),
        (carol, "/@nobody_here/report", 404),
    ):
        assert who.get(path).status_code == status, path
        assert who.send(path, reason="spam").status_code == status, path
    assert cases(app) == []


def test_a_deleted_post_cannot_be_reported_any_more(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("Gone")
    alice.delete(post)
    assert bob.send(f"/posts/{post}/report", reason="spam").status_code == 410
    assert cases(app) == []


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "Choose what’s wrong."),
        ({"reason": "boredom"}, "Choose what’s wrong."),
        ({"reason": "spam", "note": "x" * 1001}, "A note can have up to 1000 characters."),
    ],
)
def test_what_cannot_be_reported_so_is_said_and_keeps_what_was_typed(
    app: Flask, alice: Member, bob: Member, fields: dict[str, Any], sentence: str
) -> None:
    post, other = alice.write("One"), alice.write("Another")
    typed: dict[str, Any] = {"note": "Typed before", "posts": other, "blocks": "y"} | fields
    response = bob.send(f"/posts/{post}/report", **typed)
    assert response.status_code == 422 and sentence in response.text
    assert str(typed["note"]) in response.text and f'value="{other}" checked' in response.text
    assert cases(app) == [] and bob.get("/@alice").status_code == 200


def test_reporting_again_is_one_report_with_two_notes(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("Buy my watches")
    report(bob, post, note="First")
    report(bob, post, reason="harassment", note="Second")
    report(bob, post, reason="harassment", note="Second")  # the same form once more
    assert only_case(app).reporters == 1
    assert notes(app) == [("spam", "First"), ("harassment", "Second")]


def test_of_many_who_report_at_once_each_counts_once_in_one_case(
    app: Flask, alice: Member, join: Callable[..., Member]
) -> None:
    post = alice.write("Buy my watches")
    people = [join(f"reader_{number}") for number in range(4)]
    sent = at_once(*(partial(who.send, f"/posts/{post}/report", reason="spam") for who in people * 2))
    assert [response.status_code for response in sent] == [303] * 8
    assert only_case(app).reporters == 4
    with app.app_context():
        assert len(db.session.scalars(select(Report)).all()) == 4
        assert len(db.session.scalars(select(ReportNote)).all()) == 4
        assert len(db.session.scalars(select(Snapshot)).all()) == 1


def test_the_database_itself_refuses_a_second_open_case_and_a_second_report(
    app: Flask, alice: Member, bob: Member
) -> None:
    report(bob, alice.write("Buy my watches"))
    again = {
        "report_cases": "INSERT INTO report_cases (kind, post_id, person_id, handle)"
        " SELECT kind, post_id, person_id, handle FROM report_cases ON CONFLICT DO NOTHING",
        "reports": "INSERT INTO reports (case_id, reporter_id)"
        " SELECT case_id, reporter_id FROM reports ON CONFLICT DO NOTHING",
    }
    with app.app_context():
        for table, statement in again.items():
            db.session.execute(text(statement))
            assert db.session.scalar(text(f"SELECT count(*) FROM {table}")) == 1


def test_further_posts_of_that_person_are_reported_with_it(
    app: Flask, alice: Member, bob: Member, carol: Member
) -> None:
    posts = [alice.write(f"Watch number {number}") for number in range(22)]
    secret = alice.write("@carol Only for you", audience="mentioned")
    by_another = carol.write("Not hers")
    form = bob.get(f"/posts/{posts[-1]}/report").text
    assert form.count('name="posts"') == 20 and f'value="{posts[-2]}"' in form and f'value="{secret}"' not in form
    report(bob, posts[-1], posts=[posts[-2], posts[-3], posts[-3], secret, by_another, 1, "x"])
    assert [each["text"] for each in kept(app)] == ["Watch number 21", "Watch number 20", "Watch number 19"]
    response = bob.send(f"/posts/{posts[-1]}/report", reason="spam", posts=posts[:21])
    assert response.status_code == 422 and "Up to 20 more posts" in response.text


def test_what_was_reported_is_kept_as_it_was(app: Flask, alice: Member, bob: Member) -> None:
    image = alice.upload()
    post = alice.write("As it was", images=image, warning="Watches", **{f"alt-{image}": "A watch"})
    report(bob, post)
    alice.send(f"/posts/{post}/edit", text="Harmless")
    alice.delete(post)
    alice.send("/settings/profile", name="Another Name", bio="")
    [said] = kept(app)
    assert (said["handle"], said["name"], said["text"], said["warning"]) == ("alice", "Alice", "As it was", "Watches")
    assert isinstance(said["images"], list) and said["images"][0]["alt"] == "A watch" and said["images"][0]["file"]


def test_a_profile_is_kept_as_it_was(app: Flask, alice: Member, bob: Member) -> None:
    alice.send("/settings/profile", name="Alice", bio="I sell watches")
    report(bob, alice)
    alice.send("/settings/profile", name="Alice", bio="I love birds")
    assert [each["text"] for each in kept(app)] == ["I sell watches"]


def test_an_edit_between_two_reports_is_kept_too(app: Flask, alice: Member, bob: Member, carol: Member) -> None:
    post = alice.write("First version")
    report(bob, post)
    alice.send(f"/posts/{post}/edit", text="Second version")
    report(carol, post)
    assert only_case(app).reporters == 2
    assert [each["text"] for each in kept(app)] == ["First version", "Second version"]


def test_what_is_reported_after_a_decision_is_a_new_case(
    app: Flask, alice: Member, bob: Member, warden: Member
) -> None:
    post = alice.write("Buy my watches")
    report(bob, post)
    close_all(app, warden, "nothing")
    report(bob, post)
    assert [(case.reporters, case.outcome) for case in cases(app)] == [(1, "nothing"), (1, None)]


def test_a_report_while_its_case_is_closed_is_never_lost(
    app: Flask, alice: Member, bob: Member, carol: Member, warden: Member
) -> None:
    """It either came in time, or opens the next case."""
    for _ in range(4):
        post = alice.write("Buy my watches")
        report(bob, post)
        case = cases(app)[-1]
        at_once(
            partial(warden.send, f"/admin/reports/{case.id}/close", outcome="acted"),
            partial(carol.send, f"/posts/{post}/report", reason="spam"),
        )
        about_it = [each for each in cases(app) if each.id >= case.id]
        assert sum(each.reporters for each in about_it) == 2
        assert about_it[0].outcome == "acted" and len(about_it) == 3 - about_it[0].reporters


def test_whoever_reports_may_also_block_or_mute(app: Flask, alice: Member, bob: Member, carol: Member) -> None:
    post = alice.write("Buy my watches")
    assert bob.send(f"/posts/{post}/report", reason="spam", blocks="y").location == "/@alice"
    assert "You’ve blocked" in bob.get("/@alice").text or "Unblock" in bob.get("/@alice").text
    answer = carol.send(f"/posts/{post}/report", fragment=True, reason="spam", mutes="y")
    assert "author-hidden" in answer.headers["HX-Trigger"]
    assert "@alice" in carol.get("/settings/mutes").text and "@alice" not in carol.get("/settings/blocks").text


def test_whoever_is_reported_learns_neither_that_nor_by_whom(
    app: Flask, alice: Member, bob: Member, warden: Member
) -> None:
    post = alice.write("Buy my watches")
    report(bob, post, note="A secret note")
    report(bob, alice, note="Another secret note")
    close_all(app, warden, answer="You were right.")
    for path in ("/", f"/@alice/{post}", "/settings/reports", "/@bob", f"/posts/{post}/menu", "/requests"):
        page = alice.get(path).text
        assert "secret note" not in page and "You were right." not in page and "was decided" not in page, path


def test_the_reporter_reads_what_came_of_it(app: Flask, alice: Member, bob: Member, warden: Member) -> None:
    post = alice.write("Buy my watches")
    report(bob, post, note="Every day")
    page = bob.get("/settings/reports").text
    assert "Waiting" in page and "Buy my watches" in page and "Every day" in page
    warden.send(f"/admin/reports/{only_case(app).id}/claim")
    assert "Being looked at" in bob.get("/settings/reports").text
    close_all(app, warden, "acted", answer="Thank you, it’s gone.")
    page = bob.get("/settings/reports").text
    assert "agreed with you" in page and "Thank you, it’s gone." in page
    assert "wanda" not in page, "who decided is nobody’s business"


def test_a_quiet_notice_says_that_something_was_decided_until_it_is_read(
    app: Flask, alice: Member, bob: Member, carol: Member, warden: Member
) -> None:
    alice.write("Something in the feed")
    report(bob, alice)
    assert "was decided" not in bob.get("/").text
    close_all(app, warden)
    for path in ("/", "/explore"):
        assert "Something you reported was decided." in bob.get(path).text
        assert "was decided" not in carol.get(path).text
    assert "Something you reported" not in bob.get("/settings/reports").text
    assert "was decided" not in bob.get("/").text


def test_one_reads_only_ones_own_reports(app: Flask, alice: Member, bob: Member, carol: Member) -> None:
    report(bob, alice, note="Bob’s own")
    page = carol.get("/settings/reports").text
    assert "Bob’s own" not in page and "You haven’t reported anything" in page


def test_a_cursor_of_another_person_leads_nowhere(app: Flask, alice: Member, bob: Member, carol: Member) -> None:
    for number in range(21):
        report(bob, alice.write(f"Watch number {number}"))
    path = _next(bob.get("/settings/reports").text)
    assert "Watch number 0" in bob.get(path).text
    assert carol.get(path).status_code == 400


def _next(page: str) -> str:
    return page.split('rel="next"')[1].split('href="')[1].split('"')[0].replace("&amp;", "&")


def test_of_somebody_who_blocked_the_reporter_since_nothing_is_shown(
    app: Flask, alice: Member, carol: Member, warden: Member
) -> None:
    report(carol, alice.write("Buy my watches"))
    alice.block(carol)
    page = carol.get("/settings/reports").text
    assert "A post that you can’t see any more" in page and "alice" not in page and "watches" not in page


def test_a_report_outlives_the_account_it_is_about_and_the_one_that_made_it(
    app: Flask, alice: Member, bob: Member, warden: Member
) -> None:
    report(bob, alice.write("Buy my watches"), note="Every day")
    with app.app_context():
        db.session.execute(text("DELETE FROM users WHERE id IN (:a, :b)"), {"a": alice.id, "b": bob.id})
        db.session.commit()
    page = warden.get(f"/admin/reports/{only_case(app).id}").text
    assert "Buy my watches" in page and "Every day" in page
    assert "This account has been deleted." in page and "An account that’s gone" in page
    close_all(app, warden)


def test_what_is_written_into_a_report_stays_text(app: Flask, alice: Member, bob: Member, warden: Member) -> None:
    report(bob, alice.write("<script>alert(1)</script>"), note="<script>alert(2)</script>")
    for page in (bob.get("/settings/reports"), warden.get(f"/admin/reports/{only_case(app).id}")):
        assert "<script>alert" not in page.text and "&lt;script&gt;alert(2)" in page.text

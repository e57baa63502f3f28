"""Acting on what was reported, by the operations for posts and people: the report stays open; many at once."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select
from werkzeug.test import TestResponse

from app.accounts.models import User
from app.extensions import db
from app.moderation.actions.models import ModerationAction
from app.moderation.log import actions
from app.moderation.queue import acting, operations
from app.moderation.queue.acting import Decision
from app.moderation.reports.models import Case
from tests.moderation.reporting import cases, logged, only_case, report
from tests.people import Member
from tests.threads import at_once


def act(who: Member, case_id: int, target: str, action: str, **fields: Any) -> TestResponse:
    """Do something about what was reported in a case."""
    prefix = "post" if target == "posts" else "person"
    sent = {f"{prefix}-action": action, f"{prefix}-reason": "Because of the rules.", "target": target} | fields
    return who.send(f"/admin/reports/{case_id}/act", **sent)


def done(app: Flask) -> list[tuple[str, int, int | None]]:
    """Return what was done: what, to whom, and to which post."""
    with app.app_context():
        taken = db.session.scalars(select(ModerationAction).order_by(ModerationAction.id))
        return [(each.action, each.person_id, each.post_id) for each in taken]


def test_several_things_are_done_about_one_report_which_stays_open(
    app: Flask, alice: Member, bob: Member, warden: Member
) -> None:
    post = alice.write("Buy my watches")
    report(bob, post)
    case_id = only_case(app).id
    assert post in bob.feed()
    assert act(warden, case_id, "posts", "hide", posts=post).status_code == 303
    assert post not in bob.feed()
    assert act(warden, case_id, "person", "warn").status_code == 303
    assert done(app) == [("hide", alice.id, post), ("warn", alice.id, None)]
    case = only_case(app)
    assert (case.outcome, case.claimed_by_id) == (None, warden.id), "it is hers now"
    page = warden.get(f"/admin/reports/{case_id}").text
    assert "2 strikes" in page and "Hide the post" in page and "Because of the rules." in page
    assert [action for _, action, _ in logged(app)] == [
        actions.POST_HIDDEN,
        actions.REPORT_CLAIMED,
        actions.PERSON_WARNED,
    ]


def test_what_acts_in_one_transaction_and_closes_is_kept_whole(
    app: Flask, alice: Member, bob: Member, warden: Member
) -> None:
    report(bob, alice)
    with app.app_context():
        case, by = db.session.scalars(select(Case)).one(), db.session.get_one(User, warden.id)
        acting.act_on_reported(case, Decision("warn", "Because of the rules."), by=by)
        operations.close(case, by=by, outcome="acted")
        db.session.commit()
    assert (only_case(app).claimed_by_id, only_case(app).outcome) == (warden.id, "acted")


def test_of_several_reported_posts_those_that_are_chosen(
    app: Flask, alice: Member, bob: Member, warden: Member
) -> None:
    posts = [alice.write(f"Watch number {number}") for number in range(3)]
    unreported = alice.write("Good morning")
    report(bob, posts[0], posts=posts[1:])
    case_id = only_case(app).id
    page = warden.get(f"/admin/reports/{case_id}").text
    assert all(f'name="posts" value="{post}"' in page for post in posts)
    assert act(warden, case_id, "posts", "remove", posts=[posts[0], posts[2], unreported]).status_code == 303
    assert done(app) == [("remove", alice.id, posts[0]), ("remove", alice.id, posts[2])]
    assert act(warden, case_id, "posts", "remove", posts=unreported).status_code == 422, "nobody reported it"


@pytest.mark.parametrize(
    ("target", "fields", "sentence"),
    [
        ("posts", {"post-action": "shred"}, "Choose one of the actions on the page."),
        ("posts", {"post-reason": " "}, "Say why. The person will read it."),
        ("posts", {"post-until": "2001-01-01"}, "Choose a day in the future."),
        ("posts", {"post-until": "soon"}, "Write the day as"),
        ("posts", {"posts": ""}, "Choose at least one of the posts."),
        ("person", {"person-action": "shred"}, "Choose one of the actions on the page."),
        ("person", {"person-reason": ""}, "Say why. The person will read it."),
    ],
)
def test_what_cannot_be_done_is_said_keeps_what_was_typed_and_does_nothing(
    app: Flask, alice: Member, bob: Member, warden: Member, target: str, fields: dict[str, str], sentence: str
) -> None:
    post = alice.write("Buy my watches")
    report(bob, post)
    response = act(
        warden, only_case(app).id, target, "hide" if target == "posts" else "limit", **{"posts": post} | fields
    )
    assert response.status_code == 422 and sentence in response.text
    assert "Nobody is working on this yet." in response.text
    if not any(name.endswith("reason") for name in fields):
        assert "Because of the rules." in response.text
    assert done(app) == [] and logged(app) == [] and only_case(app).claimed_by_id is None


def test_one_of_several_that_cannot_be_done_leaves_all_undone(
    app: Flask, alice: Member, bob: Member, warden: Member
) -> None:
    posts = [alice.write(f"Watch number {number}") for number in range(2)]
    report(bob, posts[0], posts=posts[1:])
    alice.delete(posts[1])
    assert act(warden, only_case(app).id, "posts", "hide", posts=posts).status_code == 422
    assert done(app) == [] and posts[0] in bob.feed()


def test_nobody_acts_on_what_another_works_on(
    app: Flask, alice: Member, bob: Member, warden: Member, mod: Member
) -> None:
    post = alice.write("Buy my watches")
    report(bob, post)
    case_id = only_case(app).id
    mod.send(f"/admin/reports/{case_id}/claim")
    act(warden, case_id, "posts", "hide", posts=post)
    act(warden, case_id, "person", "warn")
    assert done(app) == []
    mod.send(f"/admin/reports/{case_id}/close", outcome="nothing")
    act(warden, case_id, "person", "warn")
    assert done(app) == [], "what is closed is decided"


def test_of_two_who_act_at_once_one_does(app: Flask, alice: Member, bob: Member, warden: Member, mod: Member) -> None:
    report(bob, alice)
    case_id = only_case(app).id
    at_once(partial(act, warden, case_id, "person", "warn"), partial(act, mod, case_id, "person", "warn"))
    assert done(app) == [("warn", alice.id, None)]


def test_only_an_admin_acts_on_those_who_run_the_site(app: Flask, mod: Member, bob: Member, warden: Member) -> None:
    report(bob, mod)
    case_id = only_case(app).id
    assert "Do something" not in warden.get(f"/admin/reports/{case_id}").text
    assert act(warden, case_id, "person", "suspend").status_code == 403
    assert done(app) == [] and only_case(app).claimed_by_id is None


def send_many(who: Member, action: str, ids: list[int], **fields: Any) -> TestResponse:
    sent = {"act-action": action, "act-reason": "Because of the rules.", "case": ids} | fields
    return who.send("/admin/reports/act", **sent)


def test_many_are_acted_on_at_once_and_wait_in_mine_to_be_closed(
    app: Flask, alice: Member, bob: Member, carol: Member, warden: Member, mod: Member
) -> None:
    posts = [alice.write("Buy my watches"), carol.write("Buy my clocks"), alice.write("Buy my bells")]
    for post in posts:
        report(bob, post)
    report(bob, carol)
    ids = [case.id for case in cases(app)]
    mod.send(f"/admin/reports/{ids[2]}/claim")
    assert send_many(warden, "hide", ids).status_code == 303
    page = warden.get("/admin/reports?tab=mine").text
    assert "2 reports were acted on." in page and "@maud is working on this." in page
    assert "This report is about an account, not about a post." in page
    assert done(app) == [("hide", alice.id, posts[0]), ("hide", carol.id, posts[1])]
    assert [case.claimed_by_id for case in cases(app)] == [warden.id, warden.id, mod.id, None]


def test_whoever_several_reports_are_about_is_warned_once(
    app: Flask, alice: Member, bob: Member, warden: Member
) -> None:
    report(bob, alice)
    report(bob, alice.write("Buy my watches"))
    send_many(warden, "warn", [case.id for case in cases(app)])
    assert done(app) == [("warn", alice.id, None)]
    assert [case.claimed_by_id for case in cases(app)] == [warden.id, warden.id]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"act-reason": ""}, "Say why. The person will read it."),
        ({"act-reason": " "}, "Say why. The person will read it."),
        ({"act-action": ""}, "Choose one."),
        ({"act-until": "soon"}, "Write the day as"),
        ({"act-until": "2001-01-01"}, "Choose a day in the future."),
        ({"case": []}, "Tick the reports that it’s about."),
    ],
)
def test_many_that_cannot_be_acted_on_so_stay_as_they_are(
    app: Flask, alice: Member, bob: Member, warden: Member, fields: dict[str, Any], sentence: str
) -> None:
    report(bob, alice.write("Buy my watches"))
    response = send_many(warden, "hide", [only_case(app).id], **fields)
    assert response.status_code == 422 and sentence in response.text
    assert done(app) == [] and logged(app) == [] and only_case(app).claimed_by_id is None


def test_a_moderator_does_not_act_on_a_report_about_themselves(
    app: Flask, warden: Member, bob: Member, alice: Member
) -> None:
    report(bob, warden)
    report(bob, alice)
    about_her, about_alice = (case.id for case in cases(app))
    assert act(warden, about_her, "person", "warn").status_code == 403
    send_many(warden, "warn", [about_her, about_alice])
    assert done(app) == [("warn", alice.id, None)]
    assert [case.claimed_by_id for case in cases(app)] == [None, warden.id]

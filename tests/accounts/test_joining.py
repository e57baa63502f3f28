"""Invites and approval: who comes in where not everybody may."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select, update
from werkzeug.test import TestResponse

from app.accounts.joining.models import Invite, SignupRequest
from app.accounts.joining.operations import MAX_OPEN_INVITES, create_invite, forget_requests
from app.accounts.models import User
from app.extensions import db
from app.moderation.log.models import LogEntry
from app.social.models import Follow
from tests.moderation.acting import on_person, undo
from tests.people import PASSWORD, Member
from tests.site.test_settings import save
from tests.sql import wait_for_a_lock


def invite_from(who: Member, **fields: Any) -> str:
    """Have somebody make an invite, and return its link."""
    assert who.send("/settings/invites", **(dict[str, Any](uses="1", lasts="week") | fields)).status_code == 303
    found: list[str] = re.findall(
        r'value="http://localhost(/signup\?invite=[\w-]+)"', who.get("/settings/invites").text
    )
    return found[0]


def join_by(app: Flask, path: str, handle: str, **fields: Any) -> TestResponse:
    """Sign somebody up in a browser of their own."""
    account: dict[str, Any] = {"handle": handle, "name": handle.title(), "password": PASSWORD}
    account["email"] = f"{handle}@example.org"
    return Member(app, None, "").send(path, **(account | fields))


def accounts(app: Flask) -> set[str]:
    with app.app_context():
        return set(db.session.scalars(select(User.handle)))


def request_ids(app: Flask) -> list[int]:
    with app.app_context():
        return list(db.session.scalars(select(SignupRequest.id).order_by(SignupRequest.id)))


def entries(app: Flask) -> list[tuple[str, str, str, str]]:
    with app.app_context():
        found = db.session.scalars(select(LogEntry).where(LogEntry.action != "site.changed").order_by(LogEntry.id))
        return [(entry.actor, entry.action, entry.target, entry.reason) for entry in found]


# ---- Invites


def test_where_sign_up_is_by_invite_only_a_link_lets_people_in(app: Flask, mod: Member, stranger: Member) -> None:
    save(mod, signups="invite")
    assert stranger.get("/signup").status_code == 403 and "you need an invite" in stranger.get("/signup").text
    assert ">Sign up</a>" not in stranger.get("/").text
    assert join_by(app, "/signup", "zoe").status_code == 403
    link = invite_from(mod)
    assert "Maud (@maud) has invited you" in stranger.get(link).text
    assert join_by(app, link, "zoe").location == "/"
    assert "doesn’t work any more" in join_by(app, link, "yan").text
    assert accounts(app) == {"maud", "zoe"}


@pytest.mark.parametrize("follows", [True, False])
def test_who_comes_by_an_invite_follows_the_inviter_if_that_was_wanted(app: Flask, mod: Member, follows: bool) -> None:
    save(mod, signups="invite")
    join_by(app, invite_from(mod, **({"follows": "y"} if follows else {})), "zoe")
    with app.app_context():
        followed = select(User.handle).join(Follow, Follow.followed_id == User.id)
        assert list(db.session.scalars(followed)) == (["maud"] if follows else [])


def test_an_invite_works_until_its_time_is_over_or_it_is_revoked(app: Flask, mod: Member) -> None:
    save(mod, signups="invite")
    late, revoked = invite_from(mod, uses="5", lasts="day"), invite_from(mod, uses="5")
    with app.app_context():
        over = update(Invite).where(Invite.code == late.partition("=")[2])
        db.session.execute(over.values(expires_at=func.now() - timedelta(seconds=1)))
        [invite_id] = db.session.scalars(select(Invite.id).where(Invite.code == revoked.partition("=")[2]))
        db.session.commit()
    assert join_by(app, late, "zoe").status_code == 403
    assert mod.send(f"/settings/invites/{invite_id}/delete").status_code == 303
    assert join_by(app, revoked, "zoe").status_code == 403
    assert mod.send(f"/settings/invites/{invite_id}/delete").status_code == 404


def test_more_people_than_an_invite_is_for_never_come_in_however_fast_they_are(app: Flask, mod: Member) -> None:
    save(mod, signups="invite")
    link = invite_from(mod, uses="2")
    with ThreadPoolExecutor(5) as pool:
        answers = list(pool.map(lambda n: join_by(app, link, f"guest{n}").status_code, range(5)))
    assert answers.count(303) == 2 and set(answers) <= {303, 403, 422}
    assert len(accounts(app)) == 3
    with app.app_context():
        assert db.session.scalars(select(Invite.uses)).all() == [2]


def test_an_invite_by_somebody_who_was_suspended_lets_nobody_in(app: Flask, mod: Member, warden: Member) -> None:
    save(mod, signups="invite")
    link = invite_from(warden)
    on_person(app, warden, "suspend", by=mod)
    assert "doesn’t work any more" in join_by(app, link, "yan").text
    assert accounts(app) == {"maud", "wanda"}


def test_nobody_follows_an_inviter_whose_account_is_limited(app: Flask, mod: Member, warden: Member) -> None:
    save(mod, signups="invite")
    link = invite_from(warden, follows="y")
    on_person(app, warden, "limit", by=mod)
    assert join_by(app, link, "zoe").location == "/"
    with app.app_context():
        assert list(db.session.scalars(select(Follow.id))) == []


def test_a_sign_up_that_is_refused_uses_no_invite_up(app: Flask, mod: Member) -> None:
    save(mod, signups="invite")
    link = invite_from(mod)
    assert join_by(app, link, "maud").status_code == 422
    assert join_by(app, link, "zoe").status_code == 303


def test_members_invite_where_the_site_says_so(app: Flask, mod: Member, alice: Member) -> None:
    assert "Only admins and moderators can invite" in alice.get("/settings/invites").text
    assert alice.send("/settings/invites", uses="1", lasts="week").status_code == 403
    save(mod, inviters="members")
    assert join_by(app, invite_from(alice), "zoe").status_code == 303
    save(mod, signups="closed")
    assert alice.send("/settings/invites", uses="1", lasts="week").status_code == 403


def test_an_invite_lasts_no_longer_than_the_right_to_invite(
    app: Flask, mod: Member, warden: Member, alice: Member
) -> None:
    save(mod, signups="invite", inviters="members")
    alices, wardens = invite_from(alice, uses="9"), invite_from(warden, uses="9")
    frozen = on_person(app, alice, "freeze", by=mod)
    assert "doesn’t work any more" in join_by(app, alices, "yan").text
    undo(app, frozen, by=mod)
    assert join_by(app, alices, "yan").status_code == 303
    save(mod, signups="invite", inviters="staff")
    assert "doesn’t work any more" in join_by(app, alices, "zoe").text
    assert "/signup?invite=" not in alice.get("/settings/invites").text
    assert join_by(app, wardens, "zoe").status_code == 303
    with app.app_context():
        db.session.execute(update(User).where(User.id == warden.id).values(role="member"))
        db.session.commit()
    assert "doesn’t work any more" in join_by(app, wardens, "xia").text
    assert accounts(app) == {"maud", "wanda", "alice", "yan", "zoe"}


def test_of_two_invites_at_once_only_the_one_for_which_there_is_room_is_made(app: Flask, mod: Member) -> None:
    with ThreadPoolExecutor(1) as pool, app.app_context():
        by = db.session.get_one(User, mod.id)
        for _ in range(MAX_OPEN_INVITES):
            create_invite(by=by, uses=1, lasts="week", follows=True)
            db.session.flush()
        second = pool.submit(mod.send, "/settings/invites", uses="1", lasts="week")
        wait_for_a_lock()
        db.session.commit()
        assert second.result(timeout=60).status_code == 422


def test_a_closed_site_lets_nobody_in_by_an_invite(app: Flask, mod: Member) -> None:
    link = invite_from(mod)
    save(mod, signups="closed")
    assert join_by(app, link, "zoe").status_code == 403
    assert accounts(app) == {"maud"}


@pytest.mark.parametrize("uses", ["0", "101", "-1", "many", "²", ""])
def test_an_invite_is_for_a_number_of_people(app: Flask, mod: Member, uses: str) -> None:
    response = mod.send("/settings/invites", uses=uses, lasts="week")
    assert response.status_code == 422 and "Enter a number from 1 to 100." in response.text


def test_nobody_revokes_the_invite_of_another_but_an_admin_on_the_record(
    app: Flask, mod: Member, alice: Member, bob: Member
) -> None:
    save(mod, inviters="members")
    link = invite_from(alice)
    assert bob.send("/settings/invites/1/delete").status_code == 404
    assert "@alice" in mod.get("/admin/invites").text
    assert mod.send("/admin/invites/1/delete").status_code == 303
    assert join_by(app, link, "zoe").status_code == 303  # sign-up is open: a link that is over does no harm
    assert entries(app) == [("maud", "invite.revoked", "alice", "")]
    with app.app_context():
        assert db.session.scalars(select(Invite.uses)).all() == [0]


# ---- Approval


def ask(app: Flask, handle: str, **fields: object) -> Member:
    """Have somebody ask to join, and return their browser."""
    who = Member(app, None, "")
    account: dict[str, Any] = {"handle": handle, "name": handle.title(), "email": f"{handle}@example.org"}
    response = who.send("/signup", **{**account, "password": PASSWORD, "note": "I know Alice.", **fields})
    assert response.location == "/signup/waiting", response.text
    return who


def log_in(who: Member, login: str) -> TestResponse:
    return who.send("/login", login=login, password=PASSWORD)


def test_who_asks_to_join_waits_and_sees_so_and_is_nowhere(app: Flask, mod: Member) -> None:
    save(mod, signups="approval")
    zoe = ask(app, "zoe")
    assert "You’re on the list" in zoe.get("/signup/waiting").text
    for login in ("zoe", "@ZOE", "zoe@example.org"):
        page = log_in(zoe, login)
        assert page.status_code == 200 and "You asked to join as @zoe" in page.text
    assert zoe.get("/settings/").status_code == 303  # still a stranger
    assert accounts(app) == {"maud"}
    assert mod.get("/@zoe").status_code == 404
    wrong = zoe.send("/login", login="zoe", password="not the password")
    assert wrong.status_code == 422 and "on the list" not in wrong.text


def test_three_requests_of_one_e_mail_address_wait_and_no_more(app: Flask, mod: Member) -> None:
    save(mod, signups="approval")
    for name in ("zoe", "yan", "xia"):
        ask(app, name, email="us@example.org")
    fourth = join_by(app, "/signup", "wen", email="US@example.org")
    assert fourth.status_code == 422 and "waiting already" in fourth.text and 'value="wen"' in fourth.text
    mod.send("/admin/approvals", request=request_ids(app)[0], decision="decline", reason="No")
    ask(app, "wen", email="us@example.org")


def test_a_request_that_nobody_decides_is_forgotten_after_a_month(app: Flask, mod: Member) -> None:
    save(mod, signups="approval")
    ask(app, "zoe")
    with app.app_context():
        db.session.execute(update(SignupRequest).values(asked_at=func.now() - timedelta(days=31)))
        db.session.commit()
    ask(app, "yan")
    with app.app_context():
        forget_requests()
        db.session.commit()
        assert list(db.session.scalars(select(SignupRequest.handle))) == ["yan"]


def test_only_admins_read_the_e_mail_addresses_of_those_who_ask(app: Flask, mod: Member, warden: Member) -> None:
    save(mod, signups="approval")
    ask(app, "zoe")
    assert "zoe@example.org" in mod.get("/admin/approvals").text
    page = warden.get("/admin/approvals").text
    assert "@zoe" in page and "zoe@example.org" not in page


def test_an_approval_lets_in_at_once_and_is_on_the_record(app: Flask, mod: Member, warden: Member) -> None:
    save(mod, signups="approval")
    zoe = ask(app, "zoe")
    assert "I know Alice." in warden.get("/admin/approvals").text
    warden.send("/admin/approvals", request=request_ids(app), decision="approve")
    assert log_in(zoe, "zoe").location == "/"
    assert "@zoe" in zoe.get("/").text
    assert entries(app) == [("wanda", "signup.approved", "zoe", "")]
    assert request_ids(app) == []


def test_a_refusal_needs_a_reason_which_who_asked_reads(app: Flask, mod: Member) -> None:
    save(mod, signups="approval")
    zoe = ask(app, "zoe")
    refused = mod.send("/admin/approvals", request=request_ids(app), decision="decline", reason=" ")
    assert refused.status_code == 422 and "Say why" in refused.text and " checked" in refused.text
    mod.send("/admin/approvals", request=request_ids(app), decision="decline", reason="We are full <b>")
    page = log_in(zoe, "zoe")
    assert "Your request was declined" in page.text and "We are full &lt;b&gt;" in page.text
    assert entries(app) == [("maud", "signup.declined", "zoe", "We are full <b>")]
    ask(app, "ZOE")  # the handle is free again


def test_many_are_decided_at_once(app: Flask, mod: Member) -> None:
    save(mod, signups="approval")
    for name in ("zoe", "yan", "xia"):
        ask(app, name)
    mod.send("/admin/approvals", request=request_ids(app)[:2], decision="approve")
    assert accounts(app) == {"maud", "zoe", "yan"}
    assert "@xia" in mod.get("/admin/approvals").text and "@zoe" not in mod.get("/admin/approvals").text


def test_of_two_moderators_who_decide_at_once_one_does(app: Flask, mod: Member, warden: Member) -> None:
    save(mod, signups="approval")
    for n in range(4):
        ask(app, f"guest{n}")
    ids = request_ids(app)
    with ThreadPoolExecutor(2) as pool:
        yes = pool.submit(mod.send, "/admin/approvals", request=ids, decision="approve")
        no = pool.submit(warden.send, "/admin/approvals", request=ids, decision="decline", reason="No")
        assert (yes.result().status_code, no.result().status_code) == (303, 303)
    actions = [(action, target) for _, action, target, _ in entries(app)]
    assert sorted(target for _, target in actions) == [f"guest{n}" for n in range(4)]
    let_in = {target for action, target in actions if action == "signup.approved"}
    assert accounts(app) - {"maud", "wanda"} == let_in


def test_a_handle_that_is_asked_for_is_taken(app: Flask, mod: Member) -> None:
    save(mod, signups="approval")
    ask(app, "zoe")
    assert "That handle is taken." in join_by(app, "/signup", "Zoe").text
    assert "That handle is taken." in join_by(app, invite_from(mod), "zoe").text
    assert "taken" in Member(app, None, "").get("/signup/handle?handle=ZOE").text


def test_an_invite_needs_no_approval(app: Flask, mod: Member) -> None:
    save(mod, signups="approval")
    assert join_by(app, invite_from(mod), "zoe").location == "/"
    assert accounts(app) == {"maud", "zoe"}


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"decision": "approve"}, "Choose at least one person first."),
        ({"request": "1", "decision": "maybe"}, "Choose whether to approve or to decline."),
        ({"request": "1", "decision": "decline", "reason": "r" * 501}, "Use 500 characters or fewer."),
        ({"request": "nobody", "decision": "approve"}, "Choose at least one person first."),
    ],
)
def test_a_decision_that_is_none_is_refused(app: Flask, mod: Member, fields: dict[str, Any], sentence: str) -> None:
    save(mod, signups="approval")
    ask(app, "zoe")
    response = mod.send("/admin/approvals", **fields)
    assert response.status_code == 422 and sentence in response.text
    assert accounts(app) == {"maud"}


def test_what_was_declined_is_forgotten_after_a_month(app: Flask, mod: Member) -> None:
    save(mod, signups="approval")
    for name in ("zoe", "yan"):
        ask(app, name)
    mod.send("/admin/approvals", request=request_ids(app)[0], decision="decline", reason="No")
    with app.app_context():
        db.session.execute(update(SignupRequest).values(decided_at=SignupRequest.decided_at - timedelta(days=31)))
        forget_requests()
        db.session.commit()
        assert list(db.session.scalars(select(SignupRequest.handle))) == ["yan"]

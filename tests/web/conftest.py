"""The whole cast at once, for tests that look at every address."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import select

from app.accounts.blocks.models import SignupBlock
from app.accounts.joining.operations import ask_to_join, create_invite
from app.accounts.models import LoginSession, User
from app.accounts.passkeys.models import Passkey
from app.core import clock
from app.extensions import db
from app.moderation.actions.models import Appeal, ModerationAction
from app.moderation.answers.models import CannedAnswer
from app.moderation.reports.models import Case
from app.posts.links import pictures
from app.posts.links.models import LinkedPage, PostLink
from app.posts.media import files as image_files
from app.posts.models import PostImage, WordFilter
from app.posts.rules.models import Rule
from app.site.models import AnnouncementRow
from app.takeout.exporting import archive
from app.takeout.models import Export
from tests.accounts.images import image_file
from tests.conftest import joining, make_cast
from tests.kept import bring_back
from tests.people import PASSWORD, Member
from tests.web.scene import FIELDS, Scene

EXPORT = "of-alice"


@pytest.fixture
def scene(app: Flask) -> Scene:
    """Everybody is here; Alice has a post with an image, an image that waits, a picture and a second device."""
    scene = bring_back(app, "scene", lambda: _set_scene(app))
    with app.app_context():
        archive.folder().mkdir(exist_ok=True)
        archive.finished(EXPORT).write_bytes(b"PK")
    return replace(scene, people={name: member.in_new_browser() for name, member in scene.people.items()})


def _set_scene(app: Flask) -> Scene:
    people = {
        "stranger": Member(app, None, ""),
        **make_cast(app, ("alice", "bob", "carol", "mallory", "mod", "warden")),
    }
    joining(app)("dora")
    alice = people["alice"]
    image_id, attached = (alice.upload(image_file("JPEG", size=(60, 40))) for _ in range(2))
    post_id = alice.write("A cup of #tea with @bob at https://tea.example/", images=attached)
    alice.send("/settings/profile", name="Alice", bio="I write.", avatar=(image_file(), "me.png"))
    alice.send("/settings/filters", **FIELDS["filters.create_filter"])
    people["bob"].send(f"/posts/{post_id}/report", **FIELDS["reports.report_post"])
    people["mod"].send("/admin/answers", **FIELDS["answers.create_answer"])
    Member(app, alice.id, "alice")
    with app.app_context():
        theirs = select(LoginSession.id).where(LoginSession.user_id == alice.id).order_by(LoginSession.id.desc())
        session_id = db.session.scalars(theirs).first()
        avatar = db.session.get_one(User, alice.id).avatar
        filter_id = db.session.scalars(select(WordFilter.id)).one()
        name = image_files.name(db.session.get_one(PostImage, attached).file, "l")
        picture = _link_to_a_page(post_id)
        until = clock.now() + timedelta(days=7)
        db.session.add(Export(user_id=alice.id, file=EXPORT, size=2, expires_at=until))
        db.session.commit()
        ruled = _rule()
        decided = _decide_about(alice.id, post_id)
        case_id = db.session.scalars(select(Case.id)).one()
        answer_id = db.session.scalars(select(CannedAnswer.id)).one()
        invite = create_invite(by=db.session.get_one(User, alice.id), uses=5, lasts="week", follows=True)
        ask_to_join(handle="yusuf", name="Yusuf", email="yusuf@example.org", password=PASSWORD, note="I know Bob.")
        db.session.add(AnnouncementRow(text="Tea", starts_at=clock.now(), ends_at=clock.now()))  # it is over
        key = Passkey(user_id=alice.id, credential_id=b"1", public_key=b"", sign_count=0, name="Her phone")
        db.session.add(key)
        db.session.commit()
        invite_id, passkey_id = invite.id, key.id
    assert session_id is not None and avatar is not None
    names = (name, picture, ruled, decided, case_id, answer_id, invite_id, passkey_id)
    return Scene(app, people, post_id, session_id, avatar, filter_id, image_id, *names)


def _rule() -> dict[str, int]:
    """Keep a rule that is off, and a block of sign-ups that is about nobody here."""
    rule = Rule(name="No watches", action="flag", phrases="watches", pattern="watches")
    block = SignupBlock(kind="domain", value="spam.example")
    db.session.add_all([rule, block])
    db.session.commit()
    return {"rule_id": rule.id, "block_id": block.id}


def _decide_about(person_id: int, post_id: int) -> dict[str, int]:
    """Keep decisions as they are when they are over: nothing of them holds, and one has an appeal."""
    long_ago, about = clock.now() - timedelta(days=9), {"person": None, "post": post_id, "appealed": None}
    over = {"until": long_ago, "told_at": long_ago, "over_at": long_ago, "reason": "the rules", "actor": "maud"}
    decided = {
        name: ModerationAction(action="mark" if of else "limit", person_id=person_id, post_id=of, actor_id=1, **over)
        for name, of in about.items()
    }
    db.session.add_all(decided.values())
    db.session.flush()
    db.session.add(Appeal(action_id=decided["appealed"].id, text="it was not me"))
    db.session.commit()
    return {name: action.id for name, action in decided.items()}


def _link_to_a_page(post_id: int) -> str:
    """Give a post the card of a page, as if it had been asked, and return the name of its picture."""
    picture = pictures.save(image_file("PNG", size=(300, 200)).getvalue())
    assert picture is not None
    page = LinkedPage(url="https://tea.example/", title="The tea.example Companion", picture=picture.file)
    page.picture_width, page.picture_height = picture.width, picture.height
    db.session.add(page)
    db.session.flush()
    db.session.add(PostLink(post_id=post_id, page_id=page.id))
    db.session.commit()
    return picture.file

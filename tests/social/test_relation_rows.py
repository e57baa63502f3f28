"""A row of the database becomes a `Relation` by the names of its columns: each fact is answered by its own field."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, fields
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.accounts.models import User
from app.discovery.explore.queries import everybody
from app.extensions import db
from app.social.queries import Relation, relation_to, select_people
from tests.people import Member

NOTHING = asdict(Relation())
FOLLOWS = {"follows": True, "volume": "all"}


def ask(requester: Member, target: Member) -> None:
    target.close()
    requester.follow(target)


def hide_reposts(viewer: Member, person: Member) -> None:
    viewer.send("/@person/mute", scope="reposts", duration="ever")


def turn_down(viewer: Member, person: Member) -> None:
    viewer.follow(person)
    viewer.send("/@person/volume", volume="no_replies")


FACTS: dict[str, tuple[Callable[[Member, Member], None], dict[str, Any]]] = {
    "nothing": (lambda viewer, person: None, {}),
    "follows": (lambda viewer, person: viewer.follow(person), FOLLOWS),
    "followed by": (lambda viewer, person: person.follow(viewer), {"followed_by": True}),
    "mutes": (lambda viewer, person: viewer.mute(person), {"mutes": True}),
    "muted by": (lambda viewer, person: person.mute(viewer), {}),
    "mutes reposts": (hide_reposts, {"mutes_reposts": True}),
    "requested": (ask, {"requested": True}),
    "asks": (lambda viewer, person: ask(person, viewer), {"asks": True}),
    "volume": (turn_down, FOLLOWS | {"volume": "no_replies"}),
    "blocks": (lambda viewer, person: viewer.block(person), {"blocks": True}),
    "blocked by": (lambda viewer, person: person.block(viewer), {"blocked_by": True}),
}


@pytest.mark.parametrize("fact", FACTS)
def test_one_fact_sets_its_own_field_and_no_other(app: Flask, join: Callable[..., Member], fact: str) -> None:
    viewer, person = join("viewer"), join("person")
    happen, expected = FACTS[fact]
    happen(viewer, person)
    with app.app_context():
        reader, other = db.session.get_one(User, viewer.id), db.session.get_one(User, person.id)
        assert asdict(relation_to(other, viewer=reader)) == NOTHING | expected
        listed, _ = everybody(viewer=reader, before=None)
        relations = {entry.user.id: asdict(entry.relation) for entry in listed}
        is_hidden = "block" in fact
        assert relations == {viewer.id: NOTHING} | ({} if is_hidden else {person.id: NOTHING | expected})


def test_a_mute_that_ends_says_when(app: Flask, join: Callable[..., Member]) -> None:
    viewer, person = join("viewer"), join("person")
    viewer.send("/@person/mute", scope="all", duration="day")
    with app.app_context():
        relation = relation_to(db.session.get_one(User, person.id), viewer=db.session.get_one(User, viewer.id))
    assert relation.mutes and relation.muted_until is not None


def test_a_person_in_a_list_has_their_own_numbers(app: Flask, alice: Member, bob: Member, carol: Member) -> None:
    carol.follow(alice)
    with app.app_context():
        for viewer in (None, db.session.get_one(User, bob.id)):
            listed, _ = everybody(viewer=viewer, before=None)
            assert [(entry.user.handle, entry.followers, entry.place) for entry in listed] == [
                ("carol", 0, carol.id),
                ("bob", 0, bob.id),
                ("alice", 2, alice.id),
            ]
            assert [entry.is_viewer for entry in listed] == [False, viewer is not None, False]


def test_every_field_has_a_column_of_its_name(app: Flask, alice: Member) -> None:
    with app.app_context():
        people = select_people(db.session.scalars(select(User)).one())
    names = {column["name"] for column in people.column_descriptions}
    assert names == {"User", "followers"} | {field.name for field in fields(Relation)}

"""Let the admin of the demo moderate: so every page of that has something on it."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

from sqlalchemy import func, select

from app.accounts.models import User
from app.accounts.queries import user_by_handle
from app.core import clock
from app.core.errors import Refused
from app.demo.people import ADMIN, CELEBRITY, MARKER, NEWCOMER, READER
from app.extensions import db
from app.moderation.actions import operations
from app.moderation.appeals.operations import appeal
from app.moderation.rules import operations as rules
from app.moderation.rules.operations import Draft
from app.moderation.signups.operations import add_block
from app.posts.models import Post
from app.posts.rules.models import FLAG, HOLD, REFUSE
from app.posts.writing.operations import publish_post


def moderate() -> None:
    """Hide a post whose author appeals, put a warning on another, and suspend and limit somebody."""
    admin = user_by_handle(ADMIN)
    assert admin is not None
    joker, loud, spammer, newcomer = _quiet_people(4)
    hidden = operations.act_on_post(
        _latest_post(joker), "hide", by=admin, reason="This makes fun of a neighbour, who asked us to take it down."
    )
    appeal(hidden, "I wrote this about myself! Nobody else in town walks a cat.", by=joker)
    operations.act_on_post(
        _latest_post(loud), "mark", by=admin, reason="Not everyone wants to see this at breakfast.", mark="Medical"
    )
    operations.act_on_person(spammer, "suspend", by=admin, reason="The same advertisement, forty times in one night.")
    week = clock.now() + timedelta(days=7)
    operations.act_on_person(newcomer, "limit", by=admin, reason="A week to cool down after the argument.", until=week)


def rule() -> None:
    """Have rules and what they did: posts that wait for review, a text that was refused; one rule is not on yet."""
    admin = user_by_handle(ADMIN)
    assert admin is not None
    advertised = Draft("Advertisements", HOLD, phrases="buy now\nlimited offer")
    watches = Draft("Watch sellers", REFUSE, "No watches, please.", domains="cheap-watches.example")
    for draft in (advertised, watches):
        rules.switch_rule(rules.add_rule(draft, by=admin), on=True, by=admin)
    rules.add_rule(Draft("Coffee, to see what a dry run is", FLAG, phrases="coffee"), by=admin)
    add_block("domain", "throwaway.example", by=admin, sentence="Please use an address that you keep.")
    add_block("handle", "official_*", by=admin)
    first, second, third = _quiet_people(7)[4:]
    publish_post("Limited offer: my old bicycle, hardly used. Buy now!", by=first, longest=500)
    publish_post("My band plays on Saturday. Buy now, or at the door.", by=second, longest=500)
    with suppress(Refused):
        publish_post("Look at these: https://cheap-watches.example/gold", by=third, longest=500)


def _quiet_people(number: int) -> list[User]:
    """Return people who have posted and are not among those as whom one logs in, the least prolific first."""
    own = select(Post.author_id, func.count().label("posts"))
    own = own.where(Post.repost_of_id.is_(None), Post.reply_to_id.is_(None)).group_by(Post.author_id)
    counted = own.having(func.count() > 2).subquery()
    people = select(User).join(counted, counted.c.author_id == User.id)
    people = people.where(User.handle.not_in((ADMIN, READER, NEWCOMER, CELEBRITY, MARKER)))
    return list(db.session.scalars(people.order_by(counted.c.posts, User.id).limit(number)))


def _latest_post(author: User) -> Post:
    theirs = (Post.author_id == author.id, Post.repost_of_id.is_(None), Post.reply_to_id.is_(None))
    return db.session.scalars(select(Post).where(*theirs).order_by(Post.id.desc()).limit(1)).one()

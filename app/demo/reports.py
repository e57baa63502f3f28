"""Let a few people of the town report something, and its moderator decide about some of it."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import contains_eager

from app.accounts.models import User
from app.demo.people import ADMIN, MODERATOR, READER
from app.demo.population import Population
from app.extensions import db
from app.moderation.answers.operations import add_answer
from app.moderation.queue import acting
from app.moderation.queue import operations as queue
from app.moderation.queue.acting import Decision
from app.moderation.reports import operations as reports
from app.moderation.reports.models import ACTED, NOTHING, Case
from app.posts.models import EVERYONE, Post

ANSWERS = {
    "Something was done": "Thank you for telling us. We agreed with you and did something about it.",
    "Not against the rules": (
        "Thank you for telling us. We’ve read it and it isn’t against the rules here. If you’d rather not see this"
        " person’s posts, you can mute or block them."
    ),
    "Talk to each other": "This looks like a disagreement between neighbours. Please try a kind word first.",
}
NOTES = (
    ("spam", "The third time this week that I’ve read this."),
    ("harassment", "This is about my brother, and he’s not laughing."),
    ("private", "That’s somebody’s address in there."),
    ("other", "The library’s opening hours are wrong, people will stand in the rain."),
    ("hate", ""),
)
REPORTED_POSTS = 5


def store_reports(population: Population) -> None:
    """Store reports in every state: waiting, with a moderator, and closed in both ways."""
    people = _people(population)
    admin, moderator, reader = (people.pop(handle) for handle in (ADMIN, MODERATOR, READER))
    for title, words in ANSWERS.items():
        add_answer(title, words, by=admin)
    posts = _posts(list(people.values()))
    reporters = [person for handle, person in sorted(people.items()) if person.id not in {p.author_id for p in posts}]
    reports.report_post(posts[0], by=reader, reason="spam", note="Every week the same.")
    for number, post in enumerate(posts):
        for reporter in reporters[number : 2 * number + 1]:
            reason, note = NOTES[(number + reporter.id) % len(NOTES)]
            reports.report_post(post, by=reporter, reason=reason, note=note)
    reports.report_person(posts[0].author, by=reporters[-1], reason="pretending", note="I know the real one.")
    db.session.flush()
    _decide(moderator)


def _people(population: Population) -> dict[str, User]:
    """Return the admin, the moderator, the reader and ordinary people of the town, by handle."""
    ordinary = [person.handle for person in population.people if person.account is None][:40]
    named = select(User).where(User.handle.in_([ADMIN, MODERATOR, READER, *ordinary]))
    return {person.handle: person for person in db.session.scalars(named)}


def _posts(authors: list[User]) -> list[Post]:
    """Return the newest post of each of a few people, with its author."""
    shown = (Post.repost_of_id.is_(None), Post.audience == EVERYONE)
    theirs = select(Post).join(Post.author).options(contains_eager(Post.author))
    theirs = theirs.where(Post.author_id.in_([author.id for author in authors]), *shown)
    newest: dict[int, Post] = {}
    for post in db.session.scalars(theirs.order_by(Post.id.desc()).limit(200)):
        newest.setdefault(post.author_id, post)
    return list(newest.values())[:REPORTED_POSTS]


def _decide(moderator: User) -> None:
    """Take one case on, close two, and leave the others."""
    first, second, third, *_ = db.session.scalars(select(Case).order_by(Case.id)).all()
    against_the_rules = Decision("remove", "Please don’t post the same advertisement every week.")
    acting.act_on_posts(first, [first.post_id or 0], against_the_rules, by=moderator)
    queue.close(first, by=moderator, outcome=ACTED, answer=ANSWERS["Something was done"])
    queue.close(second, by=moderator, outcome=NOTHING, answer=ANSWERS["Not against the rules"])
    queue.claim(third, by=moderator)
    queue.add_note(third, "I’ve asked them whether they would take it back. Let’s wait until tomorrow.", by=moderator)

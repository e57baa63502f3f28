"""`flask feed …`: explain, verify, reset, rebuild, stats."""

from __future__ import annotations

import sys
from datetime import timedelta

import click
from flask.cli import AppGroup
from sqlalchemy import func, select

from app.accounts.models import User
from app.accounts.queries import user_by_handle
from app.extensions import db
from app.feed.admin import lag
from app.feed.explain import doctor
from app.feed.timelines import generation, modes
from app.posts.models import Post

feed = AppGroup("feed", help="Look into the home feed, and mend it.")


def _person(handle: str) -> User:
    person = user_by_handle(handle.removeprefix("@"))
    if person is None:
        raise click.ClickException(f"There’s nobody called @{handle.removeprefix('@')}.")
    return person


@feed.command()
@click.argument("reader")
@click.argument("post", type=int)
def explain(reader: str, post: int) -> None:
    """Say whether a POST (its id) is in the feed of READER (a handle), and why, rule by rule."""
    found = db.session.get(Post, post)
    if found is None:
        raise click.ClickException(f"There’s no post {post}.")
    person, author = _person(reader), db.session.get_one(User, found.author_id)
    explanation = doctor.explain(person, found)
    is_in = "is in" if explanation.is_in else "is not in"
    click.echo(f"Post {post} by @{author.handle} {is_in} the feed of @{person.handle}.")
    for finding in explanation.findings:
        mark = {True: "✓", False: "✗", None: "·"}[finding.lets_through]
        click.echo(f"  {mark} {finding.rule}: {finding.says}")


@feed.command()
@click.argument("readers", nargs=-1)
@click.option("--all", "everybody", is_flag=True, help="Check everybody, not a sample.")
@click.option("--sample", default=200, show_default=True, help="How many to check.")
def verify(readers: tuple[str, ...], everybody: bool, sample: int) -> None:
    """Compare feeds with Postgres, page by page; exit with 1 if one differs."""
    people = [_person(handle).id for handle in readers] or _sample(None if everybody else sample)
    differences = []
    with click.progressbar(people, label="Comparing feeds", file=sys.stderr) as bar:
        for user_id in bar:
            differences += doctor.difference(db.session.get_one(User, user_id))
            db.session.rollback()
    for words in differences:
        click.echo(words)
    click.echo(f"{len(people)} feeds compared, {len(differences)} differences.")
    if differences:
        sys.exit(1)


def _sample(size: int | None) -> list[int]:
    people = select(User.id).where(User.deleted_at.is_(None))
    return list(db.session.scalars(people.order_by(func.random()).limit(size) if size else people.order_by(User.id)))


@feed.command()
def reset() -> None:
    """Make all timelines cold. Run it after restoring a backup of Postgres."""
    generation.draw()
    db.session.commit()
    click.echo("All timelines are cold; each is built when it is next read.")


@feed.command()
@click.argument("reader")
def rebuild(reader: str) -> None:
    """Build the timeline of READER anew."""
    person = _person(reader)
    built = doctor.rebuild(person)
    click.echo(f"The timeline of @{person.handle} is {'built' if built else 'being built by somebody else'}.")


@feed.command("modes")
def recompute_modes() -> None:
    """Choose anew which authors are pushed and which are pulled."""
    modes.recompute()
    db.session.commit()
    click.echo("Done.")


@feed.command()
def stats() -> None:
    """Show how long posts took to their followers in the past hour, and what is still open."""
    found = lag.stats(past=timedelta(hours=1))
    posts = sum(minute.posts for minute in found.minutes)
    if posts:
        mean = sum(minute.total_ms for minute in found.minutes) / posts
        worst = max(minute.worst_ms for minute in found.minutes)
        click.echo(f"{posts} posts fanned out in the past hour: {mean:.0f} ms on average, {worst} ms at worst.")
    else:
        click.echo("No posts were fanned out in the past hour.")
    for job, count in sorted(found.open_rows.items()):
        click.echo(f"{job}: {count} open")
    if found.oldest:
        click.echo(f"The oldest open row is from {found.oldest:%Y-%m-%d %H:%M:%S} UTC.")
    else:
        click.echo("Nothing is open.")

"""Commands for the person who runs the site: `flask <command>`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

import click
from flask import Flask
from flask.cli import with_appcontext
from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError

from app.accounts.commands import access
from app.extensions import db
from app.feed.admin.commands import feed
from app.outbox.models import OutboxRow
from app.posts.reactions.counters import recount


def register(app: Flask) -> None:
    """Add our commands to `flask`."""
    for command in (recount_command, outbox_command, feed, access):
        app.cli.add_command(command)


def site_command(name: str) -> Callable[[Callable[[], None]], click.Command]:
    """Make a command of a function that needs the database; where there is none, say so in one sentence."""

    def decorate(function: Callable[[], None]) -> click.Command:
        @wraps(function)
        def run() -> None:
            try:
                function()
            except OperationalError as error:
                raise click.ClickException(
                    "The database does not answer. Start the site (make run) or set DATABASE_URL."
                ) from error

        return click.command(name)(with_appcontext(run))

    return decorate


@site_command("recount")
def recount_command() -> None:
    """Count followers, following, posts and likes again; report and repair what was wrong."""
    drifts = list(recount())
    for drift in drifts:
        click.echo(f"{drift.of}: {drift.counter} was {drift.stored}, is {drift.counted}")
    if drifts:
        click.echo(f"{len(drifts)} counter{'' if len(drifts) == 1 else 's'} repaired.")
    else:
        click.echo("All counters are right.")


@site_command("outbox")
def outbox_command() -> None:
    """Show the work that is still open: how many rows of each job, the oldest, and the last error."""
    rows = select(OutboxRow.job, func.count(), func.min(OutboxRow.created_at), func.max(OutboxRow.last_error))
    open_work = db.session.execute(rows.group_by(OutboxRow.job).order_by(OutboxRow.job)).all()
    for job, count, oldest, error in open_work:
        trouble = f", last error {error}" if error else ""
        click.echo(f"{job}: {count} open, oldest from {oldest:%Y-%m-%d %H:%M:%S} UTC{trouble}")
    if not open_work:
        click.echo("Nothing is open.")

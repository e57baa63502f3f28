"""Commands for the person who runs the site: `flask <command>`."""

from __future__ import annotations

import click
from flask import Flask
from flask.cli import with_appcontext
from sqlalchemy import func, select

from app.activity.models import OutboxRow
from app.extensions import db
from app.posts.counters import recount


def register(app: Flask) -> None:
    """Add our commands to `flask`."""
    app.cli.add_command(recount_command)
    app.cli.add_command(outbox_command)


@click.command("recount")
@with_appcontext
def recount_command() -> None:
    """Count followers, following and posts again; report and repair what was wrong."""
    drifts = list(recount())
    for drift in drifts:
        click.echo(f"account {drift.user_id}: {drift.counter} was {drift.stored}, is {drift.counted}")
    click.echo(
        f"{len(drifts)} counter{'' if len(drifts) == 1 else 's'} repaired." if drifts else "All counters are right."
    )


@click.command("outbox")
@with_appcontext
def outbox_command() -> None:
    """Show the work that is still open: how many rows of each job, the oldest, and the last error."""
    rows = select(OutboxRow.job, func.count(), func.min(OutboxRow.created_at), func.max(OutboxRow.last_error))
    open_work = db.session.execute(rows.group_by(OutboxRow.job).order_by(OutboxRow.job)).all()
    for job, count, oldest, error in open_work:
        click.echo(
            f"{job}: {count} open, oldest from {oldest:%Y-%m-%d %H:%M:%S} UTC{f', last error {error}' if error else ''}"
        )
    if not open_work:
        click.echo("Nothing is open.")

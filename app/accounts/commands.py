"""Commands for whoever has the machine: the last way back in, where no admin can help."""

from __future__ import annotations

import click
from flask.cli import AppGroup

from app.accounts.factors.operations import switch_off_all
from app.accounts.models import User
from app.accounts.queries import user_by_handle
from app.extensions import db
from app.mail.links import address_of, make_link
from app.mail.models import RESET

access = AppGroup("access", help="Help an account in, if no admin can: the only admin's, for instance.")


@access.command("link")
@click.argument("handle")
def make_reset_link(handle: str) -> None:
    """Print a link by which HANDLE chooses a new password: for one use, for 30 minutes."""
    person = _named(handle)
    link = make_link(person.id, RESET, person.email)
    if link is None:
        raise click.ClickException("Enough links have been made for this address. Wait half an hour.")
    click.echo(address_of(link))
    db.session.commit()


@access.command("factor-off")
@click.argument("handle")
def remove_factor(handle: str) -> None:
    """Switch off the second factor of HANDLE."""
    person = _named(handle)
    was_on = switch_off_all(person)
    db.session.commit()
    click.echo(f"The second factor of @{person.handle} {'is off now' if was_on else 'was off already'}.")


def _named(handle: str) -> User:
    person = user_by_handle(handle.removeprefix("@"))
    if person is None:
        raise click.ClickException(f"There is nobody called {handle}.")
    return person

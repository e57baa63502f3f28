"""`python -m app.demo`: fill an empty site with a made-up town, then say how to log in."""

from __future__ import annotations

import sys

from flask import current_app
from sqlalchemy import func, select

from app import create_app
from app.accounts.models import User
from app.accounts.operations import FIRST_ACCOUNT_LOCK
from app.accounts.queries import has_accounts
from app.core import ids
from app.demo.filling import PASSWORD, fill
from app.demo.moderation import moderate, rule
from app.demo.people import ADMIN, CELEBRITY, MARKER, MODERATOR, NEWCOMER, READER
from app.demo.population import Population, make_population
from app.demo.progress import track
from app.demo.reports import store_reports
from app.extensions import db

LOGINS = {
    READER: "an ordinary reader who follows some eighty people; the best place to start",
    ADMIN: "the admin of the site",
    MODERATOR: "a moderator, with reports to look at",
    CELEBRITY: "the celebrity, whom nearly everybody follows",
    NEWCOMER: "somebody who has just joined and follows nobody: every page is still empty",
}
# More followers than the setting asks for, so that a follower who leaves does not undo the celebrity.
MARGIN = 1.04


def main() -> int:
    """Fill the site unless it is filled; refuse where there are real people."""
    # The lock that the first account takes: nobody can set the site up while it is being filled.
    db.session.execute(select(func.pg_advisory_xact_lock(FIRST_ACCOUNT_LOCK)))
    if _is_demo():
        print("The demo is filled already; nothing was changed.")
    elif has_accounts():
        print("This site has accounts of real people, so the demo was not put into it.", file=sys.stderr)
        return 1
    else:
        population = _fill_site()
        db.session.commit()
        _describe(population)
    _print_logins()
    return 0


def _is_demo() -> bool:
    """Look for the account that marks a demo. Nobody can sign up under its handle, which is reserved."""
    return db.session.scalar(select(User.id).where(User.handle == MARKER)) is not None


def _fill_site() -> Population:
    # The clock of the database decides what now is: no made-up id may lie above the next real one.
    now = ids.time_of(db.session.scalars(select(func.next_id())).one())
    config = current_app.config
    population = make_population(
        now=now,
        celebrity_needs=round(config["CELEBRITY_FOLLOWERS"] * MARGIN),
        longest=config["POST_MAX_CHARS"],
        track=track,
    )
    fill(population)
    store_reports(population)
    moderate()
    rule()
    return population


def _describe(population: Population) -> None:
    people, follows, posts = len(population.people), len(population.followings), len(population.posts)
    print(f"{people:,} people, {follows:,} follows and {posts:,} posts. Everybody is made up.")
    followers = sum(following.followed == CELEBRITY for following in population.followings)
    if followers < (asked := current_app.config["CELEBRITY_FOLLOWERS"]):
        print(
            f"CELEBRITY_FOLLOWERS is {asked:,}: more than the town has people, so all {followers} follow @{CELEBRITY}."
        )


def _print_logins() -> None:
    print(f"\nLog in with the password {PASSWORD} as")
    for handle, who in LOGINS.items():
        print(f"  @{handle:<18} {who}")


if __name__ == "__main__":
    with create_app().app_context():
        try:
            sys.exit(main())
        except KeyboardInterrupt:
            sys.exit("\nStopped. Nothing was stored; the next start begins anew.")

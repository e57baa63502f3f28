"""What a query asks of the database: its words as Postgres spells them, its people by their ids."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date

from sqlalchemy import ARRAY, Select, Text, bindparam, cast, column, func, select, text

from app.accounts.models import User
from app.accounts.reader import zone_of
from app.core.days import start_of
from app.core.ids import MAX_ID
from app.core.statements import Compiled
from app.core.zones import Zone
from app.discovery.search.syntax import WORDS, Kind, Query, Term, short
from app.extensions import db
from app.social.queries import listable_to

CONFIGURATION = text("'simple'::regconfig")  # docs/decisions/0012: people write in more than one language


@dataclass(frozen=True)
class Lookup:
    """A query with what the database knows about it. Its remarks also say what the database did not know."""

    query: Query
    spelled: dict[str, str] = field(default_factory=dict)  # words as they were typed -> as `tsquery`
    account_ids: dict[str, int] = field(default_factory=dict)  # handles in lower case -> ids; "" is the viewer
    zone: Zone = None  # in which days begin and end

    @property
    def words(self) -> str:
        """Return the `tsquery` that a text must match; longer words count where the beginning is enough."""
        return " & ".join(self._as_query(term) for term in self.query.wanted(*WORDS))

    @property
    def exact_words(self) -> str:
        """Return the `tsquery` of the very words that were typed."""
        return " & ".join(self._as_query(replace(term, kind=Kind.WORD)) for term in self.query.wanted(*WORDS))

    @property
    def beginnings(self) -> str:
        """Return the `tsquery` in which of every word the beginning is enough: for names, which people half know."""
        words = self.query.wanted(*WORDS)
        terms = [term if term.kind is Kind.PHRASE else replace(term, kind=Kind.START) for term in words]
        return " & ".join(self._as_query(term) for term in terms)

    @property
    def unwanted_words(self) -> str:
        """Return the `tsquery` that a text must not match."""
        return " | ".join(self._as_query(term) for term in self.query.unwanted(*WORDS))

    @property
    def names_authors(self) -> bool:
        """Say whether posts were asked for by their authors: then muted authors are meant, too, as on a profile."""
        return bool(self.query.wanted(Kind.FROM, Kind.FROM_ME))

    @property
    def authors(self) -> set[int] | None:
        """Return whose posts are asked for; None is everybody's."""
        return self._ids_of(self.query.wanted(Kind.FROM, Kind.FROM_ME)) if self.names_authors else None

    @property
    def unwanted_authors(self) -> set[int]:
        """Return whose posts are not to be found."""
        return self._ids_of(self.query.unwanted(Kind.FROM, Kind.FROM_ME))

    @property
    def first_id(self) -> int:
        """Return the lowest id that a post may have."""
        return max((self._first_id(term) for term in self.query.wanted(Kind.AFTER)), default=0)

    @property
    def end_id(self) -> int:
        """Return the id below which that of a post must lie."""
        return min((self._first_id(term) for term in self.query.wanted(Kind.BEFORE)), default=MAX_ID)

    def _as_query(self, term: Term) -> str:
        spelled = self.spelled[term.value]
        return f"({spelled}{':*' if term.kind is Kind.START else ''})"

    def _first_id(self, term: Term) -> int:
        """Return the lowest id of the day that a term names."""
        return min(start_of(date.fromisoformat(term.value), self.zone), MAX_ID)

    def _ids_of(self, terms: list[Term]) -> set[int]:
        return {self.account_ids[term.value.lower()] for term in terms if term.value.lower() in self.account_ids}


def look_up(query: Query, *, viewer: User | None) -> Lookup:
    """Ask the database about the words and handles of a query; what it does not know gets a sentence that says so."""
    spelled = _spell([term.value for term in query.terms if term.kind in WORDS])
    account_ids = _accounts([term.value.lower() for term in query.terms if term.kind is Kind.FROM], viewer)
    terms = tuple(_judge(term, spelled, account_ids) for term in query.terms)
    return Lookup(replace(query, terms=terms), spelled, account_ids, zone_of(viewer))


def _judge(term: Term, spelled: dict[str, str], account_ids: dict[str, int]) -> Term:
    if term.kind in WORDS and not spelled[term.value]:
        return term.left_out(f"{short(term.typed)} has no letters or numbers to search for, so it was ignored.")
    if term.kind is Kind.FROM_ME and "" not in account_ids:
        return term.left_out(f"{short(term.typed)} only works when you’re logged in, so it was ignored.")
    if term.kind is Kind.FROM and term.value.lower() not in account_ids:
        return replace(term, remark=f"There’s nobody called @{term.value} here whose posts you can see.")
    return term


def _spell(words: list[str]) -> dict[str, str]:
    """Return words as Postgres looks them up: several where it sees several, none where it sees none."""
    if not words:
        return {}
    return dict(_spellings.rows(words=words))


@Compiled
def _spellings() -> Select[str, str]:
    given = bindparam("words", type_=ARRAY(Text))
    words = func.unnest(given).table_valued(column("word", Text), name="words").render_derived()
    return select(words.c.word, cast(func.phraseto_tsquery(CONFIGURATION, func.plain_words(words.c.word)), Text))


def _accounts(handles: list[str], viewer: User | None) -> dict[str, int]:
    """Return the ids of the accounts that the viewer may come across, by handle."""
    found = {"": viewer.id} if viewer else {}
    if handles:
        people = select(func.lower(User.handle), User.id)
        people = people.where(func.lower(User.handle).in_(handles), listable_to(viewer))
        found |= dict(iter(db.session.execute(people)))
    return found

"""What a reader does not want to read: words and conversations. People are muted in `social`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

import regex
from sqlalchemy import delete, func, insert, select, update

from app.accounts.models import User
from app.activity import operations as activity
from app.activity import verbs
from app.core import clock, tokens
from app.core.errors import NotAllowed, NotAsItWas, Refused
from app.core.locks import advisory_lock
from app.core.statements import rows_changed
from app.core.text import clean_line, count_characters, is_blank
from app.extensions import db
from app.posts.models import WordFilter

MAX_FILTERS = 100
LONGEST_PHRASE = 100
MAX_PHRASE_CODE_POINTS = 2 * LONGEST_PHRASE  # one character, as people count, may be made of any number of them
KEPT = timedelta(days=30)
JUST_NOW = timedelta(minutes=15)


LASTS: Mapping[str, timedelta | None] = {
    "day": timedelta(days=1),
    "week": timedelta(days=7),
    "month": timedelta(days=30),
    "ever": None,
}


# Where a word ends can be seen, unless it is of a script that leaves no spaces between words. A sign has no end.
_HAS_BORDERS = regex.compile(r"[\w@\#--[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]]", regex.V1)


class BadPhrase(Refused):
    """A phrase that cannot be looked for."""

    field = "phrase"


def pattern_of(phrase: str, *, is_whole_word: bool) -> str:
    """Return the regular expression, as Postgres reads it, that finds a phrase however its words are spaced.

    Every sign of ASCII is escaped and no other means anything, so that a phrase is only ever itself.
    """
    pattern = r"\s+".join("".join(map(_literal, word)) for word in phrase.split())
    if not is_whole_word:
        return pattern
    before, after = (_HAS_BORDERS.match(edge) for edge in (phrase[0], phrase[-1]))
    return (r"(?<!\w)" if before else "") + pattern + (r"(?!\w)" if after else "")


def _literal(character: str) -> str:
    return character if character.isalnum() or not character.isascii() else "\\" + character


def checked_phrase(phrase: str) -> str:
    """Return a phrase as it is stored, or say why it cannot be."""
    phrase = clean_line(phrase)
    if is_blank(phrase):
        raise BadPhrase("Enter the word or phrase you don’t want to see.")
    if count_characters(phrase) > LONGEST_PHRASE or len(phrase) > MAX_PHRASE_CODE_POINTS:
        raise BadPhrase(f"That’s too long. The limit is {LONGEST_PHRASE} characters.")
    return phrase


def until_from_now(lasts: str) -> datetime | None:
    """Return when a time that begins now is over: one of `LASTS`."""
    span = LASTS[lasts]
    return clock.now() + span if span else None


def add_filter(phrase: str, *, by: User, action: str, is_whole_word: bool, until: datetime | None = None) -> int:
    """Hide or collapse posts with a phrase from now on, old ones too, until some time or for ever."""
    phrase = checked_phrase(phrase)
    advisory_lock(f"filters:{by.id}")  # two at once would both find room for the last one
    if (db.session.scalar(select(func.count()).where(WordFilter.user_id == by.id)) or 0) >= MAX_FILTERS:
        raise NotAllowed(f"You already have {MAX_FILTERS} filters. Remove one first.")
    values = {"user_id": by.id, "phrase": phrase, "action": action, "is_whole_word": is_whole_word, "until": until}
    pattern = pattern_of(phrase, is_whole_word=is_whole_word)
    new_filter = insert(WordFilter).values(**values, pattern=pattern).returning(WordFilter.id)
    return db.session.execute(new_filter).scalar_one()


def change_filter(
    filter_id: int, phrase: str, *, by: User, action: str, is_whole_word: bool, until: datetime | None
) -> None:
    """Let a filter look for something else, do something else, or go on for longer."""
    phrase = checked_phrase(phrase)
    theirs = update(WordFilter).where(WordFilter.id == filter_id, WordFilter.user_id == by.id)
    pattern = pattern_of(phrase, is_whole_word=is_whole_word)
    changed = theirs.values(phrase=phrase, pattern=pattern, action=action, is_whole_word=is_whole_word, until=until)
    if rows_changed(changed):
        activity.record(verbs.FILTER_CHANGED, actor_id=by.id, subject_id=filter_id)


def remove_filter(filter_id: int, *, by: User) -> None:
    """Let posts with a phrase appear again."""
    if rows_changed(delete(WordFilter).where(WordFilter.id == filter_id, WordFilter.user_id == by.id)):
        activity.record(verbs.FILTER_REMOVED, actor_id=by.id, subject_id=filter_id)


def end_as_token(found: WordFilter, *, by: User) -> str:
    """Return when a filter ends, for its owner to add it once more just as it was."""
    return tokens.sign(f"filter:{by.id}", [int(found.until.timestamp() * 1000) if found.until else 0])


def end_in(token: str, *, by: User) -> datetime | None:
    """Return the end that `end_as_token` has named."""
    try:
        [until] = tokens.read(f"filter:{by.id}", token)
    except tokens.BadToken as error:
        raise NotAsItWas from error
    return datetime.fromtimestamp(until / 1000, tz=UTC) if until else None


def filters_of(viewer: User) -> Sequence[WordFilter]:
    """Return a reader's filters, the newest first, those that have ended last."""
    ended = WordFilter.until.is_not(None) & (WordFilter.until <= clock.now())
    theirs = select(WordFilter).where(WordFilter.user_id == viewer.id)
    return db.session.scalars(theirs.order_by(ended, WordFilter.id.desc())).all()


def note_ended_filters() -> None:
    """Record of which filters the time has just ended; the task comes round more than once meanwhile."""
    now = clock.now()
    ended = select(WordFilter.id, WordFilter.user_id).where(WordFilter.until.between(now - JUST_NOW, now))
    for filter_id, user_id in db.session.execute(ended).all():
        activity.record(verbs.FILTER_ENDED, actor_id=user_id, subject_id=filter_id)


def forget_ended_filters() -> None:
    """Delete the filters whose time was over a month ago; until then they can be seen and renewed."""
    db.session.execute(delete(WordFilter).where(WordFilter.until < clock.now() - KEPT))

"""The population that everything is measured on: made by Postgres itself, the same in every run."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import count, islice

import psycopg

from bench import rich, words

# The readers follow some of these; the busiest of them writes a thousand times as much as the quietest.
AUTHORS = 5_200
FOLLOWED_BY_MANY = 5_000
FOLLOWED_BY_FEW = 50
STARS = 20  # the loudest authors: every reader follows them, and they are merged at read
READERS = 8  # one per connection of the load generator, so that not everybody reads the same page
FOLLOWERS_OF_SMALL = 10
FOLLOWERS_OF_BIG = 10_000
CIRCLES = 50  # authors with a hundred followers each, all of them others
FOLLOWERS_IN_CIRCLE = 100
BLOCKED = 2_000  # by the one who searches in spite of many blocks
DAYS = 60  # over which the posts are spread
RICH_PART = 40  # for so many posts there is one of the rich corner besides


@dataclass(frozen=True)
class Scale:
    """How much data and how much time a run takes."""

    posts: int
    crowd: int  # accounts besides the authors; all of them follow the celebrity
    follows_each: int  # authors that each of the crowd follows, so that the graph has the shape of a real one
    rounds: int  # of each comparison; every side once per round
    seconds: float  # that a side is kept under load, per round
    requests: int  # per side and round, where single requests are timed
    burst: int  # posts that a worker finds at once


FULL = Scale(posts=1_000_000, crowd=100_000, follows_each=10, rounds=8, seconds=2.5, requests=15, burst=1_000)
QUICK = Scale(posts=100_000, crowd=40_000, follows_each=2, rounds=2, seconds=0.5, requests=4, burst=200)


@dataclass(frozen=True)
class Cast:
    """The accounts that the figures are about, by id."""

    crowd: range
    readers: tuple[int, ...]  # follow 50 authors each
    following: Mapping[int, int]  # how many somebody follows -> who that is
    followed: Mapping[int, int]  # how many followers somebody has -> who that is
    circles: tuple[int, ...]  # followed by a hundred each
    blocking: int  # blocks every second of the loudest authors
    rich_readers: tuple[int, ...]  # follow 50 of the rich authors each, and have settings of all kinds
    rich_authors: range  # the loud ones first
    strangers: range  # whom the rich authors repost, quote and answer
    asker: int  # wrote one post, which has twenty answers
    filtering: int  # follows 50 authors and some tags, and has word filters
    last: int  # the highest id of all accounts

    @classmethod
    def of(cls, scale: Scale) -> Cast:
        """Return who is who: the cast comes after the authors and the crowd."""
        crowd = range(AUTHORS + 1, AUTHORS + scale.crowd + 1)
        ids = count(crowd.stop)
        readers = tuple(islice(ids, READERS))
        circles = tuple(islice(ids, CIRCLES))
        following = {number: next(ids) for number in (1, 10, 500, FOLLOWED_BY_MANY)} | {FOLLOWED_BY_FEW: readers[0]}
        sizes = (1, FOLLOWERS_OF_SMALL, 1_000, FOLLOWERS_OF_BIG, scale.crowd)
        followed = {number: next(ids) for number in sizes} | {FOLLOWERS_IN_CIRCLE: circles[0]}
        blocking, rich_readers = next(ids), tuple(islice(ids, READERS))
        rich_authors = range(start := next(ids), start + rich.AUTHORS)
        strangers = range(rich_authors.stop, rich_authors.stop + rich.STRANGERS)
        asker, filtering = strangers.stop, strangers.stop + 1
        by_number = dict(sorted(following.items())), dict(sorted(followed.items()))
        return cls(
            *(crowd, readers, *by_number, circles, blocking),
            *(rich_readers, rich_authors, strangers, asker, filtering),
            last=filtering,
        )

    @property
    def pulled(self) -> list[int]:
        """Return the authors who are merged at read."""
        return [*range(1, STARS + 1), *self.rich_authors[: rich.LOUD]]

    def reading(self) -> dict[int, int]:
        """Return everybody who reads what the plain authors write, and how many of them they follow."""
        few = dict.fromkeys((*self.readers, self.filtering), FOLLOWED_BY_FEW)
        return few | {reader: number for number, reader in self.following.items()}

    def writing(self) -> list[tuple[int, int, int]]:
        """Return everybody of the cast who posts, the first of the crowd who follows them, and how many do."""
        circles = [
            (author, self.crowd[number * FOLLOWERS_IN_CIRCLE], FOLLOWERS_IN_CIRCLE)
            for number, author in enumerate(self.circles)
        ]
        others = ((author, number) for number, author in self.followed.items() if author not in self.circles)
        return circles + [(author, self.crowd[0], number) for author, number in others]


NAMES = "Ada Bela Chidi Dana Emil Farah Goran Hana Ines Jonas Kirsi Lena Mateo Nadia Oskar Priya Quinn Rosa Samir Tove"

# What the triggers would do row by row is done at the end in one go.
PREPARE = "SET session_replication_role = replica; SET maintenance_work_mem = '256MB'; SELECT setseed(0.42)"

ACCOUNTS = """
INSERT INTO users (id, handle, name, email, password_hash, created_at)
SELECT n, 'person_' || n, names[1 + n %% 20] || ' ' || names[1 + n / 20 %% 20] || 'son',
       'person_' || n || '@example.org', 'nobody logs in with a password', now() - interval '90 days'
FROM generate_series(1, %(last)s) AS n, string_to_array(%(names)s, ' ') AS names
"""

# The pieces of sentences that the posts are made of. Made beside them: an array of so many is slow to look into.
FRAGMENTS = """
CREATE TEMPORARY TABLE fragments AS
SELECT n - 1 AS n, words FROM unnest(%(fragments)s::text[]) WITH ORDINALITY AS made (words, n);
ANALYZE fragments
"""

# Ids are times: one post every few seconds until a minute ago. The cube makes some authors loud and most of them quiet.
# The factors are odd, so that each piece comes up as often as any other, and next to others each time.
POSTS = """
INSERT INTO posts (id, author_id, text)
SELECT (%(now_ms)s - 60000 - (%(posts)s - post) * (%(days)s * 86400000::bigint / %(posts)s)) << 12,
       1 + floor(%(authors)s * random() ^ 3),
       initcap(left(a.words, 1)) || substr(a.words, 2) || ', ' || b.words || coalesce('. ' || c.words, '')
         || CASE WHEN post %% 5 = 0 THEN ' #tag' || post %% 400 ELSE '' END
         || CASE WHEN post %% 10 = 1 THEN ' @person_' || 1 + post %% %(authors)s ELSE '' END
         || CASE WHEN post %% 20 = 2 THEN ' https://example.org/notes/' || post ELSE '' END
         || '. Note ' || post
FROM generate_series(1, %(posts)s) AS post
JOIN fragments AS a ON a.n = post::bigint * 40503 %% %(pieces)s
JOIN fragments AS b ON b.n = post::bigint / 3 * 25717 %% %(pieces)s
LEFT JOIN fragments AS c ON c.n = post::bigint / 7 * 57637 %% %(pieces)s AND post %% 3 > 0
ORDER BY post
"""

MENTIONS = """
INSERT INTO post_mentions (post_id, user_id)
SELECT id, substring(text FROM '@person_([0-9]+)')::bigint FROM posts WHERE text LIKE '%%@person!_%%' ESCAPE '!'
"""

TAGS = """
INSERT INTO post_tags (post_id, tag)
SELECT id, substring(text FROM '#([a-z]+[0-9]+)') FROM posts WHERE text LIKE '%%#%%'
"""

FOLLOWS = """
INSERT INTO follows (follower_id, followed_id, id)
SELECT follower_id, followed_id, (%(now_ms)s - row_number() OVER ()) << 12
FROM (
    SELECT follower, 1 + floor(%(authors)s * random() ^ 2)
      FROM generate_series(%(authors)s + 1, %(authors)s + %(crowd)s) AS follower, generate_series(1, %(follows_each)s)
    UNION SELECT first + n - 1, author
      FROM unnest(%(writers)s, %(first_followers)s, %(followers)s) AS writing (author, first, number),
           generate_series(1, number) AS n
    -- The stars, then steps of 97 through the others: loud ones and quiet ones, others for each reader.
    UNION SELECT reader, CASE WHEN n <= %(stars)s THEN n
                              ELSE 1 + %(stars)s + (reader * 13 + n * 97) %% (%(followed_by_many)s - %(stars)s) END
      FROM unnest(%(readers)s, %(followed)s) AS reading (reader, number), generate_series(1, number) AS n
) AS pairs (follower_id, followed_id)
"""

BLOCKS = """
INSERT INTO blocks (blocker_id, blocked_id, id)
SELECT %(blocking)s, 2 * n, (%(now_ms)s - n) << 12 FROM generate_series(1, %(blocked)s) AS n
"""

COUNTERS = """
INSERT INTO user_counters (user_id, followers, following, posts)
SELECT users.id, coalesce(followers, 0), coalesce(following, 0), coalesce(written, 0)
FROM users
LEFT JOIN (SELECT followed_id AS id, count(*) AS followers FROM follows GROUP BY 1) AS a USING (id)
LEFT JOIN (SELECT follower_id AS id, count(*) AS following FROM follows GROUP BY 1) AS b USING (id)
LEFT JOIN (SELECT author_id AS id, count(*) AS written FROM posts WHERE repost_of_id IS NULL GROUP BY 1) AS c USING (id)
"""

# What texts are found by is indexed at the end, too: post by post it would take longer than all the rest.
TEXT_INDEXES = "SELECT indexname, indexdef FROM pg_indexes WHERE indexdef LIKE '%USING gin%'"

FINISH = (
    "SELECT setval(pg_get_serial_sequence('users', 'id'), (SELECT max(id) FROM users))",
    "SELECT next_id()",  # moves the sequence from its beginning to the present
    "VACUUM (ANALYZE, FREEZE)",  # as autovacuum would leave it: statistics, and pages that index-only scans may trust
    "CHECKPOINT",
)

NOW_MS = "SELECT (extract(epoch FROM now() - timestamptz '2026-01-01 00:00:00+00') * 1000)::bigint"


def populate(database_url: str, scale: Scale) -> None:
    """Fill an empty schema with people, follows and posts."""
    cast = Cast.of(scale)
    # Closed, not rolled back: an interrupted run need not wait for the statement it was in.
    with closing(psycopg.connect(plain_url(database_url), autocommit=True)) as connection:
        row = connection.execute(NOW_MS).fetchone()
        assert row is not None
        pieces = words.fragments()
        values = {
            "now_ms": row[0],
            "last": cast.last,
            "authors": AUTHORS,
            "posts": scale.posts,
            "days": DAYS,
            "crowd": scale.crowd,
            "follows_each": scale.follows_each,
            "writers": [author for author, _, _ in cast.writing()],
            "first_followers": [first for _, first, _ in cast.writing()],
            "followers": [number for _, _, number in cast.writing()],
            "stars": STARS,
            "readers": list(cast.reading()),
            "followed": list(cast.reading().values()),
            "followed_by_many": FOLLOWED_BY_MANY,
            "blocking": cast.blocking,
            "blocked": BLOCKED,
            "names": NAMES,
            "fragments": pieces,
            "pieces": len(pieces),
            **_rich_values(scale, cast),
        }
        connection.execute(PREPARE)
        text_indexes = connection.execute(TEXT_INDEXES).fetchall()
        for name, _ in text_indexes:
            connection.execute(f"DROP INDEX {name}")
        cursor = psycopg.ClientCursor(connection)
        for statement in (ACCOUNTS, FRAGMENTS, POSTS, FOLLOWS, BLOCKS, *rich.STATEMENTS, MENTIONS, TAGS, COUNTERS):
            cursor.execute(statement, values)
        cursor.executemany(rich.FILTER, [{"filtering": cast.filtering, **each} for each in rich.filters()])
        cursor.execute(rich.TAG_FOLLOWS, {"filtering": cast.filtering, "tags": rich.FOLLOWED_TAGS})
        for statement in (*(definition for _, definition in text_indexes), *FINISH):
            connection.execute(statement)


def _rich_values(scale: Scale, cast: Cast) -> dict[str, object]:
    """Return what the statements of the rich corner need to know."""
    return {
        "rich_posts": scale.posts // RICH_PART,
        "rich_days": rich.DAYS,
        "rich_authors": rich.AUTHORS,
        "first_author": cast.rich_authors[0],
        "loud": rich.LOUD,
        "strangers": rich.STRANGERS,
        "first_stranger": cast.strangers[0],
        "rich_readers": list(cast.rich_readers),
        "rich_followed": rich.FOLLOWED,
        "asker": cast.asker,
        "first_of_crowd": cast.crowd[0],
    }


def plain_url(database_url: str) -> str:
    """Return the address as psycopg itself spells it."""
    return database_url.replace("postgresql+psycopg://", "postgresql://", 1)

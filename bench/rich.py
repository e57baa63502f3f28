"""A rich corner of the population: people who repost, reply, quote and show images, and readers with settings.

Nobody else of the population follows them, is followed by them or is named by them, so that all other readers' pages
stay what they are without it.
"""

from __future__ import annotations

from collections.abc import Iterator

from app.posts.filters.operations import pattern_of
from app.posts.models import COLLAPSE, HIDE
from bench import words

AUTHORS = 60
LOUD = 20  # of them, who write more than half: every rich reader follows them, and they are merged at read
FOLLOWED = 50  # of them, by each rich reader
STRANGERS = 100  # whom no reader follows: what they write arrives by reposts, quotes and replies
DAYS = 20  # over which all this is spread
REPLIES = 20  # below the post whose page is read

# What each entry is, and whose post it leads to: one of the last few hundred. Of what authors write, 20 % are reposts,
# 15 % replies (a fifth of them to strangers, which no reader sees) and 8 % quotes; 10 % have images.
DRAFTS = """
SELECT setseed(0.17);
CREATE TEMPORARY TABLE drafts AS
SELECT n, is_stranger,
       (%(now_ms)s - 60000 - (%(rich_posts)s - n) * (%(rich_days)s * 86400000::bigint / %(rich_posts)s) << 12) + 1 id,
       CASE WHEN is_stranger THEN %(first_stranger)s + floor(%(strangers)s * who)
            ELSE %(first_author)s + floor(%(rich_authors)s * who ^ 2) END::bigint AS author_id,
       kind,
       CASE kind WHEN 'reply' THEN CASE WHEN aim < 0.35 THEN 'own' WHEN aim < 0.8 THEN 'author' ELSE 'stranger' END
                 WHEN 'repost' THEN CASE WHEN aim < 0.2 THEN 'author' ELSE 'stranger' END
                 WHEN 'quote' THEN CASE WHEN aim < 0.5 THEN 'author' ELSE 'stranger' END END AS aims_at,
       (600 * distance)::int AS distance,
       kind <> 'repost' AND pictured < 0.125 AS is_pictured,
       CASE WHEN kind <> 'repost' THEN (30 * liked ^ 4)::int ELSE 0 END AS likes
FROM (
    SELECT n, stranger < 0.2 AS is_stranger, who, aim, distance, pictured, liked,
           CASE WHEN stranger < 0.2 THEN 'post' WHEN kind < 0.2 THEN 'repost' WHEN kind < 0.35 THEN 'reply'
                WHEN kind < 0.43 THEN 'quote' ELSE 'post' END AS kind
    FROM (SELECT n, random() AS stranger, random() AS who, random() AS kind, random() AS aim, random() AS distance,
                 random() AS pictured, random() AS liked FROM generate_series(1, %(rich_posts)s) AS n) AS drawn
) AS decided;
CREATE INDEX ON drafts (is_stranger, n) WHERE kind = 'post';
CREATE INDEX ON drafts (author_id, n) WHERE kind = 'post';
ANALYZE drafts
"""

# Nobody reposts a post twice: of several such drafts the first one counts.
POSTS = """
INSERT INTO posts (id, author_id, text, repost_of_id, quote_of_id, reply_to_id, reply_to_author_id, thread_id)
SELECT drafts.id, author_id,
       CASE WHEN kind = 'repost' THEN ''
            ELSE initcap(left(a.words, 1)) || substr(a.words, 2) || ', ' || b.words
              || CASE WHEN drafts.n %% 5 = 0 THEN ' #rich' || drafts.n %% 400 ELSE '' END
              || CASE WHEN drafts.n %% 10 = 1 THEN ' @person_' || %(first_author)s + drafts.n %% %(rich_authors)s
                 ELSE '' END
              || CASE WHEN drafts.n %% 20 = 2 THEN ' https://example.org/leaves/' || drafts.n ELSE '' END
              || '. Leaf ' || drafts.n END,
       CASE kind WHEN 'repost' THEN target.id END,
       CASE kind WHEN 'quote' THEN target.id END,
       CASE kind WHEN 'reply' THEN target.id END,
       CASE kind WHEN 'reply' THEN target.author END,
       CASE kind WHEN 'reply' THEN target.id END
FROM drafts
JOIN fragments AS a ON a.n = drafts.n::bigint * 40503 %% %(pieces)s
JOIN fragments AS b ON b.n = drafts.n::bigint * 25717 %% %(pieces)s
LEFT JOIN LATERAL (
    SELECT own.id, own.author_id AS author FROM drafts AS own
    WHERE own.author_id = drafts.author_id AND own.n < drafts.n AND own.kind = 'post'
    ORDER BY own.n DESC LIMIT 1
) AS own ON aims_at = 'own'
LEFT JOIN LATERAL (
    SELECT theirs.id, theirs.author_id AS author FROM drafts AS theirs
    WHERE theirs.is_stranger = (drafts.aims_at = 'stranger') AND theirs.kind = 'post'
      AND theirs.n < drafts.n - drafts.distance
    ORDER BY theirs.n DESC LIMIT 1
) AS theirs ON aims_at IN ('author', 'stranger')
CROSS JOIN LATERAL (SELECT coalesce(own.id, theirs.id), coalesce(own.author, theirs.author)) AS target (id, author)
WHERE kind = 'post' OR target.id IS NOT NULL
ORDER BY drafts.n
ON CONFLICT DO NOTHING
"""

IMAGES = """
INSERT INTO post_images (id, owner_id, post_id, position, file, width, height, alt)
SELECT id + position, author_id, id, position, 'bench_' || id || '_' || position, 1200, 800 + 100 * (n %% 8),
       CASE WHEN n %% 2 = 0 THEN 'A heron on the weir, seen from the bridge' ELSE '' END
FROM drafts, generate_series(0, CASE WHEN n %% 3 = 0 THEN 1 ELSE 0 END) AS position
WHERE is_pictured AND EXISTS (SELECT FROM posts WHERE posts.id = drafts.id)
"""

LIKES = """
INSERT INTO likes (post_id, user_id, id)
SELECT id, %(first_of_crowd)s + (n * 31 + number * 97) %% %(crowd)s, id + number
FROM drafts, generate_series(1, likes) AS number
WHERE EXISTS (SELECT FROM posts WHERE posts.id = drafts.id)
"""

# Authors by their place: the first are the loud ones, whom every reader follows.
READERS_FOLLOW = """
INSERT INTO follows (follower_id, followed_id, id, volume)
SELECT reader, %(first_author)s + place, (%(now_ms)s - n) << 12,
       CASE WHEN place IN (3, 24, 37) THEN 'highlights' WHEN place IN (8, 29, 45) THEN 'no_replies'
            WHEN place IN (12, 31, 50) THEN 'no_reposts' WHEN place IN (6, 27, 41) THEN 'all_replies'
            ELSE 'all' END
FROM unnest(%(rich_readers)s::bigint[]) AS reader, generate_series(0, %(rich_followed)s - 1) AS n,
     LATERAL (SELECT CASE WHEN n < %(loud)s THEN n
                          ELSE %(loud)s + (reader * 13 + n * 7) %% (%(rich_authors)s - %(loud)s) END) AS chosen (place)
"""

READERS_MUTE = """
INSERT INTO mutes (muter_id, muted_id, scope, until)
SELECT reader, muted, scope, now() + make_interval(days => lasts)
FROM unnest(%(rich_readers)s::bigint[]) AS reader,
     (VALUES (%(first_author)s + 5, 'reposts', NULL), (%(first_author)s + 17, 'reposts', 7),
             (%(first_author)s + 38, 'reposts', NULL), (%(first_author)s + 25, 'all', 30),
             (%(first_author)s + 33, 'all', NULL), (%(first_stranger)s + 3, 'all', NULL),
             (%(first_stranger)s + 14, 'all', 7), (%(first_stranger)s + 27, 'all', NULL)) AS mute (muted, scope, lasts);
INSERT INTO muted_conversations (user_id, thread_id)
SELECT reader, thread_id
FROM unnest(%(rich_readers)s::bigint[]) AS reader,
     (SELECT thread_id, row_number() OVER (ORDER BY thread_id DESC) AS number
        FROM (SELECT DISTINCT thread_id FROM posts WHERE thread_id IS NOT NULL) AS threads) AS numbered
WHERE number <= 100 AND (number + reader) %% 10 = 0
"""

READERS_BLOCK = """
INSERT INTO blocks (blocker_id, blocked_id)
SELECT reader, %(first_stranger)s + 50 + n FROM unnest(%(rich_readers)s::bigint[]) AS reader, generate_series(0, 4) AS n
UNION ALL
SELECT %(first_stranger)s + 60 + n, reader FROM unnest(%(rich_readers)s::bigint[]) AS reader, generate_series(0, 2) AS n
"""

READERS_REACT = """
CREATE TEMPORARY TABLE recent AS
SELECT reader, drafts.id, n + reader AS number, row_number() OVER (PARTITION BY drafts.id ORDER BY reader) AS place
FROM unnest(%(rich_readers)s::bigint[]) AS reader, drafts JOIN posts USING (id)
WHERE kind = 'post' AND n BETWEEN %(rich_posts)s - 1600 AND %(rich_posts)s - 20;
INSERT INTO likes (post_id, user_id, id) SELECT id, reader, id + 1 FROM recent WHERE number %% 9 = 0;
INSERT INTO bookmarks (post_id, user_id, id) SELECT id, reader, id + 1 FROM recent WHERE number %% 40 = 0;
INSERT INTO posts (id, author_id, text, repost_of_id)
SELECT id + (600000::bigint << 12) + place, reader, '', id FROM recent WHERE number %% 60 = 0
"""

# A conversation of its own, a month ago: nine answers, one of them its author's, and answers below these.
CONVERSATION = """
CREATE TEMPORARY TABLE conversation AS
SELECT number, parent, ((%(now_ms)s - 30 * 86400000::bigint + number * 60000) << 12) + 1 AS id,
       CASE WHEN number IN (0, 4, 13) THEN %(asker)s ELSE %(first_author)s + number %% 7 END AS author_id
FROM (VALUES (0, NULL), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 1), (11, 1),
             (12, 2), (13, 3), (14, 5), (15, 5), (16, 7), (17, 10), (18, 12), (19, 13), (20, 14)
     ) AS tree (number, parent);
INSERT INTO posts (id, author_id, text, reply_to_id, reply_to_author_id, thread_id)
SELECT this.id, this.author_id, 'So say I, ' || a.words || ', ' || b.words, above.id, above.author_id, first.id
FROM conversation AS this
LEFT JOIN conversation AS above ON above.number = this.parent
LEFT JOIN conversation AS first ON first.number = 0 AND this.number > 0
JOIN fragments AS a ON a.n = this.number * 13
JOIN fragments AS b ON b.n = this.number * 17 + 5
"""

POST_COUNTERS = """
INSERT INTO post_counters (post_id, likes, replies, reposts, quotes, all_reposts)
SELECT post_id, sum(likes), sum(replies), sum(reposts), sum(quotes), sum(reposts)
FROM (
    SELECT post_id, 1, 0, 0, 0 FROM likes
    UNION ALL SELECT reply_to_id, 0, 1, 0, 0 FROM posts WHERE reply_to_id IS NOT NULL
    UNION ALL SELECT repost_of_id, 0, 0, 1, 0 FROM posts WHERE repost_of_id IS NOT NULL
    UNION ALL SELECT quote_of_id, 0, 0, 0, 1 FROM posts WHERE quote_of_id IS NOT NULL
) AS counted (post_id, likes, replies, reposts, quotes)
GROUP BY post_id
"""

STATEMENTS = (
    *(DRAFTS, POSTS, IMAGES, LIKES, READERS_FOLLOW, READERS_MUTE, READERS_BLOCK, READERS_REACT, CONVERSATION),
    POST_COUNTERS,
)

# By their rank in the vocabulary: together they are in about every tenth post.
FILTERED_RANKS = (60, 80, 100, 120, 150, 200, 250, 300, 350, 400, 500, 600, 800, 1000, 1500, 2000, 3000)
FILTERED_PHRASES = ("heron the", "the bread", "train of")
FOLLOWED_TAGS = [f"tag{number}" for number in range(5, 400, 40)]

FILTER = """
INSERT INTO word_filters (user_id, phrase, pattern, is_whole_word, action)
VALUES (%(filtering)s, %(phrase)s, %(pattern)s, %(is_whole_word)s, %(action)s)
"""
TAG_FOLLOWS = "INSERT INTO tag_follows (user_id, tag) SELECT %(filtering)s, tag FROM unnest(%(tags)s::text[]) AS tag"


def filters() -> Iterator[dict[str, object]]:
    """Yield twenty word filters: two of three hide, the others collapse; every fourth finds parts of words, too."""
    vocabulary = words.vocabulary()
    phrases = [*FILTERED_PHRASES, *(vocabulary[rank] for rank in FILTERED_RANKS)]
    for number, phrase in enumerate(phrases):
        is_whole_word = number % 4 != 0
        yield {
            "phrase": phrase,
            "pattern": pattern_of(phrase, is_whole_word=is_whole_word),
            "is_whole_word": is_whole_word,
            "action": COLLAPSE if number % 3 == 0 else HIDE,
        }

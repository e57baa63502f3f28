"""Find posts and people by their words."""

from __future__ import annotations

from alembic import op

revision = "0013"
down_revision = "0012"

# Letters that Unicode does not take apart into a plain one and a mark.
LETTERS = {"ß": "ss", "æ": "ae", "œ": "oe", "þ": "th"}
SINGLE_LETTERS, PLAIN_LETTERS = "øłđðħı", "olddhi"
# Accents of Latin, Greek and Cyrillic; vowel signs of Hebrew and Arabic, which most people do not write; the mark that
# asks for the coloured shape of a symbol.
MARKS = r"\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\ufe00-\ufe0f"
# Written without spaces (Chinese, Japanese, Korean), and symbols: each is a word, and a word of several is a phrase.
SINGLE = (
    r"\u2190-\u2bff\u3005-\u3007\u3041-\u309a\u309d-\u30fa\u30fc-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff"
    r"\U0001f000-\U0001faff\U00020000-\U0003ffff"
)
# Punctuation, so that the parser of Postgres sees words and nothing that it would call an address, a path or a tag.
BETWEEN = (
    r"!-/:-@\[-`{-~\u0080-\u00bf\u00d7\u00f7\u037e\u0387\u055a-\u055f\u0589\u05be\u05c0\u05c3\u060c\u061b\u061f\u06d4"
    r"\u0964\u0965\u2000-\u206f\u20a0-\u20cf\u3000-\u3004\u3008-\u303f\u30fb"
)


def _steps() -> str:
    """Return the expression that makes one plain spelling of what people write in many."""
    value = f"translate(lower(value), '{SINGLE_LETTERS}', '{PLAIN_LETTERS}')"
    for letter, letters in LETTERS.items():
        value = f"replace({value}, '{letter}', '{letters}')"
    without_marks = f"normalize(regexp_replace(normalize({value}, NFKD), '[{MARKS}]', '', 'g'), NFC)"
    return f"regexp_replace({without_marks}, '([{SINGLE}])', ' \\1 ', 'g')"


# Most texts of most sites are plain ASCII, and need none of the steps for the others.
PLAIN_WORDS = f"""
CREATE FUNCTION plain_words(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN regexp_replace(
    CASE WHEN octet_length(value) = length(value) THEN value ELSE {_steps()} END,
    '[{BETWEEN}]+', ' ', 'g'
)
"""


def upgrade() -> None:
    op.execute(PLAIN_WORDS)
    for table, value in (("posts", "warning || ' ' || text"), ("users", "handle || ' ' || name")):
        op.execute(
            f"ALTER TABLE {table} ADD COLUMN words tsvector NOT NULL "
            f"GENERATED ALWAYS AS (to_tsvector('simple', plain_words({value}))) STORED"
        )
        # Without the list of pending entries: a search would read through it, and one post adds few words.
        op.execute(f"CREATE INDEX ix_{table}_words ON {table} USING gin (words) WITH (fastupdate = off)")


def downgrade() -> None:
    for table in ("users", "posts"):
        op.execute(f"ALTER TABLE {table} DROP COLUMN words")
    op.execute("DROP FUNCTION plain_words(text)")

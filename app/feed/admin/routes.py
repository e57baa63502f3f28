"""The feed, as the person who runs the site sees it: how fast it travels, and why a post is where it is."""

from __future__ import annotations

from datetime import datetime, timedelta

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from app.accounts.queries import user_by_handle
from app.core import clock
from app.core.database import reads_only
from app.core.ids import MAX_ID
from app.extensions import db
from app.feed.admin import lag
from app.feed.admin.charts import Bar, bars
from app.feed.explain import doctor
from app.feed.explain.findings import Explanation
from app.posts.models import Post
from app.web.admin import admin_page

bp = Blueprint("feed_admin", __name__, url_prefix="/admin")

SHOWN = timedelta(hours=1)


@bp.get("/feed")
@admin_page("Feed", "How fast posts arrive, and why one is in a feed or not", place=9)
@reads_only
def feed() -> ResponseReturnValue:
    """Show lag and open work, and answer "why is this post (not) in that feed?"."""
    stats = lag.stats(past=SHOWN)
    reader, post = request.args.get("reader", "").strip(), request.args.get("post", "").strip()
    explanation, problem = _explain(reader, post) if reader or post else (None, None)
    return render_template(
        "feed/admin.html",
        stats=stats,
        chart=_chart(stats, clock.now()),
        reader=reader,
        post=post,
        explanation=explanation,
        problem=problem,
    ), 422 if problem else 200


def _chart(stats: lag.Stats, now: datetime) -> list[Bar]:
    worst = {int((now - minute.minute) / timedelta(minutes=1)): minute.worst_ms for minute in stats.minutes}
    return bars([worst.get(ago, 0) for ago in range(59, -1, -1)])


def _explain(handle: str, post_words: str) -> tuple[Explanation | None, str | None]:
    """Find reader and post by what was typed: a handle, and an id or the address of a post."""
    reader = user_by_handle(handle.removeprefix("@"))
    if reader is None:
        return None, f"There’s nobody called @{handle.removeprefix('@')}."
    digits = post_words.rstrip("/").rsplit("/", 1)[-1]
    post = (
        db.session.get(Post, int(digits)) if digits.isascii() and digits.isdigit() and int(digits) <= MAX_ID else None
    )
    if post is None:
        return None, "There’s no such post. Enter its link or the number at the end of it."
    return doctor.explain(reader, post), None

"""What a full window takes in memory, and what it costs to keep it packed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from redis import Redis

from app.feed.timelines import keys as timeline
from app.feed.timelines import transport
from bench import windows
from bench.load import WrongAnswer
from bench.report import Bar, Figure, ratio
from bench.rounds import in_turns
from bench.stage import Stage

WINDOWS = 5_000
PUSHES = 8  # per window and round
UNPACKED = b"skiplist"
LIMIT = "zset-max-listpack-entries"


def measure(stage: Stage) -> Iterator[Figure]:
    """Weigh the windows of the crowd; then push into packed and unpacked copies of them."""
    client, most = stage.redis, Bar(most=21)
    some = stage.cast.crowd[:: len(stage.cast.crowd) // WINDOWS]  # some that were written to, and some that were not
    keys = [timeline.home_key(stage.crowd.generation, user_id) for user_id in some]
    windows.check_packed(client, keys)
    name = "memory per entry in a full window, packed"
    yield Figure(f"{name}: MEMORY USAGE of each key", _bytes_per_entry(client, keys), unit="bytes", bar=most)
    grown = stage.crowd.used_bytes / stage.crowd.entries
    counted = {"windows": float(len(stage.cast.crowd)), "MB": stage.crowd.used_bytes / 1e6}
    yield Figure("the same: by which the server's used_memory grew", grown, unit="bytes", bar=most, behind=counted)
    packed, unpacked = _copies(client, keys, "packed"), _unpacked_copies(client, keys)
    rates = in_turns(
        {"packed": lambda: _push(stage, packed), "unpacked": lambda: _push(stage, unpacked)},
        rounds=stage.scale.rounds,
    )
    windows.check_packed(client, packed)
    windows.check_packed(client, unpacked, UNPACKED)
    yield ratio(
        "timeline writes/s into packed windows, against the same into skiplists",
        ("packed, writes/s", rates["packed"]),
        ("skiplists", rates["unpacked"]),
        beside={"skiplists, bytes per entry": [_bytes_per_entry(client, unpacked)]},
    )
    windows.send(client, [("UNLINK", key) for key in (*packed, *unpacked)])


def _bytes_per_entry(client: Redis, keys: Sequence[str]) -> float:
    used: list[int] = windows.send(client, [("MEMORY", "USAGE", key, "SAMPLES", 0) for key in keys])
    entries: list[int] = windows.send(client, [("ZCARD", key) for key in keys])
    return sum(used) / sum(entries)


def _copies(client: Redis, keys: Sequence[str], kind: str) -> list[str]:
    """Copy windows by way of their dumps, so that each is encoded as the server would do it now."""
    names = [f"bench:{kind}:{key}" for key in keys]
    dumps = windows.send(client, [("DUMP", key) for key in keys])
    kept = 1000 * timeline.KEPT_SECONDS
    windows.send(client, [("RESTORE", name, kept, dump) for name, dump in zip(names, dumps, strict=True)])
    return names


def _unpacked_copies(client: Redis, keys: Sequence[str]) -> list[str]:
    allowed = str(client.config_get(LIMIT)[LIMIT])
    client.config_set(LIMIT, 0)
    try:
        return _copies(client, keys, "unpacked")
    finally:
        client.config_set(LIMIT, allowed)


def _push(stage: Stage, keys: Sequence[str]) -> float:
    """Push some ids, newer than all there are, into each window; trims happen as they do in operation."""
    first = stage.next_ids(PUSHES)
    with stage.app.app_context():
        trips = [list(timeline.push(keys, [entry_id])) for entry_id in first]
    begun = time.perf_counter()
    written = sum(sum(transport.send(stage.redis, trip)) for trip in trips)
    if written != PUSHES * len(keys):
        raise WrongAnswer(f"{written} timelines were written instead of {PUSHES * len(keys)}")
    return written / (time.perf_counter() - begun)

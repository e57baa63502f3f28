"""F5, F6 on real processes: kill -9 of the worker in the middle of a batch. What it had begun is done all the same."""

from __future__ import annotations

import pytest

from tests.faults import seams
from tests.faults.town import FOLLOWERS, Town
from tests.runtime.processes import eventually

# How often the worker passes each moment before it is in the middle: a first post alone, then the others as a batch.
MIDDLES = {seams.WORKER_BETWEEN_TRIPS: 8, seams.WORKER_BEFORE_COMMIT: 1, seams.WORKER_BEFORE_HINT: 0}


@pytest.mark.parametrize("moment", MIDDLES)
def test_a_worker_killed_in_the_middle_of_a_batch_loses_nothing(town: Town, moment: str) -> None:
    with town.paused("worker.py work"):  # so that there is more than one post for it to do
        posts = [author.write("hello") for author in (town.alice, town.dana, town.alice)]
        seams.arm(town.site.data, moment, passes=MIDDLES[moment])
        town.site.pause()  # nobody starts the worker again before we have looked
    try:
        eventually(lambda: seams.has_died(town.site.data, moment) and not town.runs("worker.py work"))
        assert town.open_rows() == len(posts)
        assert 0 < sum(map(town.homes_with, posts)) < len(posts) * FOLLOWERS
        assert set(posts) <= set(town.bob.get("/").entries), "a feed is complete while every worker is down"
    finally:
        town.site.resume()
    town.come_to_rest()
    assert [town.homes_with(post) for post in posts] == [FOLLOWERS + 1] * len(posts)  # the author's own, too
    town.verify()

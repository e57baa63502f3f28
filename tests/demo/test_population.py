"""The made-up population as a whole: believable, valid, the same every time."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest

from app.accounts.forms import MAX_BIO, MAX_NAME
from app.accounts.handles import is_reserved
from app.accounts.operations import normalise_email
from app.core import ids
from app.core.text import clean, clean_line, count_characters, mentioned_handles
from app.demo.moments import daypart
from app.demo.people import ADMIN, CELEBRITY, MARKER, NEWCOMER, READER
from app.demo.population import SEED, Population, make_population
from app.demo.scenes import MAX_PICTURES, pictured
from app.posts.writing.operations import checked_text
from config import ROOT
from tests.demo.conftest import CELEBRITY_NEEDS, LONGEST, NOW


def make_now(seed: int = SEED, *, celebrity_needs: int = CELEBRITY_NEEDS, longest: int = LONGEST) -> Population:
    return make_population(now=NOW, celebrity_needs=celebrity_needs, longest=longest, seed=seed)


def share_of_busiest(counts: Counter[str], part: float) -> float:
    """Return which share of all the busiest part has."""
    ordered = sorted(counts.values(), reverse=True)
    return sum(ordered[: round(len(ordered) * part)]) / sum(ordered)


def fingerprint(population: Population) -> str:
    """Return a digest of everything that is stored."""
    people = [(person.handle, person.name, person.bio, person.joined) for person in population.people]
    return sha256(repr((people, population.followings, population.posts)).encode()).hexdigest()


def test_same_seed_and_moment_make_the_same_population(population: Population) -> None:
    code = "from tests.demo import test_population as t; print(t.fingerprint(t.make_now()))"
    # Another process, because the order of sets is the same within one.
    env = {**os.environ, "PYTHONHASHSEED": "20260714"}
    again = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    assert again.stdout.strip() == fingerprint(population)


def test_another_seed_makes_other_people(population: Population) -> None:
    other = make_now(7)
    assert [person.name for person in other.people] != [person.name for person in population.people]


def test_accounts_are_as_people_could_have_made_them(population: Population) -> None:
    handles = [person.handle.lower() for person in population.people]
    assert len(set(handles)) == len(handles) >= 320
    assert [handle for handle in handles if is_reserved(handle)] == [MARKER]
    for person in population.people:
        assert normalise_email(f"{person.handle.lower()}@example.org")
        assert person.name == clean_line(person.name) and 0 < count_characters(person.name) <= MAX_NAME
        assert person.bio == clean(person.bio) and count_characters(person.bio) <= MAX_BIO
    assert 30 < sum(not person.bio for person in population.people) < 110


def test_people_join_in_order_and_only_the_admin_is_one(population: Population) -> None:
    joined = [person.joined for person in population.people]
    assert joined == sorted(joined)
    assert [person.handle for person in population.people if person.role == "admin"] == [ADMIN]


def test_posts_are_valid_and_hardly_ever_the_same(population: Population) -> None:
    texts = [post.text for post in population.posts]
    assert len(texts) > 5500
    assert all(checked_text(text, longest=LONGEST) == text for text in texts)
    assert len(set(texts)) >= 0.97 * len(texts)


def test_neighbouring_posts_do_not_start_alike(population: Population) -> None:
    newest = [post.text for post in population.posts if post.author != "alderbrook_weather"][-200:]
    starts = Counter(text[:40] for text in newest)
    assert starts.most_common(1)[0][1] <= 2


def test_posts_have_all_sizes_links_tags_mentions_and_line_breaks(population: Population) -> None:
    texts = [post.text for post in population.posts]
    assert sum(len(text) > 300 for text in texts) >= 20
    assert sum(len(text) < 60 for text in texts) >= 500
    for mark in ("https://example.org/", " #", "@", "\n"):
        assert sum(mark in text for text in texts) >= 40


def test_nobody_writes_before_joining_or_in_the_future(population: Population) -> None:
    joined = {person.handle: person.joined for person in population.people}
    moments = [post.moment for post in population.posts]
    assert moments == sorted(moments)
    assert all(joined[post.author] <= post.moment < NOW for post in population.posts)
    assert NOW - moments[-1] < timedelta(minutes=10)
    assert moments[0] >= NOW - timedelta(weeks=6)


def test_people_write_more_by_day_than_by_night(population: Population) -> None:
    home = {person.handle: person.home for person in population.people}
    parts = Counter(daypart(home[post.author].local(post.moment).hour) for post in population.posts)
    assert parts["night"] < 0.15 * len(population.posts)


def test_mentions_name_people_who_are_there(population: Population) -> None:
    joined = {person.handle.lower(): person.joined for person in population.people}
    for post in population.posts:
        for handle in mentioned_handles(post.text):
            assert handle in joined, post.text
            assert joined[handle] <= post.moment or handle == NEWCOMER


def test_a_few_have_most_followers_and_write_most(population: Population) -> None:
    followers = Counter(following.followed for following in population.followings)
    posts = Counter(post.author for post in population.posts)
    assert share_of_busiest(followers, 0.1) > 0.26
    assert share_of_busiest(posts, 0.1) > 0.3
    (first, most), (_, second) = followers.most_common(2)
    assert first == CELEBRITY and most >= CELEBRITY_NEEDS > second


def test_most_follow_some_dozens_and_a_few_follow_hundreds(population: Population) -> None:
    following = Counter(following.follower for following in population.followings)
    usual = [count for count in following.values() if 10 <= count <= 65]
    assert len(usual) > 0.75 * len(following)
    assert 2 <= sum(count >= 200 for count in following.values()) <= 25


def test_the_cast_is_as_the_logins_say(population: Population) -> None:
    following = Counter(following.follower for following in population.followings)
    pairs = {(following.follower, following.followed) for following in population.followings}
    assert 70 <= following[READER] <= 90
    assert (READER, CELEBRITY) in pairs
    assert following[NEWCOMER] == 0
    assert not [post for post in population.posts if post.author == NEWCOMER]


def test_follows_are_unique_and_after_both_have_joined(population: Population) -> None:
    joined = {person.handle: person.joined for person in population.people}
    pairs = [(following.follower, following.followed) for following in population.followings]
    assert len(set(pairs)) == len(pairs)
    for following in population.followings:
        assert following.follower != following.followed
        assert max(joined[following.follower], joined[following.followed]) <= following.moment < NOW


def test_a_celebrity_beyond_the_town_is_followed_by_everybody_but_the_newcomer() -> None:
    population = make_now(celebrity_needs=10_000)
    fans = {following.follower for following in population.followings if following.followed == CELEBRITY}
    everybody = {person.handle for person in population.people}
    assert fans == everybody - {CELEBRITY, NEWCOMER, MARKER}


@pytest.mark.parametrize("now", [datetime(2026, 1, 3, 9, tzinfo=UTC), datetime(2027, 2, 1, 23, tzinfo=UTC)])
def test_nothing_lies_before_the_first_id(now: datetime) -> None:
    population = make_population(now=now, celebrity_needs=CELEBRITY_NEEDS, longest=LONGEST)
    assert min(post.moment for post in population.posts) >= ids.EPOCH
    assert max(post.moment for post in population.posts) < now
    assert all(person.joined < now for person in population.people)


def test_a_shorter_limit_for_posts_is_kept() -> None:
    population = make_now(longest=120)
    assert len(population.posts) > 3000
    assert max(count_characters(post.text) for post in population.posts) <= 120


def test_people_answer_each_other_after_the_fact(population: Population) -> None:
    answers = [post for post in population.posts if post.answers]
    assert len(answers) > 200
    assert all(post.answers and post.answers.moment < post.moment for post in answers)


def test_some_posts_are_reposted_by_several_and_some_are_quoted(population: Population) -> None:
    reposts = Counter(repost.post for repost in population.reposts)
    assert 200 < sum(reposts.values()) < len(population.likes) / 5
    assert max(reposts.values()) >= 4
    assert len({(repost.post, repost.handle) for repost in population.reposts}) == len(population.reposts)
    assert all(population.posts[repost.post].moment < repost.moment < NOW for repost in population.reposts)
    assert len(population.quotes) > 30
    assert all(quote.quotes and quote.quotes.moment < quote.moment < NOW for quote in population.quotes)


def test_pictures_belong_to_posts_that_speak_of_what_they_show(population: Population) -> None:
    pictures = list(pictured(population.posts))
    assert len(pictures) == MAX_PICTURES and len({scene.alt for _, scene in pictures}) >= 4
    assert all(scene.words.search(post.text) for post, scene in pictures)


def test_there_are_threads_in_which_many_talk(population: Population) -> None:
    """A visitor of the demo finds a conversation, not only pairs: with branches, and answers to answers."""
    first = {id(post): post for post in population.posts if not post.answers}
    answers: Counter[int] = Counter()
    for post in population.posts:
        root = post
        while root.answers:
            root = root.answers
        answers[id(root)] += post is not root
    largest = [first[root] for root, number in answers.most_common(5) if number >= 6]
    assert len(largest) == 5
    assert sum(post.author == CELEBRITY for post in largest) >= 2

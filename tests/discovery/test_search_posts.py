"""Posts are found by what is in them, by those who may see them, in pages that hold still."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import text

from app.core import clock, ids
from app.discovery.search import posts as search_posts
from app.extensions import db
from tests.discovery.searching import found, search
from tests.people import PASSWORD, Member, entries, next_link
from tests.sql import statements


def written(app: Flask, author: Member, words: str, *, days_ago: float) -> int:
    """Let somebody have written something some time ago."""
    post = ids.id_at(clock.now() - timedelta(days=days_ago)) + 1
    insert = "INSERT INTO posts (id, author_id, text) VALUES (:id, :author, :words)"
    with app.app_context():
        db.session.execute(text(insert), {"id": post, "author": author.id, "words": words})
        db.session.commit()
    return post


def day(days_ago: int) -> str:
    return (clock.now() - timedelta(days=days_ago)).date().isoformat()


# ---- Words


HERON = (
    "A grey heron stands on the weir again. #birds Crème brûlée in the Hauptstraße, 今日は東京に行く, ПРИВЕТ! 🎉 "
    "https://example.org/notes @bob"
)
FINDS_IT = [
    "heron",
    "HERON",
    "grey heron",
    "weir grey",
    "hero",
    "her*",
    '"grey heron"',
    "heron -coffee",
    "-coffee",
    'heron -"heron grey"',
    "#birds",
    "birds",
    "heron #birds",
    "creme brulee",
    "CRÈME Brûlée",
    "hauptstrasse",
    "Hauptstraße",
    "東京",
    "🎉",
    "example.org",
    "https://example.org/notes",
    "example",
    "@bob",
    "привет",
    "from:@alice heron",
    "from:@bob from:@alice heron",
    "heron & weir | (grey) !birds :*",
]
MISSES_IT = [
    "heron coffee",
    "her",
    "heron's",
    '"heron grey"',
    '"grey hero"',
    "heron -weir",
    'heron -"grey heron"',
    "#bird",
    "heron -#birds",
    "京東",
    "from:@bob heron",
    "-from:@alice heron",
    "'; DROP TABLE posts; --",
]


def test_a_post_is_found_by_what_is_in_it(alice: Member, bob: Member) -> None:
    post = alice.write(HERON)
    assert [typed for typed in FINDS_IT if found(bob, typed) != [post]] == []
    assert [typed for typed in MISSES_IT if found(bob, typed)] == []


def test_a_deleted_post_and_an_earlier_text_are_found_no_more(app: Flask, alice: Member, bob: Member) -> None:
    gone, changed = alice.write("the first heron"), alice.write("the second heron")
    alice.delete(gone)
    assert found(bob, "heron") == [changed]
    with app.app_context():
        db.session.execute(text("UPDATE posts SET text = 'a swift', edited_at = now() WHERE id = :id"), {"id": changed})
        db.session.commit()
    assert (found(bob, "heron"), found(bob, "swift")) == ([], [changed])


def test_a_warning_is_searched_too(alice: Member, bob: Member) -> None:
    alice.send("/posts", fragment=True, text="it was all a dream", warning="The ending of a film")
    assert len(found(bob, "ending dream")) == 1


def test_a_quote_and_an_answer_are_found_by_their_own_words_and_a_repost_never(alice: Member, bob: Member) -> None:
    post = alice.write("a heron")
    assert bob.send(f"/posts/{post}/repost").status_code == 303
    quote = entries(bob.send("/posts", fragment=True, text="such a bird", quote_of=post).text)[0]
    answer = entries(bob.send("/posts", fragment=True, text="what a bird", reply_to=post).text)[0]
    assert found(alice, "heron") == [post]
    assert sorted(found(alice, "bird")) == sorted([quote, answer])
    assert sorted(found(alice, "from:@bob")) == sorted([quote, answer])


# ---- Operators


def test_from_me_is_whoever_asks(alice: Member, bob: Member, stranger: Member) -> None:
    mine, theirs = alice.write("heron one"), bob.write("heron two")
    assert (found(alice, "heron from:me"), found(bob, "heron from:me")) == ([mine], [theirs])
    assert found(alice, "heron -from:me") == [theirs]
    page = stranger.get(search("heron from:me"))
    assert "“from:me” only works when you’re logged in, so it was ignored." in page.text
    assert len(entries(page.text)) == 2


def test_images_are_asked_for_with_has(alice: Member, bob: Member) -> None:
    plain, illustrated = alice.write("heron"), alice.write("heron, look", images=alice.upload())
    assert alice.upload() and found(bob, "has:image") == [illustrated]
    assert found(bob, "heron has:image") == [illustrated]
    assert found(bob, "heron -has:image") == [plain]
    assert found(bob, "has:image -has:image") == []


def test_dates_bound_from_a_day_on_and_before_a_day(app: Flask, alice: Member, bob: Member) -> None:
    old, older, oldest = (written(app, alice, "heron", days_ago=number + 0.001) for number in (1, 3, 5))
    new = alice.write("heron")
    assert found(bob, f"heron before:{day(2)}") == [older, oldest]
    assert set(found(bob, f"heron after:{day(2)}")) == {new, old}
    assert found(bob, f"after:{day(4)} before:{day(2)}") == [older]
    assert found(bob, f"heron after:{day(4)} before:{day(2)} before:{day(1)} after:{day(6)}") == [older]
    assert found(bob, "heron before:2026") == found(bob, "heron after:9999-12-31") == []


def test_the_first_moment_of_a_day_belongs_to_it(app: Flask, alice: Member, bob: Member) -> None:
    midnight = clock.now().replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=2)
    post = written(app, alice, "heron", days_ago=(clock.now() - midnight) / timedelta(days=1))
    assert ids.time_of(post) == midnight
    assert found(bob, f"heron after:{day(2)}") == [post]
    assert found(bob, f"heron before:{day(2)}") == []


def test_everything_can_be_put_together(app: Flask, alice: Member, bob: Member, carol: Member) -> None:
    post = alice.write('the grey heron and "friends" #birds')
    for words in ("the grey heron, without a tag", "the grey heron and a gull #birds", "heron grey #birds"):
        alice.write(words)
    carol.write("the grey heron #birds")
    assert found(bob, f'"grey heron" -gull #birds from:@alice after:{day(1)} before:9999 frie*') == [post]


# ---- Who sees what


def test_whoever_may_not_see_a_post_does_not_find_it(
    alice: Member, bob: Member, carol: Member, mallory: Member, stranger: Member
) -> None:
    post = alice.write("a heron #birds")
    for typed in ("heron", "#birds", "from:@alice", "-gull"):
        assert found(stranger, typed) == found(bob, typed) == found(carol, typed) == found(alice, typed) == [post]
        assert found(mallory, typed) == []
    theirs = mallory.write("another heron")
    assert found(alice, "heron") == [post]
    assert found(bob, "heron") == [theirs, post]


def test_muted_people_are_found_only_by_name(alice: Member, bob: Member) -> None:
    post = alice.write("a heron")
    bob.mute(alice)
    assert found(bob, "heron") == []
    assert found(bob, "heron from:@alice") == [post], "as on their profile"
    assert found(bob, "heron -from:@carol") == []


@pytest.mark.parametrize("audience", ["followers", "mentioned"])
def test_what_is_not_for_everyone_is_found_by_those_it_is_for(
    alice: Member, bob: Member, carol: Member, stranger: Member, audience: str
) -> None:
    post = alice.write("a heron for @bob", audience=audience)
    assert found(bob, "heron") == found(alice, "heron") == [post]
    assert found(carol, "heron") == found(stranger, "heron") == found(carol, "from:@alice heron") == []


def test_the_posts_of_private_and_deleted_accounts_are_not_found(
    app: Flask, alice: Member, bob: Member, carol: Member, stranger: Member
) -> None:
    post, other = alice.write("a heron"), carol.write("another heron")
    with app.app_context():
        db.session.execute(text("UPDATE users SET is_private = true WHERE id = :id"), {"id": alice.id})
        db.session.commit()
    assert found(bob, "heron") == [other, post]
    assert found(stranger, "heron") == [other]
    assert carol.send("/settings/delete", current_password=PASSWORD).status_code == 303
    assert found(bob, "heron") == [post]
    assert "There’s nobody called @carol here whose posts you can see." in bob.get(search("from:@carol")).text


def test_whom_one_is_blocked_by_looks_like_nobody(alice: Member, mallory: Member) -> None:
    alice.write("a heron")
    sentences = [mallory.get(search(f"from:@{handle} heron")).text for handle in ("alice", "alicf")]
    assert sentences[0].replace("alice", "alicf") == sentences[1]
    assert "There’s nobody called @alicf here whose posts you can see." in sentences[1]


# ---- Order and pages


def test_what_matches_better_stands_first_and_of_equals_the_newest(app: Flask, alice: Member, bob: Member) -> None:
    filler = "and then some other words that say nothing about it at all, as people do when they write on and on"
    in_passing = written(app, alice, f"heron {filler} weir", days_ago=1)
    older = written(app, alice, "heron weir", days_ago=3)
    newer = written(app, alice, "heron weir", days_ago=2)
    assert found(bob, "heron weir") == [newer, older, in_passing]


def test_the_very_word_stands_before_longer_ones(app: Flask, alice: Member, bob: Member) -> None:
    very = written(app, alice, "one tomato", days_ago=2)
    longer = written(app, alice, "two tomatoes", days_ago=1)
    assert found(bob, "tomato") == [very, longer]
    assert found(bob, '"tomato"') == [very]


def test_time_counts_more_than_a_better_match_in_the_end(app: Flask, alice: Member, bob: Member) -> None:
    once = alice.write("a heron, seen today")
    twice = written(app, alice, "heron, heron, seen long ago", days_ago=200)
    assert found(bob, "heron") == [once, twice]


@pytest.fixture
def short_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rank twenty-five matches at a time, and look at thirty posts before the index is asked."""
    monkeypatch.setattr(search_posts, "STRETCH", 25)
    monkeypatch.setattr(search_posts, "NEWEST", 30)


@pytest.fixture
def many(alice: Member) -> list[int]:
    """Seventy posts with herons, the better matches at odd places, among others without."""
    posts = []
    for number in range(70):
        words = "a heron " + ("heron " if number % 3 else "") + ("and more words of no weight " * (number % 4))
        posts.append(alice.write(f"{words}{number}"))
        if number % 5 == 0:
            alice.write("nothing of the kind")
    return posts


@pytest.mark.usefixtures("short_stretches")
def test_paging_gives_each_match_once(bob: Member, many: list[int]) -> None:
    pages = list(bob.pages(search("heron")))
    assert [len(page) for page in pages] == [20, 5, 20, 5, 20]
    everything = [post for page in pages for post in page]
    assert sorted(everything) == many
    for start in (0, 25, 50):
        stretch = everything[start : start + 25]
        assert set(stretch) == set(many[::-1][start : start + 25]), "the newest are ranked first"
        assert stretch != sorted(stretch, reverse=True), "by how well they match, not by time alone"
    assert [found(bob, f'heron "{number}"') for number in (0, 69)] == [[many[0]], [many[69]]]


@pytest.mark.usefixtures("short_stretches")
@pytest.mark.parametrize("path", ["/search?q=heron", "/search?q=heron&in=latest"])
def test_a_page_further_down_leads_to_the_first_results(bob: Member, many: list[int], path: str) -> None:
    first = bob.get(path).text
    assert "Show the first" not in first
    page = bob.get(next_link(first) or "").text
    assert f'<a href="{path.replace("&", "&amp;")}">Show the first results</a>' in page
    assert "Show the first" not in bob.get(next_link(first) or "", fragment=True).text


def test_pages_stay_as_they_are_while_others_write_delete_and_hide(
    alice: Member, bob: Member, carol: Member, many: list[int]
) -> None:
    expected = found(bob, "heron")
    shown: list[int] = []
    gone: set[int] = set()
    path: str | None = search("heron")
    while path:
        page = bob.get(path).text
        shown += entries(page)
        path = next_link(page)
        alice.write("heron heron heron, better than all of them")
        carol.write("heron")
        unread = [post for post in expected if post not in shown and post not in gone]
        for post in (unread[3:4] + unread[-2:-1]) if len(unread) > 10 else []:
            alice.delete(post)
            gone.add(post)
    assert gone
    assert sorted(shown) == sorted(set(expected) - gone), "each once, and none that came later"
    assert shown[:20] == expected[:20], "in the order of the first page"


@pytest.mark.usefixtures("short_stretches")
def test_the_same_is_found_near_and_far(bob: Member, many: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Recent posts are looked at one by one, the others through the index."""
    typed = ["heron", '"heron heron"', "heron -more", "heron weig*", "from:@alice -more", "nothing", "heron nothing"]
    here = {words: found(bob, words) for words in typed}
    monkeypatch.setattr(search_posts, "NEWEST", 10_000)
    assert {words: found(bob, words) for words in typed} == here
    monkeypatch.setattr(search_posts, "NEWEST", 0)
    assert {words: found(bob, words) for words in typed} == here
    assert all(here[words] for words in typed[:-1]) and many


def test_a_cursor_holds_for_one_search_and_one_reader(alice: Member, bob: Member, carol: Member) -> None:
    for number in range(25):
        alice.write(f"heron {number}")
    path = next_link(bob.get(search("heron")).text)
    assert path and bob.get(path).status_code == 200
    assert carol.get(path).status_code == 400
    assert bob.get(path.replace("q=heron", "q=herons")).status_code == 400
    assert bob.get(path.replace("in=posts", "in=people")).status_code == 400
    assert bob.get(f"{search('heron')}&cursor=nonsense").status_code == 400


def test_a_page_of_results_costs_the_same_however_many_there_are(
    join: Callable[..., Member], alice: Member, bob: Member
) -> None:
    alice.write("heron 0")
    bob.get(search("heron"))
    with statements() as few:
        bob.get(search("heron"))
    for number in range(30):
        join(f"person{number}").write(f"heron {number}")
    with statements() as many:
        bob.get(search("heron"))
    assert len(many) == len(few)


def test_the_latest_stand_by_their_time_however_well_they_match(app: Flask, alice: Member, bob: Member) -> None:
    old = [written(app, alice, f"heron heron heron {n}", days_ago=20 + n) for n in range(21)]
    new = written(app, alice, f"{'a long walk by the river, and then ' * 8} a heron", days_ago=1)
    hidden = written(app, alice, "a heron to be deleted", days_ago=2)
    alice.delete(hidden)
    assert bob.feed(search("heron", "latest")) == [new, *old]
    assert found(bob, "heron")[0] != new
    assert bob.feed(search(f"heron before:{day(5)}", "latest")) == old

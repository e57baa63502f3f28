"""One rule of the home feed at a time, on each of the ways by which a page comes to be."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

import pytest

from app.core import redis as gate
from app.extensions import redis
from app.feed.home import page as home
from app.feed.home.new_posts import Since
from app.posts.cards.cards import PostCard
from app.posts.cards.pointers import pointers
from tests.feed import schedule
from tests.feed.schedule import Stage
from tests.redis_trips import round_trips
from tests.sql import statements

stage = schedule.stage

FOLLOWERS, MENTIONED = "followers", "mentioned"
HOURS, DAYS = timedelta(hours=1), timedelta(days=1)
FOR_EVER = 10**9


@dataclass
class Town:
    """Ann and Ben, whom the reader follows; Cat, whom nobody follows; and the way in which pages are made."""

    stage: Stage
    path: str
    reader: int
    ann: int
    ben: int
    cat: int

    def feed(self) -> list[int]:
        """Return the reader's home, which is the same in pages of one and from Postgres alone."""
        if self.path == "postgres":
            return self._same_as_postgres()
        self.stage.work()
        self.stage.warm(self.reader)
        return self._same_as_postgres()

    def _same_as_postgres(self) -> list[int]:
        [whole] = self.stage.pages(self.reader, 100)
        assert whole == self.stage.oracle(self.reader)
        assert [entry for page in self.stage.pages(self.reader, 1) for entry in page] == whole
        return whole

    def card(self, entry_id: int) -> PostCard:
        return next(card for card in self.stage.cards(self.reader) if card.entry_id == entry_id)

    def repost(self, who: int, post: int) -> int:
        entry = self.stage.react("repost", who, post)
        assert entry
        return entry

    def named_on(self, entry_id: int) -> list[str]:
        """Return who reposted it, as its card says."""
        return [reposter.handle or "you" for reposter in self.card(entry_id).reposters]


@pytest.fixture(params=["pushed", "pulled", "postgres"])
def town(stage: Stage, request: pytest.FixtureRequest) -> Town:
    """A small town whose authors are pushed, pulled, or read while there is no Redis."""
    reader, ann, ben, cat = stage.begin("town", lambda: _settle(stage))
    town = Town(stage, request.param, reader, ann, ben, cat)
    if town.path == "pulled":
        for author in (ann, ben, cat):
            stage.promote(author)
    if town.path == "postgres":
        stage.monkeypatch.setattr(gate, "OPEN_SECONDS", 3600.0)
        redis._trip(ConnectionError("for the test"))
    return town


def _settle(stage: Stage) -> list[int]:
    people = stage.people("reader", "ann", "ben", "cat")
    stage.follow(*people[:3])
    return people


# ---- replies


def test_a_reply_appears_where_the_reader_follows_both_sides(town: Town) -> None:
    post = town.stage.post(town.ann)
    reply = town.stage.post(town.ben, reply_to=post)
    assert town.feed() == [reply, post]
    assert town.card(reply).answers == "ann"
    town.stage.relate("unfollow", town.reader, town.ann)
    assert town.feed() == []


def test_a_reply_to_somebody_whom_the_reader_does_not_follow_does_not_appear(town: Town) -> None:
    post = town.stage.post(town.cat)
    reply = town.stage.post(town.ann, reply_to=post)
    assert town.feed() == []
    town.stage.follow(town.reader, town.cat)
    assert town.feed() == [reply, post], "it is decided when one reads"


def test_a_reply_by_somebody_whom_the_reader_does_not_follow_does_not_appear(town: Town) -> None:
    post, own = town.stage.post(town.ann), town.stage.post(town.reader)
    town.stage.post(town.cat, reply_to=post)
    town.stage.post(town.cat, reply_to=own)
    assert town.feed() == [own, post]


def test_who_answers_themselves_is_read_by_their_followers(town: Town) -> None:
    first = town.stage.post(town.ann)
    second = town.stage.post(town.ann, reply_to=first)
    assert town.feed() == [second, first]


def test_a_strangers_answer_to_themselves_comes_with_its_tag_and_one_to_others_does_not(town: Town) -> None:
    town.stage.follow_tag(town.reader, "tea")
    [dan] = town.stage.people("dan")
    first = town.stage.post(town.cat)
    second = town.stage.post(town.cat, "#tea", reply_to=first)
    town.stage.post(town.cat, "#tea", reply_to=town.stage.post(dan))
    assert town.feed() == [second]


def test_a_reply_to_the_reader_and_one_by_the_reader_appear(town: Town) -> None:
    own, theirs = town.stage.post(town.reader), town.stage.post(town.cat)
    answer = town.stage.post(town.ann, reply_to=own)
    mine = town.stage.post(town.reader, reply_to=theirs)
    assert town.feed() == [mine, answer, own]


def test_a_reply_outlives_what_it_answers(town: Town) -> None:
    post = town.stage.post(town.ann)
    reply = town.stage.post(town.ben, reply_to=post)
    town.stage.delete(post)
    assert town.feed() == [reply]


def test_a_reposted_reply_needs_nobody_on_the_other_side(town: Town) -> None:
    reply = town.stage.post(town.cat, reply_to=town.stage.post(town.cat))
    assert town.feed() == []
    entry = town.repost(town.ann, reply)
    assert town.feed() == [entry]


# ---- reposts


def test_the_oldest_repost_wins_and_names_the_others(town: Town) -> None:
    post = town.stage.post(town.cat)
    first = town.repost(town.ann, post)
    town.repost(town.ben, post)
    assert town.feed() == [first]
    assert town.named_on(first) == ["ann", "ben"]
    assert town.card(first).id == post


def test_the_post_itself_is_older_than_its_reposts_and_names_them(town: Town) -> None:
    post = town.stage.post(town.ann)
    town.repost(town.ben, post)
    town.repost(town.cat, post)
    assert town.feed() == [post]
    assert town.named_on(post) == ["ben"], "Cat is nobody to the reader"


def test_undoing_a_repost_brings_the_next_one(town: Town) -> None:
    post = town.stage.post(town.cat)
    first, second = town.repost(town.ann, post), town.repost(town.ben, post)
    assert town.feed() == [first]
    town.stage.react("undo_repost", town.ann, post)
    assert town.feed() == [second]
    assert town.named_on(second) == ["ben"]
    town.stage.react("undo_repost", town.ben, post)
    assert town.feed() == []


@pytest.mark.parametrize(
    ("hours", "apart", "is_shown"),
    [
        (12, 11 * HOURS, False),
        (12, 13 * HOURS, True),
        (72, 2 * DAYS, False),
        (72, 4 * DAYS, True),
        (FOR_EVER, 400 * DAYS, False),
        (0, timedelta(0), True),
    ],
    ids=["within 12 h", "after 12 h", "within 3 days", "after 3 days", "always hidden", "all shown"],
)
def test_a_repeat_is_one_within_the_readers_window(town: Town, hours: int, apart: timedelta, is_shown: bool) -> None:
    town.stage.choose(town.reader, repeat_hours=hours)
    post = town.stage.post(town.cat)
    first = town.repost(town.ann, post)
    town.stage.let_pass(apart)
    second = town.repost(town.ben, post)
    assert town.feed() == ([second, first] if is_shown else [first])


def test_the_window_of_repeats_is_three_days_unless_one_chooses(town: Town) -> None:
    post = town.stage.post(town.ann)
    town.stage.let_pass(71 * HOURS)
    town.repost(town.ben, post)
    assert town.feed() == [post]
    town.stage.let_pass(2 * HOURS)
    town.stage.react("undo_repost", town.ben, post)
    again = town.repost(town.ben, post)
    assert town.feed() == [again, post]


def test_a_hidden_repeat_counts_all_the_same(town: Town) -> None:
    """Whatever could be in the feed counts, the rule of reposts left aside: two days, and two more."""
    [dan] = town.stage.people("dan")
    town.stage.follow(town.reader, dan)
    post = town.stage.post(town.cat)
    first = town.repost(town.ann, post)
    for who in (town.ben, dan):
        town.stage.let_pass(2 * DAYS)
        town.repost(who, post)
    assert town.feed() == [first]


LEFT: dict[str, tuple[str, dict[str, str]]] = {
    "unfollowed": ("unfollow", {}),
    "muted": ("mute", {}),
    "reposts muted": ("mute", {"scope": "reposts"}),
    "no reposts": ("set_volume", {"volume": "no_reposts"}),
    "highlights": ("set_volume", {"volume": "highlights"}),
    "blocked": ("block", {}),
}


@pytest.mark.parametrize("why", [*LEFT, "gone private"])
def test_an_earlier_repost_that_the_reader_does_not_get_hides_none(town: Town, why: str) -> None:
    post = town.stage.post(town.cat)
    first, second = town.repost(town.ann, post), town.repost(town.ben, post)
    assert town.feed() == [first]
    if why == "gone private":
        town.stage.set_private(town.ann, True)
        town.stage.relate("remove_follower", town.ann, town.reader)
    else:
        what, how = LEFT[why]
        town.stage.relate(what, town.reader, town.ann, **how)
    assert town.feed() == [second]
    assert town.named_on(second) == ["ben"], "who is not read is not named"


def test_somebody_whose_reposts_are_muted_still_writes(town: Town) -> None:
    post, own = town.stage.post(town.cat), town.stage.post(town.ann)
    town.repost(town.ann, post)
    town.stage.relate("mute", town.reader, town.ann, scope="reposts")
    assert town.feed() == [own]


def test_never_again_what_the_reader_reposted_themselves(town: Town) -> None:
    town.stage.choose(town.reader, repeat_hours=0, hides_own_reposts=True)
    post = town.stage.post(town.cat)
    mine = town.repost(town.reader, post)
    theirs = town.repost(town.ann, post)
    assert town.feed() == [mine]
    assert town.named_on(mine) == ["you", "ann"]
    town.stage.choose(town.reader, hides_own_reposts=False)
    assert town.feed() == [theirs, mine]


def test_what_the_reader_reposted_after_others_stays_once(town: Town) -> None:
    town.stage.choose(town.reader, repeat_hours=72, hides_own_reposts=True)
    post = town.stage.post(town.cat)
    town.repost(town.ann, post)
    mine = town.repost(town.reader, post)
    assert town.feed() == [mine], "theirs is hidden by mine, so it does not hide mine"


def test_a_repost_is_seen_where_its_post_is_seen(town: Town) -> None:
    post = town.stage.post(town.cat)
    entry = town.repost(town.ann, post)
    assert town.feed() == [entry]
    town.stage.set_private(town.cat, True)
    assert town.feed() == []
    town.stage.set_private(town.cat, False)
    assert town.feed() == [entry]
    town.stage.relate("mute", town.reader, town.cat)
    assert town.feed() == []
    town.stage.relate("unmute", town.reader, town.cat)
    assert town.feed() == [entry]
    town.stage.relate("block", town.cat, town.reader)
    assert town.feed() == []
    town.stage.relate("unblock", town.cat, town.reader)
    assert town.feed() == [entry]
    town.stage.delete(post)
    assert town.feed() == []


def test_a_celebritys_repost_of_a_small_accounts_post_is_not_fanned_out(stage: Stage) -> None:
    reader, star, cat = stage.people("reader", "star", "cat")
    stage.follow(reader, star)
    stage.promote(star)
    stage.warm(reader)
    post = stage.post(cat)
    stage.work()
    before = stage.home(reader)
    stage.react("repost", star, post)
    with round_trips() as trips:
        stage.work()
    assert trips == [["EVALSHA", "HSET", "EXPIRE", "EVALSHA"]], "the star's window and the star's own home"
    assert stage.home(reader) == before and stage.author_window(cat) is None
    assert len(stage.page(reader)[0]) == 1


# ---- private accounts and audiences


def test_a_private_account_is_read_by_its_followers_alone_and_old_posts_too(town: Town) -> None:
    town.stage.follow_tag(town.reader, "tea")
    theirs, hers = town.stage.post(town.cat, "#tea"), town.stage.post(town.ann)
    town.stage.set_private(town.cat, True)
    town.stage.set_private(town.ann, True)
    assert town.feed() == [hers]
    town.stage.relate("remove_follower", town.ann, town.reader)
    assert town.feed() == []
    town.stage.set_private(town.cat, False)
    assert town.feed() == [theirs]


def test_a_request_is_a_follow_once_it_is_accepted(town: Town) -> None:
    post = town.stage.post(town.cat)
    town.stage.set_private(town.cat, True)
    town.stage.relate("follow", town.reader, town.cat)
    assert town.feed() == []
    town.stage.relate("decline_request", town.cat, town.reader)
    town.stage.relate("accept_request", town.cat, town.reader)
    assert town.feed() == []
    town.stage.relate("follow", town.reader, town.cat)
    town.stage.relate("accept_request", town.cat, town.reader)
    assert town.feed() == [post]


def test_a_post_for_followers_is_for_nobody_else(town: Town) -> None:
    town.stage.follow_tag(town.reader, "tea")
    hers = town.stage.post(town.ann, audience=FOLLOWERS)
    theirs = town.stage.post(town.cat, "#tea", audience=FOLLOWERS)
    assert town.feed() == [hers]
    town.stage.follow(town.reader, town.cat)
    assert town.feed() == [theirs, hers]


def test_a_post_for_those_mentioned_is_for_nobody_else(town: Town) -> None:
    town.stage.post(town.ann, "for @ben", audience=MENTIONED)
    mine = town.stage.post(town.ann, "for @reader", audience=MENTIONED)
    assert town.feed() == [mine]
    town.stage.edit(mine, "no, for @cat")
    assert town.feed() == [mine]


# ---- volume


def test_all_replies_are_there_at_once_and_go_again(town: Town) -> None:
    """Old ones and new ones, below the window, too; and reposts count as they do at the usual volume."""
    town.stage.window(3)
    theirs = town.stage.post(town.cat)
    replies = [town.stage.post(town.ann, f"answer {n}", reply_to=theirs) for n in range(5)]
    entry = town.repost(town.ann, theirs)
    assert town.feed() == [entry]
    window = town.stage.home(town.reader)
    town.stage.set_volume(town.reader, town.ann, "all_replies")
    assert town.feed() == [entry, *replies[::-1]]
    assert town.stage.home(town.reader) == window, "replies to anybody were there"
    assert town.named_on(entry) == ["ann"]
    since = Since.shown(town.feed(), is_all=True)
    later = town.stage.post(town.ann, reply_to=theirs)
    assert town.stage.new_ids(town.reader, since) == [later]
    assert town.feed() == [later, entry, *replies[::-1]]
    town.stage.set_volume(town.reader, town.ann, "all")
    assert town.stage.new_ids(town.reader, since) == []
    assert town.feed() == [entry]


def test_all_replies_of_one_are_not_all_replies_of_others(town: Town) -> None:
    theirs = town.stage.post(town.cat)
    town.stage.post(town.ben, reply_to=theirs)
    reply = town.stage.post(town.ann, reply_to=theirs)
    town.stage.post(town.cat, reply_to=reply)
    town.stage.set_volume(town.reader, town.ann, "all_replies")
    assert town.feed() == [reply]


def test_an_earlier_repost_by_somebody_at_all_replies_makes_a_repeat(town: Town) -> None:
    town.stage.set_volume(town.reader, town.ann, "all_replies")
    post = town.stage.post(town.cat)
    first = town.repost(town.ann, post)
    town.repost(town.ben, post)
    assert town.feed() == [first]
    assert town.named_on(first) == ["ann", "ben"]


@pytest.mark.parametrize("why", ["deleted", "muted", "blocked", "gone private"])
def test_of_all_replies_each_is_there_whatever_became_of_what_it_answers(town: Town, why: str) -> None:
    theirs = town.stage.post(town.cat)
    reply = town.stage.post(town.ann, reply_to=theirs)
    town.stage.set_volume(town.reader, town.ann, "all_replies")
    if why == "deleted":
        town.stage.delete(theirs)
    elif why == "gone private":
        town.stage.set_private(town.cat, True)
    else:
        town.stage.relate("mute" if why == "muted" else "block", town.reader, town.cat)
    assert town.feed() == [reply]
    assert town.card(reply).answers == (None if why == "blocked" else "cat")


def test_a_reply_that_the_reader_may_not_see_is_not_among_all_replies(town: Town) -> None:
    theirs = town.stage.post(town.cat)
    town.stage.post(town.ann, "for @cat", reply_to=theirs, audience=MENTIONED)
    town.stage.set_volume(town.reader, town.ann, "all_replies")
    assert town.feed() == []


def test_without_replies(town: Town) -> None:
    town.stage.set_volume(town.reader, town.ann, "no_replies")
    own, post, theirs = town.stage.post(town.reader), town.stage.post(town.ann), town.stage.post(town.cat)
    own_thread = town.stage.post(town.ann, reply_to=post)
    town.stage.post(town.ann, reply_to=town.stage.post(town.ben))
    answer = town.stage.post(town.ann, reply_to=own)
    entry = town.repost(town.ann, theirs)
    shown = [entry, answer, own_thread, post, own]
    assert [each for each in town.feed() if each in shown] == shown, "nor what answers the reader or goes on"
    assert len(town.feed()) == len(shown) + 1, "what she said to Ben is left out"


def test_without_reposts(town: Town) -> None:
    town.stage.set_volume(town.reader, town.ann, "no_reposts")
    post = town.stage.post(town.ann)
    reply = town.stage.post(town.ann, reply_to=post)
    town.repost(town.ann, town.stage.post(town.cat))
    assert town.feed() == [reply, post]


def test_the_best_few_of_a_day(town: Town) -> None:
    town.stage.set_volume(town.reader, town.ann, "highlights")
    town.stage.let_pass(timedelta(hours=36 - town.stage.now().hour))  # about noon: the day does not end under us
    yesterday = town.stage.post(town.ann)
    town.stage.let_pass(DAYS)
    posts = [town.stage.post(town.ann, f"number {n}") for n in range(5)]
    town.stage.post(town.ann, reply_to=yesterday)
    town.repost(town.ann, town.stage.post(town.cat))
    assert town.feed() == [*posts[2::-1], yesterday], "of equal ones the older"
    town.stage.react("like", town.cat, posts[4])
    assert town.feed() == [posts[4], *posts[1::-1], yesterday]
    town.stage.react("like", town.cat, posts[3])
    town.stage.post(town.cat, reply_to=posts[2])
    assert town.feed() == [*posts[4:1:-1], yesterday]
    town.repost(town.cat, posts[1])
    assert town.feed() == [*posts[3:0:-1], yesterday]
    town.stage.delete(posts[3])
    assert town.feed() == [posts[4], posts[2], posts[1], yesterday]


@pytest.mark.parametrize("volume", ["no_replies", "no_reposts", "highlights"])
def test_whoever_is_spoken_to_hears_it_at_every_volume(town: Town, volume: str) -> None:
    town.stage.set_volume(town.reader, town.ann, volume)
    mine, theirs = town.stage.post(town.reader), town.stage.post(town.ben)
    answer = town.stage.post(town.ann, reply_to=mine)
    town.stage.post(town.ann, reply_to=theirs)
    expected = [answer, theirs, mine]
    assert [entry for entry in town.feed() if entry in expected] == expected
    assert len(town.feed()) == (4 if volume == "no_reposts" else 3)


def test_what_is_only_for_those_mentioned_is_there_besides_the_best(town: Town) -> None:
    town.stage.set_volume(town.reader, town.ann, "highlights")
    town.stage.let_pass(timedelta(hours=36 - town.stage.now().hour))  # about noon: the day does not end under us
    posts = [town.stage.post(town.ann) for _ in range(3)]
    town.stage.post(town.ann)
    letter = town.stage.post(town.ann, "@reader, are you there?", audience=MENTIONED)
    assert town.feed() == [letter, *posts[::-1]]


def test_the_best_of_another_day_take_nobodys_place(town: Town) -> None:
    town.stage.set_volume(town.reader, town.ann, "highlights")
    town.stage.let_pass(timedelta(hours=36 - town.stage.now().hour))  # about noon: the day does not end under us
    days = []
    for is_liked in (True, False, True):
        posts = [town.stage.post(town.ann) for _ in range(3)]
        for post in posts:
            if is_liked:
                town.stage.react("like", town.cat, post)
        days += posts
        town.stage.let_pass(DAYS)
    assert town.feed() == days[::-1]


@pytest.mark.parametrize("kind", ["repost", "reply", "mentioned", "deleted"])
def test_only_posts_take_a_place_among_the_best(town: Town, kind: str) -> None:
    town.stage.set_volume(town.reader, town.ann, "highlights")
    town.stage.let_pass(timedelta(hours=36 - town.stage.now().hour))  # about noon: the day does not end under us
    for _ in range(3):
        if kind == "repost":
            town.repost(town.ann, town.stage.post(town.cat))
        elif kind == "reply":
            town.stage.post(town.ann, reply_to=town.stage.post(town.cat))
        elif kind == "mentioned":
            town.stage.post(town.ann, "@cat", audience=MENTIONED)
        else:
            town.stage.delete(town.stage.post(town.ann))
    post = town.stage.post(town.ann)
    assert town.feed() == [post]


def test_likes_of_others_posts_do_not_make_one_of_the_best(town: Town) -> None:
    """The count is of this post and this author: another's busy day takes nobody's place."""
    for _ in range(5):
        town.stage.react("like", town.reader, town.stage.post(town.ben))
    town.stage.set_volume(town.reader, town.ben, "no_replies")
    town.stage.set_volume(town.reader, town.ann, "highlights")
    post = town.stage.post(town.ann)
    assert post in town.feed()


# ---- what the reader does not want


def test_a_mute_ends_when_its_time_is_over(town: Town) -> None:
    post = town.stage.post(town.ann)
    town.stage.relate("mute", town.reader, town.ann, until=town.stage.now() + HOURS)
    assert town.feed() == []
    town.stage.let_pass(2 * HOURS)
    assert town.feed() == [post]


def test_a_muted_conversation_is_gone_with_all_its_answers(town: Town) -> None:
    post, other = town.stage.post(town.ann), town.stage.post(town.ben)
    reply = town.stage.post(town.ben, reply_to=post)
    deep = town.stage.post(town.ann, reply_to=reply)
    mine = town.stage.post(town.reader, reply_to=deep)
    assert town.feed() == [mine, deep, reply, other, post]
    town.stage.react("mute_conversation", town.reader, deep)
    assert town.feed() == [mine, other]
    entry = town.repost(town.ben, town.stage.post(town.cat))
    town.repost(town.ben, deep)
    assert town.feed() == [entry, mine, other], "nor does a repost bring it back"
    town.stage.react("unmute_conversation", town.reader, reply)
    assert town.feed() == [entry, mine, deep, reply, other, post]


def test_a_filter_hides_old_posts_and_reposts_and_ends(town: Town) -> None:
    pie, tree, other = (town.stage.post(town.ann, text) for text in ("a Pineapple pie", "a PINE!", "an oak"))
    entry = town.repost(town.ben, town.stage.post(town.cat, "pine nuts"))
    mine = town.stage.post(town.reader, "my pine")
    whole = town.stage.hide(town.reader, "pine", is_whole_word=True)
    assert town.feed() == [mine, other, pie]
    town.stage.remove_filter(town.reader, whole)
    town.stage.hide(town.reader, "pine", until=town.stage.now() + HOURS)
    assert town.feed() == [mine, other]
    town.stage.let_pass(2 * HOURS)
    assert town.feed() == [mine, entry, other, tree, pie]


def test_a_filtered_page_is_filled_up(town: Town) -> None:
    town.stage.window(5)
    kept = [town.stage.post(town.ann, f"number {n}") for n in range(4)]
    for n in range(7):
        town.stage.post((town.ann, town.ben)[n % 2], "spoiler")
    town.stage.hide(town.reader, "spoiler")
    assert town.feed() == kept[::-1]
    assert town.stage.page(town.reader, size=3)[0] == kept[:0:-1]


# ---- tags


def test_a_followed_tag_brings_posts_by_anybody_once(town: Town) -> None:
    theirs, hers = town.stage.post(town.cat, "#Tea"), town.stage.post(town.ann, "#tea")
    assert town.feed() == [hers]
    town.stage.follow_tag(town.reader, "tea")
    assert town.feed() == [hers, theirs]
    town.stage.edit(theirs, "coffee after all")
    assert town.feed() == [hers]
    later = town.stage.post(town.cat, "#coffee")
    town.stage.edit(theirs, "#tea again")
    assert town.feed() == [hers, theirs], "at its old place"
    town.stage.edit(later, "#tea, too")
    assert town.feed() == [later, hers, theirs]
    town.stage.follow_tag(town.reader, "tea", undo=True)
    assert town.feed() == [hers]


def test_a_tag_and_an_author_with_floors_of_their_own_are_merged_without_a_hole(town: Town) -> None:
    town.stage.window(3)
    town.stage.follow_tag(town.reader, "tea")
    posts = [town.stage.post((town.ann, town.cat)[n % 2], "#tea") for n in range(10)]
    assert town.feed() == posts[::-1]


# ---- what is new


def test_the_pill_counts_exactly_what_a_click_shows(town: Town) -> None:
    """Of every kind of entry one that counts, and one that does not."""
    stage, reader = town.stage, town.reader
    stage.follow_tag(reader, "tea")
    own, old = stage.post(reader), stage.post(town.ann)
    since = Since.shown(town.feed(), is_all=True)
    shown = [
        stage.post(town.ann),
        stage.post(town.ben, reply_to=old),
        stage.post(town.ann, reply_to=own),
        town.repost(town.ben, stage.post(town.cat, "reposted")),
        stage.post(town.ann, quote_of=old),
        stage.post(town.cat, "#tea"),
        stage.post(town.ann, audience=FOLLOWERS),
        stage.post(town.ann, "@reader", audience=MENTIONED),
        stage.post(reader, "in another tab"),
        stage.post(reader, "an answer in another tab", reply_to=old),
    ]
    stage.hide(reader, "spoiler")
    stage.post(town.ann, "spoiler")
    stage.post(town.ann, reply_to=stage.post(town.cat))
    town.repost(town.ann, old)
    stage.post(town.cat, "#tea", audience=FOLLOWERS)
    stage.post(town.ann, "@ben", audience=MENTIONED)
    sent = stage.post(reader, "on this page")
    town.repost(reader, stage.post(town.cat, "before one's eyes"))
    stage.delete(stage.post(town.ann))
    for _ in range(2):  # while it is open work, and when it is done
        assert stage.new_ids(reader, since.and_sent([sent])) == shown[::-1]
        assert stage.new_ids(reader, since) == [sent, *shown[::-1]]
        assert [entry for entry in town.feed() if entry in shown] == shown[::-1]


# ---- the statements


@pytest.mark.parametrize("met", [False, True], ids=["met for the first time", "met before"])
@pytest.mark.parametrize("pulled", [False, True], ids=["pushed", "pulled"])
def test_F9_a_warm_page_of_everything_takes_four_statements_and_one_round_trip(
    stage: Stage, pulled: bool, met: bool
) -> None:
    """With who the reader is and where they left off, the two of a home page (see test_home.py).

    What reposts and quotes point at takes two more, until the process has met them.
    """
    reader, ann, ben, cat = stage.people("reader", "ann", "ben", "cat")
    stage.follow(reader, ann, ben)
    stage.follow_tag(reader, "tea")
    stage.set_volume(reader, ben, "highlights")
    if pulled:
        stage.promote(ann)
    post = stage.post(ann)
    stage.post(ben, reply_to=post)
    stage.post(ann, reply_to=post)
    stage.post(ann, quote_of=stage.post(cat, "#tea"))
    stage.react("repost", ann, stage.post(cat))
    stage.hide(reader, "spoiler")
    stage.work()
    stage.warm(reader)
    stage.cards(reader)
    if not met:
        pointers.forget()
    with stage.reading():
        viewer = schedule.viewer(reader)
        with statements() as sent, round_trips() as trips:
            cards, _ = home.home_page(viewer=viewer, before=None)
    assert len(cards) == 5, "two posts, the author's own answer, a quote and a repost"
    assert len(sent) == (4 if met else 6), "sources; facts and filters, of what is reposted and quoted too; reposts"
    assert trips == [["EVALSHA", "HMGET"]]

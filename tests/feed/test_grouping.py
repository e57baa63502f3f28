"""F11: conversations shown in one piece change how entries look, never which entries there are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

import pytest
from flask import Flask
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from app.core import clock
from app.core.paging import PAGE_SIZE
from app.feed.home import left_off
from app.feed.home.filtering import filter_home
from app.posts.cards.cards import PostCard
from app.posts.streams.contexts import Context
from app.posts.streams.rendering import Stream, in_context, in_conversations, stream_for
from app.web.paging import Page
from tests.feed.model import Entry, World
from tests.feed.worlds import NOW, draw_world, inserted, reader_in, readers
from tests.outbox import drain
from tests.people import Member, entries, items, next_link
from tests.sql import statements

EXAMPLES = max(10, settings().max_examples // 8)
SEEDS = range(12)  # of worlds that have contexts of all kinds between them, whatever is drawn besides
TALKATIVE = ("post", "repost", *["reply"] * 8)
MISSING = ("This post was deleted.", "You chose to hide this post.", "This post isn’t visible to you.")


# ---- In random worlds


@pytest.fixture
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOW)


def draw_talk(random: Random) -> World:
    """Return a world in which people talk to each other, and of which some posts are gone without a trace."""
    world = draw_world(random, kinds=TALKATIVE, entries=40)
    reposted = {entry.repost_of.id for entry in world.entries.values() if entry.repost_of}
    for post_id in random.sample(sorted(world.entries.keys() - reposted), 3):
        del world.entries[post_id]
    return world


def pages_of(world: World, who: int, size: int) -> Iterator[list[PostCard]]:
    """Yield the pages of somebody's home, of some size."""
    reader = reader_in(world, who)
    cards = filter_home(sorted(world.entries, reverse=True), reader, size=1000).cards(reader)
    for start in range(0, len(cards), size):
        yield cards[start : start + size]


def above(world: World, post: Entry) -> list[Entry]:
    """Return what a post stands below, the nearest first, up to one that left no row."""
    found, parent = list[Entry](), post.reply_to
    while parent is not None:
        found.append(parent)
        parent = parent.reply_to if parent.id in world.entries else None
    return found


def check_layout(cards: Sequence[PostCard], stream: Stream, html: str) -> None:
    """Check that the page holds what it is a page of, each once, and in which order."""
    assert stream.items == cards
    assert [entry.entry_id for entry in sorted(cards, key=lambda card: -card.entry_id)] == sorted(
        entries(html), reverse=True
    )
    assert entries(html) == [card.entry_id for item in stream.layout for card in item.cards]
    assert items(html) == [[card.entry_id for card in item.cards] for item in stream.layout]
    places = [item.newest for item in stream.layout]
    assert places == sorted(places, reverse=True)
    conversations = []
    for item in stream.layout:
        read = [card.entry_id for card in item.cards]
        assert read == sorted(read), "the oldest first"
        if item.cards[0].entry_id != item.cards[0].id:
            assert len(item.cards) == 1, "a repost is an item of its own"
        else:
            assert len({card.conversation_id for card in item.cards}) == 1
            conversations.append(item.cards[0].conversation_id)
    assert len(set(conversations)) == len(conversations), "one item for each conversation"


def check_context(world: World, who: int, card: PostCard, context: Context | None) -> str:
    """Check what stands above a reply against the plain model, and say of which kind it is."""
    reply = world.entries[card.id]
    if reply.reply_to is None:
        assert context is None
        return "none"
    assert context is not None
    chain = above(world, reply)
    shown = [post for post in chain if post.id in world.entries and world.sees(who, post)]
    first = world.entries.get(card.conversation_id)
    if first and first not in chain and world.sees(who, first):
        shown.append(first)
    assert (context.nearest and context.nearest.id) == (shown[0].id if shown else None)
    is_nearest = bool(shown) and shown[0] is reply.reply_to
    assert bool(context.missing) != is_nearest and context.missing in ("", *MISSING)
    if context.first:
        assert context.first.id == card.conversation_id == shown[-1].id
        assert context.left_out == len(shown) - 2
        return "far"
    assert len(shown) < 2 or shown[-1].id != card.conversation_id
    assert context.left_out == max(0, len(shown) - 1) and context.leaves_some_out == (len(shown) > 1)
    return "near" if is_nearest else "missing"


@pytest.mark.usefixtures("_now")
def test_F11_the_entries_of_every_page_are_those_of_the_page_and_contexts_are_visible(app: Flask) -> None:
    kinds = set()

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        database=None,
        phases=[Phase.explicit, Phase.generate],
    )
    @given(st.randoms(use_true_random=False), st.sampled_from([1, 3, 7, PAGE_SIZE, 100]))
    def check(random: Random, size: int) -> None:
        world = draw_talk(random)
        with inserted(app, world):
            for who in random.sample(readers(world), 2):
                reader = reader_in(world, who)
                for cards in pages_of(world, who, size):
                    page = Page(cards, None, is_first=True)
                    stream = in_conversations(page, viewer=reader)
                    check_layout(
                        cards, stream, stream_for(stream, b"token", zone=None, has_menu=True, line=None).decode()
                    )
                    for item in stream.layout:
                        if (card := item.cards[0]).entry_id == card.id:
                            kinds.add(check_context(world, who, card, stream.contexts.get(card.entry_id)))
                    apart = in_context(page, viewer=reader)
                    html = stream_for(apart, b"token", zone=None, has_menu=True, line=None).decode()
                    assert entries(html) == [card.entry_id for card in cards]
                    for snippet in (each.nearest for each in apart.contexts.values() if each.nearest):
                        assert world.sees(who, world.entries[snippet.id])

    for seed in SEEDS:
        check = example(Random(seed), 100)(check)
    check()
    assert kinds == {"none", "far", "near", "missing"}


# ---- On pages


def reply(who: Member, to: int, words: str = "an answer", **fields: object) -> int:
    return who.write(words, reply_to=to, **fields)


def contexts(html: str) -> list[int]:
    return [int(post) for post in re.findall(r'data-context="(\d+)"', html)]


def test_a_conversation_is_one_item_in_the_place_of_its_newest_post(alice: Member, bob: Member, carol: Member) -> None:
    bob.follow(carol)
    question = alice.write("Is that the space station?")
    other = carol.write("something else")
    answer = reply(carol, question, "does it blink?")
    no = reply(alice, answer, "no")
    page = bob.get("/").text
    assert items(page) == [[question, answer, no], [other]]
    assert contexts(page) == []
    assert bob.feed() == [no, answer, other, question], "as the list has it"


def test_what_a_reply_answers_stands_above_it_and_is_no_entry(alice: Member, bob: Member, carol: Member) -> None:
    root = carol.write("Where do swans sleep?")
    first = reply(bob, root, "on the water")
    second = reply(carol, first, "all night?")
    third = reply(bob, second, "all night")
    last = reply(alice, third, "not on ours")
    bob.unfollow(alice)
    bob.follow(alice)
    page = alice.get("/").text
    assert items(page) == [[last]]
    assert contexts(page) == [root, third]
    assert "2 earlier replies" in page
    assert page.index(f'data-context="{root}"') < page.index("2 earlier") < page.index(f'data-context="{third}"')
    assert page.index(f'data-context="{third}"') < page.index(f'data-entry="{last}"')
    assert 'class="turn turn-answers"' in page


def test_earlier_replies_are_counted_where_the_first_post_cannot_be_seen(
    alice: Member, bob: Member, carol: Member, mod: Member
) -> None:
    root = mod.write("root")
    first = reply(carol, root, "first")
    second = reply(bob, first, "second")
    third = reply(alice, second, "third")
    mod.delete(root)
    page = alice.get("/").text
    assert contexts(page) == [second] and items(page) == [[third]]
    assert page.index("1 earlier reply<") < page.index(f'data-context="{second}"')


def test_a_turn_whose_answered_post_is_not_on_the_page_leads_to_it(
    alice: Member, bob: Member, carol: Member, mod: Member
) -> None:
    root = alice.write("root")
    between = reply(carol, root, "between")
    farther = reply(mod, between, "farther")
    last = reply(alice, farther, "last")
    assert bob.send("/@alice/volume", volume="all_replies").status_code == 303
    page = bob.get("/").text
    assert items(page) == [[root, last]]
    link = f'href="/posts/{farther}/thread">See what this replies to</a>'
    assert page.index(f'data-entry="{root}"') < page.index(link) < page.index(f'data-entry="{last}"')
    bob.follow(carol)
    bob.follow(mod)
    page = bob.get("/").text
    assert items(page) == [[root, between, farther, last]] and "See what" not in page


@pytest.mark.parametrize(
    ("change", "words"),
    [("delete", MISSING[0]), ("mute", MISSING[1]), ("block", MISSING[2])],
)
def test_what_cannot_be_shown_leaves_a_quiet_place(
    bob: Member, carol: Member, mod: Member, change: str, words: str
) -> None:
    root = mod.write("root")
    hidden = reply(carol, root, "a secret of mine")
    own = reply(bob, hidden, "indeed")
    if change == "delete":
        carol.delete(hidden)
    else:
        getattr(bob, change)(carol)
    page = bob.get("/").text
    assert words in page and "a secret of mine" not in page
    assert "Carol" not in page.partition("<main")[2].partition("</main")[0]
    assert items(page) == [[own]] and contexts(page) == [root], "what can be shown is there"


def test_a_later_page_says_that_it_goes_on_with_a_conversation(alice: Member, bob: Member) -> None:
    root = alice.write("root")
    first = reply(alice, root, "first")
    for number in range(25):
        alice.write(f"post {number}")
    last = reply(alice, first, "last")
    first_page = bob.get("/").text
    assert items(first_page)[0] == [last] and contexts(first_page) == [root, first]
    assert "Earlier in this conversation" not in first_page
    onwards = next_link(first_page) or ""
    for fragment in (False, True):
        page = bob.get(onwards, fragment=fragment).text
        assert items(page)[-1] == [root, first]
        assert page.count("Earlier in this conversation") == 1
    assert bob.feed() == sorted(bob.feed(), reverse=True)


def test_a_repost_is_an_item_of_its_own(alice: Member, bob: Member, carol: Member, mod: Member) -> None:
    root = mod.write("root")
    answer = reply(alice, root, "an answer of hers")
    reply(alice, answer, "and more")
    bob.follow(carol)
    assert carol.send(f"/posts/{root}/repost").status_code == 303
    page = bob.get("/").text
    assert [len(item) for item in items(page)] == [1, 1] and page.count("Reposted by") == 1


def test_ones_own_replies_appear_in_the_item_of_their_conversation(alice: Member, bob: Member) -> None:
    root = alice.write("root")
    own = [reply(bob, root, f"own {number}") for number in range(3)]
    assert items(bob.get("/").text) == [[root, *own]]


def test_every_post_on_its_own_is_a_choice(alice: Member, bob: Member) -> None:
    root = alice.write("root")
    own = reply(bob, root)
    assert bob.send("/settings/feed", repeat_hours=72, conversations="apart").status_code == 303
    page = bob.get("/").text
    assert items(page) == [[own], [root]] and 'class="talk"' not in page
    assert 'value="apart" checked' in bob.get("/settings/feed").text
    assert bob.send("/settings/feed", repeat_hours=72).status_code == 303
    assert items(bob.get("/").text) == [[own], [root]], "another setting leaves it as it is"
    assert bob.send("/settings/feed", repeat_hours=72, conversations="together").status_code == 303
    assert items(bob.get("/").text) == [[root, own]]
    assert bob.send("/settings/feed", repeat_hours=72, conversations="x").status_code == 400


def test_the_pill_brings_a_conversation_in_one_piece(alice: Member, bob: Member) -> None:
    old = alice.write("old")
    since = re.search(r'hx-get="(/feed/new\?since=[^"]+)"', bob.get("/").text)
    assert since
    root = alice.write("root")
    answer, more = reply(alice, root), reply(alice, old)
    shown = bob.get(since[1] + "&show=1", fragment=True).text
    assert items(shown) == [[more], [root, answer]] and contexts(shown) == [old]


def test_the_line_stands_above_what_is_seen_as_a_whole(alice: Member, bob: Member, app: Flask) -> None:
    root = alice.write("root")
    other = alice.write("other")
    bob.get("/")
    answer = reply(alice, root)
    page = bob.get("/").text
    assert items(page) == [[root, answer], [other]]
    assert page.index("You left off here") > page.index(f'data-entry="{other}"')
    assert page.index("You left off here") > page.index(f'data-entry="{answer}"')
    assert "caught up" not in page


@pytest.mark.parametrize("is_settled", [False, True])
def test_the_line_is_on_the_next_page_where_the_last_item_is_not_all_seen(
    alice: Member, bob: Member, monkeypatch: pytest.MonkeyPatch, is_settled: bool
) -> None:
    """Settled, the mark is on the first page, at the post that begins its last item; else it is below that."""
    if is_settled:
        monkeypatch.setattr(left_off, "OVERLAP", 0)
    for number in range(10):
        alice.write(f"old {number}")
    root = alice.write("root")
    bob.get("/")
    for number in range(18):
        alice.write(f"new {number}")
    reply(alice, root)
    first = bob.get("/").text
    assert len(entries(first)) == 20 and root in entries(first) and "You left off" not in first
    second = bob.get(next_link(first) or "").text
    assert second.count("You left off here") == 1
    assert second.index("You left off here") < second.index(f'data-entry="{entries(second)[1]}"')


@pytest.mark.parametrize("talks", ["x", "1.2.3", "9" * 400, "²", "-1", "." * 5000, "%00"])
def test_nonsense_in_the_address_says_nothing(alice: Member, bob: Member, talks: str) -> None:
    reply(alice, alice.write("root"))
    page = bob.get(f"/feed?talks={talks}")
    assert page.status_code in (200, 400) and "Earlier in this" not in page.text


# ---- Other lists


def test_replying_to_leads_to_the_post_that_is_answered(alice: Member, bob: Member) -> None:
    root = alice.write("root")
    reply(bob, root)
    page = bob.get("/@bob/replies").text
    assert f'Replying to <a href="/posts/{root}/thread">@alice</a>' in page
    assert bob.get(f"/posts/{root}/thread").headers["Location"] == f"/@alice/{root}#post-{root}"


def test_replying_to_leads_into_the_conversation_where_the_post_is_not_visible(
    alice: Member, bob: Member, carol: Member
) -> None:
    root = carol.write("for followers", audience="followers")
    alice.follow(carol)
    answer = reply(alice, root, "for all to read")
    match = re.search(r'Replying to <a href="([^"]+)">@carol</a>', bob.get(f"/@alice/{answer}").text)
    assert match
    page = bob.get(match[1])
    assert page.status_code == 404 and "Post not visible" in page.text and entries(page.text) == [answer]
    assert "for followers" not in page.text


def test_a_reply_in_a_list_shows_what_it_answers(alice: Member, bob: Member, carol: Member, stranger: Member) -> None:
    root = alice.write("Where do swans sleep?")
    answer = reply(carol, root, "on the water #swans")
    assert bob.send(f"/posts/{answer}/bookmark").status_code == 303
    for path in ("/@carol/replies", "/search?q=water", "/search?q=water&in=latest", "/tags/swans", "/bookmarks"):
        for who in (bob, stranger):
            if who.id or path != "/bookmarks":
                page = re.sub(r"</?mark>", "", who.get(path).text)
                assert entries(page) == [answer] and contexts(page) == [root], path
                assert page.index("Where do swans sleep?") < page.index("on the water")
    alice.block(bob)
    for path in ("/@carol/replies", "/search?q=water", "/tags/swans", "/bookmarks"):
        page = bob.get(path).text
        assert entries(page) == [answer] and contexts(page) == [] and MISSING[2] in page
        assert "Where do swans sleep?" not in page and "alice" not in page.partition("<main")[2].lower()


def test_a_context_says_no_more_than_a_warning_and_a_filter_let_it(alice: Member, bob: Member, carol: Member) -> None:
    warned = alice.write("the killer is the gardener", warning="Spoiler")
    filtered = alice.write("rhubarb everywhere")
    for post in (warned, filtered):
        reply(carol, post)
    assert bob.send("/settings/filters", phrase="rhubarb", match="word", action="collapse").status_code == 303
    page = bob.get("/@carol/replies").text
    assert "Spoiler" in page and "gardener" not in page
    assert "Filtered post" in page and "rhubarb" not in page


# ---- What it costs


def test_F9_a_page_with_replies_takes_one_statement_more_and_others_none(
    app: Flask, alice: Member, bob: Member, carol: Member
) -> None:
    bob.follow(carol)
    for number in range(5):
        root = alice.write(f"root {number}")
        reply(carol, root)
    drain(app)
    bob.get("/"), bob.get("/")
    with statements() as near:
        bob.get("/")
    assert len(near) == 2, "what they answer is on the page"
    deep = root
    for number in range(12):
        deep = reply((alice, carol)[number % 2], deep)
    for number in range(12):
        alice.write(f"post {number}")
    far = [reply(carol, deep) for _ in range(3)]
    drain(app)
    bob.get("/"), bob.get("/")
    with statements() as sent:
        page = bob.get("/").text
    assert set(far) <= set(entries(page)) and contexts(page)
    assert len(sent) == 3

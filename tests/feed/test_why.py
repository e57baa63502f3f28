"""Why am I seeing this? The reader is told in words; the doctor finds the same."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask

from app.accounts.models import User
from app.core import clock, times
from app.extensions import db
from app.social import operations as social
from app.social.models import REPOSTS
from tests.outbox import drain
from tests.people import Member, entries


def why(who: Member, entry: int, at: str = "/") -> str:
    """Return what somebody is told, without markup."""
    response = who.client.get(f"/posts/{entry}/why", query_string={"at": at}, headers={"HX-Request": "true"})
    assert response.status_code == 200, response.text
    return (
        html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.text)))
        .replace(" .", ".")
        .replace(" ;", ";")
        .replace(" ,", ",")
    )


def explained(app: Flask, who: Member, entry: int) -> str:
    """Return what the doctor says to whoever runs the site."""
    return app.test_cli_runner().invoke(args=["feed", "explain", who.handle, str(entry)]).output


def answer(who: Member, post: int, text: str) -> int:
    return entries(who.send("/posts", fragment=True, text=text, reply_to=str(post)).text)[0]


def repost(who: Member, post: int) -> int:
    """Repost something and return the entry, which is on top of one's own profile."""
    assert who.send(f"/posts/{post}/repost").status_code == 303
    return entries(who.get(f"/@{who.handle}").text)[0]


def act(app: Flask, operation: Callable[..., None], whom: Member, *args: object, **options: object) -> None:
    with app.app_context():
        people = {name: db.session.get_one(User, who.id) for name, who in options.items() if isinstance(who, Member)}
        operation(db.session.get_one(User, whom.id), *args, **{**options, **people})
        db.session.commit()


def today() -> str:
    return times.day(clock.now(), None)


def test_a_post_by_somebody_followed(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("hello")
    told = why(bob, post)
    assert f"It’s in your home feed. You’ve followed @alice since {today()}." in told
    assert "Checked against your mutes, blocks and word filters; nothing hides it." in told
    assert "To see less like this, unfollow or mute @alice, mute this conversation or filter its words." in told


def test_one_s_own(app: Flask, alice: Member) -> None:
    post = alice.write("hello")
    assert "It’s in your home feed. It’s your own post." in why(alice, post)
    assert "Your own posts are never hidden from you." in why(alice, post)
    assert "✓ who: it is the reader's own post" in explained(app, alice, post)


def test_a_tag(app: Flask, bob: Member, carol: Member) -> None:
    post = carol.write("a #tea")
    shows = "Explore shows everyone’s posts that you can see."
    assert f"{shows} It’s not in your home feed. You don’t follow @carol." in why(bob, post, "/explore")
    bob.send("/tags/tea/follow")
    assert f"You don’t follow @carol. You’ve followed #tea since {today()}." in why(bob, post)
    said = explained(app, bob, post)
    assert (
        "is in the feed" in said
        and "· who: @bob does not follow @carol" in said
        and "✓ tag: @bob has followed #tea" in said
    )


def test_replies(app: Flask, alice: Member, bob: Member, carol: Member) -> None:
    first = alice.write("first")
    own_chain = answer(alice, first, "and more")
    assert "@alice is continuing their own thread." in why(bob, own_chain)
    to_carol = answer(alice, carol.write("carol asks"), "alice answers")
    told = why(bob, to_carol, "/@alice")
    assert "It’s not in your home feed." in told
    met = "@alice replied to @carol, who you don’t follow"
    unless = "unless you choose to see all replies by @alice"
    assert f"{met}. Replies like that stay out of your home feed, {unless}." in told
    assert "✗ reply: @alice replied to @carol" in explained(app, bob, to_carol)
    act(app, social.set_volume, alice, "all_replies", by=bob)
    chose = "You chose to see all replies by @alice; this is one."
    assert f"It’s in your home feed. You’ve followed @alice since {today()}. {chose}" in why(bob, to_carol)
    assert f"{chose} @alice replied to @carol, who you don’t follow. Checked" in why(bob, to_carol)
    assert "✓ reply: @alice replied to @carol" in explained(app, bob, to_carol)
    act(app, social.set_volume, alice, "all", by=bob)
    bob.follow(carol)
    assert "@alice replied to @carol, and you follow both." in why(bob, to_carol)
    to_bob = answer(alice, bob.write("bob asks"), "to you")
    assert "@alice replied to you." in why(bob, to_bob)
    assert "You replied to @alice." in why(bob, answer(bob, to_bob, "thanks"))


def test_nobody_learns_whom_a_reply_answers_if_that_person_blocks_them(
    app: Flask, alice: Member, bob: Member, carol: Member
) -> None:
    to_carol = answer(alice, carol.write("carol asks"), "alice answers")
    carol.block(bob)
    told = why(bob, to_carol, "/@alice")
    assert (
        "@alice replied to someone, who you don’t follow" in told
        and "carol" not in told
        and "block" not in told.replace("mutes, blocks", "")
    )
    assert "@alice replied to @carol" in explained(app, bob, to_carol)


def test_reposts_and_repeats(
    app: Flask, alice: Member, bob: Member, carol: Member, join: Callable[..., Member]
) -> None:
    dora, erin, fred = join("dora"), join("erin"), join("fred")
    for person in (carol, dora, erin, fred):
        bob.follow(person)
    stranger = join("stranger_1")
    post = stranger.write("from afar")
    first = repost(alice, post)
    drain(app)
    assert f"Reposted by @alice. You’ve followed @alice since {today()}." in why(bob, first)
    assert "✓ repeat: no earlier entry for this post; repeats are hidden within 3 days" in explained(app, bob, first)
    second = repost(carol, post)
    assert "Reposted by @alice. @carol reposted it too." in why(bob, first)
    told = why(bob, second, "/@carol")
    assert "It’s not in your home feed." in told
    assert "This post was already in your feed, on " in told and "You chose to hide repeats within 3 days." in told
    said = explained(app, bob, second)
    assert f"✗ repeat: hidden: an earlier entry ({first}) was in the feed on " in said and "is not in the feed" in said
    for who in (dora, erin):
        repost(who, post)
    assert ". @carol and 2 others you follow reposted it too." in why(bob, first)
    own = repost(bob, post)
    assert "This post was already in your feed" in why(bob, own)  # the oldest wins, also over one's own
    assert "You reposted it." in why(bob, repost(bob, stranger.write("not seen yet")))


def test_the_repost_of_what_one_follows_anyway(alice: Member, bob: Member, carol: Member) -> None:
    bob.follow(carol)
    post = alice.write("hello")
    told = why(bob, repost(carol, post), "/@carol")
    assert "This post was already in your feed" in told


def test_reposts_that_are_muted_and_one_s_own(app: Flask, alice: Member, bob: Member, carol: Member) -> None:
    entry = repost(alice, carol.write("hello"))
    until = clock.now() + timedelta(days=1)
    act(app, social.mute, alice, by=bob, scope=REPOSTS, until=until)
    told = why(bob, entry, "/@alice")
    assert f"You’ve muted reposts by @alice until {times.in_full(until, None)}." in told
    assert "✗ mute: @bob muted reposts by @alice until" in explained(app, bob, entry)
    act(app, social.unmute, alice, by=bob)
    mine = entries(carol.get("/@carol").text)[0]
    bob.send(f"/posts/{mine}/repost")
    with app.app_context():
        db.session.get_one(User, bob.id).hides_own_reposts = True
        db.session.commit()
    assert "You reposted it, and chose to hide other people’s reposts of it." in why(bob, entry, "/@alice")


@pytest.mark.parametrize(
    ("volume", "chose", "is_in"),
    [
        ("all_replies", "You chose to see all replies by @alice; this isn’t one.", True),
        ("no_replies", "You chose to hide replies to others by @alice; this isn’t one.", True),
        ("no_reposts", "You chose to hide reposts by @alice; this isn’t one.", True),
        ("highlights", "You chose to see only highlights from @alice; this is one.", True),
    ],
)
def test_volume(app: Flask, alice: Member, bob: Member, volume: str, chose: str, is_in: bool) -> None:
    post = alice.write("hello")
    act(app, social.set_volume, alice, volume, by=bob)
    assert chose in why(bob, post)
    assert f"✓ volume: @bob follows @alice at volume {volume}" in explained(app, bob, post)


@pytest.mark.parametrize("volume", ["no_replies", "highlights"])
def test_a_reply_to_the_reader_is_there_at_every_volume(app: Flask, alice: Member, bob: Member, volume: str) -> None:
    answer = alice.write("I think so too", reply_to=bob.write("hello"))
    act(app, social.set_volume, alice, volume, by=bob)
    assert answer in bob.feed() and "replies to you are always shown." in why(bob, answer)


def test_no_replies_does_not_cut_a_thread_that_an_author_continues(app: Flask, alice: Member, bob: Member) -> None:
    more = alice.write("and another thing", reply_to=alice.write("hello"))
    act(app, social.set_volume, alice, "no_replies", by=bob)
    assert more in bob.feed()
    assert "You chose to hide replies to others by @alice; this one continues their own thread." in why(bob, more)


def test_volume_that_leaves_out(app: Flask, alice: Member, bob: Member, carol: Member) -> None:
    posts = [alice.write(f"number {n}") for n in range(4)]
    act(app, social.set_volume, alice, "highlights", by=bob)
    told = why(bob, posts[3], "/@alice")
    assert "You chose to see only highlights from @alice; this isn’t one." in told and "It’s not in your" in told
    entry = repost(alice, carol.write("hello"))
    act(app, social.set_volume, alice, "no_reposts", by=bob)
    assert "hide reposts by @alice; this is one." in why(bob, entry, "/@alice")
    assert "✗ volume" in explained(app, bob, entry)


def test_what_hides_it(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("a spoiler")
    bob.send("/settings/filters", phrase="spoiler", match="word", action="hide", lasts="ever")
    bob.send(f"/posts/{post}/mute")
    until = clock.now() + timedelta(days=1)
    act(app, social.mute, alice, by=bob, until=until)
    told = why(bob, post, f"/@alice/{post}")
    for sentence in (
        "You opened this post",
        "It’s not in your home feed.",
        f"You’ve muted @alice until {times.in_full(until, None)}.",
        "You’ve muted this conversation.",
        "Your filter “spoiler” hides it.",
        "Checked against your mutes, blocks and word filters.",
    ):
        assert sentence in told
    said = explained(app, bob, post)
    for words in ("✗ mute: @bob muted @alice until", "✗ conversation:", "✗ filter: a word filter of @bob hides it"):
        assert words in said
    assert "spoiler" not in said  # whoever runs the site need not know which words


def test_a_collapsed_post_says_so(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("a spoiler")
    bob.send("/settings/filters", phrase="spoiler", match="word", action="collapse", lasts="ever")
    assert "It’s in your home feed." in why(bob, post)
    assert "Your filter “spoiler” collapses it." in why(bob, post)
    assert "· collapse: a word filter of the reader collapses it" in explained(app, bob, post)


def test_audience_and_private_accounts(app: Flask, alice: Member, bob: Member, carol: Member) -> None:
    close = entries(alice.send("/posts", fragment=True, text="for you", audience="followers").text)[0]
    named = entries(alice.send("/posts", fragment=True, text="for @bob", audience="mentioned").text)[0]
    assert "It’s only for followers of @alice, and you’re one of them." in why(bob, close)
    assert "It’s only for people it mentions, and you’re one of them." in why(bob, named)
    for entry in (close, named):
        assert carol.get(f"/posts/{entry}/why").status_code == 404
        assert "✗ audience: only for" in explained(app, carol, entry)
    act(app, lambda user: social.set_private(user, True), alice)
    assert "@alice has a private account, and you’re a follower." in why(bob, close)
    assert "✗ private: the account of @alice is private" in explained(app, carol, close)


def test_places_and_pages(alice: Member, bob: Member, mallory: Member, stranger: Member) -> None:
    post = alice.write("hello")
    bob.send(f"/posts/{post}/bookmark")
    assert "You bookmarked it. It’s also in your home feed." in why(bob, post, "/bookmarks")
    assert "A profile shows all of someone’s posts" in why(bob, post, "/@alice")
    assert "A tag’s page shows every post with that tag that you can see." in why(bob, post, "/tags/tea")
    assert "It matches your search." in why(bob, post, "/search?q=hello")
    assert "It’s in your home feed." in why(bob, post, "https://elsewhere.example/explore")
    page = bob.get(f"/posts/{post}/why?at=/explore").text
    assert (
        "<h1>Why am I seeing this?</h1>" in page
        and entries(page) == [post]
        and 'href="/explore" aria-label="Back"' in page
    )
    assert mallory.get(f"/posts/{post}/why").status_code == 404
    menu = bob.client.get(f"/posts/{post}/menu?entry={post}", headers={"Referer": "http://localhost/explore"}).text
    assert f'href="/posts/{post}/why?at=/explore"' in menu  # without JavaScript; menus.js asks for it in place
    alice.delete(post)
    assert bob.get(f"/posts/{post}/why").status_code == 410


def test_what_is_no_longer_there(alice: Member, bob: Member) -> None:
    post = alice.write("hello")
    bob.unfollow(alice)
    assert "It’s no longer in your home feed. You don’t follow @alice." in why(bob, post)


@pytest.mark.parametrize(
    ("at", "place"),
    [
        ("/@alice", "A profile shows all of someone’s posts that you can see."),
        ("/@alice/replies", "This page shows all of someone’s replies that you can see."),
        ("/@alice/pictures?cursor=abc", "This page shows all of someone’s posts with pictures that you can see."),
        ("/@alice/12345/quotes", "It quotes the post that you opened."),
        ("/@alice/12345", "You opened this post or its conversation."),
        ("/search?q=hello", "It matches your search."),
        ("/nowhere/at/all", "You opened this post or its conversation."),
    ],
)
def test_every_page_says_what_it_shows(app: Flask, alice: Member, bob: Member, at: str, place: str) -> None:
    post = alice.write("hello")
    assert f"{place} It’s also in your home feed." in why(bob, post, at)


@pytest.mark.parametrize("at", ["/", "/feed?cursor=abc", "/feed/new?since=abc"])
def test_home_explains_itself(app: Flask, alice: Member, bob: Member, at: str) -> None:
    assert why(bob, alice.write("hello"), at).strip().startswith("It’s in your home feed.")


def test_a_reply_under_a_followed_tag(app: Flask, alice: Member, bob: Member, carol: Member) -> None:
    """A tag brings posts, and replies only as the reply rule lets them in: bob follows alice, not carol."""
    bob.send("/tags/tea/follow")
    reply = answer(carol, alice.write("a question"), "an answer about #tea")
    drain(app)
    assert reply not in bob.feed()
    assert "You don’t follow @carol, who replied. Replies like that stay out of your home feed." in why(
        bob, reply, "/tags/tea"
    )
    bob.follow(carol)
    assert reply in bob.feed()

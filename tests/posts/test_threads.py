"""Conversations: what a post answers above it, what answers it below, whole for everybody, and bounded."""

from __future__ import annotations

import re
import timeit
from collections.abc import Callable
from functools import partial

import pytest
from flask import Flask
from sqlalchemy import text

from app.extensions import db
from tests.outbox import drain
from tests.people import PASSWORD, Member, entries, next_link
from tests.sql import statements

DELETED, HIDDEN, UNWANTED = "This post was deleted.", "This post isn’t visible to you.", "You chose to hide"


def reply(who: Member, to: int, words: str = "an answer", **fields: object) -> int:
    return who.write(words, reply_to=to, **fields)


def shown(html: str) -> list[int]:
    """Return the posts of a conversation in the order in which they are read, without the post that was asked for."""
    return [entry for entry in entries(html) if f'data-permalink="{entry}"' not in html]


def outline(html: str) -> str:
    """Return a page's answers as words between brackets: `a[b[c]]` is c below b below a; missing ones are dots."""
    below = html.partition('<ul id="list"')[2].partition("</section>")[0]
    signs = re.finditer(
        r'<ul class="branches">|</ul>|<div class="post-text"[^>]*>([^<]*)|class="(post-missing)"', below
    )
    said = ""
    for sign in signs:
        if sign[0].startswith("<ul"):
            said += "["
        elif sign[0] == "</ul>":
            said += "]"
        else:
            said += (" " if said and said[-1] not in "[" else "") + ("." if sign[2] else sign[1])
    return said.removesuffix("]")


def make_private(who: Member) -> None:
    with who.app.app_context():
        db.session.execute(text("UPDATE users SET is_private = true WHERE id = :id"), {"id": who.id})
        db.session.commit()


def erase(who: Member) -> None:
    """Delete an account and do what follows from it."""
    assert who.send("/settings/delete", current_password=PASSWORD).status_code == 303
    drain(who.app)


# ---- Above


def test_a_reply_stands_below_what_it_answers(alice: Member, bob: Member, carol: Member) -> None:
    root = alice.write("root")
    first = reply(bob, root)
    second = reply(carol, first)
    page = alice.get(f"/@carol/{second}").text
    assert entries(page) == [root, first, second]
    assert "Show the beginning" not in page


def test_far_down_the_nearest_ten_are_above_and_a_link_leads_to_the_beginning(alice: Member, bob: Member) -> None:
    posts = [alice.write("root")]
    for number in range(13):
        posts.append(reply((alice, bob)[number % 2], posts[-1]))
    page = alice.get(f"/@alice/{posts[-1]}").text
    assert entries(page) == posts[-11:]
    assert f'href="/posts/{posts[0]}/thread">Show the beginning' in page
    assert alice.get(f"/posts/{posts[0]}/thread").location == f"/@alice/{posts[0]}#post-{posts[0]}"
    page = alice.get(f"/@bob/{posts[10]}").text
    assert entries(page)[:11] == posts[:11] and "Show the beginning" not in page, "ten above are all of them"


def test_a_deleted_post_above_leaves_a_place(alice: Member, bob: Member, carol: Member) -> None:
    root = alice.write("root")
    middle = reply(bob, root)
    last = reply(carol, middle)
    bob.delete(middle)
    page = alice.get(f"/@carol/{last}").text
    assert entries(page) == [root, last]
    assert page.index(f'id="post-{root}"') < page.index(DELETED) < page.index(f'id="post-{last}"')
    assert f'href="/posts/{middle}/thread"' in page


# ---- Below


def test_the_author_goes_on_first_and_then_the_others_in_order(alice: Member, bob: Member, carol: Member) -> None:
    root = alice.write("root")
    reply(bob, root, "b1")
    one = reply(alice, root, "one")
    reply(carol, root, "c1")
    two = reply(alice, one, "two")
    reply(bob, one, "aside")
    reply(alice, two, "three")
    page = carol.get(f"/@alice/{root}").text
    assert outline(page) == "one two three b1 c1"
    assert re.search(rf'href="/@alice/{one}#post-{one}">1 reply<', page), "what was said between leads on"


def test_replies_are_nested_three_deep_and_lead_on(alice: Member, bob: Member, carol: Member) -> None:
    root = alice.write("root")
    one = reply(bob, root, "one")
    two = reply(carol, one, "two")
    three = reply(bob, two, "three")
    reply(carol, three, "four")
    reply(bob, root, "other")
    page = alice.get(f"/@alice/{root}").text
    assert outline(page) == "one[two[three]] other"
    assert f'href="/@bob/{three}#post-{three}">Continue this thread' in page
    assert page.count("Continue this thread") == 1


def test_of_many_replies_to_a_reply_the_first_three_are_shown(alice: Member, bob: Member, carol: Member) -> None:
    root = alice.write("root")
    one = reply(bob, root, "one")
    for number in range(5):
        reply(carol, one, str(number))
    page = alice.get(f"/@alice/{root}").text
    assert outline(page) == "one[0 1 2]"
    assert f'href="/@bob/{one}#post-{one}">2 more replies' in page
    assert outline(alice.get(f"/@bob/{one}").text) == "0 1 2 3 4"


def test_pages_hold_every_reply_once_though_new_ones_arrive(alice: Member, bob: Member) -> None:
    root = alice.write("root")
    expected = [reply(bob, root, str(number)) for number in range(25)]
    own = reply(alice, root, "own")
    pages, path = [], f"/@alice/{root}"
    while path:
        html = bob.get(path).text
        pages.append(shown(html))
        path = next_link(html) or ""
        if len(pages) == 1:
            expected.append(reply(bob, root, "meanwhile"))
    assert [len(page) for page in pages] == [11, 10, 6]
    assert [entry for page in pages for entry in page] == [own, *expected]


def test_infinite_scroll_gets_only_more_replies(alice: Member, bob: Member) -> None:
    root = alice.write("root")
    posts = [reply(bob, root) for _ in range(12)]
    onwards = next_link(alice.get(f"/@alice/{root}").text)
    assert onwards
    answer = alice.get(onwards, fragment=True).text
    assert entries(answer) == posts[10:] and "<html" not in answer and "composer" not in answer
    assert alice.get(onwards.replace("&listed", "x&listed")).status_code == 400
    assert bob.get(onwards).status_code == 400, "a cursor is for one reader"
    other = alice.write("other")
    assert alice.get(f"/@alice/{other}?{onwards.partition('?')[2]}").status_code == 400, "and for one conversation"


# ---- What cannot be shown


def test_below_a_deleted_post_the_thread_is_whole(alice: Member, bob: Member, carol: Member) -> None:
    root = alice.write("root")
    gone = reply(bob, root, "gone")
    reply(carol, gone, "kept")
    leaf = reply(bob, root, "leaf")
    bob.delete(gone)
    bob.delete(leaf)
    page = alice.get(f"/@alice/{root}").text
    assert outline(page) == ".[kept]", "a leaf leaves no place"
    assert page.count(DELETED) == 1


@pytest.mark.parametrize("number", [2, 3, 4, 9])
def test_any_number_of_deleted_posts_in_a_row_keeps_the_way_open(
    alice: Member, bob: Member, carol: Member, number: int
) -> None:
    root = alice.write("root")
    gone = [root]
    for _ in range(number):
        gone.append(reply(bob, gone[-1]))
    kept = reply(carol, gone[-1], "kept")
    dead_end = reply(bob, root)
    for post in (*gone[1:], reply(bob, dead_end), dead_end):
        bob.delete(post)
    page, path = alice.get(f"/@alice/{root}").text, f"/@alice/{root}"
    assert page.count(DELETED) == min(number, 3), "what leads nowhere leaves no place"
    for _ in range(number):
        if kept in entries(page):
            break
        onwards = re.search(r'class="branch-more" href="([^"]+)"', page)
        assert onwards, f"{path} leads nowhere"
        path = onwards[1].partition("#")[0]
        page = alice.get(path).text
    assert kept in entries(page)


def test_below_an_erased_and_deleted_posts_the_way_is_open(alice: Member, bob: Member, carol: Member) -> None:
    root = alice.write("root")
    one = reply(bob, root)
    two = reply(alice, one)
    three = reply(alice, two)
    reply(carol, three, "kept")
    erase(bob)
    for post in (two, three):
        alice.delete(post)
    assert outline(alice.get(f"/@alice/{root}").text) == ".[.[.]]", "three deep, and then it leads on"
    assert outline(alice.get(f"/posts/{three}/thread").text) == "kept"


@pytest.mark.parametrize("unwanted", ["mute", "filter"])
def test_beside_a_hidden_link_of_a_chain_other_answers_are_reached(
    alice: Member, bob: Member, carol: Member, mallory: Member, unwanted: str
) -> None:
    root = mallory.write("root")
    first = reply(mallory, root, "first")
    reply(mallory, first, "second, about the river")
    answer = reply(carol, first, "aside")
    if unwanted == "mute":
        bob.mute(mallory)
    else:
        assert bob.send("/settings/filters", phrase="river", match="word", action="hide").status_code == 303
    page = bob.get(f"/@mallory/{root}").text
    assert f'href="/@mallory/{first}#post-{first}">1 reply<' in page
    assert answer in entries(bob.get(f"/@mallory/{first}").text)


@pytest.mark.parametrize("path", ["/@alice/{}", "/posts/{}/thread"])
def test_a_deleted_post_is_gone_and_shows_what_hangs_below_it(
    alice: Member, bob: Member, carol: Member, path: str
) -> None:
    root = bob.write("root")
    gone = reply(alice, root, "secret")
    for number in range(12):
        reply(bob, gone, str(number))
    alice.delete(gone)
    answer = carol.get(path.format(gone))
    assert answer.status_code == 410
    assert entries(answer.text)[0] == root and len(entries(answer.text)) == 11
    assert DELETED in answer.text and "secret" not in answer.text and 'id="composer"' not in answer.text
    onwards = next_link(answer.text)
    assert onwards and carol.get(onwards, fragment=True).status_code == 200, "htmx would not show a 410"


def test_a_deleted_post_whose_author_went_on_shows_that(alice: Member, bob: Member) -> None:
    gone = alice.write("gone")
    own = reply(alice, gone, "and more")
    alice.delete(gone)
    for path in (f"/@alice/{gone}", f"/posts/{gone}/thread"):
        answer = bob.get(path)
        assert answer.status_code == 410 and entries(answer.text) == [own]


def test_a_deleted_post_without_replies_is_just_gone(alice: Member, bob: Member) -> None:
    gone = alice.write("hello")
    alice.delete(gone)
    for path in (f"/@alice/{gone}", f"/posts/{gone}/thread"):
        answer = bob.get(path)
        assert answer.status_code == 410 and "This post was deleted by its author." in answer.text
    assert bob.get("/posts/12345/thread").status_code == 404


def test_when_an_account_in_the_middle_is_erased_its_answers_stay(alice: Member, bob: Member, carol: Member) -> None:
    root = alice.write("root")
    reply(carol, root, "before")
    middle = reply(bob, root, "gone")
    answer = reply(carol, middle, "kept")
    deeper = reply(bob, answer)
    last = reply(carol, deeper, "deeper")
    reply(carol, root, "after")
    erase(bob)
    page = alice.get(f"/@alice/{root}").text
    assert outline(page) == "before .[kept] .[deeper] after"
    assert page.count(DELETED) == 2 and "gone" not in page and "bob" not in page
    page = alice.get(f"/@carol/{last}").text
    assert DELETED in page and f'href="/posts/{root}/thread">Show the beginning' in page
    gone = alice.get(f"/posts/{middle}/thread")
    assert gone.status_code == 410 and outline(gone.text) == "kept"


def test_beyond_an_erased_post_the_way_to_the_rest_is_open_though_the_first_is_deleted(
    alice: Member, bob: Member, carol: Member
) -> None:
    root = carol.write("root")
    reply(alice, root, "elsewhere")
    middle = reply(bob, root)
    answer = reply(alice, middle, "kept")
    erase(bob)
    carol.delete(root)
    assert f'href="/posts/{root}/thread">Show the beginning' in alice.get(f"/@alice/{answer}").text
    beginning = alice.get(f"/posts/{root}/thread")
    assert beginning.status_code == 410 and outline(beginning.text) == "elsewhere .[kept]"


def test_when_the_first_author_is_erased_the_conversation_stays(alice: Member, bob: Member, carol: Member) -> None:
    root = alice.write("root")
    one = reply(bob, root, "one")
    reply(carol, root, "two")
    erase(alice)
    page = carol.get(f"/@bob/{one}").text
    assert DELETED in page and f'href="/posts/{root}/thread"' in page
    for path in (f"/posts/{root}/thread", f"/@alice/{root}"):
        answer = carol.get(path)
        assert answer.status_code == 410 and outline(answer.text) == "one two"


def test_whom_one_blocks_is_a_gap_in_the_middle(alice: Member, bob: Member, carol: Member, mallory: Member) -> None:
    root = bob.write("root")
    hidden = reply(mallory, root, "hidden")
    answer = reply(carol, hidden, "kept")
    page = alice.get(f"/@bob/{root}").text
    assert outline(page) == ".[kept]" and HIDDEN in page and "mallory" not in page
    page = alice.get(f"/@carol/{answer}").text
    assert entries(page) == [root, answer] and HIDDEN in page and "mallory" not in page
    missing = alice.get(f"/posts/{hidden}/thread")
    assert missing.status_code == 404 and outline(missing.text) == "kept" and "mallory" not in missing.text
    assert alice.get(f"/@mallory/{hidden}").status_code == 404
    assert outline(bob.get(f"/@bob/{root}").text) == "hidden[kept]", "for others nothing is missing"


def test_whoever_is_blocked_finds_a_gap_too(alice: Member, bob: Member, mallory: Member) -> None:
    root = bob.write("root")
    hidden = reply(alice, root, "hidden")
    reply(bob, hidden, "kept")
    page = mallory.get(f"/@bob/{root}").text
    assert outline(page) == ".[kept]" and "alice" not in page


def test_replies_by_whom_one_mutes_are_left_out(alice: Member, bob: Member, carol: Member) -> None:
    root = alice.write("root")
    muted = reply(bob, root, "muted")
    reply(carol, muted, "kept")
    leaf = reply(bob, root, "leaf")
    carol.mute(bob)
    page = carol.get(f"/@alice/{root}").text
    assert outline(page) == ".[kept]"
    assert UNWANTED in page and f'href="/posts/{muted}/thread">Show anyway' in page
    assert carol.get(f"/posts/{muted}/thread").location == f"/@bob/{muted}#post-{muted}"
    assert entries(carol.get(f"/@bob/{leaf}").text) == [root, leaf], "whoever asks for it gets it"


def test_a_muted_author_whose_post_one_opens_goes_on(alice: Member, bob: Member) -> None:
    root = alice.write("root")
    reply(alice, root, "on")
    bob.mute(alice)
    assert outline(bob.get(f"/@alice/{root}").text) == "on"


def test_what_others_said_to_a_muted_author_is_counted_without_the_next_link(
    alice: Member, bob: Member, carol: Member
) -> None:
    root = alice.write("root")
    one = reply(alice, root, "one")
    reply(alice, one, "two")
    reply(carol, one, "aside")
    bob.mute(alice)
    page = bob.get(f"/@alice/{root}").text
    assert outline(page) == "one two"
    assert re.search(rf'href="/@alice/{one}#post-{one}">1 reply<', page)


def test_a_conversation_that_one_muted_can_still_be_opened(app: Flask, alice: Member, bob: Member) -> None:
    root = alice.write("root")
    reply(alice, reply(bob, root, "one"), "two")
    with app.app_context():
        muted = text("INSERT INTO muted_conversations (user_id, thread_id) VALUES (:who, :root)")
        db.session.execute(muted, {"who": bob.id, "root": root})
        db.session.commit()
    assert outline(bob.get(f"/@alice/{root}").text) == "one[two]"


def test_what_is_for_some_is_left_out_for_the_others(
    alice: Member, bob: Member, carol: Member, mallory: Member, mod: Member, stranger: Member
) -> None:
    """Bob follows Alice; the answers are hers, for everyone, for followers, and for Carol."""
    root = carol.write("root")
    reply(alice, root, "all")
    followers = reply(alice, root, "followers", audience="followers")
    reply(alice, root, "letter @carol", audience="mentioned")
    reply(bob, followers, "below")
    seen = {who.handle: outline(who.get(f"/@carol/{root}").text) for who in (alice, bob, carol, mallory, mod, stranger)}
    assert seen == {
        "alice": "all followers[below] letter ",
        "bob": "all followers[below]",
        "carol": "all .[below] letter ",
        "mallory": ".[below]",
        "maud": "all .[below]",
        "": "all .[below]",
    }


def test_a_private_account_is_seen_by_its_followers(
    alice: Member, bob: Member, carol: Member, stranger: Member
) -> None:
    root = carol.write("root")
    hidden = reply(alice, root, "private")
    below = reply(carol, hidden, "below")
    make_private(alice)
    assert outline(bob.get(f"/@carol/{root}").text) == "private[below]"
    for who in (carol, stranger):
        assert outline(who.get(f"/@carol/{root}").text) == ".[below]"
        assert "private" not in who.get(f"/@carol/{below}").text.partition("<main")[2]


# ---- Replying


def test_a_reply_comes_back_at_its_place_below_what_it_answers(alice: Member, bob: Member) -> None:
    root = alice.write("root")
    answer = bob.send("/posts", text="hello", reply_to=root)
    assert answer.status_code == 303
    [post] = [entry for entry in bob.feed() if entry != root]
    assert answer.location == f"/@bob/{post}#post-{post}"
    assert entries(bob.get(answer.location).text) == [root, post]


def test_htmx_gets_the_reply_the_number_and_the_form_again(alice: Member, bob: Member) -> None:
    root = alice.write("root")
    answer = bob.send("/posts", fragment=True, text="hello", reply_to=root).text
    assert len(entries(answer)) == 1 and 'hx-swap-oob="afterbegin:#list"' in answer
    assert f'<input type="hidden" name="reply_to" value="{root}">' in answer and "hello</textarea>" not in answer
    assert re.search(rf'id="actions-{root}" hx-swap-oob="true"[^§]*aria-label="Reply, 1 so far"', answer)


def test_the_page_of_a_post_has_a_form_to_answer_with(alice: Member, bob: Member, stranger: Member) -> None:
    root = alice.write("root", audience="followers")
    page = bob.get(f"/@alice/{root}").text
    assert f'name="reply_to" value="{root}"' in page and 'value="followers" checked' in page
    assert 'id="composer"' not in stranger.get(f"/@alice/{alice.write('open')}").text


def test_the_form_to_answer_with_is_that_of_its_reader_and_of_its_post(alice: Member, bob: Member) -> None:
    for who, post in ((alice, alice.write("one")), (bob, alice.write("two"))):
        form = who.get(f"/@alice/{post}").text.partition('id="composer"')[2].partition("</form>")[0]
        assert f'name="writer" value="{who.handle}"' in form and f'name="reply_to" value="{post}"' in form
        assert f'data-draft="reply-{post}"' in form and "slot" not in form
        token = re.search(r'name="csrf_token" value="([^"]+)"', form)
        sent = {"text": "hello", "reply_to": str(post), "csrf_token": token[1] if token else ""}
        assert who.client.post("/posts", data=sent).status_code == 303


def test_a_reply_among_mentioned_people_names_them_all(
    alice: Member, bob: Member, carol: Member, mallory: Member
) -> None:
    letter = bob.write("hello @alice @carol @mallory @nobody", audience="mentioned")
    for path in (f"/compose?reply_to={letter}", f"/@bob/{letter}"):
        page = alice.get(path).text
        assert ">@bob @carol </textarea>" in page, "neither oneself nor whom one blocks"
        assert 'value="mentioned" checked' in page


# ---- Bounds


def test_a_page_takes_the_same_statements_whatever_hangs_around_it(alice: Member, bob: Member, carol: Member) -> None:
    root = alice.write("root")
    one = reply(bob, root)
    with statements() as few:
        assert alice.get(f"/@bob/{one}").status_code == 200
    chain, posts = one, [one]
    for number in range(12):
        chain = reply(bob, chain)
        posts.append(reply(carol, one, str(number)))
        reply(alice, posts[-1])
    carol.delete(posts[3])
    with statements() as many:
        assert len(entries(alice.get(f"/@bob/{one}").text)) > 30
    assert len(many) == len(few) == 3, many
    with statements() as at_the_top:
        alice.get(f"/@alice/{root}")
    assert len(at_the_top) == 3


CROWD = """
INSERT INTO posts (id, author_id, text, reply_to_id, reply_to_author_id, thread_id)
SELECT CAST(:root AS bigint) + n, :author, 'n' || n, CASE WHEN :deep THEN CAST(:root AS bigint) + n - 1 ELSE :root END,
  :author, :root FROM generate_series(1, CAST(:number AS integer)) AS n
"""


@pytest.mark.parametrize(("number", "deep"), [(5000, False), (1000, True)])
def test_a_huge_conversation_is_a_page_like_any_other(
    app: Flask, join: Callable[..., Member], alice: Member, bob: Member, number: int, deep: bool
) -> None:
    root = alice.write("root")
    with app.app_context():
        values = {"root": root, "author": bob.id, "deep": deep, "number": number}
        db.session.execute(text(CROWD), values)
        db.session.execute(text("ANALYZE posts"))
        db.session.commit()
    last = root + number
    for path, most in ((f"/@alice/{root}", 11), (f"/@bob/{last}", 11), (f"/@bob/{root + 2}", 40)):
        answer = alice.get(path)
        assert answer.status_code == 200
        assert 1 < len(entries(answer.text)) <= most + 20
        best = min(timeit.repeat(partial(alice.get, path), number=1, repeat=3))
        assert best < 1, "a second would be fifty times too slow"

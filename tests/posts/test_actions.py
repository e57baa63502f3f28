"""What stands below the posts of a page that its reader comes back to: as it is by now, and only for who may see it."""

from __future__ import annotations

import json

import pytest

from tests.people import Member, entries


def asked(who: Member, *ids: int, named: bool = False) -> tuple[str, list[int]]:
    """Return what stands below some entries, and which of them are gone."""
    answer = who.get(f"/posts/actions?entries={'.'.join(map(str, ids))}{'&named=1' * named}", fragment=True)
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "private, no-store", "it is asked for because the rest may be old"
    return answer.text, json.loads(answer.headers.get("HX-Trigger", '{"entries-gone": []}'))["entries-gone"]


def test_each_says_what_is_true_now(alice: Member, bob: Member, stranger: Member) -> None:
    post, other = alice.write("one"), alice.write("two")
    bob.send(f"/posts/{post}/like")
    bob.write("an answer", reply_to=post)
    html, gone = asked(bob, post, other)
    assert not gone and html.count("hx-swap-oob") == 2
    assert f'id="like-{post}" aria-pressed="true" aria-label="Like, 1 so far"' in html
    assert "Reply, 1 so far" in html and "csrf_token" in html
    html, gone = asked(stranger, post)
    assert not gone and "Replies, 1 so far" in html and "csrf_token" not in html


def test_a_repost_keeps_its_place(alice: Member, bob: Member, carol: Member) -> None:
    post = alice.write("one")
    carol.send(f"/posts/{post}/repost")
    bob.follow(carol)
    [entry] = entries(carol.get("/@carol").text)
    html, gone = asked(bob, entry)
    assert f'id="actions-{entry}"' in html and f"/posts/{post}/like" in html and not gone
    alice.delete(post)
    html, gone = asked(bob, entry)
    assert gone == [entry] and "actions-" not in html


def test_what_may_not_be_seen_any_more_is_gone(alice: Member, bob: Member, carol: Member, mallory: Member) -> None:
    deleted, kept, muted = alice.write("one"), alice.write("two"), carol.write("three")
    alice.delete(deleted)
    bob.mute(carol)
    assert asked(bob, deleted, kept, muted)[1] == sorted([deleted, muted])
    assert asked(bob, kept, muted, named=True)[1] == [], "a page that names whom one mutes shows them"
    html, gone = asked(mallory, kept)
    assert gone == [kept] and "actions-" not in html


@pytest.mark.parametrize("names", ["", "x", "1.2.x", "9" * 40, "-1", "²", "." * 3000])
def test_nonsense_is_about_nothing(bob: Member, names: str) -> None:
    answer = bob.get(f"/posts/actions?entries={names}", fragment=True)
    assert answer.status_code == 200 and "actions-" not in answer.text


def test_what_stands_above_a_reply_says_why_it_is_not_shown_any_more(
    alice: Member, bob: Member, carol: Member, mod: Member
) -> None:
    shown, deleted, muted, private = alice.write("x"), alice.write("x"), carol.write("x"), mod.write("x")
    asked = ".".join(map(str, (shown, deleted, muted, private)))
    assert "HX-Trigger" not in bob.get(f"/posts/actions?contexts={asked}", fragment=True).headers
    alice.delete(deleted)
    bob.mute(carol)
    mod.close()
    answer = bob.get(f"/posts/actions?contexts={asked}&named=1", fragment=True)
    assert json.loads(answer.headers["HX-Trigger"]) == {
        "contexts-gone": {
            str(deleted): "This post was deleted.",
            str(muted): "You chose to hide this post.",
            str(private): "This post isn’t visible to you.",
        }
    }


def test_the_numbers_below_the_post_of_a_page_are_those_of_now(alice: Member, bob: Member) -> None:
    post, other = alice.write("counted"), alice.write("another")
    assert bob.send(f"/posts/{post}/like").status_code == 303
    bob.write("quoting", quote_of=post)
    page = alice.get(f"/posts/actions?entries={post}.{other}&counts={post}", fragment=True).text
    assert page.count(f'id="counts-{post}" hx-swap-oob') == 1 and f"counts-{other}" not in page
    assert "<b>1</b> quote</a>" in page and "<b>1</b> like</a>" in page
    assert "counts-" not in alice.get(f"/posts/actions?entries={post}", fragment=True).text
    alice.delete(post)
    assert "counts-" not in alice.get(f"/posts/actions?counts={post}", fragment=True).text


def test_pages_that_show_what_is_muted_say_so(alice: Member, bob: Member) -> None:
    """Back asks in their words what is still there, so that nothing leaves them that a reload would show."""
    post = alice.write("a post #tea")
    assert bob.send(f"/posts/{post}/bookmark").status_code == 303
    bob.mute(alice)
    asked_for = (f"/@alice/{post}", "/@alice", "/bookmarks", "/search?q=from:alice", f"/compose?reply_to={post}")
    assert all("data-shows-all" in bob.get(path).text for path in asked_for)
    assert all("data-shows-all" not in bob.get(path).text for path in ("/", "/explore", "/tags/tea", "/search?q=post"))
    assert "a post" in bob.get("/search?q=from:alice").text
    reply = bob.write("below it", reply_to=post)
    alice.delete(post)
    missing = bob.get(f"/@alice/{post}")
    assert "data-shows-all" in missing.text and f'data-entry="{reply}"' in missing.text

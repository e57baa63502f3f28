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

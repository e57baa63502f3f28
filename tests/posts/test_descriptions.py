"""Images without a description: a reminder, a rule, or nothing, as the author wants it."""

from __future__ import annotations

import pytest

from tests.people import Member

ASKED = "has no description"


def post(who: Member, image: int, **fields: object) -> tuple[int, str]:
    """Send a post with an image as the composer does."""
    answer = who.send("/posts", fragment=True, text="look", images=image, **fields)
    return answer.status_code, answer.text


def choose(who: Member, descriptions: str) -> int:
    return who.send("/settings/writing", descriptions=descriptions).status_code


def test_the_composer_reminds_once(alice: Member) -> None:
    image = alice.upload()
    status, form = post(alice, image, may_ask="yes")
    assert status == 422 and ASKED in form and f'value="{image}"' in form and "look" in form
    assert "may_ask" not in form, "sent again, it goes"
    assert post(alice, image)[0] == 200
    assert len(alice.feed()) == 1


def test_a_described_image_and_a_post_without_one_need_no_reminder(alice: Member) -> None:
    image = alice.upload()
    assert post(alice, image, may_ask="yes", **{f"alt-{image}": "a cup"})[0] == 200
    assert alice.send("/posts", fragment=True, text="words", may_ask="yes").status_code == 200


def test_an_author_who_wants_it_cannot_post_without(alice: Member) -> None:
    assert choose(alice, "require") == 303
    image = alice.upload()
    for fields in ({"may_ask": "yes"}, {}, {f"alt-{image}": "  "}):
        status, form = post(alice, image, **fields)
        assert status == 422 and "Describe this image first" in form and f'value="{image}"' in form
    assert post(alice, image, **{f"alt-{image}": "a cup"})[0] == 200


def test_an_author_who_does_not_is_never_asked(alice: Member) -> None:
    assert choose(alice, "never") == 303
    assert post(alice, alice.upload(), may_ask="yes")[0] == 200


@pytest.mark.parametrize("nonsense", ["", "sometimes", "REMIND"])
def test_another_choice_is_refused(alice: Member, nonsense: str) -> None:
    assert choose(alice, nonsense) == 400
    assert 'value="remind" checked' in alice.get("/settings/writing").text

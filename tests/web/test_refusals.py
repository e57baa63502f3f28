"""Input that an operation refuses: the error knows its field, one helper shows it there, and no refusal is a crash."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from flask import Flask
from flask_wtf import FlaskForm

from app.accounts.forms import SignUpForm
from app.accounts.operations import HandleTaken
from app.core.days import BadDay
from app.core.errors import Refused, SeveralRefused
from app.moderation.queue.operations import Taken
from app.moderation.reports.operations import TooManyPosts
from app.moderation.site_settings.operations import BadField
from app.posts.writing.forms import PostForm
from app.posts.writing.operations import BadText, BadWarning
from app.web.forms import show_refusal
from tests.people import Member
from tests.web.scene import assert_refused

# Asked for in addresses, not in forms; those that it holds have fields; each is of the field that it is given; of boxes
# that are ticked, and of buttons.
EXEMPT = {BadDay, SeveralRefused, BadField, TooManyPosts, Taken}


def heirs(of: type[Any]) -> Iterator[type[Any]]:
    for heir in of.__subclasses__():
        yield heir
        yield from heirs(heir)


def test_every_refusal_names_a_field_that_a_form_has(whole_app: Flask) -> None:
    with whole_app.test_request_context():
        fields = {field.name for form in heirs(FlaskForm) if form.__module__.startswith("app.") for field in form()}
    refusals = {heir for heir in heirs(Refused) if heir not in EXEMPT}
    assert len(refusals) > 5
    assert {refusal for refusal in refusals if getattr(refusal, "field", None) not in fields} == set()


@pytest.mark.parametrize(
    ("form", "refusal"),
    [
        (PostForm, BadText("Write something first.")),
        (PostForm, BadWarning("This is too long.")),
        (SignUpForm, HandleTaken("That handle is taken.")),
    ],
)
def test_a_refusal_is_shown_at_its_field_alone(whole_app: Flask, form: type[FlaskForm], refusal: Refused) -> None:
    with whole_app.test_request_context():
        shown = form()
        show_refusal(shown, refusal)
    assert shown.errors == {refusal.field: [str(refusal)]}


def test_a_refusal_that_no_form_shows_is_a_page_or_a_sentence(alice: Member) -> None:
    sentence = "This file isn’t an image Freshet can read."
    page = alice.send("/images", image=(BytesIO(b"no image"), "photo.png"))
    assert_refused(page, 422)
    assert sentence in page.text
    toast = alice.send("/images", fragment=True, image=(BytesIO(b"no image"), "photo.png"))
    assert (toast.status_code, toast.mimetype) == (422, "text/plain")
    assert toast.text.startswith(sentence)


def test_a_refusal_may_have_a_code_of_its_own(alice: Member, bob: Member) -> None:
    alice.close()
    post = alice.write("for followers")
    page = bob.get(f"/compose?quote_of={post}")
    assert_refused(page, 403)
    assert "isn’t public" in page.text


def test_images_are_refused_where_images_are_shown(alice: Member) -> None:
    image_id = alice.upload()
    answer = alice.send("/posts", text="look", images=[image_id, image_id])
    assert answer.status_code == 422
    assert '<p class="error" role="alert">A post can have up to four images.</p>' in answer.text

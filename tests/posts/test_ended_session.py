"""A session that ran out while somebody wrote: without JavaScript, too, what they typed comes back to them."""

from __future__ import annotations

import html
import re
from io import BytesIO

import pytest
from flask import Flask
from sqlalchemy import text
from werkzeug.datastructures import MultiDict
from werkzeug.test import TestResponse

from app.extensions import db
from tests.accounts.browser import Browser, form_token
from tests.accounts.images import image_file
from tests.people import PASSWORD, Member
from tests.web.scene import assert_in_our_design, stored

THOUGHT = 'a long thought, "quoted" & <b>bold</b>\n\nand a second line'
NOT_LOGGED_IN = "You’ve been logged out, so this hasn’t been posted yet."


@pytest.fixture
def browser(app: Flask, alice: Member) -> Browser:
    """Alice's browser, with the page for writing open."""
    browser = Browser(app)
    browser.log_in("alice")
    return browser


def end_sessions(app: Flask) -> None:
    with app.app_context():
        db.session.execute(text("UPDATE sessions SET expires_at = now() - interval '1 second'"))
        db.session.commit()


def fields_of(page: str) -> dict[str, str]:
    """Return the hidden fields of the form in a page's main part, and the text that is written in it."""
    form = re.search(r'<form class="(?:form|composer)".*?</form>', page, re.S)
    assert form, page
    hidden = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form[0])
    area = re.search(r'<textarea id="compose"[^>]*>(.*?)</textarea>', form[0], re.S)
    checked = re.search(r'<input type="radio" name="audience" value="(\w+)" checked>', form[0])
    warning = re.search(r'<input id="warning" name="warning" value="([^"]*)"', form[0])
    fields = dict(hidden)
    fields |= {"text": area[1]} if area else {}
    fields |= {"audience": checked[1]} if checked else {}
    fields |= {"warning": warning[1]} if warning else {}
    return {name: html.unescape(value) for name, value in fields.items()}


def send(browser: Browser, form: dict[str, str], **fields: str) -> TestResponse:
    return browser.client.post("/posts", data=form | fields)


def log_in(browser: Browser, page: str, login: str = "alice", password: str = PASSWORD) -> TestResponse:
    """Fill in the log-in page that somebody got instead of their post."""
    return browser.client.post("/login", data=fields_of(page) | {"login": login, "password": password})


def test_what_was_typed_is_in_the_form_again_after_logging_in(app: Flask, alice: Member, browser: Browser) -> None:
    form = fields_of(browser.get("/compose").text)
    end_sessions(app)
    before = stored(app)
    asked = send(browser, form, text=THOUGHT, warning="bees", audience="followers")
    assert asked.status_code == 401 and NOT_LOGGED_IN in asked.text
    assert_in_our_design(asked)
    assert stored(app) == before

    page = log_in(browser, asked.text)
    assert page.status_code == 200
    assert "it hasn’t been posted yet" in page.text
    again = fields_of(page.text)
    assert (again["text"], again["warning"], again["audience"]) == (THOUGHT, "bees", "followers")
    assert alice.feed() == []

    assert send(browser, again).status_code == 303
    [post_id] = Member(app, alice.id, "alice").feed()
    with app.app_context():
        post = db.session.execute(
            text("SELECT text, warning, audience FROM posts WHERE id = :id"), {"id": post_id}
        ).one()
    assert tuple(post) == (THOUGHT, "bees", "followers")


@pytest.mark.parametrize("about", ["reply_to", "quote_of"])
def test_an_answer_stays_an_answer_and_a_quote_a_quote(app: Flask, bob: Member, browser: Browser, about: str) -> None:
    post_id = bob.write("what do you think?")
    form = fields_of(browser.get(f"/compose?{about}={post_id}").text)
    end_sessions(app)
    page = log_in(browser, send(browser, form, text="a lot").text)
    assert fields_of(page.text)[about] == str(post_id)
    assert "what do you think?" in page.text


def images_in(page: str) -> dict[str, str]:
    """Return the images that a page carries or shows in its form, with what was written about them."""
    alts = re.findall(r'name="alt-(\d+)"(?: value="([^"]*)"|[^>]*>(.*?)</textarea>)', page, re.S)
    described = {image_id: html.unescape(carried or shown) for image_id, carried, shown in alts}
    return {image_id: described[image_id] for image_id in re.findall(r'name="images" value="(\d+)"', page)}


def with_images(*image_ids: int, **fields: str) -> MultiDict[str, str]:
    """Return a post with images, the first of which is described."""
    chosen = [("images", str(image_id)) for image_id in image_ids]
    fields.pop("images", None)  # of several, `fields_of` knows one
    return MultiDict([*fields.items(), *chosen, (f"alt-{image_ids[0]}", 'A "pear" tree')])


@pytest.mark.parametrize("written", ["look", ""])
def test_uploaded_images_are_in_the_form_again_after_logging_in(
    app: Flask, alice: Member, browser: Browser, written: str
) -> None:
    second, first, left_out = (alice.upload() for _ in range(3))
    form = fields_of(browser.get("/compose").text) | {"text": written, "remove": str(left_out)}
    end_sessions(app)
    asked = browser.client.post("/posts", data=with_images(first, second, left_out, **form))
    assert asked.status_code == 401 and NOT_LOGGED_IN in asked.text
    carried = {str(first): 'A "pear" tree', str(second): ""}
    assert list(images_in(asked.text).items()) == list(carried.items())
    login = fields_of(asked.text) | {"login": "alice", "password": "wrong"}
    wrong = browser.client.post("/login", data=with_images(first, second, **login))
    assert wrong.status_code == 422 and images_in(wrong.text) == carried

    page = browser.client.post("/login", data=with_images(first, second, **login | {"password": PASSWORD}))
    assert page.status_code == 200 and list(images_in(page.text).items()) == list(carried.items())
    reminded = browser.client.post("/posts", data=with_images(first, second, **fields_of(page.text)))
    assert reminded.status_code == 422 and "Not every image has a description." in reminded.text
    sent = browser.client.post("/posts", data=with_images(first, second, **fields_of(reminded.text)))
    assert sent.status_code == 303
    assert len(Member(app, alice.id, "alice").feed()) == 1


def test_an_image_that_is_gone_after_logging_in_is_named(app: Flask, alice: Member, browser: Browser) -> None:
    image_id = alice.upload()
    form = fields_of(browser.get("/compose").text)
    alice.write("posted meanwhile", images=image_id)
    end_sessions(app)
    asked = browser.client.post("/posts", data=with_images(image_id, **form))
    login = fields_of(asked.text) | {"login": "alice", "password": PASSWORD}
    page = browser.client.post("/login", data=with_images(image_id, **login))
    assert images_in(page.text) == {} and "One of your images is no longer here." in page.text


def test_somebody_elses_images_are_shown_to_nobody(app: Flask, alice: Member, bob: Member, browser: Browser) -> None:
    """Not even where the form does not say whose it is, or says what is not true."""
    image_id = alice.upload()
    form = fields_of(browser.get("/compose").text)
    end_sessions(app)
    asked = browser.client.post("/posts", data=with_images(image_id, **form)).text
    login = fields_of(asked) | {"login": "bob", "password": PASSWORD}
    for writer in ("alice", "", "bob"):
        response = browser.client.post("/login", data=with_images(image_id, **login | {"writer": writer}))
        assert "/media/posts/" not in response.text and images_in(response.text) == {}
        browser.submit("/logout", page="/")
        login["csrf_token"] = form_token(browser.get("/login").text)


def test_a_late_form_keeps_its_images(app: Flask, alice: Member, browser: Browser) -> None:
    image_id = alice.upload()
    form = fields_of(browser.get("/compose").text)
    browser.submit("/logout", page="/")
    browser.log_in("alice")
    late = browser.client.post("/posts", data=with_images(image_id, **form | {"text": THOUGHT}))
    assert late.status_code == 400 and images_in(late.text) == {str(image_id): 'A "pear" tree'}


def test_files_that_a_form_brought_along_have_to_be_chosen_again_and_the_page_says_so(
    app: Flask, browser: Browser
) -> None:
    form = fields_of(browser.get("/compose").text) | {"text": THOUGHT}
    end_sessions(app)
    for file, said in (((BytesIO(), ""), False), ((image_file(), "photo.png"), True)):
        asked = browser.client.post("/posts", data=form | {"image": file})
        assert asked.status_code == 401
        assert ("Images that hadn’t finished uploading need to be added again" in asked.text) is said


def test_a_wrong_password_loses_nothing(app: Flask, browser: Browser) -> None:
    form = fields_of(browser.get("/compose").text)
    end_sessions(app)
    asked = send(browser, form, text=THOUGHT)
    wrong = log_in(browser, asked.text, password="wrong")
    assert wrong.status_code == 422 and fields_of(wrong.text)["text"] == THOUGHT
    assert fields_of(log_in(browser, wrong.text).text)["text"] == THOUGHT


def test_somebody_else_who_logs_in_there_does_not_see_it(
    app: Flask, alice: Member, bob: Member, browser: Browser
) -> None:
    form = fields_of(browser.get("/compose").text)
    end_sessions(app)
    asked = send(browser, form, text="between me and my diary")
    response = log_in(browser, asked.text, login="bob")
    assert (response.status_code, response.location) == (303, "/")
    home = browser.get("/").text
    assert "belongs to another account" in home and "diary" not in home


def test_a_form_from_before_a_log_out_in_another_tab_loses_nothing(app: Flask, alice: Member, browser: Browser) -> None:
    form = fields_of(browser.get("/compose").text)
    browser.submit("/logout", page="/")
    browser.get("/")
    asked = send(browser, form, text=THOUGHT)
    assert asked.status_code == 400 and NOT_LOGGED_IN in asked.text
    assert fields_of(log_in(browser, asked.text).text)["text"] == THOUGHT
    assert alice.feed() == []


def test_a_form_from_before_another_log_in_comes_back_to_be_sent_again(
    app: Flask, alice: Member, browser: Browser
) -> None:
    form = fields_of(browser.get("/compose").text)
    browser.submit("/logout", page="/")
    browser.log_in("alice")
    late = send(browser, form, text=THOUGHT, audience="followers")
    assert late.status_code == 400 and "Your text is still here" in late.text
    again = fields_of(late.text)
    assert (again["text"], again["audience"]) == (THOUGHT, "followers")
    assert alice.feed() == []
    assert send(browser, again).status_code == 303


def test_a_form_of_another_account_does_not_come_back(app: Flask, alice: Member, bob: Member, browser: Browser) -> None:
    form = fields_of(browser.get("/compose").text)
    browser.submit("/logout", page="/")
    browser.log_in("bob")
    late = send(browser, form, text="between me and my diary")
    assert late.status_code == 400 and "diary" not in late.text


def test_a_log_in_page_from_before_another_log_in_loses_nothing(app: Flask, browser: Browser) -> None:
    form = fields_of(browser.get("/compose").text)
    end_sessions(app)
    asked = send(browser, form, text=THOUGHT).text
    browser.log_in("alice")  # in another tab
    late = log_in(browser, asked)
    assert late.status_code == 400 and fields_of(late.text)["text"] == THOUGHT


def test_another_site_can_post_nothing_through_the_log_in_page(app: Flask, alice: Member, browser: Browser) -> None:
    before = stored(app)
    forged = {"text": "buy this", "writer": "alice", "login": "alice", "password": PASSWORD}
    for address in ("/posts", "/login"):
        assert Browser(app).client.post(address, data=forged).status_code == 400
        assert browser.client.post(address, data=forged).status_code == 400
    assert stored(app) == before


@pytest.mark.parametrize("quoted", ["9" * 30, "0" * 20 + "9" * 20, "²", "-1", "0", "٣", "1e3"])
def test_what_is_carried_is_text_and_nothing_else(app: Flask, browser: Browser, quoted: str) -> None:
    form = fields_of(browser.get("/compose").text)
    end_sessions(app)
    nasty = '"><script>alert(1)</script><input name="login" value="'
    asked = send(browser, form, text=nasty, warning=nasty, audience=nasty, reply_to=nasty, quote_of=quoted)
    assert "<script>alert" not in asked.text
    page = log_in(browser, asked.text)
    assert page.status_code == 200 and "<script>alert" not in page.text
    assert fields_of(page.text)["text"] == nasty
    assert send(browser, fields_of(page.text), audience="everyone", reply_to="").status_code == 422


def test_nothing_written_is_nothing_to_carry(app: Flask, browser: Browser) -> None:
    form = fields_of(browser.get("/compose").text)
    end_sessions(app)
    assert "Log in, then go back and send this again" in send(browser, form, text="  \n ").text


def test_other_forms_are_told_to_log_in_as_before(app: Flask, bob: Member, browser: Browser) -> None:
    token = form_token(browser.get("/@bob").text)
    end_sessions(app)
    response = browser.client.post("/@bob/follow", data={"csrf_token": token, "text": "x", "writer": "alice"})
    assert response.status_code == 401 and NOT_LOGGED_IN not in response.text


def test_a_log_in_without_a_text_leads_on_as_before(browser: Browser, app: Flask) -> None:
    assert Browser(app).log_in("alice", next="/explore", text=" ", writer="alice").location == "/explore"


@pytest.mark.parametrize(
    ("draft", "said"), [("m1abc23", True), ("", False), ("x" * 41, False), ("<b>", False), ('"', False), ("A", False)]
)
def test_the_page_after_a_plain_post_names_the_draft_once(alice: Member, draft: str, said: bool) -> None:
    assert alice.send("/posts", text="sent", draft=draft).status_code == 303
    home = alice.get("/").text
    assert (f'data-posted="{draft}"' in home) is said and ("data-posted" in home) is said
    assert 'class="notice"' not in home
    assert "data-posted" not in alice.get("/").text
    alice.send("/posts", fragment=True, text="sent", draft="m1abc23")
    assert "data-posted" not in alice.get("/").text

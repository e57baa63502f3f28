"""Every page of the site, in every state that looks different, and how to get there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from playwright.sync_api import Page, expect

from tests.system.scene import Wording


@dataclass(frozen=True)
class View:
    """A page in one state: who looks, at which address, and what they do there first."""

    who: str | None
    path: str
    then: Callable[[Page], None] = lambda page: None
    complaint: str | None = None  # what the browser rightly complains about on the way
    diary: int = 0  # how much more Alice has written


def send_empty_form(page: Page) -> None:
    page.locator("main form.form button").last.click()
    expect(page.locator(".error").first).to_be_visible()


def send_empty_post(page: Page) -> None:
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.get_by_text("Write something first.")).to_be_visible()


def log_in_wrongly(page: Page) -> None:
    page.get_by_label("Handle or e-mail").fill("nobody")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("Handle, e-mail or password is wrong.")).to_be_visible()


def open_post_menu(page: Page) -> None:
    page.locator(".post summary").last.click()  # the last one: its menu covers no links of other posts
    expect(page.get_by_text("Link to this post").last).to_be_visible()


def open_person_menu(page: Page) -> None:
    page.locator(".relation summary").first.click()
    expect(page.get_by_role("button", name="Block").first).to_be_visible()


def ask_to_delete(page: Page) -> None:
    page.locator(".post summary").nth(1).click()  # Bob's post is above
    page.get_by_text("Delete this post").click()
    expect(page.locator("#confirm")).to_be_visible()


def show_keys(page: Page) -> None:
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()


def follow(page: Page) -> None:
    page.get_by_role("button", name="Follow").first.click()
    expect(page.locator(".toast")).to_be_visible()


def like_and_bookmark(page: Page) -> None:
    for name in ("Like", "Bookmark"):
        button = page.get_by_role("button", name=name).last
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")


def save(page: Page) -> None:
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".notice")).to_be_visible()


def scroll_to_end(page: Page) -> None:
    page.get_by_role("link", name="Older").scroll_into_view_if_needed()
    expect(page.locator(".pager-end")).to_be_visible()


VIEWS = {
    "welcome": View(None, "/"),
    "sign up": View(None, "/signup"),
    "sign up, wrong": View(None, "/signup", send_empty_form, "422 /signup"),
    "log in": View(None, "/login"),
    "log in, wrong": View(None, "/login", log_in_wrongly, "422 /login"),
    "home, nobody followed": View("carol", "/"),
    "home, all silent": View("dora", "/"),
    "home": View("alice", "/"),
    "home, scrolled to its end": View("alice", "/", scroll_to_end, diary=17),
    "home, menu open": View("bob", "/", open_post_menu),
    "home, nothing written": View("alice", "/", send_empty_post, "422 /posts"),
    "home, question open": View("alice", "/", ask_to_delete),
    "home, list of keys open": View("bob", "/", show_keys),
    "own profile": View("alice", "/@{alice}"),
    "other profile": View("bob", "/@{alice}"),
    "other profile, menu open": View("bob", "/@{alice}", open_person_menu),
    "other profile, just followed": View("carol", "/@{bob}", follow),
    "muted profile": View("alice", "/@{carol}"),
    "blocked profile": View("alice", "/@{mallory}"),
    "empty profile": View("bob", "/@{carol}"),
    "own empty profile": View("carol", "/@{carol}"),
    "profile for strangers": View(None, "/@{alice}"),
    "own post": View("alice", "/@{alice}/{post}"),
    "other post": View("bob", "/@{alice}/{post}", open_post_menu),
    "post for strangers": View(None, "/@{alice}/{post}"),
    "options of a post": View("bob", "/posts/{post}/menu"),
    "question before deleting": View("alice", "/posts/{post}/delete"),
    "home, liked and bookmarked": View("bob", "/", like_and_bookmark),
    "who likes a post": View("alice", "/@{alice}/{post}/likes"),
    "bookmarks": View("bob", "/bookmarks"),
    "no bookmarks": View("carol", "/bookmarks"),
    "write": View("alice", "/compose"),
    "write, nothing written": View("alice", "/compose", send_empty_post, "422 /posts"),
    "tag": View("bob", "/tags/{tag}"),
    "tag without posts": View("bob", "/tags/unheard"),
    "explore": View("carol", "/explore"),
    "people": View("alice", "/explore/people"),
    "people for strangers": View(None, "/explore/people"),
    "followers": View("carol", "/@{alice}/followers"),
    "followers of nobody": View("alice", "/@{dora}/followers"),
    "following": View("alice", "/@{alice}/following"),
    "following nobody": View("alice", "/@{carol}/following"),
    "settings: profile": View("alice", "/settings/profile"),
    "settings: profile saved": View("alice", "/settings/profile", save),
    "settings: e-mail": View("alice", "/settings/email"),
    "settings: e-mail, wrong": View("alice", "/settings/email", send_empty_form, "422 /settings/email"),
    "settings: password": View("alice", "/settings/password"),
    "settings: password, wrong": View("alice", "/settings/password", send_empty_form, "422 /settings/password"),
    "settings: devices": View("alice", "/settings/sessions"),
    "settings: muted": View("alice", "/settings/mutes"),
    "settings: nobody muted": View("bob", "/settings/mutes"),
    "settings: blocked": View("alice", "/settings/blocks"),
    "settings: nobody blocked": View("bob", "/settings/blocks"),
    "settings: looks": View("alice", "/settings/appearance"),
    "settings: delete account": View("alice", "/settings/delete"),
    "settings: delete account, wrong": View("alice", "/settings/delete", send_empty_form, "422 /settings/delete"),
    "admin: feed": View("maud", "/admin/feed"),
    "admin: why a post is in a feed": View("maud", "/admin/feed?reader={bob}&post={post}"),
    "admin: no such reader": View("maud", "/admin/feed?reader=nobody_here&post={post}", complaint="422 /admin/feed"),
    "a damaged cursor": View("alice", "/feed?cursor=damaged", complaint="400 /feed"),
    "somebody else's post": View("bob", "/posts/{post}/delete", complaint="403 /posts/"),
    "no such page": View(None, "/no-such-page", complaint="404 /no-such-page"),
    "no such person": View("alice", "/@nobody_here", complaint="404 /@nobody_here"),
    "deleted post": View("bob", "/@{alice}/{deleted}", complaint="410 /@"),
}

ERRORS = (400, 401, 403, 404, 405, 410, 413, 415, 422, 429, 500, 503)


class OpenView(Protocol):
    """Set the scene, open the right person's browser and bring its page into the state of a view."""

    def __call__(self, name: str, wording: Wording = ..., **options: Any) -> Page: ...

"""Every page of the site, in every state that looks different, and how to get there."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from playwright.sync_api import FilePayload, Page, expect

from tests.accounts.images import image_file
from tests.system import factors, passkeys
from tests.system.scene import Wording


def stay(page: Page) -> None:
    """Do nothing there."""


@dataclass(frozen=True)
class View:
    """A page in one state: who looks, at which address, and what they do there first."""

    who: str | None
    path: str
    then: Callable[[Page], None] = stay
    complaint: str | None = None  # what the browser rightly complains about on the way
    diary: int = 0  # how much more Alice has written
    talk: bool = False  # whether they talk about her posts

    @property
    def changes_something(self) -> bool:
        """Say whether the next view needs a scene of its own."""
        return self.then not in LEAVE_IT_AS_IT_IS


def send_empty_form(page: Page) -> None:
    page.locator("main form.form button").last.click()
    expect(page.locator(".error").first).to_be_visible()


def send_empty_post(page: Page) -> None:
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.get_by_text("Write something first.")).to_be_visible()


def open_audience_and_warning(page: Page) -> None:
    page.locator(".composer-warning summary").click()
    page.get_by_label("Content warning").fill("W" * 101)
    page.locator(".composer-audience summary").click()
    expect(page.get_by_role("radio", name="Everyone")).to_be_visible()


def send_quote(page: Page) -> None:
    page.get_by_label("Write a post").fill("W" * 60)
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.get_by_role("article").first.locator(".quoted")).to_be_visible()


def send_behind_warning(page: Page) -> None:
    page.get_by_label("Write a post").fill("W" * 60)
    page.locator(".composer-warning summary").click()
    page.get_by_label("Content warning").fill("W" * 100)
    page.get_by_role("button", name="Post", exact=True).click()
    collapsed = page.get_by_role("article").first.locator(".post-collapsed")
    collapsed.locator("summary").click()
    expect(collapsed.locator(".post-text")).to_be_visible()


def repost_and_look(page: Page) -> None:
    card = page.get_by_role("article").first
    card.locator(".action-repost").click()
    card.get_by_role("button", name="Repost", exact=True).click()
    expect(card.locator(".action-repost.is-on")).to_be_visible()
    page.get_by_role("link", name="Profile", exact=True).click()
    expect(page.locator(".reposters")).to_be_visible()


def save_nothing(page: Page) -> None:
    page.get_by_label("Edit your post").fill(" ")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Write something first.")).to_be_visible()


def save_over_another(page: Page) -> None:
    page.locator("[name=version]").evaluate("field => (field.value = '1')")  # as if it had been changed meanwhile
    page.get_by_label("Edit your post").fill("W" * 40)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("changed somewhere else")).to_be_visible()


def open_jump(page: Page) -> None:
    page.locator(".heading-jump summary, .profile-jump summary").click()
    expect(page.get_by_role("button", name="Go")).to_be_visible()


def choose_images(page: Page) -> None:
    files = [image_file("JPEG", size=size).getvalue() for size in ((300, 200), (90, 900), (900, 90), (40, 40))]
    chosen = [FilePayload(name="photo.jpg", mimeType="image/jpeg", buffer=file) for file in files]
    page.get_by_label("Add images").set_input_files(chosen[:3])
    expect(page.locator(".composer-image [name=images]")).to_have_count(3)
    page.route("**/images", lambda route: None)  # the last one never arrives
    page.get_by_label("Add images").set_input_files(chosen[3:])
    expect(page.get_by_role("progressbar")).to_be_visible()


def choose_nonsense(page: Page) -> None:
    page.get_by_label("Add images").set_input_files(
        FilePayload(name="n" * 200 + ".png", mimeType="image/png", buffer=b"nonsense")
    )
    expect(page.get_by_text("This file isn’t an image")).to_be_visible()


def log_in_wrongly(page: Page) -> None:
    page.get_by_label("Handle or email").fill("nobody")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("Wrong handle, email or password.")).to_be_visible()


def open_post_menu(page: Page) -> None:
    page.locator(".post-head summary").last.click()  # the last one: its menu covers no links of other posts
    expect(page.get_by_text("Copy link").last).to_be_visible()


def open_person_menu(page: Page) -> None:
    page.locator(".relation summary").first.click()
    expect(page.get_by_role("button", name="Block").first).to_be_visible()


def open_sheet(words: str) -> Callable[[Page], None]:
    """Return how to open the dialog that a menu on a profile leads to."""

    def open_it(page: Page) -> None:
        open_person_menu(page)
        page.get_by_role("link", name=words).first.click()
        expect(page.locator("#sheet")).to_be_visible()

    return open_it


def ask_to_remove(page: Page) -> None:
    open_person_menu(page)
    page.get_by_role("link", name="Remove from your followers").click()
    expect(page.locator("#confirm")).to_be_visible()


def accept(page: Page) -> None:
    page.get_by_role("button", name="Accept").click()
    expect(page.locator(".toast")).to_be_visible()


def ask_to_delete(page: Page) -> None:
    page.locator(".post-head summary").nth(1).click()  # Bob's post is above
    page.get_by_text("Delete this post").click()
    expect(page.locator("#confirm")).to_be_visible()


def show_keys(page: Page) -> None:
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()


def send_empty_filter(page: Page) -> None:
    page.get_by_role("button", name="Add filter").click()
    expect(page.locator(".error").first).to_be_visible()


def ask_why(page: Page) -> None:
    open_post_menu(page)
    page.get_by_role("link", name="Why am I seeing this?").last.click()
    expect(page.locator("#why")).to_be_visible()


def add_filters(page: Page) -> None:
    for number, phrase in enumerate(["late", "x" * 100]):
        page.get_by_label("Word or phrase").fill(phrase)
        page.get_by_label(["Collapse it and say why", "Hide the post"][number]).check()
        page.get_by_label(["Forever", "1 week"][number]).check()
        page.get_by_role("button", name="Add filter").click()
        expect(page.locator(".notice")).to_be_visible()


def try_a_filter(page: Page) -> None:
    add_filters(page)
    page.get_by_label("Also inside other words").check()
    page.get_by_label("Word or phrase").fill("e")
    expect(page.locator("mark").first).to_be_visible()


def change_a_filter(page: Page) -> None:
    add_filters(page)
    page.get_by_role("link", name="Edit the filter").first.click()
    expect(page.get_by_role("button", name="Save")).to_be_visible()


def see_it_collapsed(page: Page) -> None:
    add_filters(page)
    page.goto("/")
    collapsed = page.locator(".post-collapsed-calm").first
    if collapsed.count():
        collapsed.click()


def mute_a_conversation(page: Page) -> None:
    open_post_menu(page)
    page.get_by_text("Mute this conversation").last.click()
    expect(page.locator(".toast")).to_be_visible()
    page.goto("/settings/conversations")
    expect(page.get_by_role("button", name="Unmute")).to_be_visible()


def report_it(page: Page) -> None:
    open_post_menu(page)
    page.get_by_role("link", name="Report this post").last.click()
    expect(page.locator("#sheet")).to_be_visible()
    page.locator("#sheet summary").click()


def report_without_reason(page: Page) -> None:
    report_it(page)
    page.locator("#sheet").get_by_role("button", name="Report").click()
    expect(page.locator("#sheet .error").first).to_be_visible()


def close_nothing(page: Page) -> None:
    page.locator(".many-bar summary", has_text="Close").click()
    page.get_by_role("button", name="Close them all").click()
    expect(page.locator(".error").first).to_be_visible()


def act_without_reason(page: Page) -> None:
    page.locator(".many-bar summary", has_text="Act").click()
    page.get_by_role("checkbox").first.check()
    page.get_by_role("button", name="Do it to all").click()
    expect(page.locator(".error").first).to_be_visible()


def warn_without_reason(page: Page) -> None:
    page.get_by_text("Do something about @").click()
    page.locator("#act-on-person").get_by_role("button", name="Do it").click()
    expect(page.locator(".error").first).to_be_visible()
    page.get_by_text("Do something about the post").click()


def take_it_on(page: Page) -> None:
    page.get_by_role("button", name="Take it on").click()
    expect(page.get_by_role("button", name="Give back")).to_be_visible()


def follow_the_tag(page: Page) -> None:
    page.get_by_role("button", name="Follow #").click()
    expect(page.get_by_role("button", name="unfollow")).to_be_visible()
    page.goto("/settings/tags")


def follow(page: Page) -> None:
    page.get_by_role("button", name="Follow").first.click()
    expect(page.locator(".toast")).to_be_visible()


def like_and_bookmark(page: Page) -> None:
    for name in ("Like", "Bookmark"):
        button = page.get_by_role("button", name=name).last
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")


def answer(page: Page) -> None:
    page.get_by_label("Write your reply").fill("A new answer")
    page.get_by_role("button", name="Reply", exact=True).click()
    expect(page.locator("#list .post").first).to_contain_text("A new answer")


def open_last_answer(page: Page) -> None:
    page.locator("#list .post-time").last.click()
    expect(page.locator(".thread-above")).to_be_visible()


def save(page: Page) -> None:
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".notice")).to_be_visible()


def ask_for_export(page: Page) -> None:
    page.get_by_role("button", name="Make a copy").click()
    expect(page.get_by_text("Your copy is being made.")).to_be_visible()


def send_list(page: Page) -> None:
    people = FilePayload(name="people.csv", mimeType="text/csv", buffer=b"bob\n")
    page.get_by_label("File").set_input_files(people)
    page.get_by_role("button", name="Bring in").click()
    expect(page.get_by_text("is being worked through")).to_be_visible()


def send_no_zone(page: Page) -> None:
    page.locator("#time_zone").evaluate("(select) => select.add(new Option('Nowhere', 'Mars/Olympus', true, true))")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#time_zone-error")).to_be_visible()


def look_at_drafts(page: Page) -> None:
    answer_over_the_page(page)
    page.keyboard.type("half a tho")
    page.goto("/drafts")
    expect(page.locator(".draft-about .quoted")).to_be_visible()


def open_repost_menu(page: Page) -> None:
    page.locator(".post .action-repost").last.click()
    expect(page.locator(".repost-menu .menu-items").last).to_be_visible()


def answer_over_the_page(page: Page) -> None:
    page.locator(".post .action-reply").first.click()
    expect(page.locator("#writing textarea[name=text]")).to_be_focused()


def be_refused_over_the_page(page: Page) -> None:
    answer_over_the_page(page)
    page.keyboard.type("W" * 501)
    page.locator("#writing .composer-warning summary").click()
    page.locator("#writing [name=warning]").fill("W" * 101)
    page.locator("#writing .button-primary").click()
    expect(page.locator("#writing .error")).to_have_count(2)


def be_reminded_over_the_page(page: Page) -> None:
    answer_over_the_page(page)
    picture = image_file("JPEG", size=(300, 200)).getvalue()
    chosen = [FilePayload(name="photo.jpg", mimeType="image/jpeg", buffer=picture)] * 2
    page.locator("#writing [type=file]").set_input_files(chosen)
    expect(page.locator("#writing [name=images]")).to_have_count(2)
    page.locator("#writing .composer-image textarea").first.fill("W" * 1001)
    page.locator("#writing .button-primary").click()
    expect(page.locator("#writing .error")).to_have_text("A description can have up to 1000 characters.")
    expect(page.locator("#writing .ask-for-words")).to_be_visible()
    assert page.locator("#writing").evaluate("(dialog) => dialog.scrollWidth <= dialog.clientWidth")


def quote_over_the_page(page: Page) -> None:
    open_repost_menu(page)
    page.locator(".repost-menu[open]").get_by_role("link", name="Quote").click()
    expect(page.locator("#writing .quoted")).to_be_visible()


def have_something_to_undo(page: Page) -> None:
    open_repost_menu(page)
    page.locator(".repost-menu[open]").get_by_role("button", name="Repost", exact=True).click()
    expect(page.locator("#toasts").get_by_role("button", name="Undo")).to_be_visible()


def open_tips(page: Page) -> None:
    page.get_by_role("link", name="Search tips").click()
    expect(page.get_by_text("this exact phrase")).to_be_visible()
    assert page.locator(".syntax").evaluate("(tips) => tips.getBoundingClientRect().left >= 0")


def begin_mention(page: Page) -> None:
    page.get_by_label("Write a post").press_sequentially("@b")
    expect(page.get_by_role("option").first).to_be_visible()


def begin_tag(page: Page) -> None:
    page.get_by_label("Write a post").press_sequentially(page.locator("a.tag").first.inner_text()[:2])
    expect(page.get_by_role("option").first).to_be_visible()


def restore_draft(page: Page) -> None:
    page.get_by_label("Write a post").fill("Something that is not finished")
    page.reload()
    expect(page.get_by_text("Draft restored")).to_be_visible()


def post_after_the_session_ended(page: Page) -> None:
    page.get_by_label("Write a post").fill("Something that must not be lost")
    page.context.clear_cookies()
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.get_by_text("You’ve been logged out")).to_be_visible()


def scroll_to_end(page: Page) -> None:
    page.get_by_role("link", name="Older").scroll_into_view_if_needed()
    expect(page.locator(".pager-end")).to_be_visible()


def open_image(page: Page) -> None:
    page.locator(".post-image").first.click()
    expect(page.get_by_role("dialog").get_by_role("img")).to_be_visible()


def open_more(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 900})
    page.locator(".more > summary").click()
    expect(page.locator(".more > .menu-items")).to_be_visible()


def search_twice(page: Page) -> None:
    for words in ("W" * 60, "bees"):
        page.get_by_role("searchbox", name="Search").fill(words)
        page.keyboard.press("Enter")
        expect(page).to_have_title(re.compile("^(\\([0-9]+\\) )?" + words))
    expect(page.locator("#recent-searches")).to_be_visible()


def leave_a_draft(page: Page) -> None:
    page.get_by_label("Write a post").fill("W" * 60)
    page.set_viewport_size({"width": 390, "height": 900})
    expect(page.locator(".composer-folded-words")).to_contain_text("Draft: W")


def make_compact(page: Page) -> None:
    page.context.add_cookies([{"name": "density", "value": "compact", "url": page.url}])
    page.reload()
    expect(page.locator("html[data-density=compact]")).to_be_attached()


# What only looks, or is refused.
def choose_a_pale_colour(page: Page) -> None:
    page.get_by_label("Colour").fill("#ffee00")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("too pale to read")).to_be_visible()


def announce(page: Page) -> None:
    page.get_by_label("What to say").fill("**Tea** at five, " + "W" * 60)
    page.get_by_role("button", name="Announce").click()
    expect(page.get_by_role("button", name="Delete")).to_be_visible()


def announce_and_look(page: Page) -> None:
    announce(page)
    page.get_by_role("link", name="Home", exact=True).click()
    expect(page.locator("#announcement")).to_be_visible()


def make_an_invite(page: Page) -> None:
    page.get_by_role("button", name="Make an invite").click()
    expect(page.get_by_label("Link of this invite")).to_be_visible()


LEAVE_IT_AS_IT_IS = {stay, send_empty_form, send_empty_post, open_audience_and_warning, save_nothing, save_over_another}
LEAVE_IT_AS_IT_IS |= {open_jump, choose_nonsense, log_in_wrongly, open_post_menu, open_person_menu, ask_to_remove}
LEAVE_IT_AS_IT_IS |= {ask_to_delete, show_keys, send_empty_filter, ask_why, open_last_answer, begin_mention, begin_tag}
LEAVE_IT_AS_IT_IS |= {restore_draft, scroll_to_end, open_image, answer_over_the_page, open_repost_menu}
LEAVE_IT_AS_IT_IS |= {factors.begin, factors.enter_a_wrong_code, factors.fail_to_show_who_it_is}
LEAVE_IT_AS_IT_IS |= {passkeys.begin, passkeys.fail}
LEAVE_IT_AS_IT_IS |= {
    choose_a_pale_colour,
    be_refused_over_the_page,
    quote_over_the_page,
    open_tips,
    look_at_drafts,
    make_compact,
    open_more,
    search_twice,
    leave_a_draft,
}
LEAVE_IT_AS_IT_IS |= {report_it, report_without_reason, close_nothing, act_without_reason, warn_without_reason}

VIEWS = {
    "welcome": View(None, "/"),
    "sign up": View(None, "/signup"),
    "sign up, wrong": View(None, "/signup", send_empty_form, "422 /signup"),
    "log in": View(None, "/login"),
    "log in, wrong": View(None, "/login", log_in_wrongly, "422 /login"),
    "log in, code": View("alice", "/settings/factors", factors.look_at_the_last_step),
    "log in, wrong code": View("bob", "/settings/factors", factors.enter_a_wrong_last_code, "422 /login/code"),
    "forgotten password": View(None, "/reset"),
    "forgotten password, wrong": View(None, "/reset", send_empty_form, "422 /reset"),
    "a link that is over": View(None, "/reset/over", complaint="410 /reset/over"),
    "a link to confirm that is over": View(None, "/confirm/over", complaint="410 /confirm/over"),
    "home, nobody followed": View("carol", "/"),
    "home, all silent": View("dora", "/"),
    "home": View("alice", "/"),
    "home, with conversations": View("bob", "/", talk=True),
    "home, with one's own conversations": View("alice", "/", talk=True),
    "home, more open": View("maud", "/", open_more),
    "requests, more open": View("peter", "/requests", open_more),
    "home, draft in the folded composer": View("alice", "/", leave_a_draft),
    "search, with recent ones beside it": View("carol", "/search", search_twice),
    "home, compact": View("bob", "/", make_compact, talk=True),
    "conversation, compact": View("alice", "/@{alice}/{post}", make_compact, talk=True),
    "people, compact": View("alice", "/explore/people", make_compact),
    "home, scrolled to its end": View("alice", "/", scroll_to_end, diary=17),
    "home, menu open": View("bob", "/", open_post_menu),
    "home, nothing written": View("alice", "/", send_empty_post, "422 /posts"),
    "home, draft restored": View("alice", "/", restore_draft),
    "log in, with what was typed": View("alice", "/compose", post_after_the_session_ended, "400 /posts"),
    "home, repost menu open": View("bob", "/", open_repost_menu),
    "home, answering over it": View("bob", "/", answer_over_the_page),
    "home, a reply refused over it": View("bob", "/", be_refused_over_the_page, "422 /posts"),
    "home, reminded of descriptions over it": View("bob", "/", be_reminded_over_the_page, "422 /posts"),
    "home, quoting over it": View("bob", "/", quote_over_the_page),
    "home, something to undo": View("bob", "/", have_something_to_undo),
    "drafts": View("bob", "/", look_at_drafts),
    "no drafts": View("alice", "/drafts"),
    "home, completing a mention": View("alice", "/", begin_mention),
    "home, completing a tag": View("alice", "/", begin_tag),
    "home, question open": View("alice", "/", ask_to_delete),
    "home, list of keys open": View("bob", "/", show_keys),
    "home, image open": View("bob", "/", open_image),
    "home, jump open": View("alice", "/", open_jump),
    "home, jump to no day": View("alice", "/feed/jump?date=yesterday", complaint="422 /feed/jump"),
    "profile, jump open": View(None, "/@{alice}", open_jump),
    "profile, before the beginning": View("bob", "/@{alice}/jump?date=2026-01-02"),
    "jump to a day of a profile": View("bob", "/@{alice}/jump"),
    "own profile": View("alice", "/@{alice}"),
    "other profile": View("bob", "/@{alice}"),
    "other profile, menu open": View("bob", "/@{alice}", open_person_menu),
    "other profile, just followed": View("carol", "/@{bob}", follow),
    "muted profile": View("alice", "/@{carol}"),
    "blocked profile": View("alice", "/@{mallory}"),
    "empty profile": View("bob", "/@{carol}"),
    "own empty profile": View("carol", "/@{carol}"),
    "profile for strangers": View(None, "/@{alice}"),
    "closed profile": View("dora", "/@{peter}"),
    "closed profile, asked": View("carol", "/@{peter}"),
    "closed profile for strangers": View(None, "/@{peter}"),
    "profile of a private account": View("bob", "/@{peter}"),
    "profile of whoever asks": View("peter", "/@{carol}"),
    "own private profile": View("peter", "/@{peter}"),
    "requests": View("peter", "/requests"),
    "requests, accepted": View("peter", "/requests", accept),
    "no requests": View("bob", "/requests"),
    "posts for one": View("bob", "/requests/posts"),
    "no posts for one": View("peter", "/requests/posts"),
    "mute, in a dialog": View("bob", "/@{alice}", open_sheet("Mute for a while")),
    "mute": View("bob", "/@{alice}/mute"),
    "volume, in a dialog": View("bob", "/@{peter}", open_sheet("How much to see")),
    "volume": View("bob", "/@{peter}/volume"),
    "other profile, question before removing": View("alice", "/@{bob}", ask_to_remove),
    "question before removing a follower": View("alice", "/@{bob}/follower/delete"),
    "own post": View("alice", "/@{alice}/{post}"),
    "other post": View("bob", "/@{alice}/{post}", open_post_menu),
    "post for strangers": View(None, "/@{alice}/{post}"),
    "conversation": View("alice", "/@{alice}/{post}", talk=True),
    "conversation, answered": View("bob", "/@{alice}/{post}", answer, talk=True),
    "conversation for strangers": View(None, "/@{alice}/{post}", talk=True),
    "conversation, from below": View("bob", "/@{alice}/{post}", open_last_answer, talk=True),
    "conversation about a deleted post": View("bob", "/@{alice}/{deleted}", complaint="410 /@", talk=True),
    "answer on a page of its own": View("bob", "/compose?reply_to={post}"),
    "who reposted a post": View("alice", "/@{alice}/{post}/reposts", talk=True),
    "who quotes a post": View("alice", "/@{alice}/{post}/quotes", talk=True),
    "nobody quotes a post": View("alice", "/@{alice}/{post}/quotes"),
    "replies on a profile": View("alice", "/@{bob}/replies", talk=True),
    "no replies on a profile": View("bob", "/@{carol}/replies"),
    "no pictures on a profile": View("carol", "/@{carol}/pictures"),
    "options of a post": View("bob", "/posts/{post}/menu"),
    "question before deleting": View("alice", "/posts/{post}/delete"),
    "write a quote": View("bob", "/compose?quote_of={post}"),
    "home, just quoted": View("bob", "/compose?quote_of={post}", send_quote),
    "home, behind a warning that is open": View("alice", "/", send_behind_warning),
    "own profile with a repost": View("bob", "/@{alice}/{post}", repost_and_look),
    "edit a post": View("alice", "/posts/{post}/edit"),
    "edit a post, nothing left": View("alice", "/posts/{edited}/edit", save_nothing, "422 /posts/"),
    "edit a post, changed meanwhile": View("alice", "/posts/{post}/edit", save_over_another, "409 /posts/"),
    "what a post said before": View("bob", "/@{alice}/{edited}/history"),
    "what a post said before, never edited": View(None, "/@{alice}/{post}/history"),
    "home, liked and bookmarked": View("bob", "/", like_and_bookmark),
    "who likes a post": View("alice", "/@{alice}/{post}/likes"),
    "bookmarks": View("bob", "/bookmarks"),
    "no bookmarks": View("carol", "/bookmarks"),
    "write": View("alice", "/compose"),
    "write, everything open": View("alice", "/compose", open_audience_and_warning),
    "write, nothing written": View("alice", "/compose", send_empty_post, "422 /posts"),
    "write, images chosen": View("alice", "/compose", choose_images),
    "write, an image refused": View("alice", "/compose", choose_nonsense, "422 /images"),
    "describe images": View("alice", "/posts/{post}/images"),
    "tag": View("bob", "/tags/{tag}"),
    "tag without posts": View("bob", "/tags/unheard"),
    "explore": View("carol", "/explore"),
    "people": View("alice", "/explore/people"),
    "people for strangers": View(None, "/explore/people"),
    "search, nothing asked": View("carol", "/search"),
    "search, tips open": View("carol", "/search", open_tips),
    "search": View("bob", "/search?q={tag}"),
    "search, everything of somebody": View("bob", "/search?q=from:@{alice}&in=posts"),
    "search, not understood": View("alice", "/search?q=befor:1 has:cats after:2026-13-40 %22 {tag}"),
    "search, nothing found": View("bob", "/search?q=unheard"),
    "search for strangers": View(None, "/search?q={alice}"),
    "search: people": View("alice", "/search?q={bob}&in=people"),
    "search: nobody": View("alice", "/search?q=unheard&in=people"),
    "search: tags": View("bob", "/search?q={tag}&in=tags"),
    "search: no tag": View("bob", "/search?q=unheard&in=tags"),
    "followers": View("carol", "/@{alice}/followers"),
    "followers of nobody": View("alice", "/@{dora}/followers"),
    "following": View("alice", "/@{alice}/following"),
    "following nobody": View("alice", "/@{carol}/following"),
    "following at a volume": View("bob", "/@{bob}/following"),
    "settings": View("alice", "/settings/"),
    "settings: privacy": View("alice", "/settings/privacy"),
    "settings: privacy of a private account": View("peter", "/settings/privacy"),
    "settings: feed": View("alice", "/settings/feed"),
    "settings: profile": View("alice", "/settings/profile"),
    "settings: profile saved": View("alice", "/settings/profile", save),
    "settings: e-mail": View("alice", "/settings/email"),
    "settings: e-mail, wrong": View("alice", "/settings/email", send_empty_form, "422 /settings/email"),
    "settings: password": View("alice", "/settings/password"),
    "settings: password, wrong": View("alice", "/settings/password", send_empty_form, "422 /settings/password"),
    "settings: second factor": View("alice", "/settings/factors"),
    "settings: second factor, set up": View("alice", "/settings/factors", factors.begin),
    "settings: second factor, wrong": View(
        "bob", "/settings/factors", factors.enter_a_wrong_code, "422 /settings/factors"
    ),
    "settings: second factor, is it you": View(
        "alice", "/settings/factors", factors.fail_to_show_who_it_is, "422 /settings/factors/new"
    ),
    "settings: new passkey": View("alice", "/settings/factors", passkeys.begin),
    "settings: new passkey, wrong": View("bob", "/settings/factors", passkeys.fail),
    "settings: passkeys": View("alice", "/settings/factors", passkeys.have_one),
    "settings: passkey": View("bob", "/settings/factors", passkeys.rename),
    "settings: recovery codes": View("alice", "/settings/factors", factors.look_at_recovery_codes),
    "settings: second factor, on": View("bob", "/settings/factors", factors.keep_recovery_codes),
    "settings: devices": View("alice", "/settings/sessions"),
    "settings: muted": View("alice", "/settings/mutes"),
    "settings: nobody muted": View("bob", "/settings/mutes"),
    "settings: word filters": View("bob", "/settings/filters"),
    "settings: word filters, tested": View("bob", "/settings/filters", try_a_filter),
    "settings: word filters, one changed": View("bob", "/settings/filters", change_a_filter),
    "settings: word filters, wrong": View("bob", "/settings/filters", send_empty_filter, "422 /settings/filters"),
    "home, collapsed by a filter": View("bob", "/settings/filters", see_it_collapsed),
    "settings: conversations": View("bob", "/", mute_a_conversation),
    "settings: no conversations": View("bob", "/settings/conversations"),
    "settings: tags": View("bob", "/tags/{tag}", follow_the_tag),
    "settings: no tags": View("bob", "/settings/tags"),
    "home, why is this here": View("bob", "/", ask_why),
    "why is this here": View("bob", "/posts/{post}/why?at=/explore"),
    "settings: blocked": View("alice", "/settings/blocks"),
    "settings: nobody blocked": View("bob", "/settings/blocks"),
    "settings: looks": View("alice", "/settings/appearance"),
    "settings: writing": View("alice", "/settings/writing"),
    "settings: time zone": View("alice", "/settings/time-zone"),
    "settings: time zone, saved": View("alice", "/settings/time-zone", save),
    "settings: time zone, wrong": View("alice", "/settings/time-zone", send_no_zone, "422 /settings/time-zone"),
    "settings: no invites": View("bob", "/settings/invites"),
    "settings: invites": View("maud", "/settings/invites", make_an_invite),
    "about": View(None, "/about"),
    "rules, not written": View("maud", "/rules"),
    "waiting for approval": View(None, "/signup/waiting"),
    "settings: your data": View("alice", "/settings/data"),
    "settings: your data, being made": View("alice", "/settings/data", ask_for_export),
    "settings: your data, a list at work": View("alice", "/settings/data", send_list),
    "settings: your data, wrong": View("alice", "/settings/data", send_empty_form, "422 /settings/data"),
    "settings: delete account": View("alice", "/settings/delete"),
    "settings: delete account, wrong": View("alice", "/settings/delete", send_empty_form, "422 /settings/delete"),
    "admin": View("maud", "/admin"),
    "admin: roles": View("maud", "/admin/roles"),
    "admin: roles, wrong": View("maud", "/admin/roles", send_empty_form, "422 /admin/roles"),
    "admin: log": View("maud", "/admin/log"),
    "admin: log, nothing found": View("maud", "/admin/log?words=nothing-like-that"),
    "admin: settings": View("maud", "/admin/settings"),
    "admin: settings, wrong": View("maud", "/admin/settings", choose_a_pale_colour, "422 /admin/settings"),
    "admin: sign-ups, nobody waits": View("maud", "/admin/approvals"),
    "admin: invites, none": View("maud", "/admin/invites"),
    "admin: announcements": View("maud", "/admin/announcements", announce),
    "admin: announcements, wrong": View("maud", "/admin/announcements", send_empty_form, "422 /admin/announcements"),
    "home, with an announcement": View("maud", "/admin/announcements", announce_and_look),
    "admin: people": View("maud", "/admin/people"),
    "admin: people, nobody like that": View("maud", "/admin/people?words=nobody_here"),
    "admin: jobs, none failed": View("maud", "/admin/jobs"),
    "admin: access": View("maud", "/admin/access"),
    "admin: access of nobody": View("maud", "/admin/access?handle=nobody_here", complaint="404 /admin/access"),
    "admin: access of a person": View("maud", "/admin/access?handle={bob}"),
    "admin: a link for a new password": View("maud", "/admin/access?handle={alice}", factors.make_a_link),
    "a new password": View("maud", "/admin/access?handle={alice}", factors.open_a_link),
    "a new password, wrong": View("maud", "/admin/access?handle={bob}", factors.choose_a_bad_password, "422 /reset/"),
    "report a post": View("bob", "/posts/{post}/report"),
    "report a post, no reason": View("bob", "/posts/{post}/report", send_empty_form, "422 /posts/"),
    "report a post, over the page": View("bob", "/", report_it),
    "report a post, over the page, no reason": View("bob", "/", report_without_reason, "422 /posts/"),
    "report a person": View("bob", "/@{alice}/report"),
    "settings: reports": View("dora", "/settings/reports"),
    "settings: no reports": View("carol", "/settings/reports"),
    "admin: reports": View("maud", "/admin/reports"),
    "admin: reports, none ticked": View("maud", "/admin/reports", close_nothing, "422 /admin/reports/close"),
    "admin: reports, acted on without a reason": View(
        "maud", "/admin/reports", act_without_reason, "422 /admin/reports/act"
    ),
    "admin: a report, acted on without a reason": View(
        "maud", "/admin/reports/{case}", warn_without_reason, "422 /admin/reports/"
    ),
    "admin: no reports of mine": View("maud", "/admin/reports?tab=mine"),
    "admin: closed reports": View("maud", "/admin/reports?tab=closed"),
    "admin: a report": View("maud", "/admin/reports/{case}"),
    "admin: a report, taken on": View("maud", "/admin/reports/{case}", take_it_on),
    "admin: answers": View("maud", "/admin/answers"),
    "admin: answers, wrong": View("maud", "/admin/answers", send_empty_form, "422 /admin/answers"),
    "admin: feed": View("maud", "/admin/feed"),
    "admin: why a post is in a feed": View("maud", "/admin/feed?reader={bob}&post={post}"),
    "admin: no such reader": View("maud", "/admin/feed?reader=nobody_here&post={post}", complaint="422 /admin/feed"),
    "admin: appeals": View("maud", "/admin/appeals"),
    "admin: appeals, wrong": View("maud", "/admin/appeals", send_empty_form, "422 /admin/appeals"),
    "admin: a person": View("maud", "/admin/people/{mallory}"),
    "admin: a person, wrong": View("maud", "/admin/people/{mallory}", send_empty_form, "422 /admin/people/"),
    "admin: a post": View("maud", "/admin/posts/{post}"),
    "admin: a hidden post, wrong": View("maud", "/admin/posts/{hidden}", send_empty_form, "422 /admin/posts/"),
    "admin: held posts": View("maud", "/admin/held"),
    "admin: held posts, wrong": View("maud", "/admin/held", send_empty_form, "422 /admin/held"),
    "admin: rules": View("maud", "/admin/rules"),
    "admin: rules, wrong": View("maud", "/admin/rules", send_empty_form, "422 /admin/rules"),
    "admin: a new rule": View("maud", "/admin/rules/new"),
    "admin: a new rule, wrong": View("maud", "/admin/rules/new", send_empty_form, "422 /admin/rules"),
    "admin: a rule": View("maud", "/admin/rules/{rule}"),
    "admin: a rule, changed": View("maud", "/admin/rules/{rule}/edit"),
    "decisions": View("mallory", "/decisions"),
    "no decisions": View("alice", "/decisions"),
    "a decision": View("mallory", "/decisions/{appealed}"),
    "a decision, empty appeal": View("mallory", "/decisions/{warning}", send_empty_form, "422 /decisions/"),
    "told of a decision, with the hidden post": View("mallory", "/@{mallory}"),
    "a damaged cursor": View("alice", "/feed?cursor=damaged", complaint="400 /feed"),
    "somebody else's post": View("bob", "/posts/{post}/delete", complaint="403 /posts/"),
    "no such page": View(None, "/no-such-page", complaint="404 /no-such-page"),
    "no such person": View("alice", "/@nobody_here", complaint="404 /@nobody_here"),
    "deleted post": View("bob", "/@{alice}/{deleted}", complaint="410 /@"),
}

ERRORS = (400, 401, 403, 404, 405, 410, 413, 415, 422, 429, 500, 503)


class OpenView(Protocol):
    """Set the scene, open the right person's browser and bring its page into the state of a view."""

    def __call__(self, name: str, wording: Wording = ...) -> Page: ...

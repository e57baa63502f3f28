"""Rules: what they match, what follows, that none breaks the composer, and what they would have matched."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from typing import Any

import pytest
import regex
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, literal, select, update
from werkzeug.test import TestResponse

from app.accounts.blocks.matching import fits, is_within
from app.accounts.models import User
from app.extensions import db
from app.moderation.log.models import LogEntry
from app.moderation.rules.operations import MAX_RULES
from app.moderation.rules.running import run_slice
from app.posts.models import Post
from app.posts.rules.judging import judge, note
from app.posts.rules.matching import Conditions, Recent, Written, host_of, matches, pattern_for
from app.posts.rules.models import BROKEN, OFF, ON, Rule
from tests.moderation.reporting import report
from tests.moderation.ruling import key, matched, rule, switched_on, tampered, written
from tests.outbox import drain
from tests.people import Member, entries

EVIL = r"(?:a|a)*(?:a|a)*(?:a|a)*\d"  # tried in ever more ways


# ---- What follows from a match


def test_a_flagged_post_appears_and_is_listed_with_the_rule(
    app: Flask, mod: Member, warden: Member, alice: Member, bob: Member
) -> None:
    rule_id = switched_on(mod, "flag", phrases="pills\ncheap watches")
    post, _ = alice.write("Buy PILLS now"), alice.write("pillsbury is a name")
    assert post in entries(bob.get("/").text)
    assert matched(app, rule_id) == [post]
    assert f'href="/admin/posts/{post}"' in warden.get(f"/admin/rules/{rule_id}").text
    assert "1 match" in warden.get("/admin/rules").text


def test_a_refused_post_comes_back_with_the_sentence_and_what_was_typed(app: Flask, mod: Member, alice: Member) -> None:
    rule_id = switched_on(mod, "refuse", domains="shop.example", sentence="No shops here, please.")
    response = alice.send("/posts", text="see https://www.Shop.example/a?b=1")
    assert response.status_code == 422
    assert "No shops here, please." in response.text and "see https://www.Shop.example/a" in response.text
    assert alice.write("see https://notshop.example/")
    assert matched(app, rule_id) == [None]
    assert "see https://www.Shop.example/a" in mod.get(f"/admin/rules/{rule_id}").text


def test_a_warning_is_added_where_the_author_gave_none(mod: Member, alice: Member, bob: Member) -> None:
    switched_on(mod, "warn", phrases="spoiler", sentence="Ends of films")
    alice.write("spoiler: the cat did it")
    assert "Ends of films" in bob.get("/").text
    alice.write("spoiler: the dog did it", warning="About dogs")
    assert "About dogs" in (home := bob.get("/").text) and home.count("Ends of films") == 1


def test_a_form_that_is_sent_twice_makes_one_post_with_a_warning(mod: Member, alice: Member) -> None:
    switched_on(mod, "warn", phrases="spoiler")
    first, second = (alice.send("/posts", text="spoiler", once="x" * 16) for _ in range(2))
    assert (first.status_code, second.status_code) == (303, 303)
    assert len(entries(alice.get("/@alice").text)) == 1


def test_a_clean_post_that_is_edited_into_spam_is_judged_again(
    app: Flask, mod: Member, alice: Member, bob: Member
) -> None:
    held, refused = switched_on(mod, "hold", phrases="pills"), switched_on(mod, "refuse", phrases="watches")
    post = alice.write("hello")
    assert alice.send(f"/posts/{post}/edit", text="cheap watches").status_code == 422
    assert post in entries(bob.get("/").text)
    assert alice.send(f"/posts/{post}/edit", text="cheap pills").status_code == 303
    assert post not in entries(bob.get("/").text)
    assert (matched(app, held), matched(app, refused)) == ([post], [None])


def test_those_who_run_the_site_are_not_judged(mod: Member, warden: Member) -> None:
    switched_on(mod, "refuse", phrases="pills")
    assert mod.write("pills") and warden.write("someone posts pills, see the rule")


def test_of_several_rules_refusing_comes_first_and_all_of_them_count(app: Flask, mod: Member, alice: Member) -> None:
    flag, hold, refuse = (switched_on(mod, action, phrases="pills") for action in ("flag", "hold", "refuse"))
    assert alice.send("/posts", text="pills").status_code == 422
    assert [matched(app, each) for each in (flag, hold, refuse)] == [[None]] * 3


def test_a_rule_that_is_off_or_paused_does_nothing(app: Flask, mod: Member, alice: Member) -> None:
    rule_id = written(mod, "refuse", phrases="pills")
    assert alice.write("pills")
    mod.send(f"/admin/rules/{rule_id}/switch", on="yes")
    assert alice.send("/posts", text="pills").status_code == 422
    mod.send(f"/admin/rules/{rule_id}/switch", on="no")
    assert alice.write("more pills")
    mod.send(f"/admin/rules/{rule_id}/switch", on="yes")
    mod.send(f"/admin/rules/{rule_id}/edit", name="Pills", action="refuse", phrases="pills")
    assert rule(app, rule_id).state == OFF, "what was changed is looked at first"


# ---- New accounts


def test_a_rule_about_new_accounts_is_about_those_alone(app: Flask, mod: Member, alice: Member, bob: Member) -> None:
    switched_on(mod, "refuse", younger_than="3", domains="shop.example")
    with app.app_context():
        db.session.execute(
            update(User).where(User.id == bob.id).values(created_at=datetime.now(UTC) - timedelta(days=4))
        )
        db.session.commit()
    assert bob.write("https://shop.example/")
    assert alice.send("/posts", text="https://shop.example/").status_code == 422
    assert alice.write("no link")


def test_posts_with_links_are_counted_over_a_day_with_this_one(mod: Member, alice: Member) -> None:
    switched_on(mod, "refuse", links_over="2")
    for number in range(2):
        alice.write(f"https://a.example/{number}")
    assert alice.write("words alone")
    assert alice.send("/posts", text="https://a.example/3").status_code == 422


def test_mentions_are_counted_over_an_hour_with_those_of_this_post(mod: Member, alice: Member) -> None:
    switched_on(mod, "refuse", mentions_over="3")
    alice.write("@bob and @carol")
    assert alice.write("@dora")
    assert alice.write("nobody")
    assert alice.send("/posts", text="@erin").status_code == 422


def test_an_edited_post_is_not_counted_twice(mod: Member, alice: Member) -> None:
    switched_on(mod, "refuse", links_over="1")
    post = alice.write("https://a.example/1")
    assert alice.send(f"/posts/{post}/edit", text="https://a.example/2").status_code == 303


# ---- A rule that breaks


@pytest.mark.parametrize(("pattern", "text"), [("(", "hello"), (EVIL, "a" * 450)])
def test_a_broken_rule_is_switched_off_with_an_entry_in_the_log_and_the_post_is_posted(
    app: Flask, mod: Member, alice: Member, pattern: str, text: str
) -> None:
    rule_id = switched_on(mod, "refuse", phrases="pills")
    other = switched_on(mod, "flag", younger_than="30", name="It works")
    tampered(app, rule_id, pattern=pattern)
    post = alice.write(text)
    assert rule(app, rule_id).state == BROKEN and matched(app, other) == [post]
    drain(app)
    with app.app_context():
        [entry] = db.session.scalars(select(LogEntry).where(LogEntry.action == "rule.broke"))
        assert (entry.actor, entry.before) == ("", {"rule": "No pills"}) and entry.reason
    assert "The site itself" in mod.get("/admin/log").text
    assert "This rule broke" in mod.get(f"/admin/rules/{rule_id}").text
    assert alice.write("and on")


def test_a_rule_that_breaks_in_its_dry_run_is_switched_off_too(app: Flask, mod: Member, alice: Member) -> None:
    alice.write("hello")
    rule_id = switched_on(mod, "flag", phrases="pills")
    tampered(app, rule_id, pattern="(")
    drain(app)
    broken = rule(app, rule_id)
    assert broken.state == BROKEN and not broken.is_running
    mod.send(f"/admin/rules/{rule_id}/switch", on="yes")
    assert (rule(app, rule_id).state, rule(app, rule_id).broken_by) == (ON, "")


def test_a_rule_that_is_deleted_while_somebody_posts_takes_nothing_along(
    app: Flask, mod: Member, alice: Member
) -> None:
    there, gone = (switched_on(mod, "flag", phrases="pills") for _ in range(2))
    with app.app_context():
        by = db.session.get_one(User, alice.id)
        judged = judge("pills", "", [], by=by)
        assert [each.id for each in judged.matched] == [there, gone]
        mod.send(f"/admin/rules/{gone}/delete")
        note(judged, None, by=by)
        db.session.commit()
    assert matched(app, there) == [None]


# ---- The dry run


def test_a_new_rule_says_what_it_would_have_matched(
    app: Flask, mod: Member, warden: Member, alice: Member, carol: Member
) -> None:
    posts = [alice.write(f"pills {number}") for number in range(3)]
    gone, secret = carol.write("pills, deleted"), carol.write("@alice pills", audience="mentioned")
    carol.delete(gone)
    mod.write("we talk about pills")
    rule_id = written(mod, "hold", phrases="pills")
    page = warden.get(f"/admin/rules/{rule_id}").text
    assert "<progress" in page and 'hx-trigger="every 1s"' in page
    drain(app)
    page = warden.get(f"/admin/rules/{rule_id}").text
    assert "would have matched 4 posts of the last 7 days" in page and "<progress" not in page
    assert entries(page) == [*reversed(posts)], "what a moderator may not read is counted, and not shown"
    assert f'data-entry="{secret}"' not in page
    assert matched(app, rule_id) == [], "it was off"


def test_a_dry_run_goes_in_slices_and_a_change_ends_it(app: Flask, mod: Member, alice: Member) -> None:
    for number in range(5):
        alice.write(f"pills {number}")
    rule_id = written(mod, "hold", phrases="pills")
    with app.app_context():
        found = db.session.get_one(Rule, rule_id)
        assert run_slice(found, size=2) and 0 <= found.percent_run <= 100
        assert found.run_matched == 2
        assert run_slice(found, size=2) and not run_slice(found, size=2)
        assert found.run_matched == 5
    mod.send(f"/admin/rules/{rule_id}/edit", name="Other", action="hold", phrases="watches")
    drain(app)
    assert rule(app, rule_id).run_matched == 0 and not rule(app, rule_id).is_running


# ---- What is written now and what a dry run looks at are judged alike

WORDS = ("pills", "Pills", "pillsbury", "cheap watches", "cheap  watches", "@bob", "https://shop.example/x", "straße")
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
ASKED = st.fixed_dictionaries(
    {},
    optional={
        "phrases": st.lists(st.sampled_from(("pills", "cheap watches", "STRASSE", "#", "shop")), max_size=2).map(
            "\n".join
        ),
        "domains": st.sampled_from(("shop.example", "other.example")),
        "younger_than": st.sampled_from(("1", "30")),
        "links_over": st.sampled_from(("0", "1", "3")),
        "mentions_over": st.sampled_from(("0", "2")),
    },
)


@given(asked=ASKED.filter(lambda asked: any(asked.values())), texts=st.lists(TEXTS, min_size=1, max_size=5))
def test_what_a_rule_matches_is_what_its_dry_run_says(
    app: Flask, mod: Member, alice: Member, asked: dict[str, str], texts: list[str]
) -> None:
    with app.app_context():
        db.session.execute(update(Rule).values(state=OFF))
        db.session.execute(update(Post).values(deleted_at=func.now(), text="", warning=""))
        db.session.commit()
    rule_id = switched_on(mod, "flag", **asked)
    for text in texts:
        alice.write(text)
    mod.send(f"/admin/rules/{rule_id}/run")
    drain(app)
    assert rule(app, rule_id).run_newest == [*reversed(matched(app, rule_id))]


@given(
    phrase=st.text("aB9é_-.*(\\ ", min_size=1, max_size=6).filter(str.strip),
    text=st.text("aAbB9éÉ_-.*(\\ \n", max_size=12),
    is_whole_word=st.booleans(),
)
def test_a_phrase_means_the_same_to_a_rule_and_to_a_word_filter(
    app: Flask, phrase: str, text: str, is_whole_word: bool
) -> None:
    pattern = pattern_for(" ".join(phrase.split()), is_whole_word=is_whole_word)
    in_python = regex.search(pattern, text, regex.IGNORECASE) is not None
    with app.app_context():
        in_sql = db.session.scalar(select(literal(text).regexp_match(pattern, "i")))
    assert in_python == in_sql


def test_a_rule_that_asks_nothing_matches_nothing() -> None:
    now = datetime.now(UTC)
    post = Written("hello", "", (), at=now, joined_at=now, recent_of_author=lambda: Recent(9, 9))
    assert not matches(Conditions(1, "", "refuse", "", "", "", None, None, None), post)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://Shop.Example./a", "shop.example"),
        ("http://user:pw@shop.example:80/", "shop.example"),
        ("https://shop.example\\@good.example", "shop.example"),
        ("https://bücher.example", "xn--bcher-kva.example"),
        ("https://shop.example?a=https://b.example", "shop.example"),
        ("http://sh%6Fp.example/", "shop.example"),
        ("http://shop%2Eexample/", "shop.example"),
        ("http:///shop.example/a", "shop.example"),
        ("http://\\/\\shop.example", "shop.example"),
    ],
)
def test_a_link_leads_to_the_host_that_a_browser_would_open(url: str, host: str) -> None:
    assert host_of(url) == host
    now = datetime.now(UTC)
    post = Written(f"see {url}", "", (), at=now, joined_at=now, recent_of_author=lambda: Recent(0, 0))
    assert post.hosts == {host}


# ---- The form, and the log


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"name": ""}, "Give the rule a name"),
        ({"name": "x" * 81}, "At most 80"),
        ({"action": "burn"}, "Choose what happens"),
        ({"phrases": ""}, "at least one condition"),
        ({"phrases": "x" * 101}, "100 characters"),
        ({"phrases": "\n".join(map(str, range(51)))}, "At most 50 lines"),
        ({"domains": "not a domain"}, "isn’t a domain"),
        ({"younger_than": "-1"}, "Write a number"),
        ({"links_over": "²"}, "Write a number"),
        ({"mentions_over": "many"}, "Write a number"),
        ({"sentence": "x" * 301}, "At most 300"),
    ],
)
def test_a_rule_that_cannot_be_kept_comes_back_as_it_was_typed(mod: Member, typed: dict[str, str], words: str) -> None:
    fields: dict[str, Any] = {"name": "Kept words", "action": "refuse", "phrases": "pills", **typed}
    response = mod.send("/admin/rules", **fields)
    assert response.status_code == 422 and words in response.text
    assert all(value[:20] in response.text for name, value in fields.items() if name != "action")
    rule_id = written(mod, "flag", phrases="pills")
    assert mod.send(f"/admin/rules/{rule_id}/edit", **fields).status_code == 422


def test_everything_that_is_done_to_a_rule_is_in_the_log(app: Flask, mod: Member) -> None:
    rule_id = switched_on(mod, "refuse", phrases="pills", name="<b>Rule</b>")
    mod.send(f"/admin/rules/{rule_id}/edit", name="Better", action="hold", phrases="pills")
    mod.send(f"/admin/rules/{rule_id}/switch", on="no")
    mod.send(f"/admin/rules/{rule_id}/switch", on="yes")
    mod.send(f"/admin/rules/{rule_id}/delete")
    with app.app_context():
        entered = [entry.action for entry in db.session.scalars(select(LogEntry).order_by(LogEntry.id))]
    assert entered == [f"rule.{done}" for done in ("added", "switched_on", "changed", "switched_on", "deleted")]
    page = mod.get("/admin/log").text
    assert "&lt;b&gt;Rule&lt;/b&gt;" in page and "<b>Rule</b>" not in page and "Better" in page
    assert mod.get(f"/admin/rules/{rule_id}").status_code == 404


def test_a_name_of_a_rule_is_words_wherever_it_is_shown(mod: Member, alice: Member) -> None:
    evil = "<script>alert(1)</script>"
    rule_id = switched_on(mod, "hold", name=evil, phrases="pills", sentence=evil)
    alice.write("pills")
    for path in (
        "/admin/rules",
        f"/admin/rules/{rule_id}",
        f"/admin/rules/{rule_id}/edit",
        "/admin/held",
        "/admin/log",
    ):
        page = mod.get(path).text
        assert evil not in page and "&lt;script&gt;alert(1)" in page, path


def test_there_is_an_end_to_the_number_of_rules(app: Flask, mod: Member) -> None:
    with app.app_context():
        db.session.add_all(Rule(name=str(n), action="flag", state=OFF, phrases="x", run=0) for n in range(MAX_RULES))
        db.session.commit()
    assert mod.send("/admin/rules", name="One more", action="flag", phrases="pills").status_code == 403


# ---- Sign-ups


def test_who_is_blocked_cannot_sign_up_and_reads_why(app: Flask, mod: Member) -> None:
    def tries(**typed: str) -> str:
        fields: dict[str, Any] = {
            "handle": "newcomer",
            "name": "New",
            "email": "new@good.example",
            "password": "a good long password",
        }
        response = Member(app, None, "").send("/signup", **fields | typed)
        return "" if response.status_code == 303 else response.text

    for kind, value, sentence in (
        ("domain", "@Spam.example", ""),
        ("handle", "spam*", "No handles like that."),
        ("network", "127.0.0.0/8", ""),
    ):
        assert mod.send("/admin/rules/blocks", kind=kind, value=value, sentence=sentence).status_code == 303
    assert "at that domain" in tries(email="me@mail.SPAM.example") and "from where you are" in tries()
    blocks = regex.findall(r"/admin/rules/blocks/\d+/delete", mod.get("/admin/rules").text)
    assert len(blocks) == 3
    mod.send(blocks[2])  # the range
    assert "No handles like that." in tries(handle="SpamKing")
    assert "No handles like that." in Member(app, None, "").get("/signup/handle?handle=spammy").text
    assert tries() == ""
    with app.app_context():
        actions = list(db.session.scalars(select(LogEntry.action).where(LogEntry.action.like("signup%"))))
    assert actions == ["signup_block.added"] * 3 + ["signup_block.removed"]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("domain", "nonsense"),
        ("network", "1.2.3"),
        ("network", "0.0.0.0/0"),
        ("handle", "*"),
        ("burn", "a"),
        ("handle", "a b"),
    ],
)
def test_a_block_of_nothing_or_of_everybody_comes_back(mod: Member, kind: str, value: str) -> None:
    response = mod.send("/admin/rules/blocks", kind=kind, value=value)
    assert response.status_code == 422 and f'value="{value}"' in response.text


def test_the_same_block_is_kept_once(mod: Member) -> None:
    assert mod.send("/admin/rules/blocks", kind="handle", value="spam*").status_code == 303
    response = mod.send("/admin/rules/blocks", kind="handle", value="SPAM*")
    assert response.status_code == 422 and "already" in response.text


@given(st.text("ab*", min_size=1, max_size=8), st.text("ab", max_size=10))
def test_a_pattern_of_handles_fits_what_stars_mean(pattern: str, handle: str) -> None:
    expected = regex.fullmatch(pattern.replace("*", ".*"), handle) is not None
    assert fits(handle, pattern) == expected


def test_a_range_knows_an_address_in_both_its_clothes() -> None:
    assert is_within("::ffff:203.0.113.7", "203.0.113.0/24") and is_within("203.0.113.7", "203.0.113.0/24")
    assert not is_within("203.0.114.7", "203.0.113.0/24") and not is_within("", "203.0.113.0/24")
    assert is_within("2001:db8::1", str(ip_network("2001:db8::/32")))


@pytest.mark.parametrize("audience", ["mentioned", "everyone"])
def test_a_post_that_was_not_written_for_a_moderator_is_theirs_to_read_once_it_was_reported(
    mod: Member, warden: Member, alice: Member, bob: Member, audience: str
) -> None:
    rule_id = switched_on(mod, "flag", phrases="secret")
    bob.follow(alice)
    if audience == "everyone":
        alice.close()
    post = alice.write("a secret for @bob", audience=audience)
    path = f"/admin/posts/{post}"
    assert warden.get(path).status_code == 404
    assert warden.send(f"{path}/actions", action="hide", reason="x").status_code == 404
    assert "it isn’t for everyone" in (page := warden.get(f"/admin/rules/{rule_id}").text) and path not in page
    report(bob, post)
    assert "a secret" in warden.get(path).text and path in warden.get(f"/admin/rules/{rule_id}").text


def test_descriptions_that_are_changed_later_are_judged_like_an_edit(
    app: Flask, mod: Member, alice: Member, bob: Member
) -> None:
    switched_on(mod, "refuse", phrases="pills", sentence="No pills.")
    switched_on(mod, "warn", phrases="spiders", sentence="Spiders")
    held_by = switched_on(mod, "hold", phrases="watches")
    image = alice.upload()
    post = alice.write("look", images=image)

    def describe(words: str) -> TestResponse:
        fields: dict[str, Any] = {f"alt-{image}": words}
        return alice.send(f"/posts/{post}/images", **fields)

    answer = describe("a box of pills")
    assert answer.status_code == 422 and "No pills." in answer.text and "a box of pills</textarea>" in answer.text
    assert describe("two spiders").status_code == 303
    assert "two spiders" in (page := bob.get(f"/@alice/{post}").text) and "Spiders" in page
    assert describe("cheap watches").status_code == 303
    assert bob.get(f"/@alice/{post}").status_code == 404 and matched(app, held_by) == [post]
    read = key(app, post)
    assert describe("cheaper watches").status_code == 303
    assert key(app, post) != read, "what changed since it was read is not approved unseen"
    assert describe("cheaper watches").status_code == 303 and matched(app, held_by) == [post, post]


@pytest.mark.parametrize(
    ("blocked", "email"),
    [
        ("spam.example", "x@spam．example"),
        ("spam.example", "x@ＳＰＡＭ.example"),
        ("spam.example", "x@spam。example"),
        ("spam.example", "x@ſpam.example"),
        ("Bücher.example", "x@xn--bcher-kva.example"),
        ("xn--bcher-kva.example", "x@mail.bücher.example"),
    ],
)
def test_a_blocked_domain_is_blocked_in_every_spelling(mod: Member, stranger: Member, blocked: str, email: str) -> None:
    assert mod.send("/admin/rules/blocks", kind="domain", value=blocked, sentence="").status_code == 303
    response = stranger.send("/signup", handle="zoe", name="Zoe", email=email, password="a good long password")
    assert response.status_code == 422 and "at that domain" in response.text

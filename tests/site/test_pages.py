"""What those who run the site write about it: with simple markup, and with nothing else."""

from __future__ import annotations

import pytest

from app.site.markup import to_html
from tests.people import Member
from tests.site.test_settings import save


def test_pages_show_what_was_written_and_the_footer_leads_to_them(mod: Member, stranger: Member) -> None:
    assert ">About</a>" in stranger.get("/explore").text and ">Rules</a>" not in stranger.get("/explore").text
    save(mod, about="We *row*.", rules="# Be kind\n\n- always", privacy="Nothing is **sold**.", contact="a@b.example")
    footer = stranger.get("/explore").text.split('<footer class="foot">')[1]
    assert ">Rules</a>" in footer and ">Privacy</a>" in footer
    assert "<em>row</em>" in stranger.get("/about").text and "a@b.example" in stranger.get("/about").text
    assert "<h2>Be kind</h2>" in stranger.get("/rules").text and "<li>always</li>" in stranger.get("/rules").text
    assert "<strong>sold</strong>" in stranger.get("/privacy").text


def test_a_page_that_nobody_has_written_says_so(mod: Member, stranger: Member) -> None:
    assert "haven’t written this page" in stranger.get("/rules").text
    assert 'href="/admin/settings"' in mod.get("/rules").text
    assert 'href="/admin/settings"' not in stranger.get("/rules").text


def test_links_of_the_sites_own_stand_in_the_footer(mod: Member, stranger: Member) -> None:
    save(
        mod,
        links='Status "page" https://status.example/?a=1&b=2\nWrite to us mailto:a@b.example\nPeople /explore/people',
    )
    footer = stranger.get("/explore").text.split('<footer class="foot">')[1]
    assert ">Status &#34;page&#34;</a>" in footer and "mailto:a@b.example" in footer
    assert 'href="/explore/people"' in footer


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[click](javascript:alert(1))",
        "[click](data:text/html,<script>alert(1)</script>)",
        "[click](vbscript:msgbox)",
        "![picture](https://elsewhere.example/pixel.gif)",
        '[click](https://a.example "\\" onmouseover=alert(1)")',
        '<https://a.example/"onmouseover=alert(1)>',
        "`<b>`",
        "<div\n\nonclick=alert(1)>",
    ],
)
def test_markup_makes_nothing_that_could_run_or_fetch(text: str) -> None:
    html = to_html(text)
    for piece in (
        "<script",
        "<img",
        "<b>",
        "<div",
        'href="javascript',
        'href="data',
        'href="vbscript',
        ' onmouseover="',
    ):
        assert piece not in html

"""`next=` leads to a page of this site, or nowhere."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.web.htmx import own_page
from tests.web.nasty import ELSEWHERE

SITE = "http://site.example/login"
PIECES = [
    "/",
    "//",
    "\\",
    "\t",
    "\n",
    "\r",
    " ",
    "@",
    ":",
    "?",
    "#",
    "%2f",
    "%5c",
    "evil.example",
    "http",
    "javascript",
    ".",
]
ADDRESSES = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=8).map("".join))


@pytest.mark.parametrize("address", ELSEWHERE)
def test_an_address_that_leads_elsewhere_is_replaced(address: str) -> None:
    assert own_page(address, default="/home") == "/home"


@pytest.mark.parametrize(
    "address",
    ["/", "/@alice", "/@alice/123", "/tags/tea?cursor=abc", "/feed?cursor=a.b#post-1", "/tags/%E6%97%A5", "/a:b"],
)
def test_a_page_of_ours_is_kept(address: str) -> None:
    assert own_page(address, default="/home") == address


def test_no_address_is_the_default() -> None:
    assert own_page(None, default="/home") == "/home"


@given(ADDRESSES)
@example("/\t/evil.example")
@example("/\\evil.example")
@example("///evil.example")
def test_a_browser_that_follows_the_answer_stays_on_this_site(address: str) -> None:
    answer = own_page(address, default="/home")
    # What browsers do before they read an address: drop tabs and line ends, take \ for /.
    as_read = re.sub(r"[\t\r\n]", "", answer.strip()).replace("\\", "/")
    assert urlsplit(urljoin(SITE, as_read))[:2] == ("http", "site.example")

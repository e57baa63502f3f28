"""Every page in every state: axe-core finds nothing, and it fits, whatever people write."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.examples import IS_LONG
from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse
from tests.system.looks import ALL_LOOKS, TWO_LOOKS, check
from tests.system.scene import HOSTILE, ORDINARY, Wording
from tests.system.views import ERRORS, VIEWS, OpenView, send_empty_form
from tests.system.web import WebSite

# Each page is looked at in all ways once, in whichever state comes first. `make test-long` looks at all states so, and
# at what people ordinarily write, too: whatever the worst that can be typed covers is then seen by axe-core.
FIRST_STATES = {
    (view.who is None, re.sub(r"\?.*|\{\w+\}", "", view.path)): name for name, view in reversed(VIEWS.items())
}
WORDINGS = {"the worst that can be typed": HOSTILE} | ({"ordinary words": ORDINARY} if IS_LONG else {})


@pytest.mark.parametrize("wording", WORDINGS.values(), ids=WORDINGS)
@pytest.mark.parametrize("name", VIEWS)
def test_axe_finds_nothing_and_all_fits_on(name: str, wording: Wording, open_view: OpenView) -> None:
    page = open_view(name, wording)
    check(page, ALL_LOOKS if IS_LONG or name in FIRST_STATES.values() else TWO_LOOKS)


def test_axe_finds_nothing_and_all_fits_on_any_error_page(
    browse: Browse, broken_site: WebSite, alice: Member, complaints: Complaints
) -> None:
    complaints.expect(*(f"{code} /errors/{code}" for code in ERRORS))
    page = browse(alice, on=broken_site)
    for code in ERRORS:
        page.goto(f"/errors/{code}")
        expect(page.locator(".error-code")).to_have_text(str(code))
        check(page, ALL_LOOKS if IS_LONG or code == ERRORS[0] else TWO_LOOKS[:1])  # they differ in their words alone


def test_axe_finds_nothing_and_all_fits_on_the_first_page_of_a_new_site(
    browse: Browse, fresh_site: WebSite, complaints: Complaints
) -> None:
    complaints.expect("422 /setup")
    page = browse(on=fresh_site)
    page.goto("/setup")
    check(page)
    send_empty_form(page)
    check(page)

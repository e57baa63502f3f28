"""Addresses are written in one place: app/addresses.py for pages, js/addresses.js for scripts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from config import ROOT

TEMPLATES = sorted((ROOT / "app/templates").rglob("*.html"))
SCRIPTS = sorted(path for path in (ROOT / "app/static/js").glob("*.js") if path.name != "addresses.js")
# Parts of addresses that are compared, not led to.
ALLOWED = {"_layout.html": {'"/"'}, "show.html": {"'/'"}}

IN_ATTRIBUTE = re.compile(r"""[\w-]+=(["'])/[^"']*""")
IN_EXPRESSION = re.compile(r"""(["'])/[^"']*\1""")
BELOW_ANOTHER = re.compile(r"""url \}\}/|url ~ ["']/""")
IN_SCRIPT = re.compile(r"""(["'`])/(?=[\w@$?"'`])[^"'`]*\1|\$\{[^}]*\}/[\w@]""")


def name(path: Path) -> str:
    return str(path.relative_to(ROOT / "app"))


def expressions(source: str) -> str:
    return "\n".join(re.findall(r"\{\{.*?\}\}|\{%.*?%\}", source, flags=re.DOTALL))


@pytest.mark.parametrize("path", TEMPLATES, ids=name)
def test_no_template_writes_an_address_of_the_site(path: Path) -> None:
    source = re.sub(r"\{#.*?#\}", "", path.read_text(), flags=re.DOTALL)
    written = [match[0] for match in IN_ATTRIBUTE.finditer(source)]
    written += [match[0] for match in BELOW_ANOTHER.finditer(source)]
    literals = {match[0] for match in IN_EXPRESSION.finditer(expressions(source))}
    assert not written, "ask `to`, which is app/addresses.py"
    assert not literals - ALLOWED.get(path.name, set()), "ask `to`, which is app/addresses.py"


@pytest.mark.parametrize("path", SCRIPTS, ids=name)
def test_no_script_writes_an_address_of_the_site(path: Path) -> None:
    code = re.sub(r"//.*", "", path.read_text()).replace('"/": () =>', "")  # a key
    assert not [match[0] for match in IN_SCRIPT.finditer(code)], "import `to` from addresses.js"


@pytest.mark.parametrize(
    "wrong",
    [
        '<a href="/explore">',
        '<form action="/posts/{{ id }}/edit">',
        "<p hx-get=\"/x\" data-menu='/posts'>",
        '<a href="/">',
    ],
)
def test_the_rule_sees_what_it_forbids(wrong: str) -> None:
    assert IN_ATTRIBUTE.search(wrong)

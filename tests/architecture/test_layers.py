"""Rules about the code that no linter knows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.activity import verbs
from app.outbox import names
from app.subscribers import FOLLOWS_FROM, IN_BATCHES, JOBS
from config import ROOT

APP = ROOT / "app"
TEMPLATES = APP / "templates"
PYTHON = sorted(APP.rglob("*.py"))
PARTIALS = sorted(path for path in TEMPLATES.rglob("*.html") if path.name.startswith("_") or ".swap." in path.name)

# These live by a layout that extends them; they are pages, not partials.
LAYOUTS = {"_door.html", "_layout.html"}


def name(path: Path) -> str:
    return str(path.relative_to(APP))


@pytest.mark.parametrize("path", [path for path in PARTIALS if path.name not in LAYOUTS], ids=name)
def test_a_partial_names_its_inputs_or_needs_none(path: Path) -> None:
    source = path.read_text()
    needs_none = {"_icons.html", "_notices.html", "_aside.html", "_dialogs.html", "_tabs.html"}
    if path.name not in needs_none:
        assert source.startswith("{#"), "its first line says what it needs"


def test_no_template_has_inline_script_or_style() -> None:
    for path in TEMPLATES.rglob("*.html"):
        source = path.read_text()
        assert not re.search(r"<script(?![^>]*\bsrc=)", source), path
        assert not re.search(r"\s(style|on[a-z]+)=", source), path


def test_every_post_form_carries_the_token() -> None:
    for path in TEMPLATES.rglob("*.html"):
        for form in re.findall(r'<form[^>]*method="post".*?</form>', path.read_text(), flags=re.S):
            assert "ui.csrf(" in form, path


def test_only_one_module_knows_who_may_see_what() -> None:
    """`deleted_at` of a post is looked at where posts are written, counted and purged, and otherwise in visible_to."""
    allowed = {"posts/visibility.py", "posts/models.py", "posts/loaders.py", "posts/lists.py"}
    allowed |= {"posts/writing/operations.py", "posts/deleting/operations.py", "posts/reactions/counters.py"}
    # The half of visible_to that an index answers; windows leave out what is gone for good.
    allowed |= {"feed/home/from_postgres.py", "feed/timelines/build.py", "feed/timelines/modes.py"}
    allowed |= {"posts/fact_columns.py", "posts/highlights.py"}
    allowed |= {"moderation/actions/operations.py"}  # where nothing is left to decide about
    # What an author did lately and what a rule is tried on; a deleted post waits for nobody.
    allowed |= {"posts/rules/judging.py", "moderation/rules/running.py"}
    allowed |= {"moderation/held/operations.py", "moderation/held/queries.py"}
    allowed |= {"discovery/search/matching.py"}  # an index again; who may see what is asked of what it finds
    allowed |= {"moderation/dashboard/measuring.py"}  # how many there are, not which
    users = {name(path) for path in PYTHON if re.search(r"\bPost\.deleted_at|post\.deleted_at", path.read_text())}
    assert users <= allowed


def test_every_verb_with_a_job_is_a_verb() -> None:
    known = {value for key, value in vars(verbs).items() if key.isupper()}
    assert set(FOLLOWS_FROM) <= known
    assert all(re.fullmatch(r"[a-z]+\.[a-z]+", verb) for verb in known)


def test_every_job_has_one_name_that_is_declared() -> None:
    declared = {value for key, value in vars(names).items() if key.isupper()}
    assert set(JOBS) == declared
    assert {job for jobs in FOLLOWS_FROM.values() for job in jobs} | set(IN_BATCHES) <= declared


@pytest.mark.parametrize("path", PYTHON, ids=name)
def test_no_answer_depends_on_the_element_that_asked(path: Path) -> None:
    """What a page shows is said by the form or the address: an id in a template may be renamed at any time."""
    assert "HX-Target" not in path.read_text() and "HX-Trigger-Name" not in path.read_text()

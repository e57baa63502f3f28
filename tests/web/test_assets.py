"""Static files: kept for ever under their version, asked for again under any other address."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin

import pytest
from flask import Flask

from app.web.assets import STYLES
from tests.people import Member
from tests.web.scene import Scene

IMPORT = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']""")
LOCAL_URL = re.compile(r"""url\(["']?([^"')]+)["']?\)""")


class Files(HTMLParser):
    """Collects the files that a page names, by what they are for."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.named: dict[str, list[str]] = {
            "stylesheet": [],
            "modulepreload": [],
            "preload": [],
            "icon": [],
            "script": [],
        }
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "link" and values["rel"] in self.named:
            self.named[values["rel"] or ""].append(values["href"] or "")
        if tag == "script":
            self.named["script"].append(values["src"] or "")

    @property
    def all(self) -> set[str]:
        return {address for addresses in self.named.values() for address in addresses}


def files(member: Member, path: str = "/explore") -> Files:
    return Files(member.get(path).text)


def scripts_of(scene: Scene, who: str, path: str = "/explore") -> dict[str, str]:
    """Return every script that a page loads, with its text: those that it names and those that they import."""
    texts: dict[str, str] = {}
    to_read = [address for address in files(scene[who], path).named["script"] if "/vendor/" not in address]
    while to_read:
        address = to_read.pop()
        if address not in texts:
            texts[address] = scene[who].get(address).text
            to_read += [urljoin(address, each) for each in IMPORT.findall(texts[address])]
    return texts


@pytest.mark.parametrize("who", ["stranger", "alice"])
def test_every_file_of_a_page_may_be_kept_for_ever(scene: Scene, who: str) -> None:
    page = files(scene[who])
    styles = {address: scene[who].get(address).text for address in page.named["stylesheet"]}
    named = page.all | set(scripts_of(scene, who))
    named |= {urljoin(address, path) for address, text in styles.items() for path in LOCAL_URL.findall(text)}
    assert len(named) > 15
    for address in named:
        response = scene[who].get(address)
        assert response.status_code == 200, address
        assert response.cache_control.max_age == 365 * 24 * 3600 and response.cache_control.immutable, address


@pytest.mark.parametrize("who", ["stranger", "alice"])
def test_a_page_announces_all_scripts_that_it_loads_and_no_others(scene: Scene, who: str) -> None:
    assert set(files(scene[who]).named["modulepreload"]) == set(scripts_of(scene, who))


def test_what_only_members_can_do_is_not_loaded_by_strangers(scene: Scene) -> None:
    loaded = {address.rsplit("/", 1)[1] for address in scripts_of(scene, "stranger")}
    assert not loaded & {"passkeys.js", "member.js", "images.js", "completion.js", "drafts.js", "session.js", "pill.js"}


def test_every_script_and_stylesheet_is_used(app: Flask, scene: Scene) -> None:
    folder = Path(app.static_folder or "")
    loaded = scripts_of(scene, "alice").keys() | scripts_of(scene, "stranger", "/login").keys()
    assert {path.name for path in folder.glob("js/*")} == {path.rsplit("/", 1)[1] for path in loaded}
    assert {path.name for path in folder.glob("css/*")} == {f"{name}.css" for name in STYLES}


@pytest.mark.parametrize("path", ["/static/js/site.js", "/static/v0123456789/js/site.js", "/favicon.ico"])
def test_an_address_without_the_version_of_the_file_is_asked_for_again(scene: Scene, path: str) -> None:
    response = scene["alice"].get(path)
    assert response.status_code == 200 and response.cache_control.public and response.cache_control.no_cache
    assert not response.cache_control.immutable and not response.cache_control.max_age
    etag = response.headers["ETag"]
    assert scene["alice"].client.get(path, headers={"If-None-Match": etag}).status_code == 304


def test_the_version_is_that_of_all_files(app: Flask, scene: Scene) -> None:
    """A script imports others by a path beside its own, so that one that changes must change the address of all."""
    assert len({re.sub(r"^(/static/v[0-9a-f]{10}/).*", r"\1", address) for address in files(scene["alice"]).all}) == 1

"""A security key for tests, which signs what it is asked, or what it should not."""

from __future__ import annotations

import hashlib
import html
import json
import re
import secrets
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from flask import Flask
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from werkzeug.test import TestResponse

from tests.accounts.browser import Browser, form_token
from tests.people import Member

ORIGIN = "http://localhost:8000"  # of a site that has been told nothing
PRESENT, VERIFIED, NEW = 1, 4, 64


class Key:
    """One passkey."""

    def __init__(self, *, rp: str = "localhost", origin: str = ORIGIN) -> None:
        self.private = generate_private_key(SECP256R1())
        self.id = secrets.token_bytes(32)
        self.rp, self.origin = rp, origin
        self.count = 0
        self.owner = ""

    def make(self, options: dict[str, Any], **changes: Any) -> str:
        """Return what a browser says of a new passkey."""
        self.owner = options["user"]["id"]
        numbers = self.private.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        made = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(cose)
        data = self._data(PRESENT | VERIFIED | NEW) + made
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        said = {"attestationObject": bytes_to_base64url(attestation), "transports": ["internal"]}
        return self._answer({**said, **self._client("webauthn.create", options, **changes)})

    def sign(self, options: dict[str, Any], *, verified: bool = True, counts: int = 1, **changes: Any) -> str:
        """Return what a browser says of a passkey that has signed."""
        self.count += counts
        data = self._data(PRESENT | (VERIFIED if verified else 0))
        said = self._client("webauthn.get", options, **changes)
        signed = data + hashlib.sha256(base64url_to_bytes(said["clientDataJSON"])).digest()
        signature = self.private.sign(signed, ECDSA(SHA256()))
        owner = {} if changes.get("anonymous") else {"userHandle": changes.get("owner", self.owner)}
        parts = {"authenticatorData": bytes_to_base64url(data), "signature": bytes_to_base64url(signature), **owner}
        return self._answer({**said, **parts})

    def _data(self, flags: int) -> bytes:
        return hashlib.sha256(self.rp.encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def _client(self, kind: str, options: dict[str, Any], *, origin: str = "", **_: Any) -> dict[str, str]:
        client = {"type": kind, "challenge": options["challenge"], "origin": origin or self.origin}
        return {"clientDataJSON": bytes_to_base64url(json.dumps(client).encode())}

    def _answer(self, response: dict[str, Any]) -> str:
        name = bytes_to_base64url(self.id)
        return json.dumps({"id": name, "rawId": name, "type": "public-key", "response": response})


def offered(page: str) -> dict[str, Any]:
    """Read off a page what a browser is to make."""
    found = re.search(r'data-options="([^"]+)"', page)
    assert found, page
    options: dict[str, Any] = json.loads(html.unescape(found[1]))
    return options


def add(member: Member, key: Key | None = None, name: str = "My phone") -> Key:
    """Add a passkey, as the pages lead to it."""
    key = key or Key()
    options = offered(member.send("/settings/factors/passkeys/new").text)
    response = member.send("/settings/factors/passkeys", name=name, answer=key.make(options))
    assert response.status_code in {200, 303}, response.text
    return key


def ask(browser: Browser, purpose: str = "log_in", page: str = "/login") -> dict[str, Any]:
    """Ask what is to be signed, as the script does."""
    token = form_token(browser.get(page).text)
    response = browser.client.post("/login/passkey/ask", data={"csrf_token": token, "purpose": purpose})
    assert response.status_code == 200, response.text
    options: dict[str, Any] = response.json or {}
    return options


def log_in(app: Flask, key: Key, browser: Browser | None = None, **changes: Any) -> tuple[Browser, TestResponse]:
    """Log in by a passkey alone."""
    browser = browser or Browser(app)
    answer = key.sign(ask(browser), **changes)
    return browser, browser.submit("/login/passkey", page="/login", answer=answer)

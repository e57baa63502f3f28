"""What a page says about what was just done, and how it offers to take that back."""

from __future__ import annotations

import re
from html import unescape
from typing import Any


def notice_undo(html: str) -> tuple[str, dict[str, Any]]:
    """Return where the form is sent that offers an undo, and its fields."""
    [form] = re.findall(r'<form class="notice-undo".*?</form>', html, re.S)
    [path] = re.findall(r'action="([^"]+)"', form)
    fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form))
    return path, {name: unescape(value) for name, value in fields.items() if name != "csrf_token"}

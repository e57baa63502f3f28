"""Input that nobody sends by accident."""

from __future__ import annotations

# What `next=` must not lead to. Each would take some browser, or some reading of the standard, elsewhere.
ELSEWHERE = [
    "",
    " ",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "/\\/evil.example",
    "\\\\evil.example",
    "\\/evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r\nLocation: https://evil.example",
    "\t//evil.example",
    " //evil.example",
    "https://evil.example",
    "HTTPS://evil.example",
    "https:evil.example",
    "https:/evil.example",
    "http:///evil.example",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "evil.example",
    "@evil.example",
    ".evil.example",
    "?next=//evil.example",
    "#top",
    "//[::1",
    "/\x00",
    "/a\\b",
]

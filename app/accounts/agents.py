"""Which browser on which system: a guess from what it says of itself, for the list of devices."""

from __future__ import annotations

# Order matters: every browser claims to be those below it as well.
BROWSERS = {"Edg": "Edge", "OPR": "Opera", "Firefox": "Firefox", "Chrome": "Chrome", "Safari": "Safari", "curl": "curl"}
SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Mac OS": "Mac",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}


def browser_name(agent: str) -> str:
    """Say "Firefox on Linux", as far as one can tell."""
    browser = next((name for mark, name in BROWSERS.items() if mark in agent), "Unknown browser")
    system = next((name for mark, name in SYSTEMS.items() if mark in agent), None)
    return f"{browser} on {system}" if system else browser

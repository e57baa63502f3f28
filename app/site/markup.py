"""What those who run the site write in pages and announcements: simple markup, and nothing of HTML.

By markdown-it-py: CommonMark in full, kept well, and safe where HTML is off; our own rendering of posts knows neither
headings nor lists, which rules and privacy texts are made of.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markupsafe import Markup

MAX_TEXT = 20_000
_markdown = MarkdownIt("commonmark", {"html": False, "breaks": True, "maxNesting": 12}).disable(["image", "html_block"])


def _open_link(renderer: RendererHTML, tokens: Any, index: int, options: Any, env: Any) -> str:
    """Send nobody's address to where a link leads; the page itself has the first heading."""
    tokens[index].attrSet("rel", "nofollow noopener noreferrer")
    return renderer.renderToken(tokens, index, options, env)


def _heading(renderer: RendererHTML, tokens: Any, index: int, options: Any, env: Any) -> str:
    token = tokens[index]
    token.tag = f"h{min(int(token.tag[1]) + 1, 6)}"
    return renderer.renderToken(tokens, index, options, env)


_markdown.add_render_rule("link_open", _open_link)
_markdown.add_render_rule("heading_open", _heading)
_markdown.add_render_rule("heading_close", _heading)


@lru_cache(maxsize=50)
def to_html(text: str) -> Markup:
    """Return safe HTML of a text with markup."""
    return Markup(_markdown.render(text))  # noqa: S704

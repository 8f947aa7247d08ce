"""Markdown as safe HTML, for lessons and answers."""

from collections.abc import Sequence

import nh3
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.token import Token

_PARSER = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
_TEXT = {"p", "br", "hr", "em", "strong", "code", "pre", "blockquote", "ul", "ol", "li", "a"}
_HEADINGS = {"h2", "h3", "h4", "h5", "h6"}
_TABLES = {"table", "thead", "tbody", "tr", "th", "td"}
# Said of all elements too, or the cleaner lets any of them have a title.
_ATTRIBUTES: dict[str, set[str]] = {"*": set(), "a": {"href"}, "ol": {"start"}}
_SCHEMES = {"http", "https", "mailto"}


def _words_of_image(_renderer: object, tokens: Sequence[Token], index: int, *_rest: object) -> str:
    """An image's own words in its place: loading it would tell another site who reads what."""
    return escape(tokens[index].content)


_PARSER.add_render_rule("image", _words_of_image)


def render_markdown(text: str, *, top: int = 2) -> SafeString:
    """`text` as HTML safe for any page: no raw HTML, no images, links only to the web, mail and own pages.

    Its uppermost headings become those of level `top`: what they stand in has its own above them.
    """
    tokens = _PARSER.parse(text)
    headings = [token for token in tokens if token.type in ("heading_open", "heading_close")]
    down = top - min((int(token.tag[1:]) for token in headings), default=top)
    for token in headings:
        token.tag = f"h{min(int(token.tag[1:]) + down, 6)}"
    html = _PARSER.renderer.render(tokens, _PARSER.options, {})
    clean = nh3.clean(
        html,
        tags=_TEXT | _HEADINGS | _TABLES,
        attributes=_ATTRIBUTES,
        url_schemes=_SCHEMES,
        link_rel="noopener noreferrer nofollow",
    )
    return mark_safe(_boxed(clean))  # noqa: S308 - cleaned on the line above


def _boxed(html: str) -> str:
    """Each table in a box of its own, which scrolls where the table is wider: by touch, and by keys once it has the
    focus. Only our renderer writes tags: a `<table>` among the words is escaped.
    """
    box = format_html(
        '<div class="table-box" tabindex="0" role="region" aria-label="{}" data-hint="{}"><table>',
        _("Tabla"),
        _("Desliza la tabla para verla entera"),
    )
    return html.replace("<table>", box).replace("</table>", "</table></div>")

"""Answers as HTML."""

import re
from collections.abc import Mapping

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from skillnet.markup import render_markdown
from tutor.grounding import with_usual_markers, without_markers
from tutor.injections import without_begun_echo
from tutor.models import AnswerOrigin

_MARKER = re.compile(r"\s*\[Fuente (\d+)\]")
_PLACEHOLDER = re.compile("\ue000(\\d+)\ue001")  # private characters: Markdown leaves them alone
_OPEN_MARKER = re.compile(r"\s*\[[^\]\n]{0,160}\Z")
_TASK_BOX = re.compile(r"(?<![\w\]])\[(?P<state>[ xX])\](?![(\[])")  # not an index, not a link
_LIST_LINE = re.compile(r"(?:-|\d{1,3}\.) ")
_MARKDOWN_SIGNS = re.compile(r"([\\`*_\[\]<>#|~&!+])")


def answer_html(text: str, *, origin: str, links: Mapping[int, str]) -> SafeString:
    """A checked answer, its markers as links. `links` gives each source's number its address; other markers
    vanish.
    """
    marked = _MARKER.sub("\ue000\\1\ue001", text.replace("\ue000", "").replace("\ue001", ""))
    html = render_markdown(_as_markdown(marked, origin))

    def link(match: re.Match[str]) -> str:
        number = int(match[1])
        if number not in links:
            return ""
        label = _("Fuente %(number)d") % {"number": number}
        return format_html('<a class="cite" href="{}" aria-label="{}">{}</a>', links[number], label, number)

    return mark_safe(_PLACEHOLDER.sub(link, html))  # noqa: S308 - cleaned HTML, and links made by format_html


def draft_html(text: str, *, origin: str) -> SafeString:
    """An answer in the making, without its markers: sources are shown once they are checked."""
    if origin == AnswerOrigin.MODEL:
        text = without_begun_echo(with_usual_markers(text))
    return render_markdown(_as_markdown(_OPEN_MARKER.sub("", without_markers(text)), origin))


def with_boxes(text: str) -> str:
    """`text` with the boxes of a task list, `[ ]` and `[x]`, drawn as ☐ and ☑."""
    return _TASK_BOX.sub(lambda box: "☐" if box["state"] == " " else "☑", text)


def _as_markdown(text: str, origin: str) -> str:
    """Language models and authors of FAQ write Markdown; in a document's own words the signs mean themselves."""
    text = with_boxes(text)
    if origin in (AnswerOrigin.MODEL, AnswerOrigin.FAQ):
        return text
    return _with_gaps_told(literal_markdown(text))


def _with_gaps_told(text: str) -> str:
    """Where «…» alone says that a document's list has more behind or before what is shown, says it in words, with the
    source of the list.
    """
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if line == "…":
            words = (
                _("Esta lista puede no estar completa: consulta los documentos.")
                if any(map(_LIST_LINE.match, lines[:at]))
                else _("Esta lista empieza antes: el principio está en los documentos.")
            )
            found = _PLACEHOLDER.findall("\n".join(lines[:at]))[-1:] or _PLACEHOLDER.findall("\n".join(lines[at:]))[:1]
            lines[at] = f"*{words}*" + "".join(f" \ue000{number}\ue001" for number in found)
    return "\n".join(lines)


def literal_markdown(text: str) -> str:
    """Markdown that shows `text` as it is: every sign means itself, but numbers and dashes of lists."""
    return "\n".join(_literal(line) for line in text.split("\n"))


def _literal(line: str) -> str:
    mark = re.match(r"(?:- |\d{1,3}\. )?", line)
    start = mark.end() if mark else 0
    return line[:start] + _MARKDOWN_SIGNS.sub(r"\\\1", line[start:])

"""The certificate of a finished course as a PDF. The text is laid out by MuPDF, whose own fonts hold all of Latin."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from typing import Any

from django.conf import settings
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from courses.models import Completion
from documents.parsing.mupdf import pymupdf

PAPER = "a4-l"
MARGIN = 54.0  # points
DOCUMENTS_NAMED = 8  # more are counted: one page has to hold them
SIZES = (17.0, 14.0, 12.0, 10.0, 8.0)  # of the text, in points; the first that keeps it on one page is taken

_LOOKS = """
    body {{ font-family: sans-serif; color: #1b2430; font-size: {size}pt; text-align: center; line-height: 1.35; }}
    .small {{ font-size: {small}pt; color: #4a5563; }}
    .organization {{ font-size: {size}pt; color: #4a5563; margin-top: 4pt; }}
    h1 {{ font-size: {title}pt; font-weight: normal; margin: 14pt 0 10pt 0; color: #17468f; }}
    .name {{ font-size: {name}pt; font-weight: bold; margin: 4pt 0; }}
    .course {{ font-size: {course}pt; font-weight: bold; margin: 4pt 0 10pt 0; }}
    p {{ margin: 3pt 0; }}
    .apart {{ margin-top: 16pt; }}
"""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a certificate says, in words."""

    organization: str
    person: str
    course: str
    number: str
    completed: str
    expires: str  # empty: it does not expire
    percent: int | None
    documents: Sequence[str]


def certificate_of(completion: Completion) -> Certificate:
    """The certificate of a finished course, in the installation's language."""
    with translation.override(settings.LANGUAGE_CODE):
        return Certificate(
            organization=completion.organization.name,
            person=str(completion.user),
            course=completion.course_title,
            number=completion.number,
            completed=date_format(timezone.localtime(completion.completed_at).date(), "DATE_FORMAT"),
            expires=date_format(completion.expires_on, "DATE_FORMAT") if completion.expires_on else "",
            percent=completion.percent,
            documents=[_named(document) for document in completion.documents],
        )


def _named(document: dict[str, str]) -> str:
    published = date_format(date.fromisoformat(document["published_at"]), "DATE_FORMAT")
    return _("%(title)s (versión %(version)s, del %(date)s)") % {
        "title": document["title"],
        "version": document["version"],
        "date": published,
    }


def as_pdf(certificate: Certificate) -> bytes:
    """One page. Long titles and many documents make its text smaller, down to a size that can still be read."""
    paper = pymupdf.paper_rect(PAPER)
    inside = paper + (MARGIN, MARGIN, -MARGIN, -MARGIN)  # noqa: RUF005 - a rectangle, moved edge by edge
    for size in SIZES:
        file, is_whole = _laid_out(certificate, size, paper, inside)
        if is_whole or size == SIZES[-1]:
            break
    with pymupdf.open("pdf", file) as document:
        page = document[0]
        page.draw_rect(paper + (24, 24, -24, -24), color=(0.09, 0.27, 0.56), width=2)  # noqa: RUF005
        page.draw_rect(paper + (30, 30, -30, -30), color=(0.09, 0.27, 0.56), width=0.5)  # noqa: RUF005
        document.set_metadata(
            {
                "title": f"{certificate.course} · {certificate.person}",
                "author": certificate.organization,
                "subject": certificate.number,
            }
        )
        document.subset_fonts()
        content: bytes = document.tobytes(garbage=3, deflate=True)
        return content


def _laid_out(certificate: Certificate, size: float, paper: Any, inside: Any) -> tuple[bytes, bool]:
    """The first page in a size of text, and whether it holds all."""
    looks = _LOOKS.format(size=size, small=size * 0.75, title=size * 2.1, name=size * 1.9, course=size * 1.5)
    story = pymupdf.Story(html=_markup(certificate), user_css=looks)
    written = io.BytesIO()
    writer = pymupdf.DocumentWriter(written)
    more, filled = story.place(inside)
    if not more:  # in the middle of the page
        story.reset()
        story.place(inside + (0, (inside.y1 - filled[3]) / 2, 0, 0))  # noqa: RUF005
    device = writer.begin_page(paper)
    story.draw(device)
    writer.end_page()
    writer.close()
    return written.getvalue(), not more


def _markup(certificate: Certificate) -> str:
    with translation.override(settings.LANGUAGE_CODE):
        dates = _("Terminado el %(date)s.") % {"date": certificate.completed}
        dates += " " + (
            _("Válido hasta el %(date)s.") % {"date": certificate.expires} if certificate.expires else _("No caduca.")
        )
        lines = [
            ("organization", certificate.organization),
            ("name", certificate.person),
            ("", _("ha terminado el curso")),
            ("course", certificate.course),
            ("", dates),
        ]
        if certificate.percent is not None:
            score = _("Aciertos en los cuestionarios: %(percent)d %%.") % {"percent": certificate.percent}
            lines.append(("", score))
        body = [f'<p class="{name}">{escape(text)}</p>' for name, text in lines]
        heading = _("Certificado de formación")  # not in the f-string, where xgettext does not look
        body.insert(1, f"<h1>{escape(heading)}</h1>")
        named = certificate.documents[:DOCUMENTS_NAMED]
        if named:
            below = _("Documentos en los que se basa")
            body.append(f'<p class="apart"><b>{escape(below)}</b></p>')
            body += [f'<p class="small">{escape(text)}</p>' for text in named]
        if left := len(certificate.documents) - len(named):
            text = ngettext("y %(count)d documento más", "y %(count)d documentos más", left) % {"count": left}
            body.append(f'<p class="small">{escape(text)}</p>')
        number = _("Número de verificación: %(number)s") % {"number": certificate.number}
        body.append(f'<p class="small apart">{escape(number)}</p>')
        return "<body>" + "".join(body) + "</body>"

"""How a version's state is put into words."""

from collections.abc import Sequence
from typing import Any

from django import template
from django.template import Context
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from documents import finding, near_duplicates
from documents.diffing import Change, word_spans
from documents.models import Document, DocumentVersion, Status
from documents.parsing import media_types
from documents.parsing.notices import MESSAGES, where
from documents.titles import section_words
from documents.weaving import woven
from skillnet.templatetags.interface import single_stop

register = template.Library()
register.filter(woven)

_LOOKS = {
    Status.READY: ("ok", "check-circle"),
    Status.READY_WITH_WARNINGS: ("warn", "warn"),
    Status.FAILED: ("danger", "error"),
    Status.CANCELLED: ("neutral", "stop"),
    Status.PENDING: ("info", "clock"),
}
_WORKING = ("info", "working")


@register.inclusion_tag("documents/_status.html")
def status_badge(version: DocumentVersion) -> dict[str, Any]:
    """The state as icon, word and colour."""
    colour, icon = _LOOKS.get(Status(version.status), _WORKING)
    return {"colour": colour, "icon": icon, "label": version.get_status_display()}


_CHANGES = {
    Change.ADDED: ("ok", "plus", gettext_lazy("Añadida")),
    Change.REMOVED: ("danger", "trash", gettext_lazy("Quitada")),
    Change.EDITED: ("info", "edit", gettext_lazy("Modificada")),
    Change.MOVED: ("neutral", "next", gettext_lazy("Movida")),
    Change.RENAMED: ("warn", "retry", gettext_lazy("Con otro nombre")),
}


@register.inclusion_tag("documents/_status.html")
def change_badge(change: Change) -> dict[str, Any]:
    """What became of a section as icon, word and colour."""
    colour, icon, label = _CHANGES[change]
    return {"colour": colour, "icon": icon, "label": label}


@register.inclusion_tag("documents/_correction.html")
def text_change(before: str, after: str) -> dict[str, Any]:
    """Two texts side by side, what differs marked."""
    old, new = word_spans(before, after)
    return {"before": old if before else (), "after": new if after else ()}


@register.filter
def marked(text: str, words: Sequence[str]) -> str | SafeString:
    """`text` with the folded `words` marked in it."""
    if not words:
        return text
    runs = finding.marked(text, words)
    return format_html_join(
        "", "{}", ((format_html("<mark>{}</mark>", run.text) if run.is_marked else run.text,) for run in runs)
    )


@register.filter
def warning_text(warning: dict[str, Any]) -> str:
    """A stored warning in the reader's language; as it was stored, where that does not say what it counts or names."""
    message, values = MESSAGES.get(warning["code"]), warning.get("values")
    if not message or not values:
        return _(warning["message"])
    words, counted = where(values.get("pages") or [], values.get("count") or 0)
    told: str = single_stop(_(message) % {**values, "where": _(words) % counted})  # names of sheets may end in one
    return told


@register.filter
def extent(version: DocumentVersion) -> str:
    """How long a document is, in what its format counts; empty where it counts nothing, or has not been read."""
    if version.media_type == media_types.PDF and version.page_count:
        return ngettext("%(count)s página", "%(count)s páginas", version.page_count) % {"count": version.page_count}
    counted = {"count": version.part_count}
    if version.media_type == media_types.PPTX and version.part_count:
        return ngettext("%(count)s diapositiva", "%(count)s diapositivas", version.part_count) % counted
    if version.media_type == media_types.XLSX and version.part_count:
        return ngettext("%(count)s hoja", "%(count)s hojas", version.part_count) % counted
    return ""


@register.filter
def first_warning(version: DocumentVersion) -> dict[str, Any] | None:
    """The warning that says best why a version is not simply ready; None without any."""
    return next(iter(near_duplicates.others(version.warnings)), None)


@register.inclusion_tag("documents/_warning_summary.html", takes_context=True)
def warning_summary(context: Context, version: DocumentVersion) -> dict[str, Any]:
    """Why a version is not simply ready, in a sentence, and the way to the rest."""
    return {
        "version": version,
        "warning": first_warning(version),
        "others": len(near_duplicates.others(version.warnings)) - 1,
        "organization": context["organization"],
    }


@register.filter
def progress_text(version: DocumentVersion) -> str:
    """What is being done with an unfinished version, counted where it can be."""
    counted = {"done": version.progress_done, "total": version.progress_total}
    if version.cancel_requested:
        return _("Cancelando…")
    if version.next_attempt_at and version.next_attempt_at > timezone.now():
        at = date_format(timezone.localtime(version.next_attempt_at), "H:i")
        return _("No ha salido bien. Lo intentaremos de nuevo a las %(at)s.") % {"at": at}
    if version.status == Status.PARSING and version.progress_total:
        return _("Página %(done)d de %(total)d") % counted
    if version.status == Status.EMBEDDING and version.progress_total:
        return _("Fragmento %(done)d de %(total)d") % counted
    return {
        Status.PENDING: _("Esperando su turno"),
        Status.PARSING: _("Abriendo el archivo"),
        Status.CHUNKING: _("Ordenando el contenido"),
        Status.EMBEDDING: _("Preparando la búsqueda"),
    }.get(Status(version.status), "")


@register.filter
def of_version(documents: dict[int, list[Document]], version: DocumentVersion) -> list[Document]:
    """What is known of one version, in a dictionary by version."""
    return documents.get(version.pk, [])


@register.filter
def is_counted(version: DocumentVersion) -> bool:
    """Whether the progress of an unfinished version can be shown as a share of the whole."""
    return version.status in (Status.PARSING, Status.EMBEDDING) and version.progress_total > 0


@register.filter
def section_of(heading_path: Sequence[str], title: str) -> str:
    """Where a passage stands in the document of that title, outermost heading first."""
    return " › ".join(section_words(heading_path, title))

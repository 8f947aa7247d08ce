"""Entries of the FAQ as files: CSV for spreadsheets, JSON for programs. Reading is pure; importing calls the
services.
"""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _

from documents.models import DocumentQuerySet
from skillnet.errors import SkillNetError
from skillnet.models import Classification, Organization, User
from skillnet.spreadsheets import inert, without_mark
from tutor.grounding import cited_numbers, renumbered
from tutor.models import FaqEntry, FaqVariant
from tutor.prepared import services
from tutor.prepared.errors import UnreadableImport
from tutor.prepared.matching import question_key

COLUMNS = ("pregunta", "variantes", "respuesta", "activa", "clasificacion", "documento", "pagina", "cita")
MAX_ENTRIES = 300
MAX_BYTES = 2 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class WrittenSource:
    document: str
    quote: str
    page: int | None = None


@dataclass(frozen=True, slots=True)
class WrittenEntry:
    """An entry as a file has it. `line` is where it begins, counted from 1."""

    line: int
    questions: tuple[str, ...]
    answer: str
    is_active: bool = True
    classification: int = Classification.INTERNAL
    sources: tuple[WrittenSource, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class RowResult:
    line: int
    question: str
    message: str
    is_saved: bool


def written(entries: Iterable[FaqEntry]) -> list[WrittenEntry]:
    """Entries as files have them; fetch them with their variants and their sources' documents."""
    return [
        WrittenEntry(
            line=number,
            questions=tuple(variant.text for variant in entry.variants.all()),
            answer=entry.answer,
            is_active=entry.is_active,
            classification=entry.classification,
            sources=tuple(
                WrittenSource(source.document.title, source.quote, source.page) for source in entry.sources.all()
            ),
        )
        for number, entry in enumerate(entries, start=1)
    ]


def to_json(entries: Sequence[WrittenEntry]) -> str:
    content = [
        {
            "questions": list(entry.questions),
            "answer": entry.answer,
            "active": entry.is_active,
            "classification": entry.classification,
            "sources": [
                {"document": source.document, "page": source.page, "quote": source.quote} for source in entry.sources
            ],
        }
        for entry in entries
    ]
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def to_csv(entries: Sequence[WrittenEntry]) -> str:
    """One line an entry; a line without question brings another source of the entry above it."""
    output = io.StringIO()
    output.write("\ufeff")  # or spreadsheets take it for another encoding
    writer = csv.writer(output, delimiter=";")
    writer.writerow(COLUMNS)
    for entry in entries:
        first, *others = [*entry.sources, WrittenSource("", "")][: max(1, len(entry.sources))]
        own = [entry.questions[0] if entry.questions else "", "\n".join(entry.questions[1:]), entry.answer]
        own += [_("sí") if entry.is_active else _("no"), str(entry.classification)]
        writer.writerow(map(inert, [*own, *_source_cells(first)]))
        writer.writerows([""] * 5 + [inert(cell) for cell in _source_cells(source)] for source in others)
    return output.getvalue()


def parse(content: bytes) -> list[WrittenEntry]:
    """Entries of a file, JSON or CSV with commas or semicolons. Raises: UnreadableImport."""
    if len(content) > MAX_BYTES:
        raise UnreadableImport(user_message=_("El archivo es demasiado grande: caben 2 MB."))
    try:
        text = content.decode("utf-8-sig").replace("\0", "")
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace").replace("\0", "")
    entries = _from_json(text) if text.lstrip().startswith(("[", "{")) else _from_csv(text)
    if not entries:
        raise UnreadableImport(user_message=_("El archivo no tiene ninguna pregunta."))
    if len(entries) > MAX_ENTRIES:
        message = _("El archivo tiene %(count)d preguntas y caben %(limit)d. Divídelo en varios.")
        raise UnreadableImport(user_message=message % {"count": len(entries), "limit": MAX_ENTRIES})
    return entries


def import_entries(
    entries: Sequence[WrittenEntry],
    *,
    organization: Organization,
    owner: User,
    documents: DocumentQuerySet,
    editable: Any,
    classifications: frozenset[int],
) -> list[RowResult]:
    """Save what can be saved, and say of each entry what became of it.

    One whose first question an entry of `editable` has already is written anew. Sources are looked for by title among
    `documents`, those the importer may read; marks of sources that the file does not bring are left out. Call inside
    the organization's scope.
    """
    results = []
    for entry in entries:
        question = entry.questions[0] if entry.questions else ""
        try:
            message = _import(entry, organization, owner, documents, editable, classifications)
        except SkillNetError as error:
            results.append(RowResult(entry.line, question, str(error.user_message), is_saved=False))
        else:
            results.append(RowResult(entry.line, question, message, is_saved=True))
    return results


def _import(
    written_entry: WrittenEntry,
    organization: Organization,
    owner: User,
    documents: DocumentQuerySet,
    editable: Any,
    classifications: frozenset[int],
) -> str:
    numbers = {number: number for number in range(1, len(written_entry.sources) + 1)}
    answer = renumbered(written_entry.answer, numbers)
    if not written_entry.questions or not answer:
        raise UnreadableImport(user_message=_("Falta la pregunta o la respuesta."))
    if written_entry.classification not in classifications:
        raise UnreadableImport(user_message=_("Esa clasificación no existe o no puedes darla."))
    sources = []
    for source in written_entry.sources:
        found = list(documents.filter(title=source.document).select_related("active_version")[:2])
        if len(found) != 1:
            message = _("No hay un documento, y solo uno, llamado «%(title)s» que puedas leer.")
            raise UnreadableImport(user_message=message % {"title": source.document})
        sources.append(services.bind_source(found[0], source.quote, page=source.page))
    missing = [number for number in cited_numbers(written_entry.answer) if number not in numbers]
    key = question_key(written_entry.questions[0])
    known = FaqVariant.objects.filter(key=key, entry__in=editable).select_related("entry").first()
    services.save_entry(
        organization=organization,
        owner=owner if known is None else None,
        questions=written_entry.questions,
        answer=answer,
        classification=written_entry.classification,
        is_active=written_entry.is_active,
        sources=sources,
        entry=None if known is None else known.entry,
    )
    saved = _("Guardada.") if known is None else _("Actualizada: ya estaba.")
    if not missing:
        return saved
    dropped = _("Hemos quitado la marca de la Fuente %(number)d: el archivo no trae esa fuente.")
    return f"{saved} {dropped % {'number': missing[0]}}"


def _from_json(text: str) -> list[WrittenEntry]:
    try:
        content = json.loads(text)
        return [_entry_of(number, one) for number, one in enumerate(content, start=1)]
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise UnreadableImport(str(error)) from error


def _entry_of(line: int, content: Mapping[str, Any]) -> WrittenEntry:
    return WrittenEntry(
        line=line,
        questions=_questions([_text(question) for question in content["questions"]]),
        answer=_text(content["answer"]),
        is_active=bool(content.get("active", True)),
        classification=int(content.get("classification", Classification.INTERNAL)),
        sources=tuple(
            WrittenSource(_text(source["document"]), _text(source["quote"]), _number(str(source.get("page") or "")))
            for source in content.get("sources", [])
        ),
    )


def _from_csv(text: str) -> list[WrittenEntry]:
    header = text.split("\n", 1)[0]
    delimiter = ";" if header.count(";") >= header.count(",") else ","
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        rows = [{(name or "").strip().lower(): value for name, value in row.items()} for row in reader]
    except csv.Error as error:
        raise UnreadableImport(str(error)) from error
    if not rows or not {"pregunta", "respuesta"} <= rows[0].keys():
        raise UnreadableImport
    entries: list[WrittenEntry] = []
    for line, row in enumerate(rows, start=2):
        cells = {name: _cell(row.get(name)) for name in COLUMNS}
        sources = tuple(
            [WrittenSource(cells["documento"], cells["cita"], _number(cells["pagina"]))] if cells["documento"] else []
        )
        if cells["pregunta"] or cells["respuesta"]:
            entries.append(
                WrittenEntry(
                    line=line,
                    questions=_questions([cells["pregunta"], *cells["variantes"].split("\n")]),
                    answer=cells["respuesta"],
                    is_active=cells["activa"].casefold() not in ("no", "não", "nao", "0", "false"),
                    classification=_classification(cells["clasificacion"]),
                    sources=sources,
                )
            )
        elif entries and sources:
            entries[-1] = replace(entries[-1], sources=entries[-1].sources + sources)
    return entries


def _questions(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(text.strip()[:500] for text in texts if text.strip())


def _text(value: Any) -> str:
    """A value of JSON as text that can be stored: its escapes can name what no text holds."""
    return str(value).replace("\0", "").encode("utf-8", errors="ignore").decode("utf-8").strip()


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 6 else None


def _classification(text: str) -> int:
    """What a cell says: the usual one when it is empty, 0, which none is, when it makes no sense."""
    return (_number(text) or 0) if text else Classification.INTERNAL


def _cell(value: Any) -> str:
    text = value.strip() if isinstance(value, str) else ""
    return without_mark(text)


def _source_cells(source: WrittenSource) -> list[str]:
    return [source.document, "" if source.page is None else str(source.page), source.quote]

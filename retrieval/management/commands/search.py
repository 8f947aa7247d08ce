"""Search an organization's documents from the command line."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from documents.access import ADMINISTRATION, Reader
from documents.models import Collection
from retrieval.allowed import readable_documents
from retrieval.configuration import config_for
from retrieval.pipeline import search
from retrieval.registry import course_named
from retrieval.types import Passage, SearchResult, SearchScope, Section
from skillnet.backends.language import LANGUAGES
from skillnet.commands import ProductCommand, member_named, organization_named, read_questions
from skillnet.models import Membership, Organization
from skillnet.tenancy import organization_scope

MAX_TOP_K = 100
DAYS = {
    "--since": "documentos subidos desde ese día",
    "--until": "documentos subidos hasta ese día",
    "--document-since": "documentos que llevan esa fecha o una posterior",
    "--document-until": "documentos que llevan esa fecha o una anterior",
}
EXCERPT_CHARACTERS = 200  # of a passage, in the output for people


class Command(ProductCommand):
    help = "Busca en los documentos de una organización."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument("question", nargs="?", metavar="QUESTION")
        parser.add_argument("--questions", type=Path, metavar="FILE.jsonl", help="un objeto por línea con «question»")
        parser.add_argument("--org", required=True, metavar="SLUG")
        parser.add_argument("--user", metavar="EMAIL", help="busca como esta persona; si falta, como administración")
        parser.add_argument("--mode", choices=["vector", "keyword", "hybrid"])
        parser.add_argument("--rerank", choices=["none", "late_interaction", "cross_encoder", "api"])
        parser.add_argument("--top-k", type=int, metavar="N", help="si falta, lo que digan los ajustes")
        parser.add_argument("--collection", metavar="C", help="nombre de una colección")
        parser.add_argument("--course", metavar="SLUG")
        parser.add_argument("--document", metavar="ID")
        parser.add_argument("--media-type", default="", metavar="T")
        parser.add_argument("--tag", action="append", default=[], metavar="T", help="puede repetirse: todas a la vez")
        parser.add_argument("--language", choices=LANGUAGES, default="", help="de los documentos")
        parser.add_argument(
            "--section", action="append", default=[], metavar="«A > B»", help="un título y lo que cuelga de él"
        )
        for flag, what in DAYS.items():
            parser.add_argument(flag, type=date.fromisoformat, metavar="AAAA-MM-DD", help=what)
        parser.add_argument(
            "--advanced", action="store_true", help='la pregunta es una expresión: "frase exacta", -sin'
        )

    def run(self, **options: Any) -> dict[str, Any]:
        if (options["question"] is None) == (options["questions"] is None):
            raise CommandError("Indica una pregunta o --questions con un archivo, y no ambas cosas.", returncode=2)
        if options["top_k"] is not None and not 1 <= options["top_k"] <= MAX_TOP_K:
            raise CommandError(f"--top-k admite valores de 1 a {MAX_TOP_K}.", returncode=2)
        questions = [options["question"]] if options["questions"] is None else read_questions(options["questions"])
        organization = organization_named(options["org"])
        asked = {name: options[name] for name in ("mode", "rerank", "top_k") if options[name] is not None}
        with organization_scope(organization.pk):
            scope = _scope(organization, options)
            config = replace(config_for(scope), advanced=options["advanced"], **asked)
            return {"results": [as_json(search(question, scope, config)) for question in questions]}

    def text(self, result: dict[str, Any]) -> str:
        return "\n\n".join(_for_people(answer) for answer in result["results"])


def _scope(organization: Organization, options: dict[str, Any]) -> SearchScope:
    membership = member_named(organization, options["user"]) if options["user"] else None
    reader = ADMINISTRATION if membership is None else Reader.of(membership)
    scope = SearchScope(
        organization.pk,
        reader,
        document_ids=() if options["document"] is None else (_number(options["document"]),),
        course_id=None if options["course"] is None else _course(organization, options["course"], membership),
        collection_id=None if options["collection"] is None else _collection(organization, options["collection"]),
        media_types=(options["media_type"],) if options["media_type"] else (),
        tags=tuple(options["tag"]),
        since=options["since"],
        until=options["until"],
        dated_since=options["document_since"],
        dated_until=options["document_until"],
        sections=tuple(map(_section, options["section"])),
        language=options["language"],
    )
    named = SearchScope(organization.pk, reader, document_ids=scope.document_ids)
    if scope.document_ids and not readable_documents(named).exists():
        raise CommandError(f"No existe el documento «{options['document']}» en «{organization.slug}».")
    return scope


def _section(text: str) -> Section:
    path = tuple(heading for heading in map(str.strip, text.split(">")) if heading)
    if not path:
        raise CommandError("--section quiere un título, o varios: «A > B».", returncode=2)
    return Section(path)


def _number(text: str) -> int:
    # Longer numbers fit no column and can name nothing.
    if text.isascii() and text.isdecimal() and len(text) <= 18:
        return int(text)
    raise CommandError(f"No existe el documento «{text}».")


def _course(organization: Organization, slug: str, membership: Membership | None) -> int:
    course_id = course_named(organization.pk, slug, membership)
    if course_id is None:
        raise CommandError(f"No existe el curso «{slug}» en «{organization.slug}» o esa persona no puede abrirlo.")
    return course_id


def _collection(organization: Organization, name: str) -> int:
    collection = Collection.objects.for_organization(organization).filter(name=name).first()
    if collection is None:
        raise CommandError(f"No existe la colección «{name}» en «{organization.slug}».")
    return int(collection.pk)


def as_json(result: SearchResult) -> dict[str, Any]:
    """A search result as the command line prints it. Identifiers are strings."""
    return {
        "question": result.question,
        "searched": result.searched,
        "hits": [_hit(rank, passage) for rank, passage in enumerate(result.passages, start=1)],
        "confidence": round(result.confidence, 4),
        "evidence": result.evidence,
        "language": result.language,
        "rung": result.rung,
        "timings_ms": dict(result.trace["timings_ms"]),
        "trace": {name: value for name, value in result.trace.items() if name != "timings_ms"},
    }


def _hit(rank: int, passage: Passage) -> dict[str, Any]:
    return {
        "rank": rank,
        "chunk_id": str(passage.chunk_id),
        "document_id": str(passage.document_id),
        "document": passage.document_title,
        "version": passage.version_number,
        "heading_path": list(passage.heading_path),
        "page_start": passage.page_start,
        "page_end": passage.page_end,
        "locator": dict(passage.locator),
        "text": passage.text,
        "score": round(passage.score, 6),
        "legs": sorted(passage.legs),
        "signals": {name: round(value, 4) for name, value in passage.signals.items()},
    }


def _for_people(answer: dict[str, Any]) -> str:
    sure = "con evidencia" if answer["evidence"] else "sin evidencia suficiente"
    lines = [f"{answer['question']}  ({sure}, confianza {answer['confidence']:.2f})"]
    if not answer["hits"]:
        lines.append("  Ningún resultado. Prueba con otras palabras o con menos filtros.")
    for hit in answer["hits"]:
        place = " > ".join([hit["document"], *hit["heading_path"]])
        page = f", pág. {hit['page_start']}" if hit["page_start"] else ""
        lines.append(f"{hit['rank']:>3}. {place}{page}  [{', '.join(hit['legs'])}]")
        lines.append(f"     {' '.join(hit['text'].split())[:EXCERPT_CHARACTERS]}")
    return "\n".join(lines)

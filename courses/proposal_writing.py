"""What a lesson is proposed anew from, and proposals put into a language model's words by a worker."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from courses import registry
from courses.composing import Piece, compose
from courses.draft_writing import blocks_read
from courses.models import Lesson, LessonProposal, LessonSource, ProposalStatus
from courses.sources import ranges_of
from skillnet.backends import get_language_model
from skillnet.tenancy import organization_scope


@dataclass(frozen=True, slots=True)
class LessonMaterial:
    """What the sections that a lesson rests on say now, and those as fields of LessonSource; both without the lost."""

    pieces: list[Piece]
    sources: list[dict[str, Any]]


def material_of(lesson: Lesson) -> LessonMaterial:
    """What a lesson can be written from now. Call inside the organization's scope."""
    pieces: list[Piece] = []
    sources: list[dict[str, Any]] = []
    for source in lesson.sources.select_related("document").order_by("pk"):
        version_id = source.document.active_version_id
        blocks = blocks_read(version_id) if version_id else []
        ranges = ranges_of(blocks, source.place)
        if not ranges:
            continue
        pieces += [Piece(source.document_id, blocks[first:last], blocks) for first, last in ranges]
        sources.append(_source_fields(source, version_id, blocks[ranges[0][0]].page))
    return LessonMaterial(pieces, sources)


def rewrite(organization_id: UUID, proposal_id: int) -> None:
    """Put a proposal into a language model's words, where those say what its documents do; else it stays as it is.

    No transaction is open while the model writes. A proposal decided on meanwhile is left alone.
    """
    with organization_scope(organization_id):
        proposal = _waiting().filter(pk=proposal_id).select_related("lesson").first()
        material = material_of(proposal.lesson) if proposal is not None else None
    if proposal is None or material is None or not material.pieces:
        return
    composed = compose(proposal.title, material.pieces, get_language_model())
    with organization_scope(organization_id):
        registry.count_tokens(organization_id, composed.tokens)
        found = _waiting().select_for_update(no_key=True).filter(pk=proposal_id).first()
        if found is None:
            return
        if composed.is_rewritten:
            found.summary, found.content, found.quiz_items = composed.summary, composed.content, composed.items
            found.sources, found.is_rewritten = material.sources, True
        found.rewriting_since = None
        found.save(update_fields=["summary", "content", "quiz_items", "sources", "is_rewritten", "rewriting_since"])


def _waiting() -> Any:
    return LessonProposal.objects.filter(status=ProposalStatus.PROPOSED, rewriting_since__isnull=False)


def _source_fields(source: LessonSource, version_id: int | None, page: int | None) -> dict[str, Any]:
    return {
        "document_id": source.document_id,
        "version_id": version_id,
        "heading_path": source.heading_path,
        "page": page,
        "with_subsections": source.with_subsections,
        "part": source.part,
        "part_count": source.part_count,
    }

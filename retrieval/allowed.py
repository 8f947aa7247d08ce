"""Which documents and chunks a search may find.

Every statement names the organization and the versions its reader may see; row-level security stands behind them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db.models import Q, QuerySet

from documents.models import Document
from retrieval.registry import course_document_ids
from retrieval.statements import Row, array, rows, rows_of_prepared
from retrieval.types import SearchScope, Section

FEW_VERSIONS = 32  # from more on, a plan that knows how many they are is worth its making

# No heading lies further down: so much of a path is all of it.
DEEPEST = 100
# A section may be named with or without the outermost heading, which often is the document's title.
IN_SECTION = """(
    (%s::bigint IS NULL OR documents_chunk.version_id = (
        SELECT active_version_id FROM documents_document WHERE documents_document.id = %s
    ))
    AND (%s::integer IS NULL OR %s BETWEEN documents_chunk.page_start AND documents_chunk.page_end)
    AND skillnet_fold(skillnet_lower(%s)) IN (
        skillnet_fold(skillnet_lower(array_to_string(documents_chunk.heading_path[1:%s], E'\n'))),
        skillnet_fold(skillnet_lower(array_to_string(documents_chunk.heading_path[2:%s], E'\n')))
    )
)"""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a statement, or a condition in it."""

    sql: str
    parameters: tuple[Any, ...]

    def __and__(self, other: "Part") -> "Part":
        return Part(f"{self.sql} AND {other.sql}", self.parameters + other.parameters)


@dataclass(frozen=True, slots=True)
class Allowed:
    """The chunks a search may find, as conditions on the two tables that are searched. Both take `parameters`.

    They filter what an index for words or vectors gives. `versions` names the same for reading version by version, as
    an array. `chunk_count` is how many they are in all: what decides whether the semantic leg compares every vector.
    `still_readable` asks anew whether a row of documents_chunk is one of them, with parameters of its own.
    `models` says how many of their documents have vectors of which model, by its name; None stands for those without.
    """

    chunks: str  # of documents_chunk
    embeddings: str  # of documents_chunkembedding
    parameters: tuple[Any, ...]
    versions: str
    chunk_count: int
    models: Mapping[str | None, int]
    still_readable: Part
    has_one_plan: bool  # whether statements with these conditions run as well when planned for any

    def rows(self, sql: str, parameters: Sequence[Any]) -> list[Row]:
        """The rows of a statement with these conditions."""
        return rows_of_prepared(sql, parameters) if self.has_one_plan else rows(sql, parameters)

    def documents_of_other_models(self, model_id: str) -> int:
        """How many documents the semantic search passes over: another model, or none yet, made their vectors."""
        return sum(count for model, count in self.models.items() if model != model_id)


def readable_documents(scope: SearchScope) -> "QuerySet[Document]":
    """The documents a scope allows, filters applied, that serve a version."""
    documents = Document.objects.for_organization(scope.organization_id).readable_by(scope.reader).served()
    if scope.document_ids:
        documents = documents.filter(pk__in=scope.document_ids)
    if scope.course_id is not None:
        documents = documents.filter(pk__in=course_document_ids(scope.organization_id, scope.course_id))
    if scope.collection_id is not None:
        documents = documents.filter(collection_id=scope.collection_id)
    if scope.routed_to:
        documents = documents.filter(Q(collection_id__in=scope.routed_to) | Q(collection_id=None))
    if scope.tags:
        documents = documents.filter(tags__contains=list(scope.tags))
    if scope.media_types:
        documents = documents.filter(active_version__media_type__in=scope.media_types)
    if scope.language:
        documents = documents.filter(language=scope.language)
    if scope.dated_since:
        documents = documents.filter(document_date__gte=scope.dated_since)
    if scope.dated_until:
        documents = documents.filter(document_date__lte=scope.dated_until)
    if scope.since:
        documents = documents.filter(active_version__uploaded_at__date__gte=scope.since)
    if scope.until:
        documents = documents.filter(active_version__uploaded_at__date__lte=scope.until)
    return documents


def allowed_chunks(scope: SearchScope) -> Allowed | None:
    """The chunks a scope allows, or None when there are none.

    The versions are asked for once and named in each statement: a subquery would be answered anew for every word.
    """
    served = _served(scope)
    if served is None:
        return None
    found = rows_of_prepared(served.sql, served.parameters)
    if not found:
        return None
    versions = array(pk for pk, _count, _model in found)
    # + 0: to the planner reading all rows of the versions looks cheaper than the right index, because it takes a row's
    # organization and its version for independent of each other.
    of_versions = "version_id + 0 = ANY (%s::bigint[])"
    everything = Allowed(
        chunks=of_versions,
        embeddings=of_versions,
        parameters=(versions,),
        versions=versions,
        chunk_count=sum(count for _pk, count, _model in found),
        models=Counter(model for _pk, _count, model in found),
        still_readable=_of_served(served),
        has_one_plan=len(found) <= FEW_VERSIONS,
    )
    if not scope.sections:
        return everything
    inside = _in_sections(scope.sections)
    of_chunk = f"SELECT FROM documents_chunk WHERE documents_chunk.id = chunk_id AND {inside.sql}"
    return replace(
        everything,
        chunks=f"{of_versions} AND {inside.sql}",
        embeddings=f"{of_versions} AND EXISTS ({of_chunk})",
        parameters=(versions, *inside.parameters),
        still_readable=everything.still_readable & inside,
        chunk_count=0,  # of a section few: nobody counts them
        has_one_plan=False,
    )


def readable_now(scope: SearchScope) -> Part | None:
    """The condition that a row of documents_chunk is one that a scope allows; None when there are none."""
    served = _served(scope)
    if served is None:
        return None
    readable = _of_served(served)
    return readable & _in_sections(scope.sections) if scope.sections else readable


def _served(scope: SearchScope) -> Part | None:
    """A statement of the versions a scope allows, with their numbers of chunks and their models' names."""
    wanted = ("active_version_id", "active_version__chunk_count", "active_version__embedding_model__name")
    try:
        return Part(*readable_documents(scope).order_by().values_list(*wanted).query.sql_with_params())
    except EmptyResultSet:  # a filter that nothing meets
        return None


def _of_served(served: Part) -> Part:
    of_these = f"documents_chunk.version_id IN (SELECT active_version_id FROM ({served.sql}) AS readable)"
    return Part(of_these, served.parameters)


def _in_sections(sections: Sequence[Section]) -> Part:
    parameters: list[Any] = []
    for section in sections:
        depth = len(section.heading_path) if section.with_subsections else DEEPEST
        heading = "\n".join(section.heading_path)
        parameters += [section.document_id, section.document_id, section.page, section.page, heading, depth, depth + 1]
    return Part(f"({' OR '.join([IN_SECTION] * len(sections))})", tuple(parameters))

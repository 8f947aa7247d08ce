"""Which settings apply where: the product's, then the organization's, the collection's and the course's.

Each level stores only what it does otherwise (see SettingsOverride); a later level wins.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, fields, replace
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Q

from documents.chunking import ChunkSettings
from retrieval.models import SettingsOverride
from retrieval.types import SearchConfig, SearchScope

# What people may set, and the least and the most of it.
SEARCH_LIMITS: Mapping[str, tuple[float, float]] = {
    "alpha": (0.0, 1.0),
    "candidates": (5, 100),
    "reranked": (1, 100),
    "top_k": (1, 30),
    "minimum_sources": (1, 10),
    "cache_days": (0, 90),
}
SEARCH_NAMES = frozenset({*SEARCH_LIMITS, "rerank", "diversity", "confidence_offset", "route_collections"})
LIMITING = frozenset(
    {"minimum_sources", "confidence_offset", "cache_days"}
)  # what a collection's documents bring along
CHUNK_PREFIX = "chunk_"  # before the names of ChunkSettings' fields, where they are stored
CHUNK_LIMITS: Mapping[str, tuple[int, int]] = {
    "chunk_max_tokens": (64, 2_000),
    "chunk_min_tokens": (0, 500),
    "chunk_overlap_sentences": (0, 10),
    "chunk_size": (50, 4_000),
    "chunk_overlap": (0, 2_000),
}
CHUNK_NAMES = frozenset({*CHUNK_LIMITS, "chunk_strategy"})

Values = Mapping[str, Any]


def config_for(scope: SearchScope) -> SearchConfig:
    """How to search a scope. Call inside the organization's scope.

    A search over all documents goes by the organization's settings, whatever the collections of what it finds; how
    cautious an answer is, and how long it is kept, is for those to say as well, see `limits_of`.
    """
    return search_config(stored_values(scope.organization_id, scope.collection_id, scope.course_id))


def installed() -> SearchConfig:
    """What applies where nothing is stored: the product's settings, and those of this installation."""
    return SearchConfig(cache_days=settings.SKILLNET_CACHE_DAYS)


def limits_of(config: SearchConfig, scope: SearchScope, document_ids: Collection[int]) -> dict[int, SearchConfig]:
    """How cautious an answer from each of these documents has to be, and how long it may be kept, where the document's
    collection says otherwise than `config`, the settings of the scope; what the scope's course says goes first.

    Nothing where a collection is searched: its settings apply already. Call inside the organization's scope.
    """
    if scope.collection_id is not None:
        return {}
    levels = SettingsOverride.objects.for_organization(scope.organization_id)
    of_documents = levels.filter(collection__documents__in=document_ids)
    found: dict[int, Any] = dict(of_documents.values_list("collection__documents", "values"))
    if not found:
        return {}
    course = levels.filter(course_id=scope.course_id).values_list("values", flat=True) if scope.course_id else []
    names = LIMITING - {name for values in course for name in values}
    return {
        document_id: search_config({name: value for name, value in values.items() if name in names}, config)
        for document_id, values in found.items()
    }


def strictest(config: SearchConfig, limits: Mapping[int, SearchConfig], document_ids: Iterable[int]) -> SearchConfig:
    """`config` as the strictest of these documents' limits has it; as it is for those without any."""
    of_each = [limits.get(document_id, config) for document_id in document_ids] or [config]
    return replace(
        config,
        minimum_sources=max(one.minimum_sources for one in of_each),
        confidence_offset=max(one.confidence_offset for one in of_each),
        cache_days=min(one.cache_days for one in of_each),
    )


def chunk_settings_for(organization_id: UUID, collection_id: int | None) -> ChunkSettings:
    """How to cut the documents of a collection, or those of none (None). Call inside the organization's scope."""
    return chunk_settings_of(stored_values(organization_id, collection_id))


def stored_values(
    organization_id: UUID, collection_id: int | None = None, course_id: int | None = None
) -> dict[str, Any]:
    """What is stored for an organization, and for a collection and a course of it, the later ones over the earlier."""
    levels = Q(collection=None, course_id=None)
    if collection_id is not None:
        levels |= Q(collection=collection_id)
    if course_id is not None:
        levels |= Q(course_id=course_id)
    rows = SettingsOverride.objects.for_organization(organization_id).filter(levels)
    layers = sorted(rows, key=lambda row: (row.course_id is not None, row.collection_id is not None))
    return {name: value for row in layers for name, value in row.values.items()}


def collections_values(organization_id: UUID) -> list[tuple[int, dict[str, Any]]]:
    """What is stored for each of an organization's collections. Call inside the organization's scope."""
    rows = SettingsOverride.objects.for_organization(organization_id).exclude(collection=None)
    return list(rows.order_by("collection").values_list("collection", "values"))


def search_config(values: Values, base: SearchConfig | None = None) -> SearchConfig:
    """What is installed, or `base`, with stored values over it. Names that are not known are passed over."""
    return replace(base or installed(), **{name: value for name, value in values.items() if name in SEARCH_NAMES})


def chunk_settings_of(values: Values) -> ChunkSettings:
    """The product's rules of cutting with stored values over them. Raises: ValueError, when they contradict."""
    known = {name.removeprefix(CHUNK_PREFIX): value for name, value in values.items() if name in CHUNK_NAMES}
    return ChunkSettings(**known)


def defaults() -> dict[str, Any]:
    """The value of every name that can be stored where nothing is."""
    cutting = ChunkSettings()
    own = {CHUNK_PREFIX + field.name: getattr(cutting, field.name) for field in fields(cutting)}
    return {name: value for name, value in {**asdict(installed()), **own}.items() if name in SEARCH_NAMES | CHUNK_NAMES}

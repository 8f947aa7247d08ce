"""Which settings apply where: the product's, then the organization's, the collection's and the course's.

Each level stores only what it does otherwise (see SettingsOverride); a later level wins.
"""

from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Any
from uuid import UUID

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

    A search over all documents goes by the organization's settings, whatever the collections of what it finds.
    """
    return search_config(stored_values(scope.organization_id, scope.collection_id, scope.course_id))


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


def search_config(values: Values, base: SearchConfig | None = None) -> SearchConfig:
    """The product's settings, or others, with stored values over them. Names that are not known are passed over."""
    return replace(base or SearchConfig(), **{name: value for name, value in values.items() if name in SEARCH_NAMES})


def chunk_settings_of(values: Values) -> ChunkSettings:
    """The product's rules of cutting with stored values over them. Raises: ValueError, when they contradict."""
    known = {name.removeprefix(CHUNK_PREFIX): value for name, value in values.items() if name in CHUNK_NAMES}
    return ChunkSettings(**known)


def defaults() -> dict[str, Any]:
    """The product's own value of every name that can be stored."""
    cutting = ChunkSettings()
    own = {CHUNK_PREFIX + field.name: getattr(cutting, field.name) for field in fields(cutting)}
    return {
        name: value for name, value in {**asdict(SearchConfig()), **own}.items() if name in SEARCH_NAMES | CHUNK_NAMES
    }

"""How an organization wants its documents cut: asked of the app above that keeps settings."""

from collections.abc import Callable
from dataclasses import replace
from uuid import UUID

from documents.chunking import ChunkSettings

ChunkSettingsOf = Callable[[UUID, int | None], ChunkSettings]

_answers: list[ChunkSettingsOf] = []


def register_chunk_settings(answer: ChunkSettingsOf) -> None:
    """Tell this app how to find the settings of an organization's collection, or of documents without one (None)."""
    _answers.append(answer)


def chunk_settings(organization_id: UUID, collection_id: int | None, *, max_tokens: int) -> ChunkSettings:
    """How to cut a collection's documents for an embedder that reads at most `max_tokens`.

    Call inside the organization's scope. While nobody has registered, the defaults.
    """
    wanted = _answers[0](organization_id, collection_id) if _answers else ChunkSettings()
    limit = min(wanted.max_tokens, max_tokens)
    return replace(wanted, max_tokens=limit, min_tokens=min(wanted.min_tokens, limit - 1))

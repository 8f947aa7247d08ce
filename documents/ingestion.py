"""From a stored file to searchable chunks, a bounded step at a time.

A version is held by a session-level advisory lock while a step runs, so that two workers never do the same work and a
killed worker's version is free the moment its connection is gone. Every step replaces its own earlier output, so a step
cut off half-way is simply done again.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from documents import closing, publication, serving
from documents.chunk_settings import chunk_settings
from documents.chunking import chunk_blocks, normalized_text
from documents.correcting import reapplied
from documents.embedding_models import current_model
from documents.errors import NothingToSearch
from documents.models import (
    Chunk,
    ChunkEmbedding,
    DocumentVersion,
    IngestionTurn,
    ParsedContent,
    Status,
)
from documents.parsing.limits import ParseLimits
from documents.parsing.sandbox import ParserProcess
from documents.parsing.types import Block, ParsedDocument
from documents.similarity import signature
from documents.storage import local_file
from documents.token_vectors import encode
from skillnet.backends import get_embedder
from skillnet.backends.protocols import Embedder, Vector
from skillnet.backends.tokens import count_prompt_tokens
from skillnet.errors import BackendUnavailable, SkillNetError
from skillnet.tenancy import organization_scope

logger = logging.getLogger(__name__)

LOCK_SPACE = 7401  # first key of the advisory locks on versions; documents_next_ingestion() uses the same
PROGRESS_SECONDS = 0.5  # between two progress writes
TOKENS_A_PAGE = 750
MAX_CHUNK_TOKENS = 512

# One parsing process serves file after file: starting it takes longer than reading most of them.
_parser = ParserProcess()
_parser_lock = threading.Lock()


class Cancelled(Exception):
    """The version's ingestion was cancelled while a step ran."""


def run(organization_id: UUID, version_id: int) -> None:
    """Take a version from wherever it stands to a final status, in this process.

    Waits for a worker that holds it; tries after a failure follow each other at once.
    """
    while True:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s, %s)", [LOCK_SPACE, version_id])
        step(organization_id, version_id)
        with organization_scope(organization_id):
            if not DocumentVersion.objects.filter(pk=version_id).unfinished().exists():
                return


def hold(version_id: int) -> bool:
    """Take hold of a version for this session, unless another session has it. Returns whether it was taken."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [LOCK_SPACE, version_id])
        return bool(cursor.fetchone()[0])


def release(version_id: int) -> None:
    """Let go of a version that this session holds."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [LOCK_SPACE, version_id])


def step(organization_id: UUID, version_id: int) -> None:
    """Do the next bounded step of a version this session holds, then let go of it.

    Nothing is raised for what a file or a model does wrong: the version ends failed with a reason, or is due later.
    """
    try:
        _step(organization_id, version_id)
    finally:
        release(version_id)


def _step(organization_id: UUID, version_id: int) -> None:
    with organization_scope(organization_id):
        IngestionTurn.objects.update_or_create(organization_id=organization_id)
        version = DocumentVersion.objects.select_related("document").filter(pk=version_id).first()
        if version is None or (version.is_final and not version.vectors_pending):
            return
        if version.cancel_requested:
            closing.finish(version, Status.CANCELLED)
            return
        if closing.is_crashed(version):
            closing.finish_crashed(version)
            return
        version.attempt_count += 1  # committed before the work, so that even a killed worker counts as a try
        version.step_at = timezone.now()
        version.save(update_fields=["attempt_count", "step_at"])
    try:
        _advance(version)
    except Cancelled:
        with organization_scope(organization_id):
            closing.finish(version, Status.CANCELLED)
    except SkillNetError as error:
        logger.warning("ingestion of version %s: %s: %s", version_id, error.code, error)
        _handle(version, error)
    except Exception:  # the worker's boundary: one file's bug must not stop everybody's ingestion
        logger.exception("ingestion of version %s", version_id)
        _handle(version, SkillNetError("unexpected"), retryable=True)


def _handle(version: DocumentVersion, error: SkillNetError, *, retryable: bool = False) -> None:
    with organization_scope(version.organization_id):
        if DocumentVersion.objects.filter(pk=version.pk).exists():  # else it was deleted while the step ran
            _fail_or_wait(version, error, retryable=retryable)


def _advance(version: DocumentVersion) -> None:
    if version.vectors_pending:
        _complete_vectors(version)
        return
    steps: dict[str, Callable[[DocumentVersion], None]] = {
        Status.PENDING: _parse,
        Status.PARSING: _parse,
        Status.CHUNKING: _chunk,
        Status.EMBEDDING: _embed,
    }
    steps[version.status](version)


def _move_on(version: DocumentVersion, status: Status, *fields: str) -> None:
    version.status = status
    version.attempt_count = 0
    version.next_attempt_at = None
    version.save(update_fields=["status", "attempt_count", "next_attempt_at", *fields])


def _fail_or_wait(version: DocumentVersion, error: SkillNetError, *, retryable: bool = False) -> None:
    may_retry = error.retryable or retryable
    waits = settings.SKILLNET_INGESTION_BACKOFF_SECONDS
    if may_retry and version.attempt_count < settings.SKILLNET_INGESTION_TRIES:
        wait = waits[min(version.attempt_count, len(waits)) - 1]
        version.next_attempt_at = timezone.now() + timedelta(seconds=wait)
        version.save(update_fields=["next_attempt_at"])
    elif isinstance(error, BackendUnavailable) and version.status == Status.EMBEDDING:
        publication.publish(version, words_only=True)
    elif version.vectors_pending:
        version.next_attempt_at = timezone.now() + timedelta(seconds=waits[-1])
        version.save(update_fields=["next_attempt_at"])
    else:
        closing.finish(version, Status.FAILED, error.code, str(error.user_message))


# --- the steps


def _parse(version: DocumentVersion) -> None:
    with organization_scope(version.organization_id):
        version.status = Status.PARSING
        version.progress_done = version.progress_total = 0
        version.save(update_fields=["status", "progress_done", "progress_total"])
    with local_file(version) as path, _parser_lock:
        limits = ParseLimits(file_bytes=settings.SKILLNET_UPLOAD_MAX_BYTES)
        parsed = _parser.parse(path, name=version.file_name, limits=limits, progress=_progress_writer(version))
    with organization_scope(version.organization_id):
        store_parsed(version, parsed)
        _move_on(
            version,
            Status.CHUNKING,
            "media_type",
            "page_count",
            "part_count",
            "pages_without_text",
            "warnings",
            "progress_done",
            "progress_total",
        )


def store_parsed(version: DocumentVersion, parsed: ParsedDocument) -> None:
    """Keep what was read in a version, replacing what was read before, and take title and language from it.

    Corrections made in what was read before are made again.
    """
    made = [row.as_plain for row in version.corrections.order_by("pk")]
    blocks = reapplied([block.to_json() for block in parsed.blocks], made)
    ParsedContent.objects.update_or_create(
        version=version,
        defaults={
            "organization_id": version.organization_id,
            "blocks": blocks,
            "markdown": normalized_text([Block.from_json(block) for block in blocks]),
        },
    )
    version.media_type = parsed.media_type
    version.page_count, version.part_count = parsed.page_count, parsed.part_count
    version.pages_without_text = list(parsed.pages_without_text)
    version.warnings = [asdict(warning) for warning in parsed.warnings]
    version.progress_done = version.progress_total = parsed.page_count
    publication.describe(version, parsed)


def token_counter() -> tuple[Callable[[str], int], int]:
    """How chunks are measured, and their limit: by the embedder, or by a common tokenizer while it cannot be loaded."""
    embedder = get_embedder()
    try:
        embedder.count_tokens("prueba")
        return embedder.count_tokens, embedder.max_tokens
    except BackendUnavailable as error:  # the document is then found by words until the embedder is back
        logger.warning("chunks are measured without the embedder: %s", error)
        return count_prompt_tokens, MAX_CHUNK_TOKENS


def _chunk(version: DocumentVersion) -> None:
    with organization_scope(version.organization_id):
        count_tokens, max_tokens = token_counter()
        content = ParsedContent.objects.get(version=version)
        content.signature = signature(content.markdown)
        content.save(update_fields=["signature"])
        blocks = [Block.from_json(data) for data in content.blocks]
        document = version.document
        drafts = chunk_blocks(
            blocks,
            title=document.title,
            language=document.language,
            count_tokens=count_tokens,
            settings=chunk_settings(document.organization_id, document.collection_id, max_tokens=max_tokens),
        )
        if not drafts:
            raise NothingToSearch
        version.draft_chunks.all().delete()
        Chunk.objects.bulk_create(
            [
                Chunk(
                    organization_id=version.organization_id,
                    draft_of=version,
                    position=draft.position,
                    kind=draft.kind,
                    text=draft.text,
                    meaning_text=draft.meaning_text,
                    heading=" > ".join(draft.heading_path),
                    heading_path=list(draft.heading_path),
                    level=draft.level or 0,
                    page_start=draft.page_start,
                    page_end=draft.page_end,
                    locator=draft.locator,
                    rows=None if draft.rows is None else [list(row) for row in draft.rows],
                    language=draft.language,
                    char_start=draft.char_start,
                    char_end=draft.char_end,
                    token_count=draft.token_count,
                    content_hash=draft.content_hash,
                )
                for draft in drafts
            ],
            batch_size=500,
        )
        pages = version.page_count or max(1, sum(draft.token_count for draft in drafts) // TOKENS_A_PAGE)
        version.page_count = pages
        version.progress_done, version.progress_total = 0, len(drafts)
        _move_on(version, Status.EMBEDDING, "progress_done", "progress_total", "page_count")


def _embed(version: DocumentVersion) -> None:
    """Embed the next batch of drafts; when none is left, the version takes its document's place."""
    with organization_scope(version.organization_id):
        serving.keep_model(version.organization_id)
        if _embed_batch(version, version.draft_chunks.all()):
            version.progress_done = ChunkEmbedding.objects.filter(
                chunk__draft_of=version, model=current_model()
            ).count()
            _move_on(version, Status.EMBEDDING, "progress_done")
            return
        publication.publish(version)


def _complete_vectors(version: DocumentVersion) -> None:
    """Give a version that is served by words alone its vectors."""
    with organization_scope(version.organization_id):
        serving.keep_model(version.organization_id)
        if not _embed_batch(version, version.chunks.all()):
            publication.vectors_complete(version)
        version.attempt_count = 0
        version.next_attempt_at = None
        version.save(update_fields=["attempt_count", "next_attempt_at"])


def _embed_batch(version: DocumentVersion, chunks: QuerySet[Chunk]) -> int:
    """Embed the next chunks that have no vector of the current model. Returns how many that were."""
    model = current_model()
    batch = list(
        chunks.exclude(embeddings__model=model)
        .only("pk", "text", "meaning_text", "version_id")
        .order_by("token_count", "position")[: settings.SKILLNET_EMBEDDING_BATCH]  # equal lengths: little padding
    )
    if batch:
        ChunkEmbedding.objects.bulk_create(
            [
                ChunkEmbedding(
                    organization_id=version.organization_id,
                    chunk=chunk,
                    version_id=chunk.version_id,
                    model=model,
                    vector=vector,
                    tokens=tokens,
                )
                for chunk, (vector, tokens) in zip(
                    batch, embedded(batch, keep_tokens=keeps_tokens(version)), strict=True
                )
            ]
        )
    return len(batch)


def embedded(chunks: Sequence[Chunk], *, keep_tokens: bool = True) -> list[tuple[Vector, bytes | None]]:
    """Each chunk's vector, and its token vectors as they are stored, both from one pass.

    The second is None where they are not wanted or the embedder has none. Raises: as `Embedder.embed_passages`.
    """
    return embedded_by(get_embedder(), chunks, keep_tokens=keep_tokens)


def embedded_by(embedder: Embedder, chunks: Sequence[Chunk], *, keep_tokens: bool) -> list[tuple[Vector, bytes | None]]:
    """As `embedded`, by this embedder."""
    texts = [chunk.meaning_text for chunk in chunks]
    if not (keep_tokens and embedder.supports_tokens):
        return [(vector, None) for vector in embedder.embed_passages(texts)]
    return [
        (embedding.vector, encode(embedding, offset=chunk.text_offset))
        for chunk, embedding in zip(chunks, embedder.embed_passages_with_tokens(texts), strict=True)
    ]


def keeps_tokens(version: DocumentVersion) -> bool:
    """Whether token vectors of this version are wanted: its collection may do without."""
    collection = version.document.collection
    return collection is None or bool(collection.late_interaction)


# --- files and progress


def _progress_writer(version: DocumentVersion) -> Callable[[int, int], None]:
    last = 0.0

    def write(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last < PROGRESS_SECONDS:
            return
        last = time.monotonic()
        with organization_scope(version.organization_id):
            rows = DocumentVersion.objects.filter(pk=version.pk)
            rows.update(progress_done=done, progress_total=total, step_at=timezone.now())
            if rows.filter(cancel_requested=True).exists():
                raise Cancelled

    return write

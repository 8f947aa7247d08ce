"""The switch: a version whose chunks are ready takes the place of the one its document served."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from documents import near_duplicates, telling, term_statistics
from documents.embedding_models import current_model
from documents.models import Chunk, ChunkEmbedding, Document, DocumentVersion, Status
from documents.parsing.types import BlockKind, ParsedDocument
from documents.parsing.wording import is_unnamed
from documents.signals import version_published
from documents.titles import below_letterhead, is_no_title
from skillnet.backends.language import detect_language

SAMPLE_CHARS = 4_000  # enough text to tell a language


def describe(version: DocumentVersion, parsed: ParsedDocument) -> None:
    """Take a document's title and language from its first version's text.

    A title given by a person stays, and so does the file's name where the text offers merely that of its first section.
    """
    document = version.document
    if version.number != 1:
        return
    sample = " ".join(block.text for block in parsed.blocks if block.kind != BlockKind.HEADING)[:SAMPLE_CHARS]
    document.language = parsed.language or detect_language(sample)
    title = below_letterhead(parsed.title, parsed.blocks)
    is_better = is_unnamed(document.title) or not is_no_title(title, parsed.blocks)
    if title and is_better and not document.title_is_given:
        document.title = title[:300]
    document.save(update_fields=["language", "title"])


@transaction.atomic
def publish(version: DocumentVersion, *, words_only: bool = False) -> None:
    """Serve a version from now on, instead of what its document served. Call inside the organization's scope.

    `words_only`: its vectors are not there yet (the embedder is down); they are completed later. A version that comes
    before the one served, in serving order, is closed as ready without being served.
    """
    document = Document.objects.select_for_update(no_key=True).get(pk=version.document_id)
    previous = document.active_version
    was_served = version.chunk_count > 0
    version.refresh_from_db(fields=["serving_order"])  # a person may have restored it since the step began
    if previous is not None and previous.serving_order > version.serving_order:
        version.draft_chunks.all().delete()
    else:
        if previous is not None:
            term_statistics.remove_version(previous)
            previous.chunks.all().delete()
        ChunkEmbedding.objects.filter(chunk__draft_of=version).update(version=version)
        Chunk.objects.filter(draft_of=version).update(version=version, draft_of=None)
        term_statistics.add_version(version)
        document.active_version = version
        document.save(update_fields=["active_version"])
        version.chunk_count = version.chunks.count()
    version.embedding_model = None if words_only else current_model()
    version.vectors_pending = words_only
    version.has_token_vectors = not words_only and _has_token_vectors(version)
    version.warnings = near_duplicates.others(_without_words_only(version.warnings))
    if document.active_version_id == version.pk:
        version.warnings += near_duplicates.warnings_about(version)
    if words_only:
        message = _("Solo búsqueda por palabras por ahora: la búsqueda por significado se completará sola.")
        version.warnings.append({"code": "words_only", "message": message, "page": None})
    _close(version)
    if document.active_version_id == version.pk:
        if not was_served:  # restored or cut anew, it is no news to who uploaded it
            telling.tell_ready(version)
        version_published.send(sender=DocumentVersion, version=version, previous=previous)


def vectors_complete(version: DocumentVersion) -> None:
    """A version served by words alone has got all its vectors."""
    version.embedding_model = current_model()
    version.vectors_pending = False
    version.has_token_vectors = _has_token_vectors(version)
    version.warnings = _without_words_only(version.warnings)
    _close(version)


def _has_token_vectors(version: DocumentVersion) -> bool:
    rows = ChunkEmbedding.objects.filter(version=version, model=version.embedding_model)
    return not rows.filter(tokens__isnull=True).exists()


def _without_words_only(warnings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [warning for warning in warnings if warning["code"] != "words_only"]


def _close(version: DocumentVersion) -> None:
    # That another document says the same is no fault of the reading, and not for everyone to know.
    is_marred = bool(near_duplicates.others(version.warnings) or version.pages_without_text)
    version.status = Status.READY_WITH_WARNINGS if is_marred else Status.READY
    version.attempt_count = 0
    version.next_attempt_at = None
    version.cancel_requested = False
    version.error_code = version.error_message = ""
    version.progress_done = version.progress_total
    version.save(
        update_fields=[
            "embedding_model",
            "vectors_pending",
            "chunk_count",
            "has_token_vectors",
            "warnings",
            "status",
            "attempt_count",
            "next_attempt_at",
            "cancel_requested",
            "error_code",
            "error_message",
            "progress_done",
        ]
    )

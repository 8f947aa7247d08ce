"""How a version ends that will not be served: failed with a reason, or cancelled."""

from django.conf import settings
from django.utils.translation import gettext as _

from documents import telling
from documents.models import FINAL_STATUSES, DocumentVersion, Status


def finish(version: DocumentVersion, status: Status, code: str = "", message: str = "") -> None:
    """Close a version that will not be served. What its document serves is left alone."""
    assert status in FINAL_STATUSES
    version.status = status
    version.error_code, version.error_message = code, message
    version.cancel_requested = False
    version.save(update_fields=["status", "error_code", "error_message", "cancel_requested"])
    version.draft_chunks.all().delete()
    if status == Status.FAILED:
        telling.tell_failed(version)


def close_crashed(version_id: int) -> bool:
    """End a version whose tries are used up. Returns whether it was one. Call while holding it."""
    version = DocumentVersion.objects.filter(pk=version_id).first()
    if version is None or version.is_final or not is_crashed(version):
        return False
    finish_crashed(version)
    return True


def close_cancelled(version_id: int) -> bool:
    """End a version that is wanted no more. Returns whether it was unfinished. Call while holding it."""
    version = DocumentVersion.objects.select_for_update(no_key=True).filter(pk=version_id).first()
    if version is None or version.is_final:
        return False
    finish(version, Status.CANCELLED)
    return True


def close_stalled(version_id: int) -> bool:
    """End a version whose step stood still. Returns whether it was unfinished. Call while holding it."""
    version = DocumentVersion.objects.filter(pk=version_id).first()
    if version is None or version.is_final:
        return False
    minutes = settings.SKILLNET_INGESTION_STEP_MINUTES
    message = _("La lectura llevaba %(minutes)d minutos parada y la hemos cerrado. Reinténtalo.") % {"minutes": minutes}
    finish(version, Status.FAILED, "stalled", message)
    return True


def is_crashed(version: DocumentVersion) -> bool:
    """Whether every try ended without a word: the worker itself was killed, most likely for memory."""
    return (
        version.attempt_count >= settings.SKILLNET_INGESTION_TRIES
        and version.next_attempt_at is None
        and not version.vectors_pending
    )


def finish_crashed(version: DocumentVersion) -> None:
    """Close a version whose tries are used up, with the reason."""
    finish(version, Status.FAILED, "crashed", _("La lectura se ha interrumpido varias veces. Reinténtalo."))

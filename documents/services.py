"""What people do with documents. One use case and one transaction each; call inside the organization's scope."""

import errno
import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from django.conf import settings
from django.core.files import File
from django.db import connection, transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from documents import closing, jobs, telling, term_statistics
from documents.cleaning import clean_file_name
from documents.errors import (
    CannotRestore,
    CannotRetry,
    CollectionNotEmpty,
    EmptyUpload,
    NeedsOtherFile,
    NoRoom,
    UploadTooLarge,
)
from documents.holding import hold_if_free, hold_until_commit
from documents.models import (
    Audience,
    Collection,
    Document,
    DocumentAudience,
    DocumentVersion,
    ParsedContent,
    Status,
)
from documents.signals import document_deleted
from documents.storage import version_path
from skillnet.models import Classification, Group, Organization, User

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class UploadOutcome:
    """What became of one upload. `duplicate_of` names the document that already holds the same bytes."""

    document: Document
    version: DocumentVersion
    duplicate_of: Document | None = None


def sha256_of(file: File) -> str:  # type: ignore[type-arg]
    """The hex digest of a file's bytes, read in pieces; the file is rewound."""
    digest = hashlib.sha256()
    for piece in file.chunks():
        digest.update(piece)
    file.seek(0)
    return digest.hexdigest()


def title_from(file_name: str) -> str:
    """A readable title until the document itself says a better one."""
    words = PurePosixPath(file_name).stem.replace("_", " ").replace("-", " ").strip()[:300]
    return words[:1].upper() + words[1:] or _("Documento sin título")


def check_size(size: int) -> None:
    """Raises: EmptyUpload, UploadTooLarge."""
    if size == 0:
        raise EmptyUpload
    if size > settings.SKILLNET_UPLOAD_MAX_BYTES:
        limit = settings.SKILLNET_UPLOAD_MAX_BYTES // (1024 * 1024)
        raise UploadTooLarge(
            user_message=_("El archivo supera el máximo de %(limit)d MB. Divídelo en partes más pequeñas o comprímelo.")
            % {"limit": limit}
        )


@transaction.atomic
def upload_document(
    *,
    organization: Organization,
    uploaded_by: User | None,
    file: File,  # type: ignore[type-arg]
    name: str,
    title: str = "",
    collection: Collection | None = None,
    classification: int = Classification.INTERNAL,
    audience: str = Audience.EVERYONE,
    groups: Sequence[Group] = (),
    tags: Sequence[str] = (),
) -> UploadOutcome:
    """Take in a file as a new document and queue its ingestion.

    Bytes that the organization already has are not taken in again: the outcome names where they are. Where their
    ingestion had failed or was cancelled, it is tried again.
    Raises: EmptyUpload, UploadTooLarge.
    """
    check_size(file.size)
    file_name = clean_file_name(name)
    sha256 = sha256_of(file)
    with connection.cursor() as cursor:  # the same bytes sent twice at once make one document
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"{organization.pk}{sha256}"])
    known = (
        DocumentVersion.objects.for_organization(organization)
        .filter(sha256=sha256)
        .select_related("document")
        .order_by("pk")
        .last()
    )
    if known is not None:
        _read_again(known)
        return UploadOutcome(known.document, known, duplicate_of=known.document)
    document = Document.objects.create(
        organization=organization,
        title=title or title_from(file_name),
        title_is_given=bool(title),
        collection=collection,
        classification=classification,
        audience=audience,
        tags=list(tags),
        created_by=uploaded_by,
    )
    set_audience_groups(document, groups)
    return UploadOutcome(document, _store_version(document, uploaded_by, file, file_name, sha256))


@transaction.atomic
def set_audience_groups(document: Document, groups: Sequence[Group]) -> None:
    """Name the groups that may read a document whose audience is «groups»; those named before no longer do."""
    document.audience_groups.exclude(group__in=groups).delete()
    known = set(document.audience_groups.values_list("group_id", flat=True))
    DocumentAudience.objects.bulk_create(
        DocumentAudience(organization_id=document.organization_id, document=document, group=group)
        for group in groups
        if group.pk not in known
    )


@transaction.atomic
def delete_collection(collection: Collection) -> None:
    """Remove a collection without documents. Raises: CollectionNotEmpty."""
    locked = Collection.objects.select_for_update().get(pk=collection.pk)  # nothing moves in meanwhile
    if locked.documents.exists():
        raise CollectionNotEmpty
    locked.delete()


@transaction.atomic
def upload_version(*, document: Document, uploaded_by: User | None, file: File, name: str) -> UploadOutcome:  # type: ignore[type-arg]
    """Store a new version of a document and queue its ingestion; the version being served stays until it is ready.

    The bytes of the newest version uploaded again return that version; where it had failed, it is tried again.
    Raises: EmptyUpload, UploadTooLarge.
    """
    check_size(file.size)
    file_name = clean_file_name(name)
    sha256 = sha256_of(file)
    Document.objects.select_for_update(no_key=True).get(pk=document.pk)  # versions are numbered one at a time
    newest = document.versions.order_by("-number").first()
    if newest is not None and newest.sha256 == sha256:
        _read_again(newest)
        return UploadOutcome(document, newest, duplicate_of=document)
    return UploadOutcome(document, _store_version(document, uploaded_by, file, file_name, sha256))


def _store_version(
    document: Document,
    uploaded_by: User | None,
    file: File,  # type: ignore[type-arg]
    file_name: str,
    sha256: str,
) -> DocumentVersion:
    last = document.versions.aggregate(number=Max("number"), order=Max("serving_order"))
    version = DocumentVersion(
        organization_id=document.organization_id,
        document=document,
        number=(last["number"] or 0) + 1,
        serving_order=(last["order"] or 0) + 1,
        file_name=file_name,
        sha256=sha256,
        size=file.size,
        uploaded_by=uploaded_by,
    )
    name = version_path(version, file_name)
    try:
        version.file.name = version.file.storage.save(name, file)
    except OSError as error:
        version.file.storage.delete(name)  # what had been written of it
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise NoRoom from error
        raise
    try:
        version.save()
    except Exception:  # whatever it was, the row that would have named the file is not there
        version.file.storage.delete(str(version.file.name))
        raise
    jobs.enqueue_on_commit()
    return version


@transaction.atomic
def retry_version(version: DocumentVersion) -> None:
    """Queue a failed or cancelled version again, from the start.

    Raises: CannotRetry; NeedsOtherFile with the reason, for a file that cannot be read.
    """
    locked = DocumentVersion.objects.select_for_update(no_key=True).get(pk=version.pk)
    if locked.status not in (Status.FAILED, Status.CANCELLED):
        raise CannotRetry(locked.status)
    if locked.needs_other_file:
        message = _("Volver a leer el mismo archivo fallaría otra vez. %(reason)s") % {
            "reason": _(locked.error_message)
        }
        raise NeedsOtherFile(locked.error_code, user_message=message)
    _reset(locked)


def _read_again(version: DocumentVersion) -> None:
    """Queue what failed or was cancelled: whoever sends the file again may know that something else has changed."""
    locked = DocumentVersion.objects.select_for_update(no_key=True).get(pk=version.pk)
    if locked.status in (Status.FAILED, Status.CANCELLED):
        _reset(locked)


@transaction.atomic
def reingest_version(version: DocumentVersion) -> None:
    """Read a version's file again from the start. What it served goes on being served until the new text is ready."""
    locked = DocumentVersion.objects.select_for_update(no_key=True).get(pk=version.pk)
    _reset(locked)


@transaction.atomic
def restore_version(version: DocumentVersion) -> None:
    """Serve an earlier version again, cut and embedded anew from what was read in it; the file is not read again.

    What is served now stays until the restored version is ready. A version uploaded later goes before it.
    Raises: CannotRestore, VersionBusy.
    """
    hold_until_commit(version.pk)
    document = Document.objects.select_for_update(no_key=True).get(pk=version.document_id)
    locked = DocumentVersion.objects.select_for_update(no_key=True).get(pk=version.pk)
    if document.active_version_id == locked.pk:
        return
    if not locked.is_ready:
        raise CannotRestore(locked.status)
    last = document.versions.aggregate(order=Max("serving_order"))["order"]
    locked.serving_order = last + 1
    locked.save(update_fields=["serving_order"])
    queue_from_text(locked)


def queue_from_text(version: DocumentVersion) -> None:
    """Cut and embed a version anew from what was read in it. Call while it is held (see documents.holding)."""
    has_text = ParsedContent.objects.filter(version=version).exists()
    _reset(version, Status.CHUNKING if has_text else Status.PENDING)


def _reset(version: DocumentVersion, status: Status = Status.PENDING) -> None:
    telling.settle(version)
    version.status = status
    version.vectors_pending = False
    version.cancel_requested = False
    version.attempt_count = 0
    version.next_attempt_at = None
    version.error_code = version.error_message = ""
    version.progress_done = version.progress_total = 0
    version.step_at = timezone.now()
    version.save(
        update_fields=[
            "status",
            "vectors_pending",
            "cancel_requested",
            "attempt_count",
            "next_attempt_at",
            "error_code",
            "error_message",
            "progress_done",
            "progress_total",
            "step_at",
        ]
    )
    jobs.enqueue_on_commit()


@transaction.atomic
def cancel_version(version: DocumentVersion) -> None:
    """Have an ingestion stop: at once where no worker is at work on it, however many wait before it; else at its next
    step, or sooner where its format reports progress. One that has ended stays as it ended.
    """
    if hold_if_free(version.pk):
        closing.close_cancelled(version.pk)
    else:
        DocumentVersion.objects.filter(pk=version.pk).unfinished().update(cancel_requested=True)
        jobs.enqueue_on_commit()


@transaction.atomic
def delete_document(document: Document) -> None:
    """Remove a document with its versions, files, pieces and vectors."""
    document_deleted.send(sender=Document, document=document)
    locked = Document.objects.select_for_update().get(pk=document.pk)
    if locked.active_version is not None:
        term_statistics.remove_version(locked.active_version)
    files = [version.file for version in locked.versions.all()]
    locked.delete()

    def remove_files() -> None:
        for file in files:
            file.storage.delete(str(file.name))

    transaction.on_commit(remove_files)

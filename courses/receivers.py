"""What courses do when documents or groups change."""

from typing import Any

from django.db.models.signals import post_save
from django.dispatch import receiver

from courses import enrolling, jobs, notices, telling, withdrawing
from documents.models import Document, DocumentVersion
from documents.signals import document_deleted, version_published
from skillnet.models import GroupMember


@receiver(version_published)
def note_the_change(*, version: DocumentVersion, previous: DocumentVersion | None, **kwargs: Any) -> None:
    """Raise notices in the courses that rest on a document. A corrected reading of one version is no new version."""
    if previous is not None and previous.pk != version.pk:
        for notice in notices.raise_notices(version=version, previous=previous):
            telling.tell_of_notice(notice)
            jobs.announce_on_commit(notice.organization_id, notice.pk)


@receiver(document_deleted)
def note_the_loss(*, document: Document, **kwargs: Any) -> None:
    """Mark the courses that rest on a document about to be deleted."""
    withdrawing.withdraw(document)


@receiver(post_save, sender=GroupMember)
def enrol_who_joins(*, instance: GroupMember, created: bool, **kwargs: Any) -> None:
    """Someone who joins a group takes the courses that the group takes."""
    if created:
        for course in enrolling.enrol_new_member(instance):
            telling.tell_assigned(course, [instance.user_id])

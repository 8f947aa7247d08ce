"""What courses do when documents change."""

from typing import Any

from django.dispatch import receiver

from courses import notices
from documents.models import DocumentVersion
from documents.signals import version_published


@receiver(version_published)
def note_the_change(*, version: DocumentVersion, previous: DocumentVersion | None, **kwargs: Any) -> None:
    """Raise notices in the courses that rest on a document. A corrected reading of one version is no new version."""
    if previous is not None and previous.pk != version.pk:
        notices.raise_notices(version=version, previous=previous)

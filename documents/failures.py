"""Who is told that a file could not be read."""

from django.urls import reverse

from documents.models import DocumentVersion
from skillnet import notifications
from skillnet.models import MANAGERS, Membership
from skillnet.notification_kinds import Kind


def tell(version: DocumentVersion) -> None:
    """Have whoever uploaded a version know that it failed; the administrators, where that person manages no more."""
    members = Membership.objects.active().filter(organization=version.organization_id)
    uploader = members.filter(role__in=MANAGERS, user=version.uploaded_by_id)
    user_ids = list(uploader.values_list("user_id", flat=True)) or list(
        members.admins().values_list("user_id", flat=True)
    )
    slug = version.organization.slug
    notifications.tell(
        organization_id=version.organization_id,
        user_ids=user_ids,
        kind=Kind.DOCUMENT_FAILED,
        matter=_matter(version),
        subject=version.document.title,
        address=f"{reverse('documents:detail', args=[slug, version.document_id])}?version={version.number}",
        by_email=True,
    )


def settle(version: DocumentVersion) -> None:
    """It is being read again."""
    notifications.settle(version.organization_id, _matter(version))


def _matter(version: DocumentVersion) -> str:
    return f"version:{version.pk}"

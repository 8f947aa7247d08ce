"""Who is told that a file is ready, or could not be read."""

from django.db.models import QuerySet
from django.urls import reverse

from documents.models import DocumentVersion
from skillnet import notifications
from skillnet.models import MANAGERS, Membership
from skillnet.notification_kinds import Kind


def tell_failed(version: DocumentVersion) -> None:
    """Have whoever uploaded a version know that it failed; the administrators, where that person manages no more."""
    members = Membership.objects.active().filter(organization=version.organization_id)
    people = _user_ids(_uploader(version)) or _user_ids(members.admins())
    _tell(version, people, Kind.DOCUMENT_FAILED, state="problemas", by_email=True)


def tell_ready(version: DocumentVersion) -> None:
    """Have whoever uploaded a version find it under the bell, while they manage. It is no news to others."""
    _tell(version, _user_ids(_uploader(version)), Kind.DOCUMENT_READY)


def settle(version: DocumentVersion, *, user_id: int | None = None) -> None:
    """It is being read again, or that person has seen how it stands."""
    notifications.settle(version.organization_id, _matter(version), user_id=user_id)


def _uploader(version: DocumentVersion) -> "QuerySet[Membership]":
    members = Membership.objects.active().filter(organization=version.organization_id)
    return members.filter(role__in=MANAGERS, user=version.uploaded_by_id)


def _user_ids(members: "QuerySet[Membership]") -> list[int]:
    return list(members.values_list("user_id", flat=True))


def _tell(
    version: DocumentVersion, user_ids: list[int], kind: Kind, *, state: str = "", by_email: bool = False
) -> None:
    slug = version.organization.slug
    documents = reverse("documents:list", args=[slug])
    notifications.tell(
        organization_id=version.organization_id,
        user_ids=user_ids,
        kind=kind,
        matter=_matter(version),
        subject=version.document.title,
        address=f"{reverse('documents:detail', args=[slug, version.document_id])}?version={version.number}",
        by_email=by_email,
        address_of_all=f"{documents}?estado={state}" if state else documents,
    )


def _matter(version: DocumentVersion) -> str:
    return f"version:{version.pk}"

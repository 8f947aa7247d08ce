"""What documents tell the lower app when it asks."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from documents.models import Audience, Document, DocumentVersion
from skillnet.group_uses import GroupUse
from skillnet.models import Group, User


def uses_of_group(group: Group) -> list[GroupUse]:
    """Documents that a group may read; the last group of an audience leaves it to administrators alone."""
    documents = (
        Document.objects.for_organization(group.organization_id)
        .filter(audience=Audience.GROUPS, audience_groups__group=group)
        .prefetch_related("audience_groups")
    )
    return [
        GroupUse(
            _("Documento"),
            document.title,
            _("nadie más que administración podrá leerlo")
            if len(document.audience_groups.all()) == 1
            else _("este grupo dejará de poder leerlo"),
        )
        for document in documents
    ]


def uploads_of(user: User) -> list[dict[str, Any]]:
    """Files that a person uploaded, for their own data."""
    versions = DocumentVersion.objects.filter(uploaded_by=user).select_related("document").order_by("uploaded_at")
    return [
        {"document": version.document.title, "file": version.file_name, "uploaded_at": version.uploaded_at}
        for version in versions
    ]

"""What the tutor has that rests on a document's sections, for the notices that these changed."""

from collections.abc import Collection
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from courses.registry import Dependant, HeadingPath
from documents.access import Reader
from skillnet.models import Membership
from tutor.models import CachedAnswer, FaqSource
from tutor.prepared.faq import readable_entries


def faq_on(membership: Membership, document_id: int, paths: Collection[HeadingPath]) -> list[Dependant]:
    """The FAQ entries that a member may read and that rest on any of these sections; those to review first."""
    sources = FaqSource.objects.filter(document=document_id).values_list("entry_id", "heading_path")
    touched = {entry_id for entry_id, path in sources if rests_on(tuple(path), paths)}
    entries = readable_entries(membership.organization_id, Reader.of(membership)).filter(pk__in=touched)
    return [
        Dependant(
            _("Pregunta frecuente por revisar") if entry.review_reason else _("Pregunta frecuente"),
            entry.question,
            reverse("tutor:faq_edit", args=[membership.organization.slug, entry.pk]),
        )
        for entry in entries.prefetch_related("variants").order_by("-review_reason", "pk")
    ]


def cached_on(organization_id: UUID, document_id: int, paths: Collection[HeadingPath]) -> list[str]:
    """The questions of the stored answers that cite any of these sections."""
    stored = CachedAnswer.objects.for_organization(organization_id).filter(document_ids__contains=[document_id])
    return [
        question
        for question, answer in stored.order_by("-hit_count", "question", "pk").values_list("question", "answer")
        if any(
            cited["document_id"] == document_id and rests_on(tuple(cited["heading_path"]), paths)
            for cited in answer["citations"]
        )
    ]


def rests_on(path: HeadingPath, changed: Collection[HeadingPath]) -> bool:
    """Whether what stands under a heading rests on one of the changed sections: its own, or one below it."""
    return any(one[: len(path)] == path for one in changed)

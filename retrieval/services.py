"""What people change about the search. Call inside the organization's scope."""

from collections.abc import Sequence

from django.db import transaction

from retrieval.folding import folded
from retrieval.glossary import glossary_of
from retrieval.models import GlossaryEntry
from skillnet.models import Organization


@transaction.atomic
def add_to_glossary(*, organization: Organization, entries: Sequence[Sequence[str]]) -> int:
    """Store entries that are not there yet, whatever their order, accents and case. Returns how many were new."""
    known = {_print(wordings) for wordings in glossary_of(organization.pk)}
    new: dict[frozenset[str], Sequence[str]] = {}
    for wordings in entries:
        if _print(wordings) not in known:
            new.setdefault(_print(wordings), wordings)
    GlossaryEntry.objects.bulk_create(
        GlossaryEntry(organization=organization, wordings=list(wordings)) for wordings in new.values()
    )
    return len(new)


def _print(wordings: Sequence[str]) -> frozenset[str]:
    return frozenset(map(folded, wordings))

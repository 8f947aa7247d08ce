"""What people correct in the text read from a file. Call inside the organization's scope."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from documents.chunking import normalized_text
from documents.correcting import Correction, Place, TextDiffers, cleaned, combined, corrected, find
from documents.errors import CorrectionRefused, VersionBusy
from documents.holding import hold_until_commit
from documents.models import BlockCorrection, Document, DocumentVersion, ParsedContent, Status
from documents.parsing.types import Block
from documents.services import queue_from_text
from skillnet.models import User


@dataclass(frozen=True, slots=True)
class Offer:
    """A correction made in an earlier version that fits this one too: where, and what it changes."""

    place: Place
    before: str
    after: str
    heading_path: tuple[str, ...]
    from_number: int


@transaction.atomic
def correct(*, version: DocumentVersion, corrected_by: User | None, corrections: Sequence[Correction]) -> int:
    """Change texts of a version and keep what they were. Returns how many did change.

    Where the version is served, it is cut and embedded anew; until then the old text is what search finds.
    Raises: VersionBusy, CorrectionRefused (nothing is changed then).
    """
    hold_until_commit(version.pk)
    locked = DocumentVersion.objects.select_for_update(no_key=True).get(pk=version.pk)
    if locked.status in (Status.PENDING, Status.PARSING):  # what is being read would replace the correction
        raise VersionBusy(locked.status)
    content = ParsedContent.objects.select_for_update(no_key=True).filter(version=locked).first()
    if content is None:
        raise CorrectionRefused("no text")
    blocks, kept = content.blocks, []
    for correction in corrections:
        place, before = correction.place, correction.before
        try:
            after = cleaned(blocks, place, correction.after)
            if after == before:
                continue
            path = blocks[place.block].get("heading_path") or []
            blocks = corrected(blocks, place, before=before, after=after)
        except (TextDiffers, IndexError) as error:
            raise CorrectionRefused(str(place)) from error
        kept.append(
            BlockCorrection(
                organization_id=locked.organization_id,
                version=locked,
                block_index=place.block,
                row=place.row,
                column=place.column,
                heading_path=path,
                before=before,
                after=after,
                corrected_by=corrected_by,
            )
        )
    if kept:
        BlockCorrection.objects.bulk_create(kept)
        content.blocks = blocks
        content.markdown = normalized_text([Block.from_json(block) for block in blocks])
        content.save(update_fields=["blocks", "markdown"])
        is_served = Document.objects.filter(active_version=locked).exists()
        if is_served or not locked.is_final:
            queue_from_text(locked)
    return len(kept)


def offers(version: DocumentVersion) -> list[Offer]:
    """Corrections of earlier versions whose text stands in this one uncorrected, under the same headings."""
    earlier = BlockCorrection.objects.filter(
        version__document_id=version.document_id, version__number__lt=version.number
    ).select_related("version")
    made: dict[int, list[Correction]] = {}
    for row in earlier.order_by("-version__number", "pk"):
        made.setdefault(row.version.number, []).append(row.as_plain)
    content = ParsedContent.objects.filter(version=version).only("blocks").first() if made else None
    if content is None:
        return []
    renamed = frozenset(
        (one.before, one.after) for rows in made.values() for one in rows if one.heading_path[-1:] == (one.before,)
    )
    found: dict[Place, Offer] = {}
    for number, rows in made.items():
        for one in combined(rows):
            place = find(content.blocks, one, renamed)
            if place is not None and place not in found:
                path = tuple(content.blocks[place.block].get("heading_path") or ())
                found[place] = Offer(place, one.before, one.after, path, number)
    return sorted(found.values(), key=lambda offer: (offer.place.block, offer.place.row or 0, offer.place.column or 0))


@transaction.atomic
def apply_offers(*, version: DocumentVersion, corrected_by: User | None, places: Sequence[str]) -> int:
    """Make the offered corrections at these places (as `str(place)`). Returns how many; places without an offer count
    for nothing. Raises: as `correct`.
    """
    chosen = [offer for offer in offers(version) if str(offer.place) in places]
    corrections = [Correction(offer.place, offer.before, offer.after) for offer in chosen]
    return correct(version=version, corrected_by=corrected_by, corrections=corrections)

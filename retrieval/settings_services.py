"""Changing search settings. Call inside the organization's scope."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from documents.models import Collection
from retrieval.configuration import chunk_settings_of, stored_values
from retrieval.models import SettingsOverride
from skillnet.errors import SkillNetError
from skillnet.models import Organization, User


class ContradictingSettings(SkillNetError):
    """Settings that are possible one by one, and not together with those of a collection."""

    code = "contradicting_settings"


@dataclass(frozen=True, slots=True)
class Level:
    """Whose settings: the organization's, or those of one of its collections or courses."""

    organization: Organization
    collection: Collection | None = None
    course_id: int | None = None

    def inherited(self) -> dict[str, Any]:
        """What is stored above this level."""
        is_organization = self.collection is None and self.course_id is None
        return {} if is_organization else stored_values(self.organization.pk)

    def stored(self) -> dict[str, Any]:
        """What this level itself does otherwise."""
        row = self._rows().first()
        return {} if row is None else dict(row.values)

    def _rows(self) -> Any:
        return SettingsOverride.objects.for_organization(self.organization).filter(
            collection=self.collection, course_id=self.course_id
        )


@transaction.atomic
def save_settings(level: Level, values: Mapping[str, Any], *, updated_by: User) -> None:
    """Store what a level does otherwise than the one above, in place of what it did before.

    Raises: ContradictingSettings, when a collection's own settings cannot go with these.
    """
    SettingsOverride.objects.update_or_create(
        organization=level.organization,
        collection=level.collection,
        course_id=level.course_id,
        defaults={"values": dict(values), "updated_by": updated_by},
    )
    _check_collections(level.organization)


@transaction.atomic
def restore_settings(level: Level) -> None:
    """Let a level do as the one above again. Raises: ContradictingSettings."""
    rows = SettingsOverride.objects.for_organization(level.organization)
    rows.filter(collection=level.collection, course_id=level.course_id).delete()
    _check_collections(level.organization)


def _check_collections(organization: Organization) -> None:
    rows = SettingsOverride.objects.for_organization(organization).exclude(collection=None)
    for row in rows.select_related("collection"):
        try:
            chunk_settings_of(stored_values(organization.pk, row.collection_id))
        except ValueError as error:
            message = _("Con estos valores, los ajustes propios de «%(collection)s» se contradicen. Cámbialos antes.")
            raise ContradictingSettings(str(error), user_message=message % {"collection": row.collection}) from error

"""Slides and sheets of files read before they were counted, counted from what was kept of them."""

from dataclasses import asdict
from importlib import import_module

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from documents.models import DocumentVersion, ParsedContent
from documents.parsing import media_types, notices
from documents.parsing.types import ParseWarning
from skillnet.models import Organization
from tests.factories import make_document

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scope")]


def make_read(
    organization: Organization, media_type: str, places: list[dict[str, object]], *warnings: ParseWarning
) -> DocumentVersion:
    version = make_document(organization).active_version
    assert version is not None
    blocks = [{"kind": "paragraph", "text": "Texto.", "locator": place} for place in places]
    ParsedContent.objects.filter(version=version).update(blocks=blocks)
    version.media_type, version.warnings = media_type, [asdict(warning) for warning in warnings]
    version.save()
    return version


def count(batch: int) -> list[str]:
    """Count as the migration does. Returns: the statements that it took."""
    migration = import_module("documents.migrations.0131_slides_and_sheets_counted")
    with (
        CaptureQueriesContext(
            connection,
        ) as queries,
        connection.schema_editor() as editor,
    ):
        migration.count(None, editor, batch=batch)
    return [query["sql"] for query in queries if "documents_documentversion" in query["sql"]]


def slides(*numbers: int) -> list[dict[str, object]]:
    return [{"slide": number} for number in numbers]


def sheets(*names: str) -> list[dict[str, object]]:
    return [{"sheet": name, "rows": [1, 2]} for name in names]


@pytest.mark.parametrize(
    ("media_type", "places", "warnings", "counted"),
    [
        (media_types.PPTX, slides(1, 1, 2, 3), [], 3),
        (media_types.PPTX, slides(5, 6, 7, 8, 9, 10), [notices.warning("hidden_slides", count=4)], 6),
        (media_types.PPTX, slides(1, 2, 3), [notices.warning("hidden_slides", count=4)], 3),
        (media_types.PPTX, slides(1, 3), [notices.warning("no_slide_text", count=2, total=4)], 4),
        (
            media_types.PPTX,
            slides(3, 5),
            [notices.warning("hidden_slides", count=2), notices.warning("no_slide_text", count=1, total=3)],
            3,
        ),
        (media_types.XLSX, sheets("Enero", "Enero", "Febrero"), [], 2),
        (media_types.PDF, [{}, {}], [], 0),
        (media_types.PLAIN, slides(1, 2), [], 0),
    ],
)
def test_as_many_are_counted_as_another_reading_would(organization, media_type, places, warnings, counted):
    version = make_read(organization, media_type, places, *warnings)
    count(100)
    version.refresh_from_db()
    assert version.part_count == counted


def test_batches_come_to_an_end_and_leave_alone_what_is_counted(organization):
    unread = make_read(organization, media_types.PPTX, slides(1))
    ParsedContent.objects.filter(version=unread).delete()
    versions = [make_read(organization, media_types.PPTX, slides(*range(1, size))) for size in (2, 3, 4, 5)]
    DocumentVersion.objects.filter(pk=versions[0].pk).update(part_count=9)
    assert sum("UPDATE" in statement for statement in count(2)) == 2
    known = dict(DocumentVersion.objects.values_list("pk", "part_count"))
    assert [known[version.pk] for version in (unread, *versions)] == [0, 9, 2, 3, 4]
    assert sum("UPDATE" in statement for statement in count(2)) == 1

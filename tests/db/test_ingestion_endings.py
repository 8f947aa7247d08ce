"""Every ingestion ends: after a parser without an answer, a step that stands still, a fault of the file itself."""

from datetime import timedelta

import psycopg
import pytest
from django.core.files.base import ContentFile
from django.db import connection, connections
from django.utils import timezone

from documents import bulk, ingestion, services
from documents.errors import NeedsOtherFile
from documents.models import Chunk, ChunkEmbedding, Document, DocumentVersion, Status
from documents.parsing.errors import LimitExceeded
from documents.watchdog import Watchdog
from skillnet.tenancy import organization_scope
from tests.db.test_ingestion import OTHER_TEXT, TEXT, ingest, texts, upload
from tests.factories import make_document

MINUTE = 60.0
BROKEN_PDF = b"%PDF-1.7 broken"


def out_of_time(*_arguments: object, **_options: object) -> None:
    raise LimitExceeded("out of time")


@pytest.fixture
def worker_session(organization):
    """Another worker's database session."""
    known = connections["default"].settings_dict
    session = psycopg.connect(
        host=known["HOST"],
        port=known["PORT"],
        user=known["USER"],
        password=known["PASSWORD"] or None,
        dbname=known["NAME"],
        autocommit=True,
    )
    yield session
    session.close()


def hold_elsewhere(session, version) -> None:
    session.execute("SELECT pg_advisory_lock(%s, %s)", [ingestion.LOCK_SPACE, version.pk])


def read(version) -> DocumentVersion:
    with organization_scope(version.organization_id):
        return DocumentVersion.objects.get(pk=version.pk)


def test_a_file_that_takes_too_long_each_time_ends_failed_with_a_reason_and_can_be_retried(organization, monkeypatch):
    version = upload(organization)
    parse = ingestion._parser.parse
    monkeypatch.setattr(ingestion._parser, "parse", out_of_time)
    for _try in range(2):
        version = ingest(version)
        assert (version.status, version.error_code) == (Status.FAILED, "limit_exceeded")
        assert "Divídelo" in version.error_message
        assert not version.needs_other_file
        with organization_scope(organization.pk):
            services.retry_version(version)
    monkeypatch.setattr(ingestion._parser, "parse", parse)
    assert ingest(version).status == Status.READY


def test_a_step_that_stands_still_is_closed_with_a_reason_and_its_worker_let_go(organization, settings, worker_session):
    settings.SKILLNET_INGESTION_STEP_MINUTES = 30
    version = upload(organization)
    hold_elsewhere(worker_session, version)
    watchdog = Watchdog()
    held = {version.pk: organization.pk}
    assert watchdog.look(held, now=0) == 0
    assert watchdog.look(held, now=29 * MINUTE) == 0
    assert watchdog.look(held, now=30 * MINUTE) == 1
    version = read(version)
    assert (version.status, version.error_code) == (Status.FAILED, "stalled")
    assert "30 minutos" in version.error_message
    with pytest.raises(psycopg.OperationalError):
        worker_session.execute("SELECT 1")
    with organization_scope(organization.pk):
        services.retry_version(version)
    assert ingest(version).status == Status.READY


def test_a_slow_step_that_moves_is_left_alone(organization, worker_session):
    version = upload(organization)
    hold_elsewhere(worker_session, version)
    watchdog = Watchdog()
    held = {version.pk: organization.pk}
    watchdog.look(held, now=0)
    with organization_scope(organization.pk):
        DocumentVersion.objects.update(step_at=timezone.now() + timedelta(minutes=1))
    assert watchdog.look(held, now=45 * MINUTE) == 0
    assert read(version).status == Status.PENDING


def test_what_nobody_works_on_is_never_closed_by_time(organization):
    version = upload(organization)
    watchdog = Watchdog()
    assert [watchdog.look({version.pk: organization.pk}, now=hours * 3600.0) for hours in (0, 12)] == [0, 0]


def test_retrying_a_file_that_cannot_be_read_is_refused_with_the_reason(organization):
    version = ingest(upload(organization, BROKEN_PDF, name="roto.pdf"))
    with organization_scope(organization.pk):
        with pytest.raises(NeedsOtherFile) as refusal:
            services.retry_version(version)
        assert "está dañado" in str(refusal.value.user_message)
        assert bulk.retry(Document.objects.all()) == 0
        assert bulk.unreadable(Document.objects.all()) == [version]
    assert read(version).status == Status.FAILED


def test_the_same_unreadable_bytes_sent_again_are_read_again(organization):
    version = ingest(upload(organization, BROKEN_PDF, name="roto.pdf"))
    assert upload(organization, BROKEN_PDF, name="otra vez.pdf").pk == version.pk
    assert read(version).status == Status.PENDING


def test_of_a_shorter_second_version_nothing_of_the_first_is_left(organization):
    long = "".join(
        f"# Punto {number}\n\nEl casillero {number} guarda el paraguas {number}.\n\n" for number in range(40)
    )
    first = ingest(upload(organization, long))
    assert len(texts(first)) > 1
    with organization_scope(organization.pk):
        second = services.upload_version(
            document=first.document, uploaded_by=None, file=ContentFile(OTHER_TEXT.encode()), name="caja.md"
        ).version
    ingest(second)
    with organization_scope(organization.pk):
        assert set(Chunk.objects.values_list("version_id", flat=True)) == {second.pk}
        assert set(ChunkEmbedding.objects.values_list("version_id", flat=True)) == {second.pk}
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM documents_termstatistic WHERE lexeme LIKE 'paragu%%'")
            assert cursor.fetchone() == (0,)


def test_equal_names_in_two_organizations_are_two_files(organization, other_organization):
    one = ingest(upload(organization, TEXT, name="normas.md"))
    other = ingest(upload(other_organization, OTHER_TEXT, name="normas.md"))
    assert one.file_name == other.file_name == "normas.md"
    assert one.file.name != other.file.name
    assert "150 euros" in " ".join(texts(one))
    assert "200 euros" in " ".join(texts(other))


@pytest.mark.parametrize(
    "name", ["../fuera.txt", "..\\x.txt", "/etc/fuera.txt", "C:\\fuera.txt", "fue\nra.txt", "fuera\r\n.txt", "\x00.txt"]
)
def test_a_name_never_says_where_a_file_goes(organization, settings, name):
    version = upload(organization, TEXT, name=name)
    assert not set("/\\\r\n\x00") & set(version.file_name)
    assert version.file.name.startswith(f"{organization.pk}/")
    assert version.file.path.startswith(str(settings.MEDIA_ROOT))


def test_two_hundred_files_of_one_organization_do_not_hold_up_another_s_one(organization, other_organization):
    many = [upload(organization, f"# Ficha {number}\n\nTexto de la ficha {number}.\n") for number in range(200)]
    single = upload(other_organization, TEXT)
    steps = 0
    while not read(single).is_final:
        ingestion.step(*_next())
        steps += 1
    assert steps <= 10
    assert sum(read(version).is_final for version in many[:20]) <= 1


def _next():
    from documents import jobs

    due = jobs.next_due()
    assert due is not None
    return due


def test_a_document_without_text_is_known_as_unreadable_and_one_being_read_is_not(organization):
    failed = ingest(upload(organization, BROKEN_PDF, name="roto.pdf")).document
    upload(organization)
    make_document(organization, text="# Uno\nTexto uno.")
    with organization_scope(organization.pk):
        assert list(Document.objects.unreadable()) == [failed]

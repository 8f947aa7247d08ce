"""From an upload to searchable chunks, and everything that can go wrong in between."""

from datetime import timedelta

import numpy as np
import pytest
from django.core.files.base import ContentFile
from django.db import connection
from django.utils import timezone

from documents import ingestion, jobs, services, sweeper
from documents.errors import CannotRetry, EmptyUpload, UploadTooLarge
from documents.models import Chunk, ChunkEmbedding, Document, DocumentVersion, Status, TermStatistic
from documents.signals import version_published
from documents.sweeper import sweep
from skillnet import backends
from skillnet.backends.fakes import FakeEmbedder
from skillnet.errors import BackendUnavailable
from skillnet.models import Organization
from skillnet.tenancy import organization_scope
from tests.factories import make_document, make_version

TEXT = "# Caja\n\nEl fondo de caja es de 150 euros.\n\n# Alarma\n\nLa alarma se conecta a las 22:15.\n"
OTHER_TEXT = "# Caja\n\nEl fondo de caja es de 200 euros.\n"


def upload(organization: Organization, content: str | bytes = TEXT, name: str = "caja.md", **fields) -> DocumentVersion:
    data = content.encode() if isinstance(content, str) else content
    with organization_scope(organization.pk):
        return services.upload_document(
            organization=organization, uploaded_by=None, file=ContentFile(data), name=name, **fields
        ).version


def ingest(version: DocumentVersion) -> DocumentVersion:
    ingestion.run(version.organization_id, version.pk)
    with organization_scope(version.organization_id):
        return DocumentVersion.objects.select_related("document").get(pk=version.pk)


def texts(version: DocumentVersion) -> list[str]:
    with organization_scope(version.organization_id):
        return [chunk.text for chunk in Chunk.objects.filter(version=version).order_by("position")]


class BrokenEmbedder(FakeEmbedder):
    """The embedder that cannot be reached."""

    def embed_passages(self, texts):
        raise BackendUnavailable("no answer")

    embed_passages_with_tokens = embed_passages


def test_an_uploaded_file_becomes_searchable_chunks_with_vectors(organization):
    version = ingest(upload(organization))
    assert version.status == Status.READY
    assert version.document.active_version_id == version.pk
    assert "150 euros" in " ".join(texts(version))
    with organization_scope(organization.pk):
        assert ChunkEmbedding.objects.filter(version=version).count() == version.chunks.count() > 0
        assert not Chunk.objects.filter(draft_of__isnull=False).exists()


def test_the_first_of_several_sections_gives_a_document_no_title(organization):
    menu = "# ENTRADAS\n\n## Para picar\n\nPan.\n\n# CARNES\n\nLomo.\n\n# POSTRES\n\nFlan.\n"
    assert ingest(upload(organization, menu, name="carta-de-verano.md")).document.title == "Carta de verano"
    named = ingest(upload(organization, menu.replace("Pan", "Pan y aceite"), name="documento1.md"))
    assert named.document.title == "ENTRADAS"  # the file's name says even less


def test_ingesting_again_keeps_one_set_of_chunks(organization):
    version = ingest(upload(organization))
    before = texts(version)
    with organization_scope(organization.pk):
        services.reingest_version(version)
        terms = list(TermStatistic.objects.order_by("lexeme").values_list("lexeme", "chunk_count"))
    assert texts(version) == before  # served while it is read again
    assert texts(ingest(version)) == before
    with organization_scope(organization.pk):
        assert list(TermStatistic.objects.order_by("lexeme").values_list("lexeme", "chunk_count")) == terms


def test_a_new_version_takes_the_place_of_the_old_one_at_once(organization):
    first = ingest(upload(organization))
    published = []

    def hear(version, previous, **_):
        published.append((previous.pk, version.pk))

    version_published.connect(hear)
    with organization_scope(organization.pk):
        second = services.upload_version(
            document=first.document, uploaded_by=None, file=ContentFile(OTHER_TEXT.encode()), name="caja.md"
        ).version
        assert Document.objects.get().active_version_id == first.pk
    second = ingest(second)
    assert second.document.active_version_id == second.pk
    assert texts(first) == []
    assert "200 euros" in " ".join(texts(second))
    assert published == [(first.pk, second.pk)]


def test_a_failed_version_leaves_the_old_one_serving(organization):
    first = ingest(upload(organization))
    with organization_scope(organization.pk):
        second = services.upload_version(
            document=first.document, uploaded_by=None, file=ContentFile(b"%PDF-1.7 broken"), name="caja.pdf"
        ).version
    second = ingest(second)
    assert second.status == Status.FAILED
    assert second.error_code == "damaged"
    assert second.error_message
    assert second.document.active_version_id == first.pk
    assert texts(first)


def test_an_older_version_that_finishes_late_does_not_replace_a_newer_one(organization):
    document = make_document(organization, text="# Uno\nTexto uno.")
    with organization_scope(organization.pk):
        late = make_version(document, b"# Dos\n\nTexto dos.\n")
        newest = make_version(document, b"# Tres\n\nTexto tres.\n")
    ingest(newest)
    assert ingest(late).is_ready
    with organization_scope(organization.pk):
        assert Document.objects.get().active_version_id == newest.pk
        assert list(Chunk.objects.values_list("version_id", flat=True).distinct()) == [newest.pk]


def test_the_same_bytes_are_not_taken_in_twice_in_one_organization(organization, other_organization):
    first = upload(organization)
    with organization_scope(organization.pk):
        again = services.upload_document(
            organization=organization, uploaded_by=None, file=ContentFile(TEXT.encode()), name="copia.md"
        )
        assert again.duplicate_of == first.document
        assert Document.objects.count() == 1
    assert upload(other_organization).document_id != first.document_id


@pytest.mark.parametrize(
    ("content", "error"), [(b"", EmptyUpload), (b"x" * 2_000_000, UploadTooLarge)], ids=["empty", "too large"]
)
def test_what_cannot_be_taken_in_is_refused_before_anything_is_stored(organization, settings, content, error):
    settings.SKILLNET_UPLOAD_MAX_BYTES = 1_000_000
    with pytest.raises(error) as refusal:
        upload(organization, content)
    assert str(refusal.value.user_message)
    with organization_scope(organization.pk):
        assert Document.objects.count() == 0


def test_a_hostile_name_becomes_a_plain_one_and_the_server_names_the_file(organization):
    version = upload(organization, name="..\\..\\etc/pass\nwd" + "á" * 300 + ".md")
    assert len(version.file_name) <= 200
    assert not set("/\\\n") & set(version.file_name)
    assert version.file_name.endswith(".md")
    assert version.file.name.startswith(f"{organization.pk}/")
    assert "etc" not in version.file.name


def test_an_embedder_that_is_down_leaves_the_document_findable_by_words_until_it_is_back(organization, monkeypatch):
    monkeypatch.setattr(backends, "_embedder", lambda _choice: BrokenEmbedder(dimensions=64))
    version = ingest(upload(organization))
    assert version.status == Status.READY_WITH_WARNINGS
    assert version.warnings[0]["code"] == "words_only"
    assert texts(version)
    monkeypatch.setattr(backends, "_embedder", lambda _choice: FakeEmbedder(dimensions=64))
    while version.vectors_pending:
        version = ingest(version)
    assert version.status == Status.READY
    with organization_scope(organization.pk):
        assert ChunkEmbedding.objects.count() == Chunk.objects.count()


def test_a_retryable_failure_waits_longer_each_time_and_then_ends_with_a_reason(organization, monkeypatch):
    def no_parser(*_, **__):
        raise BackendUnavailable("parser not started")

    monkeypatch.setattr(ingestion._parser, "parse", no_parser)
    version = upload(organization)
    waits = []
    for _ in range(3):
        assert ingestion.hold(version.pk)
        ingestion.step(organization.pk, version.pk)
        with organization_scope(organization.pk):
            version = DocumentVersion.objects.get(pk=version.pk)
        if version.next_attempt_at:
            waits.append((version.next_attempt_at - timezone.now()).total_seconds())
    assert version.status == Status.FAILED
    assert version.error_message
    assert waits[0] == pytest.approx(30, abs=5)
    assert waits[1] == pytest.approx(120, abs=5)


def test_a_failed_version_can_be_retried_and_a_ready_one_cannot(organization):
    version = upload(organization)
    with organization_scope(organization.pk):
        DocumentVersion.objects.update(status=Status.FAILED, error_code="crashed")
        services.retry_version(version)
        version.refresh_from_db()
        assert (version.status, version.error_code) == (Status.PENDING, "")
    ready = ingest(version)
    with organization_scope(organization.pk), pytest.raises(CannotRetry):
        services.retry_version(ready)


def test_a_cancelled_ingestion_ends_cancelled_and_leaves_no_drafts(organization):
    version = upload(organization)
    for _ in range(2):  # parsed, chunked
        assert ingestion.hold(version.pk)
        ingestion.step(organization.pk, version.pk)
    with organization_scope(organization.pk):
        assert version.draft_chunks.exists()
        services.cancel_version(version)
    version = ingest(version)
    assert version.status == Status.CANCELLED
    with organization_scope(organization.pk):
        assert not Chunk.objects.exists()


def test_a_version_that_waits_for_its_turn_is_cancelled_at_once(organization):
    version = upload(organization)
    with organization_scope(organization.pk):
        services.cancel_version(version)
        version.refresh_from_db()
        assert (version.status, version.cancel_requested) == (Status.CANCELLED, False)
        services.retry_version(version)
    assert ingest(version).is_ready


def test_a_version_that_a_worker_holds_is_cancelled_by_that_worker(organization, monkeypatch):
    version = upload(organization)
    monkeypatch.setattr(services, "hold_if_free", lambda version_id: False)  # as to another session
    with organization_scope(organization.pk):
        services.cancel_version(version)
        version.refresh_from_db()
        assert (version.status, version.cancel_requested) == (Status.PENDING, True)
    assert ingest(version).status == Status.CANCELLED


def test_cancelling_what_has_just_ended_leaves_it_as_it_ended(organization):
    version = ingest(upload(organization))
    with organization_scope(organization.pk):
        services.cancel_version(version)
        version.refresh_from_db()
    assert version.is_ready


def test_turns_go_round_the_organizations_and_a_version_in_hand_is_passed_over(organization, other_organization):
    first = [upload(organization, f"# Uno\n\nTexto {n}.\n") for n in range(2)]
    second = upload(other_organization, "# Dos\n\nTexto.\n")
    turns = []
    for _ in range(3):
        organization_id, version_id = jobs.next_due()
        turns.append(version_id)
        ingestion.step(organization_id, version_id)
    assert turns == [first[0].pk, second.pk, first[0].pk]


def test_a_worker_that_was_killed_every_time_ends_the_version(organization, settings):
    version = upload(organization)
    with organization_scope(organization.pk):
        DocumentVersion.objects.update(attempt_count=settings.SKILLNET_INGESTION_TRIES, status=Status.PARSING)
    version = ingest(version)
    assert (version.status, version.error_code) == (Status.FAILED, "crashed")


def test_the_sweeper_requeues_what_is_due_and_leaves_alone_what_only_waited(organization):
    upload(organization)
    with organization_scope(organization.pk):
        DocumentVersion.objects.update(step_at=timezone.now() - timedelta(days=2))  # no worker ran for two days
    assert sweep() == {"requeued": 1, "closed": 0}


def test_a_chore_that_fails_stops_neither_the_sweep_nor_the_other_chores(organization, monkeypatch):
    done = []

    def fails():
        Organization.objects.get(slug="nobody")

    monkeypatch.setattr(sweeper, "_chores", [fails, lambda: done.append(True)])
    upload(organization)
    assert sweep() == {"requeued": 1, "closed": 0}
    assert done == [True]


def test_what_was_begun_before_a_night_switched_off_goes_on(organization):
    version = upload(organization)
    with organization_scope(organization.pk):
        DocumentVersion.objects.update(
            status=Status.PARSING, attempt_count=1, step_at=timezone.now() - timedelta(hours=12)
        )
    assert sweep() == {"requeued": 1, "closed": 0}
    assert ingest(version).status == Status.READY


def test_the_sweeper_closes_what_every_worker_died_of(organization, settings):
    version = upload(organization)
    with organization_scope(organization.pk):
        DocumentVersion.objects.update(status=Status.PARSING, attempt_count=settings.SKILLNET_INGESTION_TRIES)
    assert sweep() == {"requeued": 0, "closed": 1}
    version = ingest(version)
    assert (version.status, version.error_code) == (Status.FAILED, "crashed")


def test_without_the_model_chunks_are_measured_otherwise_and_found_by_words(organization, monkeypatch):
    class Absent(BrokenEmbedder):
        def count_tokens(self, text):
            raise BackendUnavailable("no weights")

    monkeypatch.setattr(backends, "_embedder", lambda _choice: Absent(dimensions=64))
    version = ingest(upload(organization))
    assert version.status == Status.READY_WITH_WARNINGS
    assert texts(version)


def test_a_document_deleted_while_it_is_read_stops_nothing(organization, monkeypatch):
    version = upload(organization)
    parse = ingestion._parser.parse

    def delete_meanwhile(*arguments, **options):
        with organization_scope(organization.pk):
            services.delete_document(version.document)
        return parse(*arguments, **options)

    monkeypatch.setattr(ingestion._parser, "parse", delete_meanwhile)
    ingestion.run(organization.pk, version.pk)
    with organization_scope(organization.pk):
        assert not DocumentVersion.objects.exists()


def test_reading_again_a_version_that_waits_for_vectors_reads_the_file(organization, monkeypatch):
    monkeypatch.setattr(backends, "_embedder", lambda _choice: BrokenEmbedder(dimensions=64))
    version = ingest(upload(organization))
    monkeypatch.setattr(backends, "_embedder", lambda _choice: FakeEmbedder(dimensions=64))
    with organization_scope(organization.pk):
        version.parsed.delete()
        services.reingest_version(version)
    version = ingest(version)
    assert version.status == Status.READY
    with organization_scope(organization.pk):
        assert version.parsed.markdown


def test_deleting_a_document_takes_everything_of_it_along(organization, django_capture_on_commit_callbacks):
    version = ingest(upload(organization))
    storage, name = version.file.storage, version.file.name
    with django_capture_on_commit_callbacks(execute=True), organization_scope(organization.pk):
        services.delete_document(version.document)
    with organization_scope(organization.pk):
        assert not Chunk.objects.exists()
        assert not ChunkEmbedding.objects.exists()
        assert not TermStatistic.objects.exists()
    assert not storage.exists(name)


def test_an_edited_text_takes_its_search_vector_along(organization):
    version = ingest(upload(organization))
    with organization_scope(organization.pk):
        chunk = version.chunks.first()
        chunk.text = "Ahora habla de paraguas."
        chunk.save(update_fields=["text"])
        with connection.cursor() as cursor:
            cursor.execute("SELECT search_vector::text FROM documents_chunk WHERE id = %s", [chunk.pk])
            vector = cursor.fetchone()[0]
    assert "paragu" in vector
    assert "150" not in vector


def test_vectors_are_unit_length(organization):
    ingest(upload(organization))
    with organization_scope(organization.pk):
        for row in ChunkEmbedding.objects.all():
            assert np.linalg.norm(np.asarray(row.vector)) == pytest.approx(1, abs=1e-4)

"""Files that lie in a service with S3's protocol are read, shown and deleted as those in a folder."""

from collections.abc import Callable, Iterator
from typing import Any

import pymupdf
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from documents import ingestion
from documents.models import Document, DocumentVersion
from documents.storage import local_file
from skillnet.models import Membership, Organization
from skillnet.tenancy import organization_scope
from tests import factories

pytest.importorskip("storages")
boto3 = pytest.importorskip("boto3")
moto_server = pytest.importorskip("moto.server")

pytestmark = pytest.mark.django_db

BUCKET = "manuales"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = moto_server.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(address: str, settings: Any) -> Any:
    """An empty bucket that everything is stored in for a test."""
    keys = {"aws_access_key_id": "prueba", "aws_secret_access_key": "prueba"}
    service = boto3.resource("s3", endpoint_url=address, region_name="eu-west-1", **keys)
    found = service.Bucket(BUCKET)
    found.create(CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    options = {
        "bucket_name": BUCKET,
        "endpoint_url": address,
        "region_name": "eu-west-1",
        "access_key": "prueba",
        "secret_key": "prueba",
        "addressing_style": "path",
        "default_acl": None,
        "file_overwrite": False,
    }
    settings.STORAGES = settings.STORAGES | {
        "default": {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options}
    }
    yield found
    found.objects.all().delete()
    found.delete()


def made() -> bytes:
    with pymupdf.open() as document:
        document.new_page().insert_text((72, 72), "El fondo de caja es de 150 euros.")
        return bytes(document.tobytes())


PDF = made()


@pytest.fixture
def uploaded(
    bucket: Any, organization: Organization, admin_membership: Membership, client_for: Callable[[Membership], Client]
) -> DocumentVersion:
    file = SimpleUploadedFile("caja.pdf", PDF)
    client_for(admin_membership).post(
        reverse("documents:upload", args=["acme"]), {"uploads": file, "classification": "2", "audience": "everyone"}
    )
    with organization_scope(organization.pk):
        version: DocumentVersion = DocumentVersion.objects.get()
    ingestion.run(organization.pk, version.pk)
    with organization_scope(organization.pk):
        version.refresh_from_db()
    return version


def test_a_file_in_a_bucket_is_read_and_shown_to_who_may(
    uploaded: DocumentVersion, bucket: Any, employee_membership: Membership, client_for: Callable[[Membership], Client]
):
    assert uploaded.is_ready
    assert [one.key for one in bucket.objects.all()] == [uploaded.file.name]
    client = client_for(employee_membership)
    place = ["acme", uploaded.document_id, 1]
    original = client.get(reverse("documents:download", args=place))
    assert b"".join(original.streaming_content) == PDF  # type: ignore[attr-defined]
    image = client.get(reverse("documents:page_image", args=[*place, 1]))
    assert image.content.startswith(b"\x89PNG")


def test_nobody_else_reaches_it(
    uploaded: DocumentVersion,
    other_organization: Organization,
    bucket: Any,
    client_for: Callable[[Membership], Client],
):
    outsider = client_for(factories.make_member(other_organization, "otra@otra.example"))
    for slug in ("acme", "otra"):
        place = [slug, uploaded.document_id, 1]
        assert outsider.get(reverse("documents:download", args=place)).status_code == 404
        assert outsider.get(reverse("documents:page_image", args=[*place, 1])).status_code == 404


def test_the_copy_for_the_parser_is_gone_afterwards(uploaded: DocumentVersion):
    with local_file(uploaded) as path:
        assert path.read_bytes() == PDF
    assert not path.exists()


def test_deleting_a_document_empties_the_bucket(
    uploaded: DocumentVersion,
    bucket: Any,
    admin_membership: Membership,
    client_for: Callable[[Membership], Client],
    django_capture_on_commit_callbacks: Any,
):
    with django_capture_on_commit_callbacks(execute=True):
        client_for(admin_membership).post(reverse("documents:delete", args=["acme", uploaded.document_id]))
    with organization_scope(uploaded.organization_id):
        assert not Document.objects.exists()
    assert list(bucket.objects.all()) == []


def test_a_file_that_is_gone_answers_as_nothing(
    uploaded: DocumentVersion, bucket: Any, admin_membership: Membership, client_for: Callable[[Membership], Client]
):
    bucket.objects.all().delete()
    gone = client_for(admin_membership).get(reverse("documents:download", args=["acme", uploaded.document_id, 1]))
    assert gone.status_code == 404

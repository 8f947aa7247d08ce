"""What is written to the log: names of requests and organizations, never what people ask or documents say."""

import json
import logging
import uuid

import django_rq
import pytest
from django.conf import settings as project_settings
from django.core.files.uploadedfile import SimpleUploadedFile

from documents import ingestion
from documents.models import DocumentVersion
from skillnet.log_context import ContextFilter, current_request_id, request_named
from skillnet.models import Role
from skillnet.queues import TracedQueue, TracedWorker
from skillnet.tenancy import organization_scope
from tests.factories import make_member

SECRET_OF_DOCUMENT = "tornasol"
SECRET_OF_QUESTION = "abre la caja fuerte"


def test_uploading_searching_and_asking_leave_no_word_of_theirs_in_the_log(client_for, organization, caplog):
    client = client_for(make_member(organization, "edicion@acme.example", Role.ADMIN))
    text = f"# Caja\nEl código {SECRET_OF_DOCUMENT} abre la caja fuerte de la tienda por la mañana."
    with caplog.at_level(logging.INFO), caplog.at_level(logging.INFO, logger="skillnet.requests"):
        file = SimpleUploadedFile(f"{SECRET_OF_DOCUMENT}.md", text.encode())
        client.post(f"/o/{organization.slug}/documentos/subir/", {"uploads": file})
        with organization_scope(organization.pk):
            version = DocumentVersion.objects.get()
        ingestion.run(organization.pk, version.pk)
        client.get(f"/o/{organization.slug}/buscar/", {"q": SECRET_OF_QUESTION})
        data = {
            "question": f"¿Qué código {SECRET_OF_QUESTION} de la tienda por la mañana?",
            "submission": uuid.uuid4(),
            "conversation": uuid.uuid4(),
        }
        asked = client.post(f"/o/{organization.slug}/tutor/preguntar/", data)
        page = client.get(asked["Location"]).content.decode()
        turn = page.split("/respuesta/")[0].rsplit("/", 1)[-1]
        stream = b"".join(client.get(f"/o/{organization.slug}/tutor/preguntas/{turn}/respuesta/"))
        client.get(f"/invitacion/{SECRET_OF_DOCUMENT}/")
    assert SECRET_OF_DOCUMENT.encode() in stream  # it did answer from the document
    lines = [record for record in caplog.records if record.name == "skillnet.requests"]
    assert {"documents:upload", "retrieval:search", "tutor:ask", "tutor:stream"} <= {record.view for record in lines}
    said = [f"{record.getMessage()} {record.__dict__}" for record in caplog.records]
    assert not [line for line in said if SECRET_OF_DOCUMENT in line or SECRET_OF_QUESTION in line]
    assert {record.organization for record in lines} == {str(organization.pk), ""}


@pytest.mark.parametrize("given", ["abcdefgh", "4bf92f3577b34da6a3ce929d0e0e4736", "a.b-c_d.12345678"])
def test_a_well_formed_name_of_a_request_is_kept(client, db, given):
    assert client.get("/healthz", headers={"X-Request-ID": given})["X-Request-ID"] == given


@pytest.mark.parametrize("given", ["", "corto", "con espacios dentro", "línea\nnueva", "x" * 65, "<script>alert()"])
def test_any_other_is_replaced(client, db, given):
    name = client.get("/healthz", headers={"X-Request-ID": given} if given else {})["X-Request-ID"]
    assert name != given
    assert uuid.UUID(name)


def test_every_line_names_the_request_and_the_organization(organization):
    record = logging.LogRecord("x", logging.INFO, "x", 1, "hola", (), None)
    with request_named("peticion-1"), organization_scope(organization.pk):
        assert ContextFilter().filter(record)
    assert (record.request_id, record.organization) == ("peticion-1", str(organization.pk))
    assert current_request_id() == ""


def test_json_lines_are_json(organization):
    import logging.config

    formatter = project_settings.LOGGING["formatters"]["json"]
    from pythonjsonlogger.json import JsonFormatter

    options = {name.removeprefix("json_"): value for name, value in formatter.items() if name in ("rename_fields",)}
    record = logging.LogRecord("skillnet.x", logging.WARNING, "x", 1, "línea\ncon salto", (), None)
    ContextFilter().filter(record)
    line = JsonFormatter(formatter["format"], **options).format(record)
    assert "\n" not in line
    data = json.loads(line)
    assert (data["level"], data["logger"], data["message"]) == ("WARNING", "skillnet.x", "línea\ncon salto")
    assert {"time", "request_id", "organization"} <= set(data)


def test_a_job_is_done_under_the_name_of_the_request_that_queued_it(db):
    connection = django_rq.get_connection("mail")
    queue = TracedQueue("mail", connection=connection, commit_mode="auto")
    queue.empty()
    SEEN.clear()
    with request_named("peticion-2"):
        queue.enqueue("tests.db.test_logs.note_request", result_ttl=0)
    queue.enqueue("tests.db.test_logs.note_request", result_ttl=0)
    TracedWorker([queue], connection=connection).work(burst=True, logging_level="WARNING")
    assert SEEN[0] == "peticion-2"
    assert SEEN[1].startswith("job-")
    assert current_request_id() == ""
    assert isinstance(django_rq.get_queue("ingestion"), TracedQueue)


SEEN: list[str] = []


def note_request() -> None:
    """A job that says on whose behalf it runs."""
    SEEN.append(current_request_id())

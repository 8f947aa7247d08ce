"""What machines ask of an installation: readiness, metrics, and what browsers report."""

import json
import logging
import threading
from typing import Any

import pytest
from django.test import Client
from redis.exceptions import ConnectionError as RedisAway

from skillnet import metrics, operation_views
from skillnet.errors import BackendUnavailable
from skillnet.operation_views import EmbedderProbe
from tests.factories import make_document

pytestmark = pytest.mark.django_db
TOKEN = "k7Qw-2mXz_9rTb.4vLn8sHd6pYc3fGj5"


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the embedder said before is not remembered."""
    monkeypatch.setattr(operation_views, "_embedder", EmbedderProbe())


def test_readiness_names_every_service_and_counts_workers(client: Client):
    ready = client.get("/readyz")
    assert ready.status_code == 200
    assert ready.json() == {
        "database": True,
        "migrations": True,
        "queue": True,
        "embedder": True,
        "workers": ready.json()["workers"],
    }


def test_an_embedder_that_is_away_is_named_and_pages_are_still_served(client: Client, monkeypatch: pytest.MonkeyPatch):
    class Away:
        def embed_query(self, text: str) -> None:
            raise BackendUnavailable("gone")

    monkeypatch.setattr(operation_views, "get_embedder", Away)
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json()["embedder"], ready.json()["database"]) == (200, False, True)


def test_an_embedder_that_is_still_loading_is_not_waited_for(client: Client, monkeypatch: pytest.MonkeyPatch):
    loaded, asked = threading.Event(), []

    class Loading:
        def embed_query(self, text: str) -> None:
            asked.append(text)
            loaded.wait(60)

    monkeypatch.setattr(operation_views, "get_embedder", Loading)
    monkeypatch.setattr(EmbedderProbe, "WAIT_SECONDS", 0.05)
    assert [client.get("/readyz").json()["embedder"] for _ in range(3)] == [False, False, False]
    assert len(asked) == 1  # three askers, one question
    loaded.set()
    monkeypatch.setattr(EmbedderProbe, "WAIT_SECONDS", 30)
    assert client.get("/readyz").json()["embedder"] is True


def test_a_queue_that_is_away_is_named(client: Client, monkeypatch: pytest.MonkeyPatch):
    def away(name: str) -> None:
        raise RedisAway("gone")

    monkeypatch.setattr(operation_views, "get_queue", away)
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json()["queue"]) == (503, False)


# --- Metrics


def test_metrics_count_requests_documents_queues_and_workers(client: Client, organization):
    make_document(organization, "Manual")
    client.get("/healthz")
    page = client.get("/metrics").content.decode()
    assert 'skillnet_requests_total{method="GET",status="200",view="healthz"}' in page
    assert 'skillnet_request_seconds_bucket{le="0.01",view="healthz"}' in page
    assert 'skillnet_document_versions{state="ready"} 1.0' in page
    assert 'skillnet_queue_jobs{queue="ingestion"}' in page
    assert 'skillnet_up{service="database"} 1.0' in page
    assert "skillnet_workers" in page
    assert organization.slug not in page
    assert str(organization.pk) not in page


def test_metrics_say_that_the_queue_is_away_and_the_rest_all_the_same(client: Client, monkeypatch: pytest.MonkeyPatch):
    def away(name: str) -> None:
        raise RedisAway("gone")

    monkeypatch.setattr(metrics.django_rq, "get_queue", away)
    page = client.get("/metrics").content.decode()
    assert 'skillnet_up{service="queue"} 0.0' in page
    assert "skillnet_queue_jobs" not in page
    assert 'skillnet_up{service="database"} 1.0' in page


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("203.0.113.9", {}, 404),
        ("", {}, 404),
        ("127.0.0.1", {"X-Forwarded-For": "203.0.113.9"}, 404),
    ],
)
def test_without_a_token_metrics_are_for_this_machine(client: Client, address: str, headers: dict, status: int):
    assert client.get("/metrics", REMOTE_ADDR=address, headers=headers).status_code == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": f"Bearer {TOKEN}"}, 200),
        ({"Authorization": f"Bearer {TOKEN}x"}, 404),
        ({"Authorization": "Bearer ñ"}, 404),
        ({}, 404),
    ],
)
def test_with_a_token_metrics_are_for_who_holds_it(client: Client, settings: Any, headers: dict, status: int):
    settings.SKILLNET_METRICS_TOKEN = TOKEN
    assert client.get("/metrics", headers=headers).status_code == status


# --- Reports of the content security policy


def report(client: Client, **values: str) -> Any:
    body = {"csp-report": values}
    return client.post("/csp/", json.dumps(body), content_type="application/csp-report")


def test_a_report_leaves_the_directive_and_the_site_and_no_address_of_ours(client: Client, caplog):
    page = "http://testserver/o/acme/buscar/?q=despido"
    with caplog.at_level(logging.DEBUG):
        done = report(
            client,
            **{
                "effective-directive": "img-src",
                "blocked-uri": "https://evil.example/pixel?secret=1",
                "document-uri": page,
            },
        )
    assert done.status_code == 204
    assert "a browser refused img-src from evil.example on retrieval:search" in caplog.text
    assert "despido" not in caplog.text
    assert "secret=1" not in caplog.text


def test_the_policy_tells_browsers_where_to_report(client: Client):
    assert "report-uri /csp/" in client.get("/cuenta/login/")["Content-Security-Policy"]


@pytest.mark.parametrize(
    "body", ["", "[]", "nada", '{"csp-report": 3}', '{"csp-report": {"blocked-uri": "http://["}}', "\0"]
)
def test_what_is_no_report_is_refused(client: Client, body: str):
    assert client.post("/csp/", body, content_type="application/csp-report").status_code == 400


def test_a_report_that_is_too_long_is_refused(client: Client):
    assert client.post("/csp/", "x" * 9000, content_type="application/csp-report").status_code == 413


def test_a_report_cannot_write_lines_into_the_log(client: Client, caplog):
    report(client, **{"effective-directive": "x\nERROR forged", "blocked-uri": "a\nb", "document-uri": "\n"})
    assert "forged" not in caplog.text
    assert all("\n" not in record.getMessage() for record in caplog.records)

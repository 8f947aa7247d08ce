"""Requests of two organizations, one after another over one connection, in any order and cut off anywhere."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from documents.models import Collection, Document
from skillnet.middleware import OrganizationMiddleware
from skillnet.tenancy import current_organization_id, organization_scope
from tests.db.isolation.worlds import World, make_world
from tests.factories import make_organization

WORDS = ("granate", "esmeralda")


@pytest.fixture
def worlds(transactional_db: None) -> tuple[World, World]:
    first, second = make_world(make_organization("acme"), WORDS[0]), make_world(make_organization("otra"), WORDS[1])
    return first, second


class Broken(Exception):
    """What a view raises half-way."""


def page(world: World) -> str:
    return _get(world, "documentos/")


def found(world: World) -> str:
    return _get(world, "buscar/?q=plus")


def stream_to_the_end(world: World) -> str:
    return _get(world, f"tutor/preguntas/{world.ids['turn_id']}/respuesta/")


def stream_left_half_way(world: World) -> str:
    response = _client(world).get(f"/o/{world.organization.slug}/tutor/preguntas/{world.ids['turn_id']}/respuesta/")
    body = iter(response)
    first = next(body)
    response.close()
    return first.decode()


def question(world: World) -> str:
    data = {"question": "¿Y el plus?", "submission": uuid.uuid4(), "conversation": uuid.uuid4()}
    response = _client(world).post(f"/o/{world.organization.slug}/tutor/preguntar/", data, follow=True)
    return response.content.decode()


def nothing_of_another(world: World) -> str:
    return _get(world, "documentos/999999999/")


def view_that_breaks(world: World) -> str:
    def view(request: HttpRequest) -> HttpResponse:
        list(Document.objects.all())
        Collection.objects.create(organization=world.organization, name=f"rota {uuid.uuid4()}")
        raise Broken

    return _through_middleware(world, view)


def view_that_fails(world: World) -> str:
    def view(request: HttpRequest) -> HttpResponse:
        return HttpResponse(", ".join(Document.objects.values_list("title", flat=True)), status=500)

    return _through_middleware(world, view)


def stream_of_a_view(world: World) -> str:
    """A body that reads after the request's transaction has ended, without opening a scope: it must find nothing."""

    def view(request: HttpRequest) -> StreamingHttpResponse:
        return StreamingHttpResponse(str(list(Document.objects.values_list("title", flat=True))) for _ in range(2))

    said = _through_middleware(world, view)
    assert WORDS[0] not in said
    assert WORDS[1] not in said
    return said


def job(world: World) -> str:
    with organization_scope(world.organization.pk):
        return ", ".join(Document.objects.values_list("title", flat=True))


def job_that_breaks(world: World) -> str:
    try:
        with organization_scope(world.organization.pk):
            list(Document.objects.all())
            raise Broken
    except Broken:
        return ""


STEPS: tuple[Callable[[World], str], ...] = (
    page,
    found,
    stream_to_the_end,
    stream_left_half_way,
    question,
    nothing_of_another,
    view_that_breaks,
    view_that_fails,
    stream_of_a_view,
    job,
    job_that_breaks,
)


def _client(world: World) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(world.admin.user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def _get(world: World, rest: str) -> str:
    response: Any = _client(world).get(f"/o/{world.organization.slug}/{rest}")
    return (b"".join(response) if response.streaming else response.content).decode()


def _through_middleware(world: World, view: Callable[[HttpRequest], Any]) -> str:
    request = RequestFactory().get(f"/o/{world.organization.slug}/")
    request.user, request.session, request.htmx = world.admin.user, {}, False
    try:
        response = OrganizationMiddleware(view)(request)
    except Broken:
        return ""
    return (b"".join(response) if response.streaming else response.content).decode()


@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],  # the failing step is named: nothing to shrink for minutes
)
@given(st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 1)), min_size=3, max_size=10))
def _walk(worlds: tuple[World, World], sequence: list[tuple[Callable[[World], str], int]]) -> None:
    backend = connection.connection
    for step, whose in sequence:
        said = step(worlds[whose])
        assert WORDS[1 - whose] not in said, step.__name__
        assert current_organization_id() is None
        assert connection.connection is backend, "another connection: this test would prove nothing"
        assert not connection.in_atomic_block
        with connection.cursor() as cursor:
            cursor.execute("SELECT nullif(current_setting('app.organization_id', true), '')")
            assert cursor.fetchone() == (None,), step.__name__
        assert not Document.objects.exists()


@pytest.mark.django_db(transaction=True, databases=["default", "owner"])
def test_no_sequence_of_requests_crosses_over_one_connection(worlds: tuple[World, World]):
    connection.close()
    age = connection.settings_dict["CONN_MAX_AGE"]
    connection.settings_dict["CONN_MAX_AGE"] = None  # kept from request to request, as a pool of one would be
    try:
        connection.ensure_connection()
        _walk(worlds)
    finally:
        connection.settings_dict["CONN_MAX_AGE"] = age
        connection.close()


@pytest.mark.django_db(transaction=True, databases=["default", "owner"])
def test_every_step_shows_its_own_organization(worlds: tuple[World, World]):
    """The steps above do read: each that shows something shows the word of its own organization."""
    for step in (page, found, stream_to_the_end, job, view_that_fails):
        for whose in (0, 1):
            assert WORDS[whose] in step(worlds[whose]), step.__name__

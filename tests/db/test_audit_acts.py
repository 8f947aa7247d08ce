"""What administrators do is written down: every act, who did it, and to what."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import resolve

from documents.models import DocumentVersion
from skillnet.models import AuditEntry, Organization
from skillnet.tenancy import organization_scope
from tests.db.acts import ACTS as GENERAL_ACTS
from tests.db.acts import WORD
from tests.db.course_acts import COURSE_ACTS
from tests.db.isolation.addresses import all_routes
from tests.db.isolation.worlds import World, make_world

ACTS = GENERAL_ACTS | COURSE_ACTS

# What everyone does for themselves, or what changes nothing.
NO_ACTS = {
    "organization_home",
    "notifications:read_all",
    "people:see_as_oneself",
    "courses:mark_done",
    "courses:quiz",
    "courses:restart",
    "courses:preview",
    "tutor:ask",
    "tutor:answer",
    "tutor:rename_conversation",
    "tutor:delete_conversation",
    "tutor:feedback",
    "tutor:escalate",
    "people:table",
}
# Written down by the services that do them, which their own tests show.
SHOWN_ELSEWHERE = {
    "organization_settings",
    "documents:restore",
    "documents:apply_corrections",
    "documents:correct",
    "search_settings:organization",
    "search_settings:collection",
    "search_settings:course",
    "search_settings:cut_organization_again",
    "search_settings:cut_collection_again",
    "people:member",
    "people:set_active",
    "people:remove",
    "people:send_table",
    "people:group",
    "people:security",
    "courses:import_course",
}


@pytest.fixture
def world(organization: Organization) -> World:
    return make_world(organization, WORD)


@pytest.fixture
def client(world: World) -> Client:
    client = Client()
    client.force_login(world.admin.user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def _methods(view: Callable[..., Any]) -> list[str] | None:
    """The methods that a view is limited to; None where it is not."""

    def is_limiting(one: Callable[..., Any]) -> bool:
        return "request_method_list" in one.__code__.co_freevars

    limiting = inspect.unwrap(view, stop=is_limiting)
    methods: list[str] | None = inspect.getclosurevars(limiting).nonlocals.get("request_method_list")
    return methods


def test_every_form_is_an_act_or_known_to_be_none(world: World):
    """A new view that takes a form, and that nobody has thought of here, fails."""
    ids = {"slug": world.organization.slug, **world.ids}
    views = [resolve(route.address(ids)) for route in all_routes() if route.is_of_organizations]
    taking = {view.view_name for view in views if "POST" in (_methods(view.func) or ["POST"])}
    home = f"/o/{world.organization.slug}/"
    tried = [act.address.partition("?")[0].format(**world.ids) for act in ACTS.values() if act.method == "post"]
    shown = {resolve(home + address).view_name for address in tried}
    assert taking - shown == (NO_ACTS | SHOWN_ELSEWHERE)


@pytest.mark.parametrize("name", ACTS)
def test_an_act_is_written_down(name: str, client: Client, world: World):
    act = ACTS[name]
    with organization_scope(world.organization.pk):
        AuditEntry.objects.all().delete()
        if act.status:
            DocumentVersion.objects.filter(pk=world.ids["version_id"]).update(status=act.status)
        act.prepare(world)
    address = f"/o/{world.organization.slug}/" + act.address.format(**world.ids)
    response = getattr(client, act.method)(address, act.data(world))
    assert response.status_code in (200, 302), response.content.decode()[-3000:]
    if response.streaming:
        b"".join(response)
    with organization_scope(world.organization.pk):
        written = list(AuditEntry.objects.filter(action=act.action))
    assert len(written) == 1
    assert act.target in written[0].target
    assert written[0].actor == world.admin.user
    page = client.get(f"/o/{world.organization.slug}/personas/registro/").content.decode()
    assert str(act.action.label) in page


def test_what_is_refused_is_not_written_down(client: Client, world: World):
    """An upload of what is there already, and a form with a fault, are no acts."""
    with organization_scope(world.organization.pk):
        AuditEntry.objects.all().delete()
    home = f"/o/{world.organization.slug}"
    client.post(f"{home}/documentos/subir/", {})
    client.post(f"{home}/tutor/faq/nueva/", {"questions": "", "answer": ""})
    client.post(f"{home}/documentos/colecciones/", {"name": ""})
    with organization_scope(world.organization.pk):
        assert not AuditEntry.objects.exists()

"""Every form of every page, sent with ids of another organization in every field."""

from collections.abc import Iterator

import pytest
from django.http import HttpResponseBase
from django.test import Client

from skillnet.models import Organization
from tests.db.isolation.addresses import OF_ORGANIZATIONS, all_routes
from tests.db.isolation.database import fingerprint, references_out_of, undone
from tests.db.isolation.forms import Form, forms_of, with_foreign_values
from tests.db.isolation.worlds import World, make_world

OWN, FOREIGN = "granate", "esmeralda"
# Parameters that pages take from their address, beside those of their forms.
PARAMETERS = ("curso", "leccion", "documento", "coleccion", "version", "desde", "hasta", "turnos", "pregunta", "grupo")


@pytest.fixture
def own(organization: Organization) -> World:
    return make_world(organization, OWN)


@pytest.fixture
def foreign(other_organization: Organization) -> World:
    world = make_world(other_organization, FOREIGN)
    world.ids["user_id"] = world.admin.user_id
    return world


@pytest.fixture
def client(own: World) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(own.admin.user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def pages_of(client: Client, own: World, section: str) -> Iterator[tuple[str, str]]:
    """Address and HTML of every page of a section that an administrator can open; "" is what no section holds."""
    for route in all_routes():
        if not route.is_of_organizations or "respuesta" in route.pattern:
            continue
        rest = route.pattern.removeprefix(OF_ORGANIZATIONS)
        if not rest.startswith(section) or (section == "" and rest.startswith(SECTIONS[:-1])):
            continue
        address = route.address({"slug": own.organization.slug, **own.ids})
        with undone():
            response = client.get(address)
            if response.status_code == 200 and response.get("Content-Type", "").startswith("text/html"):
                yield address, text_of(response)


def text_of(response: HttpResponseBase) -> str:
    content = b"".join(response) if response.streaming else response.content
    return content.decode("utf-8", "replace")


def sent(client: Client, form: Form) -> HttpResponseBase:
    return client.post(form.action, form.fields) if form.method == "post" else client.get(form.action, form.fields)


SECTIONS = ("documentos/", "cursos/", "buscar/", "tutor/", "personas/", "evaluacion/", "ajustes-de-busqueda/", "")


@pytest.mark.parametrize("section", SECTIONS)
def test_no_field_of_any_form_reaches_another_organization(client, own, foreign, capsys, section):
    before, tried = fingerprint(foreign.organization), set()
    forms: dict[tuple[str, str, tuple[str, ...]], Form] = {}
    for address, page in pages_of(client, own, section):
        for form in forms_of(page, address):
            forms.setdefault((form.method, form.action, tuple(form.fields)), form)
    for form in forms.values():
        for what, changed in with_foreign_values(form, foreign.ids):
            key = (form.method, form.action, what)
            if key in tried:
                continue
            tried.add(key)
            with undone():
                response = sent(client, changed)
                assert response.status_code < 500, key
                assert FOREIGN not in text_of(response), key
                if form.method == "post":
                    assert references_out_of(own.organization) == [], key
    assert fingerprint(foreign.organization) == before
    with capsys.disabled():
        print(f"\n  {section}: {len(tried)} tries on {len(forms)} forms, no row reached", end=" ")  # noqa: T201


def test_no_parameter_of_any_address_reaches_another_organization(client, own, foreign, capsys):
    count = 0
    everything = dict.fromkeys(PARAMETERS, foreign.ids["document_id"]) | {
        "curso": foreign.ids["course_id"],
        "leccion": foreign.ids["lesson_id"],
        "coleccion": foreign.ids["collection_id"],
        "grupo": foreign.ids["group_id"],
        "version": foreign.ids["version_id"],
        "turnos": foreign.ids["turn_id"],
    }
    for route in all_routes():
        if not route.is_of_organizations:
            continue
        address = route.address({"slug": own.organization.slug, **own.ids})
        for parameters in ({name: value} for name, value in everything.items()):
            if set(parameters) & {"version", "desde", "hasta"} and "documentos" not in address:
                continue  # they mean something beside a document alone
            if set(parameters) & {"grupo", "pregunta", "turnos"} and "documentos" in address:
                continue
            count += 1
            with undone():
                response = client.get(address, parameters)
                assert response.status_code < 500, (address, parameters)
                assert FOREIGN not in text_of(response), (address, parameters)
    with capsys.disabled():
        print(f"\n  {count} addresses with foreign parameters, nothing shown", end=" ")  # noqa: T201


@pytest.mark.parametrize("beside", ["alone", "beside one's own", "twice"])
@pytest.mark.parametrize("action", ["mover", "reclasificar", "borrar", "reintentar"])
def test_a_list_with_one_foreign_id_is_refused_whole(client, own, foreign, beside, action):
    """Bulk actions, on the page that asks and on the deed."""
    theirs, ours = foreign.ids["document_id"], own.ids["document_id"]
    chosen = {"alone": [theirs], "beside one's own": [ours, theirs], "twice": [theirs, theirs]}[beside]
    before = fingerprint(own.organization), fingerprint(foreign.organization)
    data = {"accion": action, "documento": chosen, "classification": "3", "collection": own.ids["collection_id"]}
    address = f"/o/{own.organization.slug}/documentos/acciones/"
    for response in (client.get(address, data), client.post(address, data)):
        assert response.status_code == 404
    assert (fingerprint(own.organization), fingerprint(foreign.organization)) == before

"""Parameters that no page of ours makes, on every page that there is."""

import pytest
from django.test import Client

from skillnet.models import Organization
from tests.db.isolation.addresses import all_routes
from tests.db.isolation.database import undone
from tests.db.isolation.worlds import World, make_world

pytestmark = pytest.mark.django_db

NAMES = (
    *(
        "q",
        "pagina",
        "curso",
        "leccion",
        "documento",
        "coleccion",
        "version",
        "desde",
        "hasta",
        "estado",
        "orden",
        "tipo",
    ),
    *("etiqueta", "idioma", "parte", "fila", "formato", "turno", "pregunta", "grupo", "accion", "persona", "campo"),
)


@pytest.fixture
def own(organization: Organization) -> World:
    return make_world(organization, "granate")


@pytest.mark.parametrize("value", ["a\0b", "9" * 25, "\ud7ff%\\"], ids=["NUL", "too large", "signs"])
def test_no_page_breaks(own: World, value: str):
    client = Client(raise_request_exception=False)
    client.force_login(own.admin.user, backend="django.contrib.auth.backends.ModelBackend")
    for route in all_routes():
        if route.is_of_organizations:
            address = route.address({"slug": own.organization.slug, **own.ids})
            with undone():
                response = client.get(address, dict.fromkeys(NAMES, value))
                assert response.status_code < 500, address

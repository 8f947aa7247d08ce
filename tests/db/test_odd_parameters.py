"""Parameters that no page of ours makes, on every page that there is."""

import pytest
from django.test import Client

from skillnet.models import Organization
from tests.db.isolation.addresses import all_routes
from tests.db.isolation.database import undone
from tests.db.isolation.worlds import World, make_world

pytestmark = pytest.mark.django_db

ASKED = (
    *("q", "pagina", "ir", "parte", "version", "desde", "hasta", "fila", "corregir", "volver", "curso", "leccion"),
    *("documento", "coleccion", "estado", "orden", "tipo", "etiqueta", "idioma", "formato", "turno", "pregunta"),
    *("grupo", "accion", "persona", "campo"),
)
SENT = (
    *("accion", "activo", "aviso_revisado", "borrar", "content", "edicion", "filas", "lugar", "persona", "pregunta"),
    *("probar", "turns", "volver"),
)
NUL = "a\0b"


@pytest.fixture
def own(organization: Organization) -> World:
    return make_world(organization, "granate")


@pytest.fixture
def browser(own: World) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(own.admin.user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def addresses(own: World) -> list[str]:
    ids = {"slug": own.organization.slug, **own.ids}
    return [route.address(ids) for route in all_routes() if route.is_of_organizations]


@pytest.mark.parametrize("value", [NUL, "9" * 25, "\ud7ff%\\"], ids=["NUL", "too large", "signs"])
def test_no_page_breaks(own: World, browser: Client, value: str):
    for address in addresses(own):
        with undone():
            response = browser.get(address, dict.fromkeys(ASKED, value))
        assert response.status_code < 500, address


def test_no_page_breaks_by_a_nul_that_taking_out_another_one_makes(own: World, browser: Client):
    query = "&".join(f"{name}=a%0%000%00b" for name in ASKED)
    for address in addresses(own):
        with undone():
            response = browser.get(f"{address}?{query}")
        assert response.status_code < 500, address


def test_no_form_breaks(own: World, browser: Client):
    for address in addresses(own):
        with undone():
            response = browser.post(address, dict.fromkeys(SENT, NUL))
        assert response.status_code < 500, address

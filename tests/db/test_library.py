"""What an employee reads: the manuals, and inside one."""

import pytest

from documents.models import Collection
from skillnet.models import Classification
from skillnet.tenancy import organization_scope
from tests.factories import make_document, make_version

PAGE = "/o/acme/documentos/manuales/"


def text_of(response) -> str:
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_an_employee_finds_what_they_may_read_and_nothing_else(client_for, organization, employee_membership):
    make_document(organization, "Manual de alquiler")
    make_document(organization, "Salarios", classification=Classification.CONFIDENTIAL)
    with organization_scope(organization.pk):
        unread = make_document(organization, "Sin leer")
        unread.active_version = None
        unread.save()
    page = text_of(client_for(employee_membership).get(PAGE))
    assert "Manual de alquiler" in page
    assert "Salarios" not in page
    assert "Sin leer" not in page


def test_manuals_stand_by_collection_and_are_found_by_title(client_for, organization, employee_membership):
    with organization_scope(organization.pk):
        kitchen = Collection.objects.create(organization=organization, name="Cocina")
        hidden = Collection.objects.create(organization=organization, name="Dirección")
    make_document(organization, "Alérgenos", collection=kitchen)
    make_document(organization, "Alquiler")
    make_document(organization, "Bonus", collection=hidden, classification=Classification.CONFIDENTIAL)
    client = client_for(employee_membership)
    page = text_of(client.get(PAGE))
    assert page.index("Cocina</h2>") < page.index("Alérgenos") < page.index("Otros</h2>") < page.index("Alquiler")
    assert "Dirección" not in page
    found = text_of(client.get(PAGE, {"q": "alergenos"}))
    assert "Alérgenos" in found
    assert ">Alquiler<" not in found
    assert ">Alquiler<" not in text_of(client.get(PAGE, {"coleccion": kitchen.pk}))
    assert "Ningún manual coincide" in text_of(client.get(PAGE, {"q": "nada"}))


def test_words_are_looked_for_inside_a_manual_and_lead_to_the_section(client_for, organization, employee_membership):
    document = make_document(
        organization, "Alquiler", "# Entrega\nCon el casco.\n# Fianza\nSon 35 euros por bicicleta."
    )
    client = client_for(employee_membership)
    page = text_of(client.get(f"/o/acme/documentos/{document.pk}/", {"q": "BICICLETA"}))
    assert "1 resultado para «BICICLETA»" in page
    assert 'href="?q=BICICLETA&amp;parte=1#b3"' in page
    assert "<mark>bicicleta</mark>" in page
    assert 'id="b3"' in page
    assert "no dice esas palabras" in text_of(client.get(f"/o/acme/documentos/{document.pk}/", {"q": "patinete"}))


@pytest.mark.parametrize(("asked", "led_to"), [("2", 2), ("3", 2), ("9", 4), ("0", 1), ("x", 1)])
def test_a_page_is_gone_to_by_its_number(client_for, organization, employee_membership, asked, led_to):
    text = "[p1]\n# Uno\nPrimera.\n[p2]\n# Dos\nSegunda.\n[p4]\n# Cuatro\nCuarta."
    document = make_document(organization, "Alquiler", text)
    client = client_for(employee_membership)
    address = f"/o/acme/documentos/{document.pk}/"
    assert 'name="ir"' in text_of(client.get(address))
    response = client.get(address, {"ir": asked})
    assert response["Location"] == f"{address}?pagina={led_to}#pagina-{led_to}"
    assert f'id="pagina-{led_to}"' in text_of(client.get(response["Location"]))


def test_every_section_has_a_link_of_its_own(client_for, organization, employee_membership):
    document = make_document(organization, "Alquiler", "# Fianza\nSon 35 euros.")
    page = text_of(client_for(employee_membership).get(f"/o/acme/documentos/{document.pk}/"))
    assert 'href="#b0"' in page
    assert "Enlace a «Fianza»" in page


def test_an_employee_searches_the_served_version_alone(client_for, organization, employee_membership):
    document = make_document(organization, "Alquiler", "# Fianza\nSon 35 euros.")
    with organization_scope(organization.pk):
        make_version(document, b"nueva")
    page = text_of(client_for(employee_membership).get(f"/o/acme/documentos/{document.pk}/", {"q": "35", "version": 2}))
    assert "1 resultado para «35»" in page


def test_what_was_looked_for_stays_marked_while_paging(client_for, organization, employee_membership):
    text = "# Fianza\nSon 35 euros por <casco>.\n" + "".join(f"# Apartado {number}\n" for number in range(250))
    document = make_document(organization, "Alquiler", text + "# Final\nEl casco se devuelve.")
    client = client_for(employee_membership)
    address = f"/o/acme/documentos/{document.pk}/"
    first = text_of(client.get(address, {"q": "casco"}))
    assert "por &lt;<mark>casco</mark>&gt;.</p>" in first
    assert '<details class="disclosure" open> <summary><h2 id="encontrado"' in first
    assert 'rel="next" href="?q=casco&amp;parte=2"' in first
    second = text_of(client.get(address, {"q": "casco", "parte": "2"}))
    assert "El <mark>casco</mark> se devuelve.</p>" in second
    assert '<details class="disclosure" > <summary><h2 id="encontrado"' in second  # the list makes room for the text
    gone = client.get(address, {"q": "casco", "ir": "1"})
    assert gone.url.startswith(f"{address}?q=casco")

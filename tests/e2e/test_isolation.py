"""What one organization, or one person, never sees of another."""

import re

from playwright.sync_api import Page, expect

from tests.e2e import samples
from tests.e2e.browsing import (
    ADMIN,
    COLLEAGUE,
    EMPLOYEE,
    ask,
    expect_no_information,
    expect_sources,
    expect_state,
    go_to,
    log_in,
    snap_widths,
)
from tests.e2e.conftest import OpenPage
from tests.e2e.stack import Stack
from tests.e2e.test_asking import IN_PDF

OTHER_ADMIN = "jefe@otra.example"
OTHER_PASSWORD = "otra-clave-larga-9"


def _private_addresses(employee: Page) -> list[str]:
    """Addresses to copy while asking: conversation, source, picture and answer, then document and files."""
    turn = ask(employee, IN_PDF["question"])
    source = expect_sources(turn).first.get_by_role("link").get_attribute("href")
    turn_id = (turn.get_attribute("id") or "").removeprefix("turn-")
    conversation = employee.url.partition("#")[0].removeprefix(employee.url.partition("/o/")[0])
    employee.goto(source or "")
    picture = employee.locator(".source-page img").get_attribute("src")
    employee.get_by_role("link", name="Ver documento").click()
    document = re.sub(r"[?#].*", "", employee.url).removeprefix(employee.url.partition("/o/")[0])
    assert source
    assert picture
    own = [conversation, source, picture, f"/o/demo/tutor/preguntas/{turn_id}/respuesta/"]
    shared = [document, f"{document}v1/paginas/2/", f"{document}v1/paginas/2.png", f"{document}v1/original/"]
    for address in own + shared:
        assert employee.request.get(address).status == 200, address
    return own + shared


def test_another_organization_finds_nothing_of_ours(open_page: OpenPage, stack: Stack):
    stack.manage(
        "create_organization", "otra", "--name", "Otra",
        "--admin-email", OTHER_ADMIN, "--admin-password", OTHER_PASSWORD,
    )  # fmt: skip
    employee = open_page()
    log_in(employee, EMPLOYEE)
    go_to(employee, "Tutor")
    addresses = _private_addresses(employee)

    other = open_page(expected=(404,))
    log_in(other, OTHER_ADMIN, OTHER_PASSWORD)
    expect(other.get_by_text("0 de 4 hechos")).to_be_visible()
    snap_widths(other, "f7-primeros-pasos")
    go_to(other, "Documentos")
    expect(other.get_by_text("Aún no hay documentos")).to_be_visible()
    snap_widths(other, "f7-vacio")
    other.locator("#id_uploads").set_input_files(
        [{"name": "taller.docx", "mimeType": "application/octet-stream", "buffer": samples.word("Taller de Otra")}]
    )
    other.get_by_role("button", name="Subir", exact=True).click()
    expect_state(other, "Taller de Otra", "Listo")
    go_to(other, "Tutor")
    expect_no_information(ask(other, IN_PDF["question"]))
    snap_widths(other, "f7-sin-informacion")

    for address in addresses:
        assert other.request.get(address).status == 404, address
        assert other.request.get(address.replace("/o/demo/", "/o/otra/")).status == 404, address
    other.goto(addresses[1])
    expect(other.get_by_role("heading", name="No encontramos esta página")).to_be_visible()
    snap_widths(other, "f7-404")


def test_a_conversation_is_its_owners_alone(open_page: OpenPage):
    employee = open_page()
    log_in(employee, EMPLOYEE)
    go_to(employee, "Tutor")
    own = _private_addresses(employee)[:4]
    for person in (COLLEAGUE, ADMIN):
        page = open_page()
        log_in(page, person)
        for address in own:
            assert page.request.get(address).status == 404, (person, address)

"""Courses that are taken again: once their time has passed, and when what they teach has changed."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.e2e.browsing import ADMIN, INGESTION_MS, document_row, expect_state, go_to, log_in, snap, snap_widths
from tests.e2e.conftest import OpenPage
from tests.e2e.repeating import LESSONS, enrol, let_a_year_pass
from tests.e2e.stack import Stack

MANUAL = "Manual de llaves"
TEXT = f"# {MANUAL}\n\nLas llaves de la tienda se recogen en la oficina a las 8:30 y se firma el libro de llaves.\n"


def card(page: Page, title: str) -> Locator:
    """A course among one's own."""
    go_to(page, "Mis cursos")
    return page.locator(".study-card").filter(has_text=title)


def take(page: Page) -> None:
    """From a course's first lesson to its end."""
    for lesson in LESSONS:
        expect(page.get_by_role("heading", name=lesson, level=1)).to_be_visible()
        page.get_by_role("button", name="Marcar como hecha").click()
    expect(page.get_by_text("Has terminado el curso")).to_be_visible()


def upload(page: Page, text: str) -> None:
    """Send the manual from the page with the field for it."""
    page.locator('input[type="file"]').first.set_input_files(
        {"name": "llaves.md", "mimeType": "text/markdown", "buffer": text.encode()}
    )
    page.get_by_role("button", name="Subir", exact=True).click()


def test_a_certificate_that_has_expired_is_earned_again(stack: Stack, open_page: OpenPage):
    title, email = "Repaso de llaves", "elena@demo.example"
    enrol(stack, email, title, recertify_months=12)
    person, admin = open_page(), open_page()
    log_in(person, email)
    card(person, title).get_by_role("link", name=f"Empezar {title}").click()
    take(person)
    snap_widths(person, "repetir-terminado")
    first = person.get_by_role("link", name="Certificado").get_attribute("href") or ""

    let_a_year_pass(stack, title)
    assert re.search(rf"Tu certificado del curso «{title}» caducó el", stack.mail_to(email))
    expect(card(person, title).get_by_text("Caducó el")).to_be_visible()
    snap_widths(person, "repetir-caducado", dark=True)
    log_in(admin, ADMIN)
    go_to(admin, "Cursos")
    admin.get_by_role("link", name=title).click()
    admin.locator("#content").get_by_role("link", name="Personas", exact=True).click()
    expect(admin.get_by_role("row", name=re.compile("Elena Ríos")).get_by_text("Caducado")).to_be_visible()
    snap_widths(admin, "repetir-personas")

    card(person, title).get_by_role("button", name="Repetir el curso").click()
    expect(person.get_by_text("Empiezas el curso de nuevo")).to_be_visible()
    expect(person.get_by_text("0 de 2 lecciones hechas")).to_be_visible()
    snap_widths(person, "repetir-empezado")
    person.get_by_role("link", name=LESSONS[0]).click()
    take(person)
    second = person.get_by_role("link", name="Certificado").get_attribute("href") or ""
    assert second != first
    for certificate in (first, second):
        assert person.request.get(certificate).body().startswith(b"%PDF")
    expect(card(person, title).get_by_text("Caducó el")).to_have_count(0)


def test_a_changed_manual_has_a_finished_course_finished_anew(stack: Stack, open_page: OpenPage):
    title, email = "Llaves al día", "elena.cambios@demo.example"
    person, admin = open_page(), open_page()
    log_in(admin, ADMIN)
    go_to(admin, "Documentos")
    upload(admin, TEXT)
    expect_state(admin, MANUAL, "Listo")
    enrol(stack, email, title, manual=MANUAL, recertify_on_change=True)
    log_in(person, email)
    card(person, title).get_by_role("link", name=f"Empezar {title}").click()
    take(person)
    first = person.get_by_role("link", name="Certificado").get_attribute("href") or ""

    document_row(admin, MANUAL).get_by_role("link", name=MANUAL, exact=True).click()
    admin.get_by_role("link", name="Subir nueva versión").click()
    upload(admin, TEXT.replace("8:30", "8:15"))
    go_to(admin, "Cursos")
    row = admin.locator("tbody tr").filter(has_text=title)
    mark = row.get_by_text("fuente actualizada — revisar")
    for _look in range(INGESTION_MS // 2_000):
        if mark.count():
            break
        admin.wait_for_timeout(2_000)
        admin.reload()
    row.get_by_role("link", name=title).click()
    admin.get_by_role("link", name="Ver qué ha cambiado").click()
    admin.get_by_role("button", name="Regenerar borrador").click()
    admin.get_by_role("button", name="Aceptar el borrador").click()
    expect(admin.get_by_text("Borrador aceptado")).to_be_visible()
    admin.get_by_role("button", name="Pedir relectura").click()
    expect(admin.get_by_text("Se lo hemos pedido a 1 persona")).to_be_visible()
    admin.get_by_role("button", name="Cerrar aviso").click()

    assert "volver a leer lo que es distinto" in stack.mail_to(email)
    expect(card(person, title).get_by_text("por releer")).to_be_visible()
    snap_widths(person, "repetir-por-cambio", dark=True)
    card(person, title).get_by_role("link", name=title, exact=True).click()
    snap_widths(person, "repetir-por-cambio-curso")
    person.get_by_role("link", name=LESSONS[0]).click()
    expect(person.get_by_text("8:15").first).to_be_visible()
    snap(person, "repetir-por-cambio-leccion")
    person.get_by_role("button", name="Marcar como leída").click()
    expect(person.get_by_text("Has terminado el curso")).to_be_visible()
    second = person.get_by_role("link", name="Certificado").get_attribute("href") or ""
    assert second != first

"""People come in by invitation and look after their accounts; administrators see who does what."""

import re
import time

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from playwright.sync_api import Page, expect

from courses.demo import content
from tests.e2e.browsing import ADMIN, COLLEAGUE, PHONE, go_to, log_in, snap, snap_widths
from tests.e2e.conftest import OpenPage
from tests.e2e.stack import Stack
from tests.e2e.studying import do_lesson_and_quiz

PASSWORD = "una frase larga y tranquila"


def invite(page: Page, email: str) -> None:
    """As an administrator who is logged in: invite one person as an employee."""
    go_to(page, "Personas")
    page.get_by_role("link", name="Invitar", exact=True).click()
    page.get_by_label("Correo electrónico").fill(email)
    page.get_by_label("Nombre (opcional)").fill("Nuria Sol")
    page.get_by_role("button", name="Enviar invitación").click()
    expect(page.get_by_role("row", name=re.compile(email))).to_be_visible()


def accept(page: Page, link: str) -> None:
    """As the person invited, in a browser of their own: choose a password and come in."""
    page.goto(link)
    page.get_by_label("Contraseña", exact=True).fill(PASSWORD)
    page.get_by_label("Repite la contraseña").fill(PASSWORD)
    page.get_by_role("button", name="Entrar").click()
    expect(page.get_by_text("Ya estás en")).to_be_visible()


def expect_page(page: Page, title: str) -> None:
    """Wait for the page with this title."""
    expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()


def link_in(message: str) -> str:
    """The invitation's address in an e-mail."""
    found = re.search(r"http://\S+/invitacion/\S+", message)
    assert found, message
    return found[0]


def test_a_person_is_invited_comes_in_on_their_telephone_and_does_a_lesson(stack: Stack, open_page: OpenPage):
    admin = open_page()
    log_in(admin, ADMIN)
    go_to(admin, "Personas")
    expect_page(admin, "Personas")
    snap(admin, "f6-personas", dark=True)
    admin.get_by_role("link", name="Invitar", exact=True).click()
    expect_page(admin, "Invitar a una persona")
    snap_widths(admin, "f6-invitar")
    admin.go_back()
    invite(admin, "nuria@demo.example")
    snap(admin, "f6-invitaciones", dark=True)

    person = open_page(size=PHONE)
    link = link_in(stack.mail_to("nuria@demo.example"))
    person.goto(link)
    snap(person, "f6-aceptar", dark=True)
    accept(person, link)
    expect(person.get_by_role("heading", level=1)).to_be_visible()
    snap(person, "f6-dentro")

    go_to(admin, "Cursos")
    admin.get_by_role("link", name=content.COURSE.title).click()
    admin.locator("#content").get_by_role("link", name="Personas", exact=True).click()
    admin.locator("summary", has_text="A personas").click()
    admin.get_by_label(re.compile("Nuria Sol")).check()
    admin.get_by_role("button", name="Asignar a las elegidas").click()
    expect(admin.get_by_role("row", name=re.compile("Nuria Sol"))).to_be_visible()
    go_to(person, "Mis cursos")
    person.get_by_role("link", name=f"Empezar {content.COURSE.title}").click()
    first, second = content.COURSE.modules[0].lessons
    do_lesson_and_quiz(person, first, snap_as="f6-invitada")
    expect_page(person, second.title)
    go_to(person, "Mis cursos")
    expect(person.get_by_text(re.compile("1 de \\d+ lecciones"))).to_be_visible()
    snap(person, "f6-invitada-progreso")

    again = open_page(size=PHONE, expected=(410,))
    again.goto(link)
    expect(again.get_by_role("heading", name="Esta invitación ya no vale")).to_be_visible()
    snap(again, "f6-usada")


def test_a_list_is_looked_through_before_it_is_sent(page: Page):
    log_in(page, ADMIN)
    go_to(page, "Personas")
    page.get_by_role("link", name="Invitar", exact=True).click()
    table = "nombre;correo;rol\nIñaki;inaki@demo.example;empleado\nAna;ana;empleado\nLeo;leo@demo.example;jefe\n"
    page.get_by_label("Archivo CSV").set_input_files(
        {"name": "personas.csv", "mimeType": "text/csv", "buffer": table.encode("cp1252")}
    )
    page.get_by_role("button", name="Revisar la lista").click()
    expect(page.get_by_text("1 persona lista para invitar.")).to_be_visible()
    snap(page, "personas-lista", dark=True)


def test_groups_members_and_what_was_done(page: Page):
    log_in(page, ADMIN)
    go_to(page, "Personas")
    page.get_by_role("link", name="Grupos").click()
    width = page.viewport_size["width"] if page.viewport_size else 0
    page.get_by_label("Nombre del grupo nuevo").fill(f"Tienda {width}")
    page.get_by_role("button", name="Crear").click()
    page.get_by_role("checkbox").first.check()
    page.get_by_role("button", name="Añadir al grupo").click()
    expect(page.get_by_text("1 persona añadida.")).to_be_visible()
    snap(page, "personas-grupo", dark=True)
    page.get_by_role("link", name="Borrar").click()
    expect_page(page, "¿Borrar el grupo")
    snap(page, "personas-borrar-grupo")
    go_to(page, "Personas")
    page.locator("tr").filter(has_text=COLLEAGUE).get_by_role("link").click()
    expect(page.get_by_role("heading", name="Acceso")).to_be_visible()
    snap(page, "personas-persona", dark=True)
    page.get_by_role("link", name="Quitar de la organización").click()
    expect_page(page, "de la organización?")
    snap(page, "personas-quitar")
    go_to(page, "Personas")
    page.get_by_role("link", name="Registro").click()
    expect(page.get_by_role("rowheader", name="Grupo creado").first).to_be_visible()
    snap(page, "personas-registro", dark=True)
    page.get_by_role("link", name="Seguridad").click()
    expect_page(page, "Seguridad")
    snap(page, "personas-seguridad")


def test_an_administrator_looks_as_an_employee_and_comes_back(page: Page):
    log_in(page, ADMIN)
    page.locator("summary", has_text="Mi cuenta").click()
    page.get_by_role("button", name="Ver como empleado").click()
    expect(page.get_by_text("Estás viendo SkillNet como un empleado")).to_be_visible()
    snap(page, "personas-como-empleado", dark=True)
    page.get_by_role("button", name="Volver").click()
    expect(page.get_by_role("navigation", name="Secciones").get_by_role("link", name="Personas")).to_be_visible()


def test_a_second_factor_is_set_up_and_asked_for(stack: Stack, open_page: OpenPage):
    admin = open_page()
    log_in(admin, ADMIN)
    invite(admin, "dospasos@demo.example")
    page = open_page(size=PHONE)
    accept(page, link_in(stack.mail_to("dospasos@demo.example")))
    page.goto("/cuenta/")
    snap_widths(page, "cuenta")
    snap(page, "cuenta", dark=True)
    page.get_by_role("link", name="Activar").click()
    expect_page(page, "Verificación en dos pasos")
    page.get_by_role("link", name="Activar").click()
    page.get_by_label("Contraseña").fill(PASSWORD)
    page.get_by_role("button", name="Confirmar").click()
    page.get_by_text("No puedo escanearlo").click()
    secret = page.locator(".secret").inner_text()
    snap_widths(page, "cuenta-activar")
    snap(page, "cuenta-activar", dark=True)
    page.get_by_label("Código", exact=True).fill(code_of(secret))
    page.get_by_role("button", name="Activar").click()
    expect(page.get_by_role("heading", name="Códigos de recuperación")).to_be_visible()
    recovery = page.locator(".code-list li").first.inner_text()
    snap(page, "cuenta-codigos", dark=True)
    page.goto("/cuenta/sesiones/")
    snap(page, "cuenta-sesiones")

    again = open_page()
    again.goto("/")
    again.get_by_label("Correo electrónico").fill("dospasos@demo.example")
    again.get_by_label("Contraseña", exact=True).fill(PASSWORD)
    again.get_by_role("button", name="Entrar").click()
    expect(again.get_by_role("heading", name="Escribe tu código")).to_be_visible()
    snap_widths(again, "cuenta-codigo")
    again.get_by_label("Código", exact=True).fill(recovery)
    again.get_by_role("button", name="Entrar").click()
    expect(again).to_have_url(re.compile(rf"/o/{content.ORGANIZATION.slug}/"))


def code_of(secret: str) -> str:
    """What an authenticator app shows now."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30)))


def test_too_many_wrong_passwords_are_explained(open_page: OpenPage):
    page = open_page(expected=(429,))
    for attempt in range(5):
        page.goto("/cuenta/login/")
        page.get_by_label("Correo electrónico").fill("despistada@demo.example")
        page.get_by_label("Contraseña", exact=True).fill("no-es-esta-tampoco")
        page.get_by_role("button", name="Entrar").click()
        if attempt < 4:
            expect(page.get_by_text("El correo o la contraseña no son correctos")).to_be_visible()
    expect(page.get_by_role("heading", name="Demasiados intentos fallidos")).to_be_visible()
    snap_widths(page, "cuenta-bloqueada")


def test_a_server_on_this_machine_needs_no_network(desk: Page):
    desk.add_init_script("Object.defineProperty(navigator, 'onLine', { get: () => false });")
    desk.goto("/")
    desk.get_by_label("Correo electrónico").fill(ADMIN)
    desk.get_by_label("Contraseña", exact=True).fill(content.PASSWORD)
    desk.get_by_role("button", name="Entrar").click()
    expect(desk).to_have_url(re.compile("/inicio/"))

"""A course from its first lesson to the certificate, and what happens when its manual changes."""

import re

from playwright.sync_api import Page, expect

from courses.demo import content
from tests.e2e.browsing import (
    ADMIN,
    COLLEAGUE,
    EMPLOYEE,
    INGESTION_MS,
    PHONE,
    document_row,
    go_to,
    log_in,
    snap,
    snap_widths,
)
from tests.e2e.conftest import OpenPage
from tests.e2e.stack import Stack
from tests.e2e.studying import answer, do_lesson_and_quiz

LESSONS = [lesson for module in content.COURSE.modules for lesson in module.lessons]


def test_a_course_is_taken_to_its_certificate(page: Page):
    is_phone = page.viewport_size == {"width": PHONE[0], "height": PHONE[1]}
    log_in(page, COLLEAGUE if is_phone else EMPLOYEE)
    go_to(page, "Mis cursos")
    snap(page, "f6-mis-cursos", dark=True)
    page.get_by_role("link", name=f"Empezar {content.COURSE.title}").click()
    expect(page.get_by_role("heading", name=LESSONS[0].title, level=1)).to_be_visible()
    snap(page, "f6-leccion", dark=True)
    for number, lesson in enumerate(LESSONS):
        do_lesson_and_quiz(page, lesson, snap_as=f"f6-{number}" if lesson.quiz else "")
    expect(page.get_by_text("Has terminado el curso")).to_be_visible()
    snap(page, "f6-terminado", dark=True)
    certificate = page.get_by_role("link", name="Certificado").get_attribute("href")
    answered = page.request.get(certificate or "")
    assert answered.headers["content-type"] == "application/pdf"
    assert answered.body().startswith(b"%PDF")


def test_wrong_answers_are_explained_and_lead_to_the_passage(open_page: OpenPage):
    page = open_page(expected=(422,))
    log_in(page, EMPLOYEE)
    go_to(page, "Mis cursos")
    page.get_by_role("link", name=content.COURSE.title, exact=True).click()
    lesson = LESSONS[0]
    page.get_by_role("link", name=lesson.title).click()
    page.get_by_role("link", name=re.compile("(Hacer|Repetir) el cuestionario")).click()
    choice, figure = lesson.quiz
    page.get_by_role("group", name=choice.question).get_by_label(choice.options[0], exact=True).check()
    page.get_by_role("button", name="Comprobar respuestas").click()
    expect(page.get_by_text("Responde a esta pregunta.")).to_have_count(1)
    answer(page, figure)
    page.get_by_role("button", name="Comprobar respuestas").click()
    expect(page.get_by_role("heading", name="Aún no está aprobado")).to_be_visible()
    expect(page.get_by_text(choice.explanation)).to_be_visible()
    snap_widths(page, "f6-sin-aprobar")
    page.get_by_role("link", name=re.compile("página 2")).click()
    expect(page.get_by_text(choice.quote)).to_be_in_viewport()


def test_steps_are_moved_by_buttons_and_by_dragging(desk: Page):
    log_in(desk, EMPLOYEE)
    go_to(desk, "Mis cursos")
    desk.get_by_role("link", name=content.COURSE.title, exact=True).click()
    desk.get_by_role("link", name=LESSONS[1].title).click()
    desk.get_by_role("link", name=re.compile("(Hacer|Repetir) el cuestionario")).click()
    steps = desk.locator("[data-steps] > li")
    first, last = steps.first.locator("label").inner_text(), steps.last.locator("label").inner_text()
    desk.get_by_role("button", name=f"Bajar: {first}").click()
    expect(desk.get_by_label(first, exact=True)).to_have_value("2")
    desk.get_by_text(last, exact=True).drag_to(steps.first)
    expect(desk.get_by_label(last, exact=True)).to_have_value("1")
    expect(desk.get_by_label(first, exact=True)).to_have_value("3")


def test_a_new_version_of_a_manual_leads_to_a_lesson_written_anew(stack: Stack, open_page: OpenPage):
    manual = content.MANUALS[2]
    lesson = LESSONS[4]
    reader, desk = open_page(size=PHONE), open_page()
    log_in(reader, EMPLOYEE)
    go_to(reader, "Mis cursos")
    reader.get_by_role("link", name=content.COURSE.title, exact=True).click()
    reader.get_by_role("link", name=lesson.title).click()
    expect(reader.get_by_role("heading", name=lesson.title, level=1)).to_be_visible()
    mark_done = reader.get_by_role("button", name="Marcar como hecha")
    if mark_done.count():
        mark_done.click()
        expect(reader.get_by_text("Lección hecha.")).to_be_visible()

    text = (content.MANUALS_FOLDER / manual.file).read_text(encoding="utf-8")
    newer = text.replace("Tienes 45 segundos para desconectar", "Tienes 60 segundos para desconectar")
    assert newer != text
    log_in(desk, ADMIN)
    go_to(desk, "Documentos")
    document_row(desk, manual.title).get_by_role("link", name=manual.title, exact=True).click()
    desk.get_by_role("link", name="Subir nueva versión").click()
    desk.locator('input[type="file"]').set_input_files(
        {"name": manual.file, "mimeType": "text/markdown", "buffer": newer.encode()}
    )
    desk.get_by_role("button", name="Subir", exact=True).click()

    go_to(desk, "Cursos")
    row = desk.locator("tbody tr").filter(has_text=content.COURSE.title)
    mark = row.get_by_text("fuente actualizada — revisar")
    for _look in range(INGESTION_MS // 2_000):
        if mark.count():
            break
        desk.wait_for_timeout(2_000)
        desk.reload()
    expect(mark).to_be_visible()
    sections = desk.get_by_role("navigation", name="Secciones")
    expect(sections.get_by_text(re.compile(r"\d fuentes? por revisar"))).to_be_attached()
    snap_widths(desk, "f4-cursos")

    row.get_by_role("link", name=content.COURSE.title).click()
    expect(desk.get_by_text(f"«{manual.title}» se actualizó")).to_be_visible()
    desk.get_by_role("link", name="Ver qué ha cambiado").click()
    expect(desk.get_by_role("heading", name="1 lección afectada")).to_be_visible()
    expect(desk.locator("del").first).to_have_text("45")
    expect(desk.locator("ins").first).to_have_text("60")
    snap_widths(desk, "f4-aviso")
    desk.get_by_role("button", name="Regenerar borrador").click()
    expect(desk.get_by_role("button", name="Aceptar el borrador")).to_be_visible()
    snap_widths(desk, "f4-borrador")
    desk.get_by_role("button", name="Aceptar el borrador").click()
    expect(desk.get_by_text("Borrador aceptado")).to_be_visible()

    go_to(reader, "Mis cursos")
    expect(reader.get_by_text("1 lección ha cambiado desde que la hiciste")).to_be_visible()
    snap(reader, "f4-ha-cambiado", dark=True)
    desk.get_by_role("button", name="Pedir relectura").click()
    expect(desk.get_by_text("Se lo hemos pedido a")).to_be_visible()
    snap(desk, "f4-decidido", dark=True)
    desk.get_by_role("button", name="Cerrar aviso").click()
    go_to(desk, "Cursos")
    expect(mark).to_have_count(0)
    row.get_by_role("link", name=content.COURSE.title).click()
    desk.get_by_role("link", name=lesson.title).click()
    expect(desk.get_by_text("Tienes 60 segundos para desconectar la alarma").first).to_be_visible()

    go_to(reader, "Mis cursos")
    sections = reader.get_by_role("navigation", name="Secciones")
    expect(sections.get_by_text("1 lección por releer")).to_be_attached()
    snap(reader, "f4-por-releer", dark=True)
    assert "volver a leer lo que es distinto" in stack.mail_to(EMPLOYEE)


def test_a_manager_sees_who_takes_the_course(page: Page):
    log_in(page, ADMIN)
    go_to(page, "Cursos")
    page.get_by_role("link", name=content.COURSE.title).click()
    page.locator("#content").get_by_role("link", name="Personas", exact=True).click()
    expect(page.get_by_text(EMPLOYEE)).to_be_visible()
    snap(page, "f6-personas", dark=True)
    go_to(page, "Cursos")
    page.get_by_role("link", name="Certificados").click()
    expect(page.get_by_role("heading", name="Certificados", level=1)).to_be_visible()
    snap(page, "f6-certificados", dark=True)

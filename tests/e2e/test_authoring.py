"""A course made from documents: proposed, put in order, written, edited, its questions approved, published."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.browsing import ADMIN, ANSWER_MS, go_to, log_in, snap_widths
from tests.e2e.conftest import OpenPage

TITLE = "Trabajar en la tienda"


def propose(page: Page) -> None:
    """From the list of courses to the proposed outline of two documents."""
    go_to(page, "Cursos")
    page.get_by_role("link", name="Crear curso").first.click()
    page.get_by_label("Título del curso").fill(TITLE)
    choices = page.get_by_role("group", name="Documentos").get_by_role("checkbox")
    for at in range(2):
        choices.nth(at).check()
    page.get_by_role("button", name="Proponer un índice").click()
    expect(page.get_by_role("heading", name="¿Qué capítulos entran en el curso?")).to_be_visible()
    chapters = page.get_by_role("checkbox")
    assert chapters.count() == page.locator("input:checked").count() > 2
    snap_widths(page, "course-chapters")
    page.get_by_role("button", name="Proponer un índice").click()
    expect(page.get_by_role("heading", name="Índice propuesto")).to_be_visible()


def lesson_titles(page: Page) -> list[str]:
    titles: list[str] = page.locator(".course-tree__lesson textarea").evaluate_all("fields => fields.map(f => f.value)")
    return titles


def test_a_course_is_made_from_documents(open_page: OpenPage) -> None:
    page = open_page()
    log_in(page, ADMIN)
    propose(page)
    before = lesson_titles(page)
    page.locator(".course-tree__lesson").first.get_by_role("button", name="Bajar").click()
    expect(page.locator(".course-tree__lesson textarea").first).to_have_value(before[1])
    snap_widths(page, "course-outline")
    page.get_by_role("button", name="Escribir las lecciones").first.click()
    expect(page.get_by_role("heading", name="Las lecciones están escritas")).to_be_visible(timeout=ANSWER_MS)
    snap_widths(page, "course-review")

    page.get_by_role("link", name="Abrir el editor").click()
    page.locator(".course-tree__name .row-link").first.click()
    content = page.get_by_label("Contenido")
    content.fill(content.input_value() + "\n\nUna **frase** nueva.")
    expect(page.locator("#preview")).to_contain_text("Una frase nueva.")
    page.get_by_label("Documento", exact=True).last.select_option(index=1)
    expect(page.get_by_label("Apartado", exact=True).last.locator("option").nth(1)).to_be_attached()
    snap_widths(page, "course-lesson")
    page.get_by_role("button", name="Guardar").click()
    expect(page.get_by_text("Una frase nueva.")).to_be_visible()

    page.get_by_role("link", name=TITLE).click()
    page.get_by_role("link", name="Editar", exact=True).click()
    page.get_by_role("link", name=re.compile("preguntas? por revisar")).first.click()
    page.get_by_role("button", name="Aprobar").first.click()
    expect(page.get_by_text("Revisada", exact=True).first).to_be_visible()
    snap_widths(page, "course-questions")
    page.get_by_role("link", name="Volver al curso").click()
    page.get_by_role("button", name="Publicar").click()
    expect(page.get_by_text("esperan tu revisión")).to_be_visible()
    snap_widths(page, "course-publish")
    page.get_by_role("button", name="Publicar así").click()
    expect(page.get_by_text("Curso publicado")).to_be_visible()


def test_a_course_is_made_without_scripts(open_page: OpenPage) -> None:
    page = open_page(scripts=False)
    log_in(page, ADMIN)
    propose(page)
    page.get_by_label("Nombre del módulo 1").fill("Lo primero")
    page.get_by_role("button", name="Escribir las lecciones").first.click()
    expect(page.get_by_role("heading", name=re.compile("Escribiendo las lecciones|están escritas"))).to_be_visible()

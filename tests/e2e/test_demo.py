"""The demo organization as its administrator finds it."""

from playwright.sync_api import Page, expect

from courses.demo import content
from tests.e2e.browsing import ADMIN, PHONE, document_row, go_to, log_in, snap


def test_the_demo_shows_its_documents_and_its_course(page: Page):
    page.goto("/")
    snap(page, "f1-entrar", dark=True)
    log_in(page, ADMIN)
    expect(page.get_by_role("heading", name="Inicio", level=1)).to_be_visible()
    snap(page, "f1-inicio", dark=True)
    go_to(page, "Documentos")
    expect(page.get_by_role("heading", name="Documentos", level=1)).to_be_visible()
    for manual in content.MANUALS:
        expect(document_row(page, manual.title).locator(".badge")).to_have_text("Listo")
    snap(page, "f1-documentos", dark=True)

    go_to(page, "Cursos")
    snap(page, "f1-cursos", dark=True)
    page.get_by_role("link", name=content.COURSE.title).click()
    for module in content.COURSE.modules:
        expect(page.get_by_role("heading", name=module.title)).to_be_visible()
    snap(page, "f1-curso", dark=True)

    lesson = content.COURSE.modules[0].lessons[0]
    page.get_by_role("link", name=lesson.title).click()
    expect(page.get_by_role("heading", name=lesson.title, level=1)).to_be_visible()
    snap(page, "f1-leccion", dark=True)
    page.get_by_role("link", name="1.3 Quién decide según el importe").click()
    expect(page.locator("#pagina-1")).to_be_in_viewport()
    if page.viewport_size != {"width": PHONE[0], "height": PHONE[1]}:
        expect(page.get_by_role("navigation", name="Índice")).to_be_in_viewport()
    expect(page.get_by_role("heading", name=content.MANUALS[0].title, level=1)).to_be_visible()
    snap(page, "f1-documento", dark=True)

"""The same tasks with the keyboard alone."""

import re

from playwright.sync_api import Page, expect

from courses.demo import content
from tests.e2e import samples
from tests.e2e.browsing import ADMIN, expect_sources, snap, snap_widths, tab_to
from tests.e2e.test_asking import IN_PDF


def test_logging_in_uploading_and_asking_need_no_mouse(desk: Page):
    desk.goto("/")
    tab_to(desk, desk.get_by_label("Correo electrónico"))
    snap(desk, "f8-foco-entrar")
    desk.keyboard.type(ADMIN)
    tab_to(desk, desk.get_by_label("Contraseña", exact=True))
    desk.keyboard.type(content.PASSWORD)
    desk.keyboard.press("Enter")
    expect(desk).to_have_url(re.compile("/inicio/"))
    tab_to(desk, desk.get_by_role("link", name="Subir documentos"))
    desk.keyboard.press("Enter")
    expect(desk).to_have_url(re.compile("/documentos/"))

    desk.goto("/o/demo/documentos/")  # from the top, as on any page
    desk.keyboard.press("Tab")
    skip = desk.get_by_role("link", name="Saltar al contenido")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    snap(desk, "f8-foco-saltar")
    desk.keyboard.press("Enter")
    with desk.expect_file_chooser() as chooser:
        tab_to(desk, desk.locator("#id_uploads"), presses=5)
        snap(desk, "f8-foco-archivos")
        desk.keyboard.press("Space")
    chooser.value.set_files(
        [{"name": "teclado.docx", "mimeType": "application/octet-stream", "buffer": samples.word("Guía de teclado")}]
    )
    tab_to(desk, desk.get_by_role("button", name="Subir", exact=True))
    desk.keyboard.press("Enter")
    expect(desk.locator("#upload-results")).to_contain_text("1 archivo recibido")

    tutor = desk.get_by_role("navigation", name="Secciones").get_by_role("link", name="Tutor")
    desk.goto("/")
    tab_to(desk, tutor)
    desk.keyboard.press("Enter")
    expect(desk).to_have_url(re.compile("/tutor/"))
    tab_to(desk, desk.get_by_label("Tu pregunta"))
    desk.keyboard.type(IN_PDF["question"])
    tab_to(desk, desk.get_by_role("button", name="Preguntar", exact=True))
    snap_widths(desk, "f8-foco-preguntar", dark=True)
    desk.keyboard.press("Enter")
    expect_sources(desk.locator(".turn"))
    tab_to(desk, desk.locator(".cite").first)
    snap(desk, "f8-foco-fuente")
    desk.keyboard.press("Enter")
    expect(desk.get_by_text(f"Página {IN_PDF['page']} de")).to_be_visible()

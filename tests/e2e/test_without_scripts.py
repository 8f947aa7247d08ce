"""The same tasks in a browser that runs no scripts."""

import re
import time

from playwright.sync_api import Locator, Page, expect

from tests.e2e import samples
from tests.e2e.browsing import ADMIN, INGESTION_MS, document_row, go_to, log_in, snap_widths
from tests.e2e.conftest import OpenPage
from tests.e2e.test_asking import ANSWER_WORDS, IN_PDF


def _press_until(page: Page, link: str, wanted: Locator) -> None:
    """Press a link that loads the page again until it shows `wanted`."""
    deadline = time.monotonic() + INGESTION_MS / 1000
    while not wanted.is_visible() and time.monotonic() < deadline:
        page.get_by_role("link", name=link).click()
        page.wait_for_load_state()
    expect(wanted).to_be_visible()


def test_uploading_and_asking_work_without_scripts(open_page: OpenPage):
    page = open_page(scripts=False)
    log_in(page, ADMIN)
    go_to(page, "Documentos")
    expect(page.get_by_text("Arrastra aquí")).to_be_hidden()
    page.get_by_label("Elige tus archivos").set_input_files(
        [
            {
                "name": "sin-scripts.docx",
                "mimeType": "application/octet-stream",
                "buffer": samples.word("Guía sin scripts"),
            }
        ]
    )
    page.get_by_role("button", name="Subir", exact=True).click()
    expect(page.locator("#upload-results")).to_contain_text("1 archivo recibido")
    snap_widths(page, "f9-recibido")
    _press_until(page, "Actualizar la lista", document_row(page, "Guía sin scripts").get_by_text("Listo", exact=True))

    go_to(page, "Tutor")
    page.get_by_label("Tu pregunta").fill(IN_PDF["question"])
    page.get_by_role("button", name="Preguntar", exact=True).click()
    shown = page.get_by_role("button", name="Ver la respuesta")
    expect(shown).to_be_visible()  # a picture of a page that is just giving way to the next cannot be taken
    snap_widths(page, "f9-preguntado")
    shown.click()
    expect(page).to_have_url(re.compile(r"/conversaciones/.+#turn-"), timeout=INGESTION_MS)
    expect(page.locator(".turn .answer")).to_contain_text(ANSWER_WORDS)
    expect(page.locator(".turn .source").first).to_contain_text(f"pág. {IN_PDF['page']}")
    snap_widths(page, "f9-respuesta")
    page.locator(".source").first.get_by_role("link").click()
    expect(page.get_by_text(f"Página {IN_PDF['page']} de")).to_be_visible()

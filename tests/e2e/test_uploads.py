"""Files from a person's machine to searchable documents."""

import base64
import re
import shutil
import subprocess

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.e2e import samples
from tests.e2e.browsing import (
    ADMIN,
    INGESTION_MS,
    PHONE,
    WIDE,
    document_row,
    expect_state,
    go_to,
    log_in,
    snap,
    snap_widths,
    without_reload,
)
from tests.e2e.conftest import OpenPage

PDF = "application/pdf"
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

_DROP = """
    ([zone, files]) => {
      const transfer = new DataTransfer();
      for (const {name, mimeType, content} of files) {
        const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
        transfer.items.add(new File([bytes], name, {type: mimeType}));
      }
      for (const type of ["dragover", "drop"]) {
        zone.dispatchEvent(new DragEvent(type, {dataTransfer: transfer, bubbles: true, cancelable: true}));
      }
    }
"""


def _reads_pictures() -> bool:
    tesseract = shutil.which("tesseract")
    if tesseract is None:
        return False
    listed = subprocess.run([tesseract, "--list-langs"], capture_output=True, text=True, check=False)
    return "spa" in listed.stdout.split()


def _file(name: str, content: bytes, mime_type: str = "application/octet-stream") -> FilePayload:
    return {"name": name, "mimeType": mime_type, "buffer": content}


def _choose(page: Page, *files: FilePayload) -> None:
    page.locator("#id_uploads").set_input_files(files)


def _drop(page: Page, *files: FilePayload) -> None:
    zone = page.locator("[data-dropzone]").element_handle()
    sent = [
        {"name": f["name"], "mimeType": f["mimeType"], "content": base64.b64encode(f["buffer"]).decode()} for f in files
    ]
    page.evaluate(_DROP, [zone, sent])


def _upload(page: Page) -> None:
    page.get_by_role("button", name="Subir", exact=True).click()


@pytest.mark.parametrize("give", [_choose, _drop], ids=["chosen", "dropped"])
def test_uploaded_files_become_ready_before_the_readers_eyes(open_page: OpenPage, give):
    page = open_page(size=WIDE if give is _drop else PHONE)
    kind = "soltado" if give is _drop else "elegido"
    manual, guide = f"Taller de bicicletas {kind}", f"Entregas y recogidas {kind}"
    name = f"taller-{kind}.pdf"  # the list may still hold those of another run
    log_in(page, ADMIN)
    go_to(page, "Documentos")
    give(page, _file(name, samples.pdf(manual, pages=12), PDF), _file("entregas.docx", samples.word(guide), WORD))
    with without_reload(page):
        _upload(page)
        expect(page.locator("#upload-results")).to_contain_text("2 archivos recibidos")
        expect(page.get_by_text(name)).to_have_count(1)  # in the list alone
        expect(page.locator("#document-list progress").first).to_be_visible()
        snap(page, "f2-leyendo", dark=True)
        expect_state(page, manual, "Listo")
        expect_state(page, guide, "Listo")
        expect(page.locator("#document-list progress")).to_have_count(0)
        expect(document_row(page, manual)).to_contain_text("12")
        snap(page, "f2-listo", dark=True)

    document_row(page, manual).locator(".row-link").click()
    outline = page.get_by_role("navigation", name="Índice")
    if not outline.get_by_role("listitem").first.is_visible():
        outline.locator("summary").click()
    expect(outline.get_by_role("listitem")).to_have_count(12)
    snap(page, "f2-indice", dark=True)
    heading = samples.page_heading(7)
    outline.get_by_role("link", name=heading).click()
    expect(page).to_have_url(re.compile(r"#.+"))
    expect(page.get_by_role("heading", name=heading)).to_be_in_viewport()


def test_actions_on_marked_documents_come_with_the_first_mark(page: Page):
    log_in(page, ADMIN)
    go_to(page, "Documentos")
    actions = page.get_by_role("form", name="Acciones con los marcados")
    expect(page.locator(".row-pick__box input").first).to_be_visible()
    expect(actions).to_be_hidden()
    page.locator(".row-pick__box input").first.check()
    expect(actions.get_by_role("button", name="Borrar")).to_be_in_viewport()
    snap(page, "documentos-marcados", dark=True)
    page.locator(".row-pick__box input").first.uncheck()
    expect(actions).to_be_hidden()


def test_what_cannot_be_read_says_why_and_leaves_the_rest_alone(desk: Page):
    log_in(desk, ADMIN)
    go_to(desk, "Documentos")
    _choose(
        desk,
        _file("roto.pdf", b"%PDF-1.7\n" + b"esto no es un PDF\n" * 40, PDF),
        _file("con-clave.pdf", samples.pdf("Secreto", password="secreta"), PDF),
        _file("escaneo-en-blanco.pdf", samples.scanned("Escaneo en blanco", is_blank=True), PDF),
        _file("escaneo.pdf", samples.scanned("Escaneo legible"), PDF),
        _file("vacio.txt", b"", "text/plain"),
        _file("programa.exe", b"MZ\x90\x00" + bytes(range(256)) * 8),
        _file("bueno.pdf", samples.pdf("Reglas del taller bueno"), PDF),
    )
    _upload(desk)
    refused = desk.locator("#upload-results li").filter(has_text="vacio.txt")
    expect(refused).to_contain_text("No aceptado")
    expect(refused).to_contain_text("está vacío")
    for title, reason in (
        ("roto", "está dañado y no se puede leer"),
        ("Con clave", "protegido con contraseña"),
        ("Escaneo en blanco", "Si es un escaneo o una imagen"),
        ("programa", "No podemos leer este tipo de archivo"),
    ):
        expect_state(desk, title, "Con problemas")
        row = document_row(desk, title)
        expect(row).to_contain_text(reason)
        expect(row.get_by_role("link", name="Sube otro archivo")).to_be_visible()
    expect_state(desk, "Reglas del taller bueno", "Listo")
    scan = document_row(desk, "Escaneo legible").locator(".badge")  # read where Tesseract's Spanish data is installed
    expect(scan).to_have_text(re.compile("Listo" if _reads_pictures() else "Con problemas"), timeout=INGESTION_MS)
    snap_widths(desk, "f5-problemas")

    document_row(desk, "Con clave").get_by_role("link", name="Con clave", exact=True).click()
    expect(desk.locator("#document-state")).to_contain_text("protegido con contraseña")
    snap_widths(desk, "f5-documento-con-problemas")


def test_a_name_that_leads_out_of_its_folder_is_only_a_name(desk: Page):
    log_in(desk, ADMIN)
    go_to(desk, "Documentos")
    name = "../" * 5 + "normas-" + "muy-largas-" * 26 + ".txt"
    assert len(name) > 300
    _choose(desk, _file(name, b"Las normas largas se leen enteras antes de firmarlas.", "text/plain"))
    _upload(desk)
    expect(desk.locator("#upload-results")).to_contain_text("1 archivo recibido")
    expect(desk.locator("#upload-results")).not_to_contain_text("../")
    expect_state(desk, "normas muy largas", "Listo")
    expect(document_row(desk, "normas muy largas")).not_to_contain_text("..")
    snap_widths(desk, "entradas-nombre-largo")


def test_sending_no_file_says_what_to_do(open_page: OpenPage):
    page = open_page(expected=(422,))
    log_in(page, ADMIN)
    go_to(page, "Documentos")
    page.locator("[data-upload]").evaluate("form => { form.noValidate = true; }")
    _upload(page)
    expect(page.locator("#upload-results")).to_contain_text("Elige al menos un archivo para subir.")

"""A worker that dies at its work."""

import os
import re
import signal

from playwright.sync_api import Page, expect

from tests.e2e import samples
from tests.e2e.browsing import (
    ADMIN,
    INGESTION_MS,
    document_row,
    expect_state,
    go_to,
    log_in,
    snap_widths,
    without_reload,
)
from tests.e2e.stack import Stack

TITLE = "Inventario del taller"
_SOME_DONE = re.compile(r"Fragmento [1-9]\d* de (\d+)")


def test_an_ingestion_survives_the_death_of_its_worker(desk: Page, stack: Stack):
    log_in(desk, ADMIN)
    go_to(desk, "Documentos")
    desk.locator("#id_uploads").set_input_files(
        [{"name": "inventario.md", "mimeType": "text/markdown", "buffer": samples.long_text(TITLE)}]
    )
    with without_reload(desk):
        desk.get_by_role("button", name="Subir", exact=True).click()
        progress = document_row(desk, TITLE).locator(".progress__text")
        expect(progress).to_have_text(_SOME_DONE, timeout=INGESTION_MS)
        counted = _SOME_DONE.search(progress.inner_text())
        killed = stack.worker_pid()
        assert killed is not None
        os.kill(killed, signal.SIGKILL)
        snap_widths(desk, "f10-a-medias")
        expect_state(desk, TITLE, "Listo")
    assert stack.worker_pid() not in (None, killed)
    assert counted is not None

    document_row(desk, TITLE).locator(".row-link").click()
    desk.get_by_role("link", name="Fragmentos").click()
    expect(desk.get_by_text(f"{counted[1]} fragmentos", exact=True)).to_be_visible()
    snap_widths(desk, "f10-fragmentos")

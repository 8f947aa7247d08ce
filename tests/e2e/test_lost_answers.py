"""Answers that do not come: the session has gone, the server fails, the question is not there any more."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from courses.demo import content
from tests.e2e.browsing import (
    EMPLOYEE,
    ask,
    expect_no_information,
    expect_sources,
    go_to,
    log_in,
    snap_widths,
    without_reload,
)
from tests.e2e.conftest import OpenPage
from tests.e2e.test_asking import IN_PDF, UNANSWERABLE

STREAMS = re.compile(r"/tutor/preguntas/[-\w]+/respuesta/$")
QUESTIONS = re.compile(r"/tutor/preguntar/$")
SECONDS_MS = 10_000


def expect_lost(turn: Locator) -> Locator:
    """Wait until the turn says that its answer does not come, in place of its search. Returns the way out."""
    expect(turn.get_by_text("La respuesta no llega")).to_be_visible(timeout=SECONDS_MS)
    expect(turn.get_by_text("Buscando en tus documentos")).to_be_hidden()
    return turn.get_by_role("link", name="Abrir de nuevo la conversación")


def test_an_answer_whose_session_has_gone_leads_to_log_in_and_comes_then(open_page: OpenPage):
    page = open_page(loses_requests=True)
    log_in(page, EMPLOYEE)
    go_to(page, "Tutor")

    def lose_the_session(route: Route) -> None:
        page.context.clear_cookies()
        route.continue_()

    page.route(STREAMS, lose_the_session)
    way_out = expect_lost(ask(page, IN_PDF["question"]))
    snap_widths(page, "f3-sin-sesion", dark=True)
    page.unroute(STREAMS)
    way_out.click()
    page.get_by_label("Correo electrónico").fill(EMPLOYEE)
    page.get_by_label("Contraseña", exact=True).fill(content.PASSWORD)
    page.get_by_role("button", name="Entrar").click()
    expect(page).to_have_url(re.compile("/tutor/conversaciones/"))
    expect_sources(page.locator(".turn"))


@pytest.mark.parametrize("status", [404, 500])
def test_a_stream_that_fails_says_so_and_goes_on_once_it_can(open_page: OpenPage, status: int):
    page = open_page(expected=(status,), loses_requests=True)
    log_in(page, EMPLOYEE)
    go_to(page, "Tutor")
    page.route(STREAMS, lambda route: route.fulfill(status=status, content_type="text/html", body="<p>No.</p>"))
    turn = ask(page, IN_PDF["question"])
    expect_lost(turn)
    page.unroute(STREAMS)
    expect_sources(turn)
    expect(turn.get_by_text("La respuesta no llega")).to_have_count(0)


@pytest.mark.parametrize(
    ("kind", "body", "said"),
    [
        ("text/html; charset=utf-8", "<p data-error-text>Ha fallado y no se ha guardado.</p>", "no se ha guardado"),
        ("text/plain", "Bad gateway", "Algo ha fallado"),
    ],
    ids=["in-words", "by-a-proxy"],
)
def test_a_question_that_the_server_fails_to_take_stays_and_a_toast_says_why(
    open_page: OpenPage, kind: str, body: str, said: str
):
    page = open_page(expected=(500,), loses_requests=True)
    log_in(page, EMPLOYEE)
    go_to(page, "Tutor")
    expect_sources(ask(page, IN_PDF["question"]))  # the next one is sent by htmx
    page.route(QUESTIONS, lambda route: route.fulfill(status=500, content_type=kind, body=body))
    box = page.get_by_label("Tu pregunta")
    box.fill(UNANSWERABLE["question"])
    with without_reload(page):
        send(page)
        expect(page.locator("#toasts")).to_contain_text(said)
        assert box.input_value() == UNANSWERABLE["question"]
        expect(page.locator(".turn")).to_have_count(1)
        page.unroute(QUESTIONS)
        send(page)
        expect_no_information(page.locator(".turn").last)
    expect(page.locator(".turn")).to_have_count(2)


def send(page: Page) -> None:
    page.get_by_role("button", name="Preguntar", exact=True).click()

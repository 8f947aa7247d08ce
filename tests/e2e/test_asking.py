"""A question, its streamed answer and the page it comes from."""

import json
import re
from urllib.parse import urlsplit

import pymupdf
import pytest
from playwright.sync_api import Page, expect

from courses.demo import content
from tests.e2e.browsing import (
    ADMIN,
    EMPLOYEE,
    ask,
    expect_no_information,
    expect_sources,
    go_to,
    log_in,
    snap,
    snap_widths,
    without_reload,
)
from tests.e2e.conftest import OpenPage

QUESTIONS = [
    json.loads(line)
    for line in (content.MANUALS_FOLDER.parent / "questions.jsonl").read_text(encoding="utf-8").splitlines()
]
IN_PDF = next(question for question in QUESTIONS if question["heading"] == "2.5 Campaña de Navidad")
ANSWER_WORDS = "31 de enero"
UNANSWERABLE = next(question for question in QUESTIONS if "cheque restaurante" in question["question"])


def _image(page: Page, address: str) -> pymupdf.Pixmap:
    response = page.request.get(address)
    assert response.ok
    assert response.headers["content-type"] == "image/png"
    return pymupdf.Pixmap(response.body())


def _marked_text(marked: pymupdf.Pixmap, plain: pymupdf.Pixmap, page: pymupdf.Page) -> str:
    """The words of `page` under the box around everything that the marked picture has and the plain one has not."""
    assert (marked.width, marked.height) == (plain.width, plain.height)
    ours, others = marked.samples_mv, plain.samples_mv
    stride = marked.stride
    rows = [
        y for y in range(marked.height) if ours[y * stride : (y + 1) * stride] != others[y * stride : (y + 1) * stride]
    ]
    assert rows, "nothing is marked"
    columns = [x for x in range(marked.width) if any(marked.pixel(x, y) != plain.pixel(x, y) for y in rows)]
    points = page.rect.width / marked.width
    box = pymupdf.Rect(min(columns), min(rows), max(columns) + 1, max(rows) + 1) * pymupdf.Matrix(points, points)
    return " ".join(page.get_textbox(box).split())


def test_an_answer_arrives_by_itself_and_leads_to_the_marked_page(page: Page):
    log_in(page, EMPLOYEE)
    snap(page, "f3-mis-cursos", dark=True)
    go_to(page, "Tutor")
    expect(page.locator(".suggestion").first).to_be_visible()
    snap(page, "f3-tutor", dark=True)

    turn = ask(page, IN_PDF["question"])
    expect(page).to_have_url(re.compile(r"/tutor/conversaciones/"))
    with without_reload(page):
        sources = expect_sources(turn)
    expect(turn.locator(".turn__confidence .badge:not(.badge--info)")).to_have_text(
        re.compile("Respuesta con fuente clara|Revisa la fuente")
    )
    expect(turn.locator(".answer")).to_contain_text(ANSWER_WORDS)
    expect(sources.first).to_contain_text(f"pág. {IN_PDF['page']}")
    streamed = page.evaluate("window.streamed")
    assert streamed.index("answer") < streamed.index("final")
    snap(page, "f3-respuesta", dark=True)

    given = turn.inner_text()
    page.reload()
    turn = page.locator(".turn")
    assert turn.inner_text() == given

    turn.get_by_role("link", name="Fuente 1").first.click()
    _expect_marked_source(page)
    snap(page, "f3-fuente", dark=True)
    page.get_by_role("link", name="Siguiente").click()
    expect(page.get_by_text(f"Página {IN_PDF['page'] + 1} de")).to_be_visible()
    page.get_by_role("link", name="Ir a la página citada").click()
    page.get_by_role("link", name="Volver a la respuesta").click()
    expect(page.locator(".turn")).to_be_visible()


def test_what_no_document_says_is_not_answered(page: Page):
    log_in(page, EMPLOYEE)
    go_to(page, "Tutor")
    expect_sources(ask(page, IN_PDF["question"]))
    with without_reload(page):  # the next question goes on where we are
        turn = ask(page, UNANSWERABLE["question"])
        expect_no_information(turn)
    expect(page.locator(".turn")).to_have_count(2)
    expect(page.get_by_label("Tu pregunta")).to_have_value("")
    snap(page, "f3-sin-informacion", dark=True)


def _expect_marked_source(page: Page) -> None:
    """The source's page is the cited one, and the words under its marks are those of the manual."""
    number = IN_PDF["page"]
    expect(page.get_by_text(f"Página {number} de")).to_be_visible()
    picture = page.locator(".source-page img")
    expect(picture).to_have_js_property("complete", value=True)
    assert picture.evaluate("image => image.naturalWidth") > 600
    marked_address = picture.get_attribute("src")
    document_address = page.get_by_role("link", name="Ver documento").get_attribute("href")
    assert marked_address
    assert document_address
    plain_address = f"{urlsplit(document_address).path}v1/paginas/{number}.png"
    with pymupdf.open(content.MANUALS_FOLDER / content.RETURNS) as manual:
        text = _marked_text(_image(page, marked_address), _image(page, plain_address), manual[number - 1])
    assert ANSWER_WORDS in text
    assert len(text) < 600, "more than a passage is marked"


def test_a_source_without_pages_shows_its_section(desk: Page):
    question = next(question for question in QUESTIONS if question["doc"] == content.ALLERGENS)
    log_in(desk, EMPLOYEE)
    go_to(desk, "Tutor")
    sources = expect_sources(ask(desk, question["question"]))
    sources.first.get_by_role("link").click()
    expect(desk.locator("mark").first).to_contain_text("lisozima")
    snap_widths(desk, "f3-fuente-seccion")


@pytest.mark.parametrize(
    ("question", "complaint"),
    [
        ("largo " * 1_700, "caben"),
        ("   \n  ", "Escribe tu pregunta."),
    ],
    ids=["too-long", "only-spaces"],
)
def test_a_question_that_cannot_be_asked_says_why_and_stays(open_page: OpenPage, question: str, complaint: str):
    page = open_page(expected=(422,))
    log_in(page, EMPLOYEE)
    go_to(page, "Tutor")
    box = page.get_by_label("Tu pregunta")
    box.focus()
    page.keyboard.insert_text(question)  # as pasted: what the browser cuts off is lost
    page.get_by_role("button", name="Preguntar", exact=True).click()
    expect(page.locator("#ask .field__error")).to_contain_text(complaint)
    if question.strip():
        assert box.input_value().strip() == question.strip()
    expect(page.locator(".turn")).to_have_count(0)
    snap_widths(page, "entradas-pregunta-larga" if question.strip() else "entradas-pregunta-vacia")


def test_a_wrong_password_says_so_and_keeps_the_address(desk: Page):
    desk.goto("/")
    desk.get_by_label("Correo electrónico").fill(ADMIN)
    desk.get_by_label("Contraseña", exact=True).fill("no es esta")
    desk.get_by_role("button", name="Entrar").click()
    expect(desk.get_by_role("alert").first).to_contain_text(re.compile("contraseña", re.IGNORECASE))
    expect(desk.get_by_label("Correo electrónico")).to_have_value(ADMIN)
    snap_widths(desk, "entradas-clave-mala")


def test_a_clear_answer_proposes_what_to_ask_next(page: Page):
    log_in(page, EMPLOYEE)
    go_to(page, "Tutor")
    first = ask(page, "¿Qué hago si hay un corte de luz?")
    expect_sources(first)
    proposed = first.locator(".suggestions--quiet button")
    expect(proposed.first).to_be_visible()
    question = proposed.first.inner_text()
    proposed.first.click()
    second = page.locator(".turn").nth(1)
    expect(second.locator(".turn__question")).to_have_text(question)
    expect_sources(second)
    expect(proposed.first).to_be_hidden()  # the older answer proposes nothing any more
    expect(second.locator(".suggestions--quiet button").first).to_be_visible()
    snap(page, "f3-seguir", dark=True)

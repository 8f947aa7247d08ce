"""Every page that links lead to: readable for everybody, still while it loads, light, and within its window."""

import gzip
from collections.abc import Iterator
from itertools import pairwise
from pathlib import PurePosixPath

import pytest
from playwright.sync_api import Page, Response, expect

from tests.e2e.browsing import ADMIN, EMPLOYEE, INGESTION_MS, PHONE, ask, expect_sources, go_to, log_in
from tests.e2e.conftest import OpenPage
from tests.e2e.crawling import AXE, MAX_LAYOUT_SHIFT, RECORD_SHIFTS, crawl, faults_of

MAX_FIRST_PAGE = 120_000  # bytes as they travel, without images
SMALLEST_GAP = 10  # pixels: nearer, two names read as one
IMAGES = frozenset({".svg", ".png", ".ico"})
QUESTION = "¿Cuántos días hay para devolver un producto?"

# Pages that have to be found by following links; what else is found is looked at too.
FOR_ADMIN = {
    "dashboard:home", "notifications:list", "documents:list", "documents:detail", "documents:coverage",
    "documents:fragments", "documents:versions", "documents:collections", "documents:edit", "courses:list",
    "courses:choose", "courses:detail", "courses:editor", "courses:edit_lesson", "courses:edit_quiz", "courses:people",
    "courses:notices", "courses:completions", "tutor:home", "tutor:conversation", "tutor:questions", "tutor:question",
    "tutor:gaps", "tutor:dismissed_gaps", "tutor:inbox", "tutor:policy", "tutor:faq", "tutor:faq_create",
    "tutor:faq_suggested", "tutor:source", "people:members", "people:member", "people:invite", "people:invitations",
    "people:groups", "people:security", "people:audit", "search_settings:organization", "evaluation:overview",
    "evaluation:questions", "retrieval:search", "retrieval:glossary", "account", "account_change_password",
    "account_reauthenticate", "mfa_index", "usersessions_list",
}  # fmt: skip
FOR_EMPLOYEE = {
    "courses:list", "courses:detail", "courses:lesson", "courses:quiz", "documents:library", "documents:detail",
    "retrieval:search", "tutor:home", "tutor:conversation", "tutor:conversations", "tutor:rename_conversation",
    "tutor:delete_conversation", "tutor:source", "notifications:list", "account",
}  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def _checker_is_there() -> Iterator[None]:
    if not AXE.exists():
        pytest.fail("axe-core is not installed: make e2e does it, or npm install --no-save axe-core")
    yield


@pytest.mark.parametrize(
    ("who", "email", "expected"), [("admin", ADMIN, FOR_ADMIN), ("empleado", EMPLOYEE, FOR_EMPLOYEE)]
)
def test_every_page_can_be_read_by_everybody(open_page: OpenPage, who: str, email: str, expected: set[str]):
    page = open_page()
    page.context.add_init_script(RECORD_SHIFTS)
    log_in(page, email)
    if who == "admin":  # a document still on its way changes its row, which is no page that moves while it loads
        go_to(page, "Documentos")
        expect(page.locator("#document-list tbody tr[hx-get]")).to_have_count(0, timeout=INGESTION_MS)
    go_to(page, "Tutor")
    expect_sources(ask(page, QUESTION))  # so that there are conversations and sources to look at
    visited = crawl(
        page,
        lambda page, name: [] if _is_seen(who, name) else faults_of(page, name, prefix=who),
        wanted=expected,
    )
    assert {f"{one.name} ({one.path}): {fault}" for one in visited for fault in one.faults} == set()
    assert expected - {one.name for one in visited} == set()


def _is_seen(who: str, name: str) -> bool:
    """Whether a page is the same for everybody: the pages of one's account are looked at as the administrator alone."""
    return who != "admin" and name.startswith(("account", "mfa_", "usersessions_", "erase_"))


@pytest.mark.parametrize("path", ["/cuenta/login/", "/cuenta/password/reset/", "/invitacion/no-existe/"])
def test_pages_for_strangers_can_be_read_by_everybody(open_page: OpenPage, path: str):
    page = open_page(expected=(404, 410))
    page.context.add_init_script(RECORD_SHIFTS)
    page.goto(path)
    assert faults_of(page, path.strip("/").replace("/", "-"), prefix="fuera") == []


def test_main_pages_stand_still_on_a_phone(open_page: OpenPage):
    page = open_page(size=PHONE)
    page.context.add_init_script(RECORD_SHIFTS)
    log_in(page, ADMIN)
    moved = {}
    for path in ("inicio/", "documentos/", "cursos/", "tutor/", "tutor/registro/", "personas/", "notificaciones/"):
        page.goto(f"/o/demo/{path}")
        moved[path] = page.evaluate("window.layoutShift")
    assert {path: shift for path, shift in moved.items() if shift > MAX_LAYOUT_SHIFT} == {}


@pytest.mark.parametrize("email", [ADMIN, EMPLOYEE])
def test_the_names_of_sections_stand_apart_on_a_phone(open_page: OpenPage, email: str):
    page = open_page(size=PHONE)
    log_in(page, email)
    boxes = page.locator(".site-nav a").evaluate_all(
        """links => links.map((link) => {
          const range = document.createRange();
          range.selectNodeContents(link);
          const { left, right, top } = range.getBoundingClientRect();
          return [Math.round(top), left, right];
        })"""
    )
    gaps = [left - right for (top, _left, right), (row, left, _right) in pairwise(boxes) if top == row]
    assert gaps and min(gaps) >= SMALLEST_GAP


@pytest.mark.parametrize("email", [ADMIN, EMPLOYEE])
def test_the_first_page_is_light(open_page: OpenPage, email: str):
    page = open_page()
    log_in(page, email)
    assert _weight(page) <= MAX_FIRST_PAGE


def _weight(page: Page) -> int:
    """Bytes of the page and what it loads into an empty cache, styles and scripts compressed as they are served."""
    answers: list[Response] = []

    def keep(answer: Response) -> None:
        answers.append(answer)

    page.on("response", keep)
    page.reload(wait_until="networkidle")
    page.remove_listener("response", keep)
    weight = 0
    for answer in answers:
        if PurePosixPath(answer.url.partition("?")[0]).suffix in IMAGES:
            continue
        body = answer.body()
        weight += len(body if answer.request.resource_type == "document" else gzip.compress(body))
    return weight

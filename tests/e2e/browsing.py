"""A person at a browser: what they do, what they see, and what the browser complains about."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, Request, Response, expect

from courses.demo import content
from tests.e2e.stack import CHECKOUT

WIDE = (1280, 900)
PHONE = (360, 740)
ADMIN = content.USERS[0].email
EMPLOYEE = content.USERS[1].email
COLLEAGUE = content.USERS[2].email

# For a machine with two busy cores; what is ready earlier goes on at once.
STEP_MS = 30_000
INGESTION_MS = 180_000
ANSWER_MS = 120_000
KEPT_FOR_SNAPS = 3_000  # pixels of height: longer pages say no more

ARTIFACTS = Path(os.environ.get("E2E_ARTIFACTS") or CHECKOUT / "e2e-artifacts").absolute()

# Told apart from what htmx does by itself: events as they arrive, kept where a test can read them.
_RECORD_EVENTS = """
    window.streamed = [];
    document.addEventListener("htmx:sseBeforeMessage", (event) => window.streamed.push(event.detail.type));
"""
_FOCUS_IS_SEEN = """
    () => {
      const element = document.activeElement;
      const outlined = (box) => {
        const style = getComputedStyle(box);
        return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
      };
      // A field may let the box around it show the focus.
      const marked = [element, element.parentElement, element.closest("form")].some((box) => box && outlined(box));
      const box = element.getBoundingClientRect();
      const inView = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
      return marked && box.width > 0 && inView;
    }
"""


# What the browser and htmx say of a stream or a request that failed.
_LOST_REQUESTS = ("EventSource's response", "[object Event]", "Response Status Error Code")


class Complaints:
    """What went wrong in a browser's pages without anybody pressing anything wrong."""

    def __init__(self, address: str) -> None:
        self.found: list[str] = []
        self.expected: set[int] = set()  # statuses that the test provokes
        self.loses_requests = False  # the test makes streams or requests fail
        self._address = address

    def watch(self, page: Page) -> None:
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.found.append(f"page error: {error}"))
        page.on("response", self._response)
        page.on("requestfailed", self._failed)

    def _console(self, message: ConsoleMessage) -> None:
        # A status is judged in _response, which knows whose it is.
        is_lost_request = self.loses_requests and message.text.startswith(_LOST_REQUESTS)
        if message.type == "error" and not message.text.startswith("Failed to load resource") and not is_lost_request:
            self.found.append(f"console: {message.text}")

    def _response(self, response: Response) -> None:
        if response.status >= 400 and response.status not in self.expected:
            self.found.append(f"{response.status}: {response.url}")

    def _failed(self, request: Request) -> None:
        # Leaving a page ends what it was still asking for.
        if request.url.startswith(self._address) and request.failure != "net::ERR_ABORTED":
            self.found.append(f"{request.failure}: {request.url}")


def new_page(
    browser: Browser, address: str, *, size: tuple[int, int] = WIDE, scripts: bool = True
) -> tuple[Page, Complaints]:
    """A page in a browser profile of its own."""
    context: BrowserContext = browser.new_context(
        base_url=address,
        viewport={"width": size[0], "height": size[1]},
        locale="es-ES",
        reduced_motion="reduce",
        java_script_enabled=scripts,
    )
    context.set_default_timeout(STEP_MS)
    if scripts:
        context.add_init_script(_RECORD_EVENTS)
    complaints = Complaints(address)
    context.on("page", complaints.watch)
    return context.new_page(), complaints


# Who has logged in where: cookies by address and e-mail.
_sessions: dict[tuple[str, str], list[Any]] = {}


def log_in(page: Page, email: str, password: str = content.PASSWORD) -> None:
    """From the log-in page to the person's first page. Who has been there goes on with the session of the first time:
    what is kept in a session has to be put back by the test that changes it.
    """
    page.goto("/")
    known = (page.url.partition("/cuenta/")[0], email)
    if known in _sessions:
        page.context.add_cookies(_sessions[known])
        page.goto("/")
        if re.search(r"/o/[-\w]+/", page.url):
            return  # a session that was ended meanwhile leads to the log-in page again
    page.get_by_label("Correo electrónico").fill(email)
    page.get_by_label("Contraseña", exact=True).fill(password)
    page.get_by_role("button", name="Entrar").click()
    expect(page).to_have_url(re.compile(r"/o/[-\w]+/"))
    _sessions[known] = page.context.cookies()


def go_to(page: Page, section: str) -> None:
    """Follow a link of the main navigation, until its page is there: of one that gives way no picture can be taken."""
    with page.expect_navigation():
        page.get_by_role("navigation", name="Secciones").get_by_role("link", name=section).click()


def snap(page: Page, name: str, *, dark: bool = False) -> None:
    """A picture of the page as it is, and one in dark colours if wanted. Asserts that nothing scrolls sideways."""
    width = page.viewport_size["width"] if page.viewport_size else 0
    seen, given = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert seen <= given, f"{name} at {width} pixels is {seen} pixels wide"
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    height = min(page.evaluate("document.documentElement.scrollHeight"), KEPT_FOR_SNAPS)
    for scheme in ("light", "dark") if dark else ("light",):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.screenshot(
            path=ARTIFACTS / f"{name}-{width}{'-dark' if scheme == 'dark' else ''}.png",
            full_page=True,
            animations="disabled",  # colours that are still on their way to the other scheme
            clip={"x": 0, "y": 0, "width": width, "height": height},
        )
    page.emulate_media(color_scheme="light", reduced_motion="reduce")


def snap_widths(page: Page, name: str, *, dark: bool = False) -> None:
    """Pictures at both widths, whatever the page's own is."""
    own = page.viewport_size
    assert own is not None
    for width, height in (WIDE, PHONE):
        page.set_viewport_size({"width": width, "height": height})
        page.screenshot()  # draws a frame: a busy browser measures the old layout for a moment
        snap(page, name, dark=dark)
    page.set_viewport_size(own)


def document_row(page: Page, title: str) -> Locator:
    """The row of the documents list whose title holds these words."""
    return page.locator("#document-list tbody tr").filter(has=page.locator(".row-link", has_text=title))


def expect_state(page: Page, title: str, state: str) -> None:
    """Wait until the row says this state, by itself."""
    expect(document_row(page, title).locator(".badge")).to_have_text(state, timeout=INGESTION_MS)


@contextmanager
def without_reload(page: Page) -> Iterator[None]:
    """Asserts that the page is not loaded again meanwhile."""
    page.evaluate("window.isTheSamePage = true")
    yield
    assert page.evaluate("window.isTheSamePage === true"), "the page was loaded again"


def ask(page: Page, question: str) -> Locator:
    """Write a question and send it. Returns its turn, whose answer may be still to come."""
    page.get_by_label("Tu pregunta").fill(question)
    page.get_by_role("button", name="Preguntar", exact=True).click()
    turn = page.locator(".turn").filter(has_text=question).last
    expect(turn).to_be_visible()
    return turn


def expect_sources(turn: Locator) -> Locator:
    """Wait for an answer that names its sources; they are returned in their order."""
    sources = turn.locator(".source")
    expect(sources.first).to_be_visible(timeout=ANSWER_MS)
    return sources


def expect_no_information(turn: Locator) -> None:
    """Wait for an answer that says there is none, and names no source."""
    answer = turn.locator(".answer:not([aria-busy])")
    expect(answer).to_be_visible(timeout=ANSWER_MS)
    expect(answer).to_contain_text("No tengo información")
    expect(turn.locator(".source, .cite")).to_have_count(0)


def tab_to(page: Page, wanted: Locator, *, presses: int = 60) -> None:
    """Press Tab until `wanted` has the focus. Waits at every stop until the focus can be seen."""
    expect(wanted).to_be_visible()  # Tab on a page that is still empty leads nowhere
    for _press in range(presses):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            continue  # the focus is in the browser's own controls
        page.wait_for_function(_FOCUS_IS_SEEN)
        if wanted.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError(f"{presses} times Tab do not reach {wanted}")

"""One stack and one browser for all flows; a profile of its own for each."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from courses.demo import content
from tests.e2e.browsing import (
    ADMIN,
    ARTIFACTS,
    PHONE,
    STEP_MS,
    WIDE,
    Complaints,
    expect_state,
    go_to,
    log_in,
    new_page,
)
from tests.e2e.stack import Stack

BROWSER_NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER_ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
FAILED = pytest.StashKey[bool]()

OpenPage = Callable[..., Page]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.e2e)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture(scope="session")
def running() -> Iterator[Stack]:
    """The stack, its server answering; demo documents may still be on their way."""
    stack = Stack()
    try:
        stack.wait_until_ready()
        yield stack
    finally:
        stack.stop(keep_log_in=ARTIFACTS)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSER_NAMES)), None)
    if found is None:
        pytest.fail("Chromium is not installed: install it, or name its program in CHROMIUM")
    expect.set_options(timeout=STEP_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=BROWSER_ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def stack(running: Stack, browser: Browser) -> Stack:
    """The stack with its demo documents ready."""
    page, _complaints = new_page(browser, running.address)
    log_in(page, ADMIN)
    go_to(page, "Documentos")
    for manual in content.MANUALS:
        expect_state(page, manual.title, "Listo")
    page.context.close()
    return running


@pytest.fixture
def open_page(request: pytest.FixtureRequest, stack: Stack, browser: Browser) -> Iterator[OpenPage]:
    """Opens pages, each in a profile of its own: open_page(size=PHONE, scripts=False, expected=(404,)).

    The test fails at its end when a page had something to complain about; `expected` statuses are no complaint, nor
    with `loses_requests` is what htmx and the browser say of requests that failed.
    """
    pages: list[Page] = []
    complaints: list[Complaints] = []

    def open_one(
        *,
        size: tuple[int, int] = WIDE,
        scripts: bool = True,
        expected: tuple[int, ...] = (),
        loses_requests: bool = False,
    ) -> Page:
        page, heard = new_page(browser, stack.address, size=size, scripts=scripts)
        heard.expected.update(expected)
        heard.loses_requests = loses_requests
        pages.append(page)
        complaints.append(heard)
        return page

    yield open_one
    failed = request.node.stash.get(FAILED, True)
    for number, page in enumerate(pages):
        if failed:
            ARTIFACTS.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=ARTIFACTS / f"failed-{request.node.name}-{number}.png")
        page.context.close()
    assert [heard.found for heard in complaints if heard.found] == []


@pytest.fixture(params=[WIDE, PHONE], ids=["wide", "phone"])
def page(request: pytest.FixtureRequest, open_page: OpenPage) -> Page:
    """A page at a desk, then one on a phone."""
    return open_page(size=request.param)


@pytest.fixture
def desk(open_page: OpenPage) -> Page:
    """A page at a desk alone, for flows that do not depend on the width."""
    return open_page()

"""Every page that links lead to, each once, and what is wrong with it."""

from collections import deque
from collections.abc import Callable, Set
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.urls import Resolver404, resolve
from playwright.sync_api import Page

from tests.e2e.browsing import WIDE, snap_widths
from tests.e2e.stack import CHECKOUT

AXE = CHECKOUT / "node_modules" / "axe-core" / "axe.min.js"
GRAVE = frozenset({"serious", "critical"})
MAX_LAYOUT_SHIFT = 0.01  # of the window; what people call still is below 0.1

# Addresses that answer with a file, or that end the session.
NO_PAGES = frozenset(
    {
        "account_logout",
        "courses:certificate",
        "courses:export_completions",
        "courses:export_course",
        "courses:export_progress",
        "documents:download",
        "documents:export_json",
        "documents:export_markdown",
        "documents:page_image",
        "my_data",
        "organization_logo",
        "tutor:faq_export",
        "tutor:questions_export",
        "tutor:source_image",
    }
)

RECORD_SHIFTS = """
    window.layoutShift = 0;
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.layoutShift += shift.value;
    }).observe({ type: "layout-shift", buffered: true });
"""
_LINKS = "[...document.querySelectorAll('a[href]')].map((link) => link.href)"
_FINDINGS = """
    async (rules) => {
      const options = { resultTypes: ["violations"] };
      if (rules.length) options.runOnly = { type: "rule", values: rules };
      const { violations } = await axe.run(document, options);
      return violations.flatMap(({ id, impact, nodes }) =>
        nodes.map((node) => [impact, `${id}: ${node.target.join(" ")} - ${node.any[0]?.message ?? ""}`]));
    }
"""


@dataclass(frozen=True, slots=True)
class Visited:
    """A page that was looked at: the name of its address, where it stood, and what is wrong with it."""

    name: str
    path: str
    faults: tuple[str, ...]


def name_of(path: str) -> str:
    """The name of the address that answers a path; empty when none does."""
    try:
        return resolve(path).view_name
    except Resolver404:
        return ""


def crawl(page: Page, look: Callable[[Page, str], list[str]], *, wanted: Set[str], start: str = "/") -> list[Visited]:
    """Follow links from `start`, one path for each address, and have every page looked at.

    Pages of one address differ in where they lead: one lesson has a quiz, the next has none. Further pages of addresses
    already looked at are searched for links, while addresses in `wanted` are missing.
    """
    page.goto(start)
    first = urlsplit(page.url).path
    waiting, spare = deque([first]), deque[str]()
    known, seen = {name_of(first)} | NO_PAGES, {first}
    visited = []
    while waiting or (spare and not wanted <= known):
        is_new = bool(waiting)
        path = waiting.popleft() if is_new else spare.popleft()
        answer = page.goto(path)
        name = name_of(urlsplit(path).path)
        if answer is None or not answer.ok:
            visited.append(Visited(name, path, (f"answers {answer and answer.status}",)))
            continue
        if is_new:
            visited.append(Visited(name, path, tuple(look(page, name))))
        for link in page.evaluate(_LINKS):
            here = urlsplit(link)
            found = name_of(here.path)
            target = f"{here.path}?{here.query}" if here.query else here.path
            is_ours = here.netloc == urlsplit(page.url).netloc and found and not found.startswith("admin:")
            if not is_ours or found in NO_PAGES or target in seen:
                continue
            seen.add(target)
            (spare if found in known else waiting).append(target)
            known.add(found)
    return visited


def faults_of(page: Page, name: str, *, prefix: str) -> list[str]:
    """What is wrong with the page as it stands at a desk, in light and dark; pictures of it at both widths."""
    faults = []
    shift = page.evaluate("window.layoutShift")
    if shift > MAX_LAYOUT_SHIFT:
        faults.append(f"moves while it loads: {shift:.3f}")
    faults += _accessibility(page, [])
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    page.reload()  # a page that changes its scheme keeps some of the old colours for a moment
    faults += [f"dark: {fault}" for fault in _accessibility(page, ["color-contrast"])]
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    try:
        snap_widths(page, f"{prefix}-{name.replace(':', '-')}", dark=True)
    except AssertionError as error:
        faults.append(str(error))
    page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    return faults


def _accessibility(page: Page, rules: list[str]) -> list[str]:
    page.evaluate(AXE.read_text(encoding="utf-8"))  # not as a script of the page: those may only be ours
    return [text for impact, text in page.evaluate(_FINDINGS, rules) if impact in GRAVE]

"""Texts of our own sources: those that go through gettext, and those that do not though a person would read them."""

import ast
import re
from collections.abc import Iterator, Set
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent.parent
APPS = ("skillnet", "documents", "retrieval", "courses", "tutor")

_GETTEXT = {"_", "_lazy", "gettext", "gettext_lazy", "gettext_noop", "_noop"}
_PLURAL = {"ngettext", "ngettext_lazy"}
_LITERAL = r"""(u?(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))"""
_TEMPLATE_CALL = re.compile(rf"\b(?:(?:gettext|_)\(\s*{_LITERAL}\s*\)|ngettext\(\s*{_LITERAL}\s*,\s*{_LITERAL}\s*,)")

_SPANISH_SIGN = re.compile("[áéíóúüñÁÉÍÓÚÜÑ¿¡«»]")
_SPANISH_WORD = re.compile(
    r"\b(?:el|la|los|las|un|una|del|al|para|con|sin|por|que|este|esta|no|es|ya|hay|tu|su|sus|de|en|y|lo|se)\b", re.I
)
_SHOWN_ARGUMENTS = {
    "label", "help_text", "verbose_name", "verbose_name_plural", "user_message", "subject", "empty_label",
    "description",
}  # fmt: skip
_SHOWN_CALLS = {"success", "info", "warning", "error", "ValidationError", "add_error"}
_SHOWN_ATTRIBUTES = {"title", "placeholder", "aria-label", "aria-description", "alt", "label", "content"}
_WORD = re.compile(r"[^\W\d_]{2,}")
_TAG = re.compile(r"{%.*?%}|{{.*?}}|{#.*?#}", re.S)
_BLOCK = re.compile(
    r"{%\s*(?:comment|blocktrans(?:late)?)\b.*?{%\s*end(?:comment|blocktrans(?:late)?)\s*%}"
    r"|{%\s*block main_class\s*%}.*?{%\s*endblock\s*%}",  # names of CSS classes
    re.S,
)
_TAG_LITERAL = re.compile(r"""(_\()?("[^"]*"|'[^']*')""")
_NOT_SHOWN_TAG = re.compile(r"{%\s*(?:translate|trans|load|static|extends|include\s+\S+\s*%)\b")


class Message(NamedTuple):
    text: str
    plural: str = ""


class Found(NamedTuple):
    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


def python_files() -> Iterator[Path]:
    for app in APPS:
        yield from (path for path in sorted((ROOT / app).rglob("*.py")) if "migrations" not in path.parts)


def template_files() -> Iterator[Path]:
    yield from (path for path in sorted((ROOT / "templates").rglob("*")) if path.suffix in (".html", ".txt"))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


# --- What goes through gettext.


def python_messages(source: str) -> set[Message]:
    """The literals that Python code hands to gettext."""
    return {
        Message(*texts)
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call) and (texts := _message_arguments(call))
    }


def _message_arguments(call: ast.Call) -> list[str]:
    count = 2 if _called(call) in _PLURAL else 1 if _called(call) in _GETTEXT else 0
    texts = [arg.value for arg in call.args[:count] if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
    return texts if count and len(texts) == count else []


def _called(call: ast.Call) -> str:
    function = call.func
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def template_messages(source: str) -> set[Message]:
    """What a template translates, found by Django's own reading of templates for xgettext."""
    return {
        Message(*(ast.literal_eval(literal) for literal in found.groups() if literal))
        for found in _TEMPLATE_CALL.finditer(templatize(source))
    }


# --- What does not, and should.


def is_spanish(text: str) -> bool:
    """Whether a text has a sign that English lacks, or three small Spanish words."""
    return bool(_WORD.search(text)) and bool(_SPANISH_SIGN.search(text) or len(_SPANISH_WORD.findall(text)) > 2)


def unwrapped_in_python(path: Path) -> Iterator[Found]:
    """Literals in Spanish outside gettext, and any literal where forms, models and messages take what people read."""
    tree = ast.parse(path.read_text())
    is_of_models = "models" in path.relative_to(ROOT).with_suffix("").parts
    arguments = _SHOWN_ARGUMENTS - ({"help_text"} if is_of_models else set())  # a model's speak to developers
    wrapped: set[int] = set()
    shown: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if _called(node) in _GETTEXT | _PLURAL:
                wrapped.update(id(part) for argument in node.args for part in ast.walk(argument))
            shown.update(id(value) for value in _shown_values(node, arguments))
        elif isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr):
                wrapped.add(id(first.value))  # a docstring
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in wrapped:
            is_shown = id(node) in shown and _WORD.search(node.value)
            if is_shown or is_spanish(node.value):
                yield Found(name_of(path), node.lineno, node.value.strip())


def _shown_values(call: ast.Call, arguments: Set[str]) -> Iterator[ast.expr]:
    owner = getattr(call.func.value, "id", "") if isinstance(call.func, ast.Attribute) else ""
    yield from (keyword.value for keyword in call.keywords if keyword.arg in arguments)
    called = _called(call)
    if called in ("ValidationError", "add_error") or (called in _SHOWN_CALLS and owner == "messages"):
        yield from call.args[-1:]
    if called.endswith("Field") and called not in ("ManyToManyField", "OneToOneField"):
        yield from call.args[:1]


class _Page(HTMLParser):
    """Collects what a browser would show of a template whose tags are blanked out."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            is_shown = name in _SHOWN_ATTRIBUTES and tag != "meta"
            if value and (is_shown or is_spanish(value)):
                self.found.append((self.getpos()[0], value))

    def handle_data(self, data: str) -> None:
        self.found.append((self.getpos()[0], data))


def unwrapped_in_template(path: Path) -> Iterator[Found]:
    """Words between tags of HTML, in attributes that are shown or read out; Spanish in arguments of template tags."""
    source = _BLOCK.sub(lambda block: _blank(block[0]), path.read_text())
    for tag in _TAG.finditer(source):
        if tag[0].startswith("{#") or _NOT_SHOWN_TAG.match(tag[0]):
            continue
        for is_wrapped, literal in _TAG_LITERAL.findall(tag[0]):
            if not is_wrapped and is_spanish(literal):
                yield Found(name_of(path), source[: tag.start()].count("\n") + 1, literal)
    page = _Page()
    page.feed(_TAG.sub(lambda tag: _blank(tag[0]), source))
    page.close()
    for line, text in page.found:
        words = " ".join(text.split())
        if _WORD.search(words):
            yield Found(name_of(path), line, words)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)

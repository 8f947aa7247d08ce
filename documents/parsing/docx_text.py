"""Words and looks of one Word paragraph, tracked changes settled."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from documents.parsing.docx_styles import Styles, W, flag, font_size
from documents.parsing.ooxml import Element, local_name

_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_DROPPED = {"del", "moveFrom", "instrText", "delText", "pPr", "rPr", "sdtPr", "rt", "annotationRef"}
_MATH_TEXT = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"


@dataclass(slots=True)
class ParagraphText:
    """A paragraph's words, the notes and text boxes anchored in it, and how its letters look."""

    text: str = ""
    bold_letters: int = 0
    letters: int = 0
    sizes: dict[float | None, int] = field(default_factory=dict)  # letters by explicit size in points
    notes: list[tuple[str, str]] = field(default_factory=list)  # ("footnote" or "endnote", id)
    boxes: list[Element] = field(default_factory=list)  # txbxContent elements

    @property
    def is_bold(self) -> bool:
        """Whether (nearly) all letters are bold."""
        return self.letters > 0 and self.bold_letters >= 0.95 * self.letters

    @property
    def size(self) -> float | None:
        """Size of most letters, None where the style decides."""
        return max(self.sizes, key=lambda size: self.sizes[size]) if self.sizes else None


def read_paragraph(paragraph: Element, styles: Styles, *, style_bold: bool = False) -> ParagraphText:
    """Read a w:p. Insertions and moved-to text count, deletions and moved-from text do not."""
    result = ParagraphText()
    parts: list[str] = []
    for run in _runs(paragraph, result):
        _read_run(run, result, parts, styles, style_bold)
    result.text = "".join(parts)
    return result


def alternatives(element: Element) -> Element | None:
    """The branch of an mc:AlternateContent that counts: the same content stands in each."""
    choice = element.find(f"{_MC}Choice")
    return choice if choice is not None and len(choice) else element.find(f"{_MC}Fallback")


def _runs(parent: Element, result: ParagraphText) -> Iterator[Element]:
    for child in parent:
        name = local_name(child)
        if name in _DROPPED or not name:
            continue
        if name == "r":
            yield child
        elif child.tag == f"{_MC}AlternateContent":
            branch = alternatives(child)
            if branch is not None:
                yield from _runs(branch, result)
        elif name == "sdt":
            if not is_placeholder(child):
                yield from _runs(child, result)
        elif child.tag.startswith("{http://schemas.openxmlformats.org/officeDocument/2006/math}"):
            yield child
        elif name == "txbxContent":
            result.boxes.append(child)
        else:
            yield from _runs(child, result)


def is_placeholder(sdt: Element) -> bool:
    """Whether a content control shows only its prompt ("Haga clic aquí para escribir")."""
    properties = sdt.find(f"{W}sdtPr")
    return properties is not None and flag(properties, "showingPlcHdr")


def _read_run(run: Element, result: ParagraphText, parts: list[str], styles: Styles, style_bold: bool) -> None:
    if local_name(run) != "r":
        parts.append("".join(text.text or "" for text in run.iter(_MATH_TEXT)))
        return
    properties = run.find(f"{W}rPr")
    if properties is not None and flag(properties, "vanish"):
        return
    words = "".join(_pieces(run, result))
    parts.append(words)
    letters = sum(not char.isspace() for char in words)
    if not letters:
        return
    bold, size = style_bold, None
    if properties is not None:
        if properties.find(f"{W}b") is not None:
            bold = flag(properties, "b")
        else:
            character_style = properties.find(f"{W}rStyle")
            if character_style is not None:
                bold = bold or styles.is_bold(character_style.get(f"{W}val") or "")
        size = font_size(properties)
    result.letters += letters
    result.bold_letters += letters if bold else 0
    result.sizes[size] = result.sizes.get(size, 0) + letters


def _pieces(run: Element, result: ParagraphText) -> Iterator[str]:
    for child in run:
        name = local_name(child)
        if name == "t":
            yield child.text or ""
        elif name in ("tab", "ptab"):
            yield "\t"
        elif name in ("br", "cr"):
            yield "\n" if child.get(f"{W}type") in (None, "textWrapping") else " "
        elif name == "noBreakHyphen":
            yield "-"
        elif name == "sym":
            yield _symbol(child.get(f"{W}char") or "")
        elif name in ("footnoteReference", "endnoteReference"):
            result.notes.append((name.removesuffix("Reference"), child.get(f"{W}id") or ""))
        elif name == "AlternateContent":
            branch = alternatives(child)
            if branch is not None:
                _collect_boxes(branch, result)
        elif name in ("drawing", "pict", "object"):
            _collect_boxes(child, result)
        elif name == "ruby":
            yield from ("".join(text.text or "" for text in child.iter(f"{W}t")),)


def _symbol(code: str) -> str:
    try:
        return chr(int(code, 16))
    except ValueError:  # no character code, nothing to show
        return ""


def _collect_boxes(element: Element, result: ParagraphText) -> None:
    for child in element:
        if child.tag == f"{_MC}AlternateContent":
            branch = alternatives(child)
            if branch is not None:
                _collect_boxes(branch, result)
        elif local_name(child) == "txbxContent":
            result.boxes.append(child)
        else:
            _collect_boxes(child, result)

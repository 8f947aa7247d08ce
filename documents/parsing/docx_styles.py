"""Paragraph styles of a Word document, inheritance resolved."""

import re
from dataclasses import dataclass, replace

from documents.parsing.ooxml import Element

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HEADING_NAME = re.compile(
    r"^(?:heading|t[íi]tulo|titre|titolo|überschrift|ueberschrift|t[íi]tol|encabezado|cabe[çc]alho|rubrik|kop|nag[łl][óo]wek)"
    r"[\s_-]*([1-9])(?!\d)",
    re.IGNORECASE,
)
_TITLE_NAMES = {"title", "título", "titulo", "ttulo", "puesto", "titel", "titre", "titolo", "títol"}
_SUBTITLE_NAMES = {"subtitle", "subtítulo", "subtitulo", "subttulo"}
_CONTENTS_NAME = re.compile(
    r"^(?:toc|tdc|tm|sum[áa]rio|verzeichnis|table of figures|tabla de ilustraciones|toc heading)\s*\d*", re.I
)
_CODE_NAME = re.compile(r"c[óo]digo|code|preformat|source|consola|terminal|html preformatted", re.IGNORECASE)
_MONOSPACED = re.compile(r"courier|consol|mono|menlo|typewriter|fixed", re.IGNORECASE)
_LIST_NAME = re.compile(r"^(?:list|lista)\b.*\s([2-9])$", re.IGNORECASE)  # "List Bullet 2", "Lista con viñetas 2"
_MAX_INHERITANCE = 20


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """What a paragraph style says once its parents have spoken. `size` is in points, None when nobody says it."""

    name: str = ""
    outline: int | None = None  # 1 to 9
    is_title: bool = False
    is_contents: bool = False
    is_code: bool = False
    is_bold: bool = False
    is_caps: bool = False
    size: float | None = None
    num_id: str | None = None
    num_level: int = 0
    list_level: int = 1  # that its name says
    indent: int | None = None  # of the left border, in twentieths of a point


class Styles:
    """The styles part; without one every paragraph has the plain style."""

    def __init__(self, root: Element | None) -> None:
        self._elements: dict[str, Element] = {}
        self._resolved: dict[str, ParagraphStyle] = {}
        self._default = ""
        self._base = ParagraphStyle()
        if root is None:
            return
        for style in root.iter(f"{W}style"):
            identifier = style.get(f"{W}styleId") or ""
            self._elements[identifier] = style
            if style.get(f"{W}type") == "paragraph" and style.get(f"{W}default") in ("1", "true", "on"):
                self._default = identifier
        defaults = root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr")
        if defaults is not None:
            self._base = replace(self._base, size=font_size(defaults))

    def paragraph(self, style_id: str | None) -> ParagraphStyle:
        """The resolved style of a paragraph that names `style_id`, or names none."""
        return self._resolve(style_id if style_id in self._elements else self._default, 0)

    def is_bold(self, character_style: str) -> bool:
        """Whether a character style makes text bold."""
        element = self._elements.get(character_style)
        properties = element.find(f"{W}rPr") if element is not None else None
        return properties is not None and flag(properties, "b")

    def _resolve(self, style_id: str, depth: int) -> ParagraphStyle:
        if style_id in self._resolved:
            return self._resolved[style_id]
        element = self._elements.get(style_id)
        if element is None or depth > _MAX_INHERITANCE:
            return self._base
        parent_id = value(element, "basedOn")
        parent = self._resolve(parent_id, depth + 1) if parent_id and parent_id != style_id else self._base
        style = self._own(element, style_id, parent)
        self._resolved[style_id] = style
        return style

    def _own(self, element: Element, style_id: str, parent: ParagraphStyle) -> ParagraphStyle:
        name = value(element, "name") or style_id
        style = replace(parent, name=name)
        outline = _outline_of(name, style_id)
        properties = element.find(f"{W}pPr")
        if properties is not None:
            stated = whole_number(value(properties, "outlineLvl"))
            if stated is not None:
                outline = stated + 1 if stated < 9 else 0
            stated_indent = left_indent(properties)
            style = replace(style, indent=style.indent if stated_indent is None else stated_indent)
            numbers = properties.find(f"{W}numPr")
            if numbers is not None:
                level = whole_number(value(numbers, "ilvl"))
                style = replace(
                    style,
                    num_id=value(numbers, "numId") or style.num_id,
                    num_level=style.num_level if level is None else level,
                )
        if named := _LIST_NAME.match(name.strip()):
            style = replace(style, list_level=int(named.group(1)))
        if outline is not None:
            style = replace(style, outline=outline or None)
        folded = name.strip().lower()
        if folded in _TITLE_NAMES or style_id.lower() in _TITLE_NAMES:
            style = replace(style, is_title=True)
        elif folded in _SUBTITLE_NAMES:
            style = replace(style, is_title=False)
        if _CONTENTS_NAME.match(folded):
            style = replace(style, is_contents=True, outline=None)
        look = element.find(f"{W}rPr")
        if look is not None:
            style = replace(
                style,
                is_bold=flag(look, "b") if look.find(f"{W}b") is not None else style.is_bold,
                is_caps=flag(look, "caps") if look.find(f"{W}caps") is not None else style.is_caps,
                size=font_size(look) or style.size,
            )
            fonts = look.find(f"{W}rFonts")
            if fonts is not None and _MONOSPACED.search(fonts.get(f"{W}ascii") or ""):
                style = replace(style, is_code=True)
        if _CODE_NAME.search(name):
            style = replace(style, is_code=True)
        return style


def _outline_of(name: str, style_id: str) -> int | None:
    for label in (name, style_id):
        found = _HEADING_NAME.match(label.strip())
        if found:
            return int(found.group(1))
    return None


def value(element: Element, child: str) -> str | None:
    """The `val` attribute of a child element, None when there is no such child."""
    found = element.find(f"{W}{child}")
    return None if found is None else found.get(f"{W}val")


def whole_number(text: str | None, *, signed: bool = False) -> int | None:
    """The number a file states, None when it states none or one that no document needs."""
    pattern = r"-?[0-9]{1,6}" if signed else r"[0-9]{1,6}"  # "²" is a digit too, and Python refuses thousands of them
    return int(text) if text is not None and re.fullmatch(pattern, text) else None


def flag(properties: Element, name: str) -> bool:
    """Whether a yes-or-no property is set. A bare element means yes."""
    found = properties.find(f"{W}{name}")
    return found is not None and found.get(f"{W}val") not in ("0", "false", "off", "none")


def left_indent(properties: Element) -> int | None:
    """Where a paragraph's text begins, in twentieths of a point from the margin; None when nobody says it."""
    stated = properties.find(f"{W}ind")
    if stated is None:
        return None
    return whole_number(stated.get(f"{W}left") or stated.get(f"{W}start"), signed=True)


def font_size(properties: Element) -> float | None:
    """Size in points: Word stores half points."""
    stated = value(properties, "sz")
    try:
        return float(stated) / 2 if stated else None
    except ValueError:  # a size that is no number is no size
        return None

"""Text of a PDF page as lines with their looks, upright and free of text a reader cannot see."""

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from documents.cleaning import clean_characters
from documents.parsing.mupdf import pymupdf

Box = tuple[float, float, float, float]  # x0, y0, x1, y1 in points, y downwards

_FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE
_BOLD = 16
_MONOSPACED = 8
_FILLED_OR_STROKED = 8 | 16
_CLIPPED = 32
_NO_UNICODE = 128
_TINY = 1.6  # points: letters lower than this cannot be read on paper
_WHITE = 0xF4
_STRAIGHT = 0.98  # of a line's direction along one axis: a scan may lie askew by some degrees
_LOST_SIGNS = ("\xa0", " ", "\ufffd", "\x00")
_ODD = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ue000-\uf8ff]")
_AFTER_FL = re.compile(r"ej|uen|uj|uct|ict|ex|ot|or|agr")
_BOLD_NAME = re.compile(r"bold|black|heavy|semibold|demi(?!-?light)|-bd\b", re.IGNORECASE)
_MONO_NAME = re.compile(r"courier|consol|mono|menlo|typewriter", re.IGNORECASE)


@dataclass(slots=True)
class Line:
    """Words on one baseline. Coordinates are upright: x to the right, y down the page as it is read."""

    page: int
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    is_bold: bool = False
    is_mono: bool = False
    bold_lead: int = 0  # characters at the start that are bold
    pieces: tuple["Line", ...] = ()  # the separate stretches a row was joined from
    colour: int = 0  # of all its letters, as 0xRRGGBB; -1 for several
    column: int = 0
    is_turned: bool = False  # runs in another direction than most of the page
    is_slanted: bool = False  # runs across the page, as a watermark does: its box is mostly empty

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    @property
    def box(self) -> Box:
        return (self.x0, self.y0, self.x1, self.y1)


@dataclass(frozen=True, slots=True)
class Upright:
    """How a page is turned so that most of its text runs left to right. `turn` counts quarter turns."""

    turn: int = 0

    def apply(self, box: Box) -> Box:
        x0, y0, x1, y1 = box
        if self.turn == 1:  # text ran upwards
            return (-y1, x0, -y0, x1)
        if self.turn == 2:
            return (-x1, -y1, -x0, -y0)
        if self.turn == 3:  # text ran downwards
            return (y0, -x1, y1, -x0)
        return box

    def undo(self, box: Box) -> Box:
        x0, y0, x1, y1 = box
        if self.turn == 1:
            return (y0, -x1, y1, -x0)
        if self.turn == 2:
            return (-x1, -y1, -x0, -y0)
        if self.turn == 3:
            return (-y1, x0, -y0, x1)
        return box


@dataclass(slots=True)
class PageText:
    """What one page says. `frame` is the page's own box, upright."""

    number: int
    upright: Upright
    frame: Box
    lines: list[Line] = field(default_factory=list)
    hidden_letters: int = 0
    hidden_boxes: list[Box] = field(default_factory=list)
    margin_boxes: list[Box] = field(default_factory=list)  # of running lines taken out
    is_ocr: bool = False
    is_unreadable: bool = False

    @property
    def letters(self) -> int:
        return sum(sum(map(str.isalnum, line.text)) for line in self.lines)


@dataclass(slots=True)
class _Span:
    text: str
    box: Box
    size: float
    is_bold: bool
    is_mono: bool
    is_seen: bool
    no_unicode: bool
    colour: int
    direction: int
    is_slanted: bool

    @property
    def is_white(self) -> bool:
        return min(self.colour >> 16 & 0xFF, self.colour >> 8 & 0xFF, self.colour & 0xFF) >= _WHITE


def read_page(page: Any, number: int, textpage: Any = None) -> PageText:
    """Read a pymupdf page. Lines come in the file's own order; hidden text is counted and left out."""
    raw = page.get_text("dict", flags=_FLAGS, clip=pymupdf.INFINITE_RECT(), textpage=textpage)
    rows = [
        [_span(span, line) for span in line["spans"] if span["text"]]
        for block in raw["blocks"]
        if block["type"] == 0
        for line in block["lines"]
    ]
    spans = [span for row in rows for span in row]
    upright = Upright(_most_turned(spans))
    bounds = _page_box(page)
    result = PageText(number, upright, upright.apply(bounds))
    if textpage is None:
        _settle_visibility(page, spans, bounds, result)
    else:  # recognized letters are laid over the picture unseen, in a font without looks
        for span in spans:
            span.is_seen, span.is_mono = True, False
    letters = sum(len(span.text) for span in spans if span.is_seen and not span.text.isspace())
    lost = sum(len(span.text) for span in spans if span.is_seen and span.no_unicode)
    result.is_unreadable = letters > 0 and (lost > 0.3 * letters or _is_gibberish(spans))
    for row in rows:
        _restore_ligatures(row)
        kept = [span for span in row if span.is_seen]
        if any(not span.text.isspace() for span in kept):
            line = _line(kept, number, upright)
            if line.text:
                result.lines.append(line)
    return result


def _page_box(page: Any) -> Box:
    """The page's visible box in the unrotated coordinates that text has."""
    rect = page.rect * page.derotation_matrix
    return (rect.x0, rect.y0, rect.x1, rect.y1)


def _span(span: dict[str, Any], line: dict[str, Any]) -> _Span:
    shape = span.get("char_flags", _FILLED_OR_STROKED)
    flags, font = span["flags"], span["font"]
    along, down = line["dir"]
    direction = 0 if along > 0.7 else 2 if along < -0.7 else 1 if down < 0 else 3
    return _Span(
        text=span["text"],
        box=tuple(span["bbox"]),
        size=span["size"],
        is_bold=bool(flags & _BOLD) or _BOLD_NAME.search(font) is not None,
        is_mono=bool(flags & _MONOSPACED) or _MONO_NAME.search(font) is not None,
        is_seen=bool(shape & (_FILLED_OR_STROKED | _CLIPPED)) and span.get("alpha", 255) > 12,
        no_unicode=bool(shape & _NO_UNICODE) or "\ufffd" in span["text"],
        colour=span["color"],
        direction=direction,
        is_slanted=max(abs(along), abs(down)) < _STRAIGHT,
    )


def _most_turned(spans: list[_Span]) -> int:
    letters: Counter[int] = Counter()
    for span in [span for span in spans if not span.is_slanted] or spans:  # a watermark does not turn the page
        letters[span.direction] += len(span.text.strip())
    return letters.most_common(1)[0][0] if letters else 0


def _settle_visibility(page: Any, spans: list[_Span], bounds: Box, result: PageText) -> None:
    """Mark spans nobody can see: invisible, tiny, off the page, white on nothing. An OCR layer over a picture stays."""
    words = [span for span in spans if not span.text.isspace()]
    for span in words:
        x, y = (span.box[0] + span.box[2]) / 2, (span.box[1] + span.box[3]) / 2
        inside = bounds[0] - 1 <= x <= bounds[2] + 1 and bounds[1] - 1 <= y <= bounds[3] + 1
        if not inside or min(span.size, _thickness(span)) < _TINY:
            span.is_seen = False
            result.hidden_letters += len(span.text)
            span.text = ""
    unseen = [span for span in words if span.text and not span.is_seen]
    if unseen:
        hidden = sum(len(span.text) for span in unseen)
        seen = sum(len(span.text) for span in words if span.is_seen)
        if hidden > 2 * seen and picture_share(page) > 0.5:
            result.is_ocr = True
            for span in unseen:
                span.is_seen = True
        else:
            result.hidden_letters += hidden
            result.hidden_boxes.extend(result.upright.apply(span.box) for span in unseen)
    white = [span for span in words if span.is_seen and span.text and span.is_white]
    if white:
        grounds = _coloured_grounds(page)
        for span in white:
            if not any(_covers(ground, span.box) for ground in grounds):
                span.is_seen = False
                result.hidden_letters += len(span.text)
                result.hidden_boxes.append(result.upright.apply(span.box))


def _thickness(span: _Span) -> float:
    return min(span.box[2] - span.box[0], span.box[3] - span.box[1]) if len(span.text.strip()) > 1 else span.size


def picture_share(page: Any) -> float:
    """The part of the page its largest picture covers."""
    area = abs(page.rect.width * page.rect.height) or 1.0
    shares = [
        abs(pymupdf.Rect(image["bbox"]).width * pymupdf.Rect(image["bbox"]).height) / area
        for image in page.get_image_info()
    ]
    return max(shares, default=0.0)


def _coloured_grounds(page: Any) -> list[Box]:
    """Boxes of fills that are not white, of shadings and of pictures: grounds white letters can be read on."""
    grounds = [tuple(box) for kind, box in page.get_bboxlog() if kind in ("fill-image", "fill-shade", "fill-imgmask")]
    for path in page.get_cdrawings():
        fill = path.get("fill")
        if fill is not None and min(fill) < 0.9 and (path.get("fill_opacity") or 1.0) > 0.05:
            grounds.append(tuple(path["rect"]))
    return grounds


def _covers(ground: Box, box: Box) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return ground[0] - 1 <= x <= ground[2] + 1 and ground[1] - 1 <= y <= ground[3] + 1


def _is_gibberish(spans: list[_Span]) -> bool:
    """Whether letters are mostly control characters or private signs: a font that does not say what its glyphs mean."""
    text = "".join(span.text for span in spans if span.is_seen)
    letters = len(text) - sum(map(str.isspace, text))
    return letters > 20 and len(_ODD.findall(text)) > 0.3 * letters


def _restore_ligatures(row: list[_Span]) -> None:
    """Put back "fi" and "fl" where a font draws them with a glyph that says it is a space: "Clasi cación"."""
    for before, span in pairwise(row):
        if span.no_unicode and span.text[:1] in _LOST_SIGNS and before.text[-1:].isalpha() and span.text[1:2].islower():
            span.text = ("fl" if _AFTER_FL.match(span.text[1:]) else "fi") + span.text[1:]


def _line(spans: list[_Span], number: int, upright: Upright) -> Line:
    words = [span for span in spans if not span.text.isspace()]
    sizes: Counter[float] = Counter()
    bold = mono = letters = 0
    for span in words:
        count = len(span.text.strip())
        letters += count
        sizes[round(span.size * 2) / 2] += count
        bold += count if span.is_bold else 0
        mono += count if span.is_mono else 0
    if len(words) > 1 and words[0].text.strip() == "o" and words[0].is_mono and not words[1].is_mono:
        words[0].text = words[0].text.replace("o", "◦")  # Word's second bullet
    boxes = [upright.apply(span.box) for span in words]
    lead = 0
    for span in spans:
        if not (span.is_bold or span.text.isspace()):
            break
        lead += len(span.text)
    raw = "".join(span.text for span in spans)
    text = joined_letters(clean_characters(raw).replace("\n", " "))
    return Line(
        number,
        text,
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
        sizes.most_common(1)[0][0],
        is_bold=bold >= 0.9 * letters,
        is_mono=mono >= 0.9 * letters,
        bold_lead=lead,
        colour=words[0].colour if len({span.colour for span in words}) == 1 else -1,
        is_turned=words[0].direction != upright.turn,
        is_slanted=words[0].is_slanted,
    )


def joined_letters(text: str) -> str:
    """ "Í N D I C E" as "ÍNDICE": letters set apart for looks. Wider gaps separate its words."""
    tokens = text.split()
    ending = tokens[-1][1:] if tokens and len(tokens[-1]) == 2 and tokens[-1][1] in ".:;" else ""
    if ending:
        return joined_letters(text.rstrip().removesuffix(ending)) + ending
    singles = sum(len(token) == 1 and token.isalpha() for token in tokens)
    if len(tokens) < 4 or singles < 0.8 * len(tokens):
        return " ".join(tokens)
    letters = [token for token in tokens if len(token) == 1]
    looks_like_list = letters == sorted(letters) or not any(letter.lower() in "aeiouáéíóú" for letter in letters)
    rest = "".join(letters[1:])
    if looks_like_list or not (rest.islower() or rest.isupper()):
        return " ".join(tokens)
    words = re.split(r"\s{2,}", text.strip())
    return " ".join("".join(word.split()) if _is_spaced_out(word) else word for word in words)


def _is_spaced_out(word: str) -> bool:
    tokens = word.split()
    return len(tokens) > 2 and all(len(token) == 1 for token in tokens)


def join_row(pieces: list[Line]) -> Line:
    """One line from stretches that share a baseline."""
    if len(pieces) == 1:
        return pieces[0]
    pieces = sorted(pieces, key=lambda piece: piece.x0)
    main = max(pieces, key=lambda piece: len(piece.text))
    text = pieces[0].text
    for left, right in pairwise(pieces):
        close = right.x0 - left.x1 < 0.12 * max(left.size, right.size)
        text += ("" if close else " ") + right.text
    return replace(
        main,
        text=text,
        x0=pieces[0].x0,
        y0=min(piece.y0 for piece in pieces),
        x1=max(piece.x1 for piece in pieces),
        y1=max(piece.y1 for piece in pieces),
        is_bold=all(piece.is_bold for piece in pieces),
        is_mono=all(piece.is_mono for piece in pieces),
        colour=main.colour if len({piece.colour for piece in pieces}) == 1 else -1,
        bold_lead=pieces[0].bold_lead if not pieces[0].is_bold else len(pieces[0].text),
        pieces=tuple(pieces),
    )

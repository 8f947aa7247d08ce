"""A manual as a Word document: built-in heading and list styles, real tables, running header and footer."""

import io
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import docx
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_TAB_ALIGNMENT
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor
from docx.text.paragraph import Paragraph
from manual_source import BRAND, BRAND_LINE, ManualSource
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

FIXED_TIME = datetime(2026, 1, 12, 9, 0, tzinfo=UTC)  # a build leaves no trace of when it ran
GREEN, OCHRE, GREY = RGBColor(0x17, 0x45, 0x3A), RGBColor(0x8A, 0x5A, 0x06), RGBColor(0x5C, 0x6A, 0x64)
FONT = "Calibri"
TEXT_WIDTH = Cm(16.6)
LIST_STYLES = {"bullet_list": "List Bullet", "ordered_list": "List Number"}


def render_docx(source: ManualSource) -> bytes:
    """The manual as a DOCX. The same source gives the same bytes."""
    document = docx.Document()
    _set_up(document, source)
    document.add_paragraph(source.title, style="Title")
    facts = f"{BRAND_LINE} · {source.edition} · En vigor desde el {source.valid_from}"
    document.add_paragraph(facts, style="Subtitle")
    document.add_paragraph(f"Responsable: {source.owner} · Para: {source.audience}", style="Subtitle")
    parsed = MarkdownIt("commonmark").enable("table").parse(source.body)
    for node in SyntaxTreeNode(parsed).children:
        _add_block(document, node)
    output = io.BytesIO()
    document.save(output)
    return _with_fixed_times(output.getvalue())


def _add_block(document: Any, node: SyntaxTreeNode) -> None:
    """Raises: ValueError, for Markdown that the manuals do not use."""
    if node.type == "heading":  # chapters are `##` in the source: `#` is the title
        document.add_heading(level=int(node.tag[1]) - 1).add_run(node.children[0].content)
    elif node.type == "paragraph":
        _add_runs(document.add_paragraph(), node.children[0])
    elif node.type in LIST_STYLES:
        _add_list(document, node)
    elif node.type == "table":
        _add_table(document, [row for part in node.children for row in part.children])
    else:
        raise ValueError(f"No Word form for {node.type}")


def _add_runs(paragraph: Paragraph, inline: SyntaxTreeNode) -> None:
    for child in inline.children:
        run = paragraph.add_run(child.children[0].content if child.children else child.content)
        run.bold = True if child.type == "strong" else None
        run.italic = True if child.type == "em" else None


def _add_list(document: Any, node: SyntaxTreeNode) -> None:
    number = _restarted_numbering(document) if node.type == "ordered_list" else None
    for item in node.children:
        paragraph = document.add_paragraph(style=LIST_STYLES[node.type])
        if number is not None:
            properties = paragraph._p.get_or_add_pPr().get_or_add_numPr()
            properties.get_or_add_ilvl().val = 0
            properties.get_or_add_numId().val = number
        _add_runs(paragraph, item.children[0].children[0])


def _restarted_numbering(document: Any) -> int:
    """The id of a new numbering in the style's own format that begins at 1."""
    style = document.styles["List Number"]
    numbering = document.part.numbering_part.element
    abstract = numbering.num_having_numId(style.element.pPr.numPr.numId.val).abstractNumId.val
    added = numbering.add_num(abstract)
    added.add_lvlOverride(ilvl=0).add_startOverride(1)
    return int(added.numId)


def _add_table(document: Any, rows: Sequence[SyntaxTreeNode]) -> None:
    table = document.add_table(rows=len(rows), cols=len(rows[0].children), style="Table Grid")
    table.autofit = False
    widths = _column_widths(rows)
    for row_index, (row, source) in enumerate(zip(table.rows, rows, strict=True)):
        properties = row._tr.get_or_add_trPr()
        properties.append(OxmlElement("w:cantSplit"))
        if row_index == 0:
            properties.append(OxmlElement("w:tblHeader"))
        for cell, width, cell_source in zip(row.cells, widths, source.children, strict=True):
            cell.width = width
            paragraph = cell.paragraphs[0]
            paragraph.style = "Table Text"
            _add_runs(paragraph, cell_source.children[0])
            if row_index == 0:
                _shade(cell, str(GREEN))
            for run in paragraph.runs if row_index == 0 else ():
                run.bold, run.font.color.rgb = True, RGBColor(0xFF, 0xFF, 0xFF)
    document.add_paragraph().paragraph_format.space_after = Pt(2)


def _column_widths(rows: Sequence[SyntaxTreeNode]) -> list[int]:
    """Widths in proportion to each column's longest cell, within bounds, that fill the text width."""
    columns = zip(*([cell.children[0].content for cell in row.children] for row in rows), strict=True)
    weights = [min(max(len(text) for text in (*column, "x" * 11)), 44) for column in columns]
    return [TEXT_WIDTH * weight // sum(weights) for weight in weights]


def _shade(cell: Any, colour: str) -> None:
    shading = OxmlElement("w:shd")
    for name, value in (("val", "clear"), ("color", "auto"), ("fill", colour)):
        shading.set(qn(f"w:{name}"), value)
    cell._tc.get_or_add_tcPr().append(shading)


def _set_up(document: Any, source: ManualSource) -> None:
    properties = document.core_properties
    properties.title, properties.author, properties.language = source.title, BRAND_LINE, "es-ES"
    properties.subject, properties.comments, properties.last_modified_by = source.edition, "", BRAND_LINE
    properties.created = properties.modified = FIXED_TIME
    section = document.sections[0]
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = Cm(2.2)
    section.top_margin = section.bottom_margin = Cm(2.4)
    _set_styles(document)
    _add_running_line(section.header.paragraphs[0], source.title, source.edition)
    footer = section.footer.paragraphs[0]
    _add_running_line(footer, f"{BRAND} · Uso interno", "Página ")
    _add_field(footer, "PAGE")
    footer.add_run(" de ")
    _add_field(footer, "NUMPAGES")


def _set_styles(document: Any) -> None:
    styles = document.styles
    language = styles.element.find(f".//{qn('w:lang')}")
    language.set(qn("w:val"), "es-ES")
    styles.add_style("Table Text", WD_STYLE_TYPE.PARAGRAPH).base_style = styles["Normal"]
    border = styles["Title"].element.pPr.find(qn("w:pBdr"))
    styles["Title"].element.pPr.remove(border)  # the template's blue line under the title
    looks = {  # size, colour, space before, space after (points)
        "Normal": (10.5, None, 0, 6),
        "Title": (26, GREEN, 0, 6),
        "Subtitle": (10, GREY, 0, 4),
        "Heading 1": (16, GREEN, 20, 6),
        "Heading 2": (12.5, GREEN, 12, 4),
        "List Bullet": (10.5, None, 0, 3),
        "List Number": (10.5, None, 0, 3),
        "Table Text": (9, None, 2, 2),
        "Header": (8.5, GREY, 0, 0),
        "Footer": (8.5, GREY, 0, 0),
    }
    for name, (size, colour, before, after) in looks.items():
        style = styles[name]
        style.font.name, style.font.size, style.font.italic = FONT, Pt(size), False
        fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
        for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
            fonts.attrib.pop(qn(f"w:{theme}"), None)  # a theme's font would win over the one named
        if colour is not None:
            style.font.color.rgb = colour
        style.paragraph_format.space_before, style.paragraph_format.space_after = Pt(before), Pt(after)


def _add_running_line(paragraph: Paragraph, left: str, right: str) -> None:
    stops = paragraph.paragraph_format.tab_stops
    for stop in list(paragraph.style.paragraph_format.tab_stops) if paragraph.style else ():
        stops.add_tab_stop(stop.position, WD_TAB_ALIGNMENT.CLEAR)
    stops.add_tab_stop(TEXT_WIDTH, WD_TAB_ALIGNMENT.RIGHT)
    paragraph.add_run(f"{left}\t{right}")


def _add_field(paragraph: Paragraph, instruction: str) -> None:
    field = OxmlElement("w:fldSimple")
    field.set(qn("w:instr"), instruction)
    paragraph._p.append(field)
    field.append(paragraph.add_run("1")._r)


def _with_fixed_times(data: bytes) -> bytes:
    """The same package with one fixed time on every entry: a zip otherwise records when it was made."""
    output = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            entry = zipfile.ZipInfo(name, FIXED_TIME.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(entry, old.read(name))
    return output.getvalue()

"""CSV and its kin: separator detected, rows kept with their header."""

import csv
import io
from collections import Counter
from itertools import islice
from pathlib import Path

from documents.parsing import media_types, notices
from documents.parsing.assembly import BlockWriter
from documents.parsing.decoding import decode
from documents.parsing.limits import ParseLimits
from documents.parsing.types import ParsedDocument, ParseWarning

_SEPARATORS = (";", ",", "\t", "|")
_SAMPLE_ROWS = 200


def parse_delimited(path: Path, limits: ParseLimits) -> ParsedDocument:
    """One table with the file's rows; the first row is the header."""
    decoded = decode(path.read_bytes())
    text = decoded.text.replace("\x00", "")
    separator = ""
    if text.lower().startswith("sep=") and len(text) > 4:  # Excel's own hint
        separator = text[4]
        text = text.partition("\n")[2]
    separator = separator or find_separator(text)
    csv.field_size_limit(10_000_000)
    rows: list[list[str]] = []
    warnings: list[ParseWarning] = []
    cells = 0
    for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
        cells += len(row)
        if cells > limits.cells:
            warnings.append(notices.warning("rows_cut", name=path.name))
            break
        rows.append(row)
    if decoded.is_guess and decoded.encoding != "cp1252":
        warnings.append(notices.warning("encoding_guessed", encoding=decoded.encoding))
    writer = BlockWriter()
    if max(map(len, rows), default=0) <= 1:
        for row in rows:
            writer.table([row], header_rows=0)
    else:
        writer.table(rows, header_rows=1, locator={"rows": [1, len(rows)]})
    return ParsedDocument(media_types.CSV, tuple(writer.blocks), warnings=tuple(warnings))


def find_separator(text: str) -> str:
    """The separator that gives the most rows of one common width, wider rather than narrower."""

    def score(separator: str) -> tuple[float, int]:
        reader = csv.reader(io.StringIO(text[:500_000], newline=""), delimiter=separator)
        try:
            widths = Counter(len(row) for row in islice(reader, _SAMPLE_ROWS) if row)
        except csv.Error:
            return (0.0, 0)
        if not widths:
            return (0.0, 0)
        width, count = max(widths.items(), key=lambda item: (item[1] if item[0] > 1 else 0, item[0]))
        return (count / widths.total() if width > 1 else 0.0, width)

    return max(_SEPARATORS, key=score)

"""CSV and its kin: separator detected, rows kept with their header."""

import csv
import io
from pathlib import Path

from documents.parsing import media_types, notices
from documents.parsing.assembly import BlockWriter
from documents.parsing.decoding import decode
from documents.parsing.limits import ParseLimits
from documents.parsing.types import ParsedDocument, ParseWarning
from skillnet.separators import without_hint


def parse_delimited(path: Path, limits: ParseLimits) -> ParsedDocument:
    """One table with the file's rows; the first row is the header."""
    decoded = decode(path.read_bytes())
    text, separator = without_hint(decoded.text.replace("\x00", ""))
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

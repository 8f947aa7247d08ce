"""What separates the values of a table that was saved as text."""

import csv
import io
from collections import Counter
from itertools import islice

_SEPARATORS = (";", ",", "\t", "|")
_SAMPLE_ROWS = 200


def without_hint(text: str) -> tuple[str, str]:
    """The table's text and its separator: the one that Excel's first line names (`sep=;`), or the likeliest."""
    if text.lower().startswith("sep=") and len(text) > 4:
        return text.partition("\n")[2], text[4]
    return text, find_separator(text)


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

"""Cells that spreadsheets show and never compute. Pure functions."""

# What begins a formula for some spreadsheet, full-width forms included.
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def inert(text: str) -> str:
    """A cell's text, marked as text where a spreadsheet would take it for a formula."""
    return f"'{text}" if _looks_like_a_formula(text) else text


def without_mark(text: str) -> str:
    """A cell's text without the mark that `inert` gave it; any other text as it is."""
    return text[1:] if text.startswith("'") and _looks_like_a_formula(text[1:]) else text


def _looks_like_a_formula(text: str) -> bool:
    return text.lstrip(" ").startswith(_FORMULA_SIGNS)

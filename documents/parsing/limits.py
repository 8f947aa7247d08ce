"""What one file may cost. Beyond these numbers a file is refused before it hurts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ParseLimits:
    """Budgets of one `parse` call. Sizes are bytes, times are seconds."""

    file_bytes: int = 100 * 1024 * 1024
    pages: int = 3000
    inflated_bytes: int = 400 * 1024 * 1024  # of all parts read from a zip-based file, as really inflated
    part_bytes: int = 120 * 1024 * 1024  # of one part
    zip_entries: int = 1_400
    cells: int = 500_000  # of all sheets of a workbook, or of a CSV file
    characters: int = 30_000_000  # of text taken from one file
    pixels: int = 40_000_000  # of one page rendered for OCR
    ocr_pages: int = 60
    ocr_seconds: float = 120.0  # for all pages of a file
    seconds: float = 300.0  # wall clock and processor time, in a child process only
    memory_bytes: int = 2 * 1024 * 1024 * 1024  # address space, in a child process only

    def __post_init__(self) -> None:
        _check_positive(self)


@dataclass(frozen=True, slots=True)
class DrawLimits:
    """Budgets of drawing one page, in a child process."""

    seconds: float = 10.0  # wall clock and processor time
    memory_bytes: int = 1024 * 1024 * 1024  # address space
    pixels: int = 4_000_000  # a poster is drawn smaller, not refused

    def __post_init__(self) -> None:
        _check_positive(self)


def _check_positive(limits: ParseLimits | DrawLimits) -> None:
    for name in limits.__slots__:
        if getattr(limits, name) <= 0:
            raise ValueError(f"{name} must be positive")


DEFAULT_LIMITS = ParseLimits()
DEFAULT_DRAW_LIMITS = DrawLimits()

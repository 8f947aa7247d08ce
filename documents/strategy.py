"""How a prompt gets a document: its whole text, or the passages that a search finds. Pure functions.

Whatever the answer, the document is cut and indexed: it has to be found before anything of it is put into a prompt.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StrategySettings:
    """Up to `short_pages` a document is given whole, up to `medium_pages` where `medium_as_full_text` says so."""

    short_pages: int = 3
    medium_pages: int = 5
    medium_as_full_text: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.short_pages <= self.medium_pages:
            raise ValueError(f"{self.short_pages} and {self.medium_pages} pages are not in order")


DEFAULT_SETTINGS = StrategySettings()


def uses_full_text(pages: int, is_only_document: bool, settings: StrategySettings = DEFAULT_SETTINGS) -> bool:
    """Whether a prompt gets a document of `pages` pages whole, rather than passages of it.

    Only where it is its course's only document: several would crowd each other out.
    """
    longest = settings.medium_pages if settings.medium_as_full_text else settings.short_pages
    return is_only_document and pages <= longest

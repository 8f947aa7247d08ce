"""What chunking takes and gives."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

Strategy = Literal["section", "fixed", "recursive", "markdown"]

# size and overlap of the strategies that have them: tokens, but characters for "recursive"
_SIZES: dict[Strategy, tuple[int, int]] = {
    "fixed": (500, 50),
    "recursive": (1000, 200),
    "markdown": (500, 80),
}
SMALLEST_LIMIT = 16  # tokens: below it not even a word is sure to fit beside the model's own tokens
MARKDOWN_MAX_TOKENS = 900


@dataclass(frozen=True, slots=True)
class ChunkSettings:
    """How to cut a document.

    `max_tokens` is what the embedder sees at most, document and section names included. `min_tokens` and
    `overlap_sentences` belong to the "section" strategy. `size` and `overlap` belong to the others, in tokens
    ("fixed", "markdown") or characters ("recursive"); None takes the strategy's own.

    Raises: ValueError, with a message for people, when the numbers contradict each other.
    """

    max_tokens: int = 512
    min_tokens: int = 50
    overlap_sentences: int = 2
    strategy: Strategy = "section"
    size: int | None = None
    overlap: int | None = None

    def __post_init__(self) -> None:
        if self.strategy not in get_args(Strategy):
            known = ", ".join(get_args(Strategy))
            raise ValueError(f"No existe la forma de trocear «{self.strategy}». Elige una de estas: {known}.")
        if self.max_tokens < SMALLEST_LIMIT:
            raise ValueError(f"El máximo de tokens ({self.max_tokens}) debe ser al menos {SMALLEST_LIMIT}.")
        if not 0 <= self.min_tokens < self.max_tokens:
            raise ValueError(
                f"El mínimo de tokens ({self.min_tokens}) no puede ser negativo "
                f"y debe ser menor que el máximo ({self.max_tokens})."
            )
        if self.overlap_sentences < 0:
            raise ValueError("El número de frases de solape no puede ser negativo.")
        if self.strategy != "section":
            if self.window_size < 1 or self.window_overlap < 0:
                raise ValueError("El tamaño del fragmento debe ser positivo, y el solape no puede ser negativo.")
            if self.window_overlap >= self.window_size:
                raise ValueError(
                    f"El solape ({self.window_overlap}) debe ser menor que el tamaño del fragmento "
                    f"({self.window_size}). Reduce el solape o aumenta el tamaño."
                )

    @property
    def window_size(self) -> int:
        """`size`, or the strategy's own."""
        return self.size if self.size is not None else _SIZES.get(self.strategy, (self.max_tokens, 0))[0]

    @property
    def window_overlap(self) -> int:
        """`overlap`, or the strategy's own."""
        return self.overlap if self.overlap is not None else _SIZES.get(self.strategy, (self.max_tokens, 0))[1]


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """A chunk, not stored yet.

    `locator` is plain JSON: {"rects": {"3": [[x0, y0, x1, y1], …]}} for PDF, by page; else the first block's
    own {"sheet", "rows"}, {"slide"} or {"time"}. A chunk on several pages has {"pages": [{"start", "page"}]},
    one of merged sections {"sections": [{"start", "heading_path"}]}, `start` in characters of `text`.
    """

    position: int  # from 0, in reading order
    kind: str  # value of the BlockKind that makes most of its words
    text: str  # words as they stand in the document
    meaning_text: str  # "[Documento: T] [Sección: H1 > H2]\n" and the text: what the embedder sees
    heading_path: tuple[str, ...]
    level: int  # length of heading_path
    page_start: int | None
    page_end: int | None
    locator: dict[str, Any]
    language: str
    char_start: int  # span in normalized_text(blocks) of what is this chunk's own
    char_end: int
    token_count: int  # of meaning_text
    content_hash: str  # SHA-256 of the text, white space and case folded
    rows: tuple[tuple[str, ...], ...] | None = None  # of a chunk that is one table, or a piece of one: header first
    header_rows: int = 0
    own_start: int = 0  # text before it is repeated from earlier: overlap, a list's lead-in, a table's title and header

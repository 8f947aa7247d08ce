"""A lesson written from its pieces of documents: by the language model where there is one and it keeps to them, else
from their own text.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from courses.drafting import rewriting
from courses.drafting.items import DraftedItem
from courses.drafting.legibility import illegible_pages, is_note, legible
from courses.drafting.misreadings import casing_of
from courses.drafting.quizzes import MAX_ITEMS, draft_items
from courses.drafting.titles import Casing
from courses.drafting.writing import write_lesson
from courses.passages import holds, lines_of
from documents.parsing.types import Block
from skillnet.backends.metering import MeteredModel, Tokens
from skillnet.backends.protocols import ChatMessage, LanguageModel
from skillnet.errors import BackendUnavailable

logger = logging.getLogger(__name__)

TRIES = 2  # the second is told what was wrong with the first
REPLY_TOKENS = 4_000


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of blocks of a document, and all of that document's."""

    document_id: int
    blocks: Sequence[Block]
    document: Sequence[Block]


@dataclass(frozen=True, slots=True)
class ComposedLesson:
    """A lesson's text, and its questions as fields of quiz items, which a person is to review."""

    summary: str
    content: str
    items: list[dict[str, Any]]
    is_rewritten: bool = False  # in a language model's words
    tokens: Tokens = field(default_factory=Tokens)  # that a language model took, whether its words were kept or not


def compose(title: str, pieces: Sequence[Piece], model: LanguageModel | None) -> ComposedLesson:
    """A lesson on the pieces. With a model, what it writes is kept only where it is grounded in them."""
    if model is None:
        return _composed(title, pieces, None)
    metered = MeteredModel(model)
    composed = _composed(title, pieces, metered)
    return replace(composed, tokens=metered.tokens)


def _composed(title: str, pieces: Sequence[Piece], model: LanguageModel | None) -> ComposedLesson:
    pieces = [replace(piece, blocks=legible(piece.blocks, illegible_pages(piece.document))) for piece in pieces]
    rewritten = _rewritten(title, pieces, model) if model is not None else None
    documents = {piece.document_id: piece.document for piece in pieces}
    casings = {document_id: casing_of(document) for document_id, document in documents.items()}
    own_items = _drafted(pieces, casings)
    if rewritten is not None:
        items = [item_fields(item, _document_of(item, pieces)) for item in rewritten.items]
        return ComposedLesson(rewritten.summary, rewritten.content, items or own_items, is_rewritten=True)
    casing = next(iter(casings.values())) if len(casings) == 1 else casing_of(*documents.values())
    written = write_lesson(title, [piece.blocks for piece in pieces], casing)
    return ComposedLesson(written.summary, written.content, own_items)


def item_fields(item: DraftedItem, document_id: int) -> dict[str, Any]:
    """A drafted item as fields of a stored one, in plain JSON types."""
    fields = asdict(item) | {"document_id": document_id}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()}


def _drafted(pieces: Sequence[Piece], casings: Mapping[int, Casing]) -> list[dict[str, Any]]:
    """Questions from the documents' own text: those of each document on all its pieces together."""
    items: list[dict[str, Any]] = []
    for document_id, document in {piece.document_id: piece.document for piece in pieces}.items():
        blocks = [block for piece in pieces if piece.document_id == document_id for block in piece.blocks]
        drafted = draft_items(blocks, document, casing=casings[document_id], limit=MAX_ITEMS - len(items))
        items += [item_fields(item, document_id) for item in drafted]
    return items


def _document_of(item: DraftedItem, pieces: Sequence[Piece]) -> int:
    """The document of the piece that holds an item's passage."""
    for piece in pieces:
        if any(holds(lines_of(block), item.quote) for block in piece.blocks):
            return piece.document_id
    return pieces[0].document_id


def _rewritten(title: str, pieces: Sequence[Piece], model: LanguageModel) -> rewriting.Rewritten | None:
    """The lesson in the model's words; None when it cannot be reached or twice said what the pieces do not."""
    blocks = [block for piece in pieces for block in piece.blocks if not is_note(block)]
    messages = [
        ChatMessage("system", rewriting.INSTRUCTIONS),
        ChatMessage("user", rewriting.request(title, blocks)),
    ]
    for _try in range(TRIES):
        try:
            reply = "".join(model.stream(messages, max_tokens=REPLY_TOKENS))
            return rewriting.read(reply, blocks)
        except BackendUnavailable as error:
            logger.warning("a lesson keeps its document's own text: %s", error)
            return None
        except rewriting.UnusableReply as error:
            again = ChatMessage("user", f"{error} Corrígelo y responde de nuevo.")
            messages += [ChatMessage("assistant", reply), again]
    logger.info("a lesson keeps its document's own text: the model did not keep to it")
    return None

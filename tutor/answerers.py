"""Two ways of drafting an answer from passages: the documents' own sentences, or a language model."""

import re
from collections.abc import Iterator
from typing import Protocol

from retrieval.types import SearchResult
from skillnet.backends import get_embedder
from skillnet.backends.protocols import Embedder, LanguageModel
from skillnet.backends.tokens import count_prompt_tokens
from tutor.context import REPLY_TOKENS, context_budget, pack
from tutor.drafting import Draft
from tutor.extractive import compose
from tutor.grounding import Source
from tutor.models import AnswerOrigin
from tutor.prompts import build_messages, says_no_evidence, source_text
from tutor.reading import read
from tutor.relevance import passage_relevances

_LINES = re.compile(r"[^\n]*\n*")


class Answerer(Protocol):
    """Drafts an answer to a question from what a search found."""

    origin: AnswerOrigin

    def draft(self, question: str, result: SearchResult) -> Iterator[str | Draft]:
        """Yield the draft's text in pieces, then the whole draft with the sources that its markers number.

        Raises: BackendUnavailable, before or between pieces.
        """
        ...


class ExtractiveAnswerer:
    """Chooses sentences, rows or steps of the best passages. Needs no language model and never fails."""

    origin = AnswerOrigin.EXTRACTIVE

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder or get_embedder()

    def draft(self, question: str, result: SearchResult) -> Iterator[str | Draft]:
        reading = read(question, result.passages, self._embedder)
        draft = compose(question, reading.passages, reading.choices, passage_relevances(result))
        yield from (line for line in _LINES.findall(draft.text) if line)
        yield draft


class GenerativeAnswerer:
    """Lets a language model write the answer, told to use nothing but the passages and to cite them."""

    origin = AnswerOrigin.MODEL

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    def draft(self, question: str, result: SearchResult) -> Iterator[str | Draft]:
        relevances = dict(
            zip((passage.chunk_id for passage in result.passages), passage_relevances(result), strict=True)
        )
        passages = pack(
            result.passages,
            budget=context_budget(self._model.context_tokens),
            count_tokens=lambda passage: count_prompt_tokens(source_text(1, passage)),
        )
        pieces: list[str] = []
        for piece in self._model.stream(build_messages(question, passages), max_tokens=REPLY_TOKENS):
            pieces.append(piece)
            yield piece
        text = "".join(pieces)
        sources = (
            Source(number, passage, relevances[passage.chunk_id]) for number, passage in enumerate(passages, start=1)
        )
        yield Draft("", ()) if says_no_evidence(text) else Draft(text, tuple(sources))

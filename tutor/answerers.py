"""Two ways of drafting an answer from passages: the documents' own sentences, or a language model."""

import re
from collections.abc import Iterator, Sequence

from retrieval.types import SearchResult
from skillnet.backends import get_embedder
from skillnet.backends.protocols import ChatMessage, Embedder, LanguageModel
from skillnet.backends.tokens import count_prompt_tokens
from tutor.context import REPLY_TOKENS, context_budget, pack
from tutor.drafting import Draft
from tutor.extractive import compose
from tutor.grounding import Source, with_usual_markers
from tutor.nothing_found import says_nothing_found
from tutor.prompts import build_messages, source_text
from tutor.reading import read
from tutor.relevance import passage_relevances

_LINES = re.compile(r"[^\n]*\n*")


class ExtractiveAnswerer:
    """Chooses sentences, rows or steps of the best passages. Needs no language model and never fails."""

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder or get_embedder()

    def draft(self, question: str, result: SearchResult) -> Iterator[str | Draft]:
        reading = read(question, result.passages, self._embedder)
        draft = compose(question, reading.passages, reading.choices, passage_relevances(result))
        yield from (line for line in _LINES.findall(draft.text) if line)
        yield draft


class MeteredReply:
    """A language model's reply while it comes: its pieces by iterating once, then its text and the tokens it took.

    Tokens are counted here, because not every server tells them: cl100k_base, a few per cent off for other models.
    Raises: BackendUnavailable, before or between pieces.
    """

    def __init__(self, model: LanguageModel, messages: Sequence[ChatMessage]) -> None:
        self._model = model
        self._messages = messages
        self._pieces: list[str] = []

    def __iter__(self) -> Iterator[str]:
        for piece in self._model.stream(self._messages, max_tokens=REPLY_TOKENS):
            self._pieces.append(piece)
            yield piece

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    @property
    def prompt_tokens(self) -> int:
        return sum(count_prompt_tokens(message.content) for message in self._messages)

    @property
    def reply_tokens(self) -> int:
        return count_prompt_tokens(self.text)


class GenerativeAnswerer:
    """Lets a language model write the answer, told to use nothing but the passages and to cite them."""

    def __init__(self, model: LanguageModel, question: str, result: SearchResult) -> None:
        relevances = dict(
            zip((passage.chunk_id for passage in result.passages), passage_relevances(result), strict=True)
        )
        passages = pack(
            result.passages,
            budget=context_budget(model.context_tokens),
            count_tokens=lambda passage: count_prompt_tokens(source_text(1, passage)),
        )
        self.sources = tuple(
            Source(number, passage, relevances[passage.chunk_id]) for number, passage in enumerate(passages, start=1)
        )
        self.reply = MeteredReply(model, build_messages(question, passages))

    def draft(self) -> Draft:
        """What the whole reply says, with the sources that its markers number; empty when it found nothing."""
        text = with_usual_markers(self.reply.text, [source.passage for source in self.sources])
        return Draft("", ()) if says_nothing_found(text) else Draft(text, self.sources)

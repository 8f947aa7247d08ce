"""Two ways of drafting an answer from passages: the documents' own sentences, or a language model."""

import re
from collections.abc import Iterator, Sequence

from retrieval.types import SearchResult
from skillnet import metrics
from skillnet.backends import get_embedder
from skillnet.backends.metering import MeteredReply, Tokens
from skillnet.backends.protocols import ChatMessage, Embedder, LanguageModel
from skillnet.backends.tokens import count_prompt_tokens
from skillnet.errors import BackendUnavailable
from tutor.context import REPLY_TOKENS, context_budget, pack
from tutor.drafting import Draft
from tutor.extractive import compose
from tutor.grounding import Source, with_usual_markers
from tutor.nothing_found import says_nothing_found
from tutor.prompts import build_messages, source_text
from tutor.reading import read
from tutor.relevance import passage_relevances
from tutor.replies import without_thoughts, without_unfinished_end

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


class ShownReply:
    """What of a language model's reply may be shown while it comes, and the tokens that all of it took: what it thinks
    aloud is counted, not told.
    """

    def __init__(self, model: LanguageModel, messages: Sequence[ChatMessage]) -> None:
        self._reply = MeteredReply(model, messages, max_tokens=REPLY_TOKENS)

    def __iter__(self) -> Iterator[str]:
        """All that may be shown so far, again and again while it comes: mostly it grows, empty at first perhaps.

        Raises: BackendUnavailable, before or between pieces, or at the end of a reply that says nothing.
        """
        for _piece in self._reply:
            yield without_thoughts(self._reply.text, is_whole=False)
        if not self.text.strip():
            metrics.MODEL_FAILURES.labels("chat").inc()
            raise BackendUnavailable("the language model's reply says nothing")

    @property
    def text(self) -> str:
        """What it says; one that was cut off at its longest, in its whole sentences."""
        text = without_thoughts(self._reply.text)
        return without_unfinished_end(text) if self._reply.is_cut_off else text

    @property
    def tokens(self) -> Tokens:
        return self._reply.tokens


class GenerativeAnswerer:
    """Lets a language model write the answer, told to use nothing but the passages and to cite them."""

    def __init__(self, model: LanguageModel, question: str, result: SearchResult) -> None:
        relevances = dict(
            zip((passage.chunk_id for passage in result.passages), passage_relevances(result), strict=True)
        )
        around = sum(count_prompt_tokens(message.content) for message in build_messages(question, [])[1:])
        passages = pack(
            result.passages,
            budget=context_budget(model.context_tokens, around),
            count_tokens=lambda passage: count_prompt_tokens(f"{source_text(1, passage)}\n\n"),
        )
        self.sources = tuple(
            Source(number, passage, relevances[passage.chunk_id]) for number, passage in enumerate(passages, start=1)
        )
        self.reply = ShownReply(model, build_messages(question, passages))

    def draft(self) -> Draft:
        """What the whole reply says, with the sources that its markers number; empty when it found nothing."""
        text = with_usual_markers(self.reply.text, [source.passage for source in self.sources])
        return Draft("", ()) if says_nothing_found(text) else Draft(text, self.sources)

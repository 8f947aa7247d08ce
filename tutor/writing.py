"""A draft from passages: by the language model while its quota lasts, else in the documents' own words."""

import logging
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from typing import Any, Self
from uuid import UUID

from retrieval.types import Passage, SearchResult
from skillnet.backends import get_language_model
from skillnet.backends.language import detect_language
from skillnet.backends.protocols import Embedder, LanguageModel
from skillnet.errors import BackendUnavailable
from skillnet.taking_turns import turns
from skillnet.tenancy import organization_scope
from tutor import usage
from tutor.answerers import ExtractiveAnswerer, GenerativeAnswerer, ShownReply
from tutor.claims import check_claims
from tutor.drafting import Draft
from tutor.events import AnswerEvent, Piece, Restarted, Waited
from tutor.grounding import with_usual_markers, without_markers
from tutor.models import AnswerOrigin
from tutor.nothing_found import says_nothing_found
from tutor.prompts import build_general_messages
from tutor.reading import wording_of
from tutor.whole_documents import with_short_documents

logger = logging.getLogger(__name__)

EMPTY = Draft("", ())


@dataclass(frozen=True, slots=True)
class Written:
    """A draft and how it came about. `notes` go into the answer's trace."""

    draft: Draft
    origin: AnswerOrigin
    is_replacement: bool = False
    notes: dict[str, Any] = field(default_factory=dict)


class Writer:
    """Writes one answer. The organization's scope is opened to count, never while text flows.

    However many rungs ask the language model, one answer of the month is counted: inside `with`, and only when that
    ends with `is_by_model` set.
    """

    def __init__(self, question: str, organization_id: UUID, embedder: Embedder) -> None:
        self._question = question
        self._embedder = embedder
        self._organization_id = organization_id
        self._has_text = False
        self._put_to_model: set[int] = set()  # chunks
        self._month = usage.this_month()
        self._is_reserved = False
        self.is_by_model = False
        self.notes: dict[str, Any] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._is_reserved and not self.is_by_model:
            with organization_scope(self._organization_id):
                usage.release_answer(self._organization_id, self._month)

    def write(self, result: SearchResult) -> Generator[AnswerEvent, None, Written]:
        """From passages that answer: by the model; with the documents' own sentences when there is none, its quota is
        used up or it fails.
        """
        model = self._reserved_model()
        if model is not None:
            try:
                draft = yield from self._by_model(model, result)
            except BackendUnavailable:
                logger.warning("The language model failed; answering with the documents' own sentences")
                yield from self.withdraw()
                draft = yield from self._by_choice(result)
                replaced = bool(self.notes.pop("withdrawn", False))
                return Written(draft, AnswerOrigin.EXTRACTIVE, is_replacement=replaced, notes=self.notes)
            return Written(draft, AnswerOrigin.MODEL, notes=self.notes)
        draft = yield from self._by_choice(result)
        return Written(draft, AnswerOrigin.EXTRACTIVE, notes=self.notes)

    def look(self, result: SearchResult) -> Generator[AnswerEvent, None, Written]:
        """From a document that may answer: by the model alone. An empty draft when it cannot."""
        model = self._reserved_model()
        draft = EMPTY
        if model is not None:
            try:
                draft = yield from self._by_model(model, result)
            except BackendUnavailable:
                logger.warning("The language model failed while looking through a document")
        return Written(draft, AnswerOrigin.MODEL, notes=self.notes)

    def was_put_to_model(self, passages: Iterable[Passage]) -> bool:
        """Whether a model was asked with all of these passages before it."""
        return self._put_to_model.issuperset(passage.chunk_id for passage in passages)

    def general(self, question: str) -> Generator[AnswerEvent, None, str]:
        """From what the model knows by itself, without sources; empty when it cannot say.

        The question names its topic.
        """
        model = self._reserved_model()
        if model is None:
            return ""
        reply = ShownReply(model, build_general_messages(question))
        try:
            yield from self._told(reply)
        except BackendUnavailable:
            logger.warning("The language model failed while answering from general knowledge")
            return ""
        text = with_usual_markers(reply.text)
        return "" if says_nothing_found(text) else without_markers(text).strip()

    def withdraw(self) -> Generator[AnswerEvent, None, None]:
        """Take back the text shown so far, when there is some: another answer follows."""
        if self._has_text:
            self._has_text = False
            self.notes["withdrawn"] = True
            yield Restarted()

    def _reserved_model(self) -> LanguageModel | None:
        """The language model, one answer of it counted for all it is asked; None when there is none or the quota is
        used up.
        """
        model = get_language_model()
        if model is None or self._is_reserved:
            return model
        with organization_scope(self._organization_id):
            self._is_reserved = usage.reserve_answer(self._organization_id, self._month)
        if not self._is_reserved:
            self.notes["quota"] = "used_up"
        return model if self._is_reserved else None

    def _by_model(self, model: LanguageModel, result: SearchResult) -> Generator[AnswerEvent, None, Draft]:
        with organization_scope(self._organization_id):
            result = with_short_documents(result)
        writer = GenerativeAnswerer(model, result.searched or self._question, result)
        self._put_to_model.update(source.passage.chunk_id for source in writer.sources)
        yield from self._told(writer.reply)
        return self._checked(writer.draft())

    def _told(self, reply: ShownReply) -> Generator[AnswerEvent, None, None]:
        """The reply as it comes, and signs that it goes on while there is nothing new to show; its tokens are
        counted.
        """
        told = ""
        try:
            for text in reply:
                if not text.startswith(told):  # what seemed to be said was thought
                    told, self._has_text = "", False
                    yield Restarted()
                self._has_text = self._has_text or bool(text)
                news = text.removeprefix(told)
                yield Piece(news, AnswerOrigin.MODEL) if news else Waited()
                told = text
        finally:
            with organization_scope(self._organization_id):
                usage.record_tokens(self._organization_id, self._month, reply.tokens)

    def _checked(self, draft: Draft) -> Draft:
        if not draft.text:
            return draft
        passages = {source.number: source.passage for source in draft.sources}
        checked = check_claims(
            draft.text,
            passages,
            question=self._question,
            language=detect_language(without_markers(draft.text)),
        )
        self.notes.pop("dropped_claims", None)  # of a draft that came to nothing
        if checked.dropped:
            self.notes["dropped_claims"] = len(checked.dropped)
        return Draft(checked.text, draft.sources)

    def _by_choice(self, result: SearchResult) -> Generator[AnswerEvent, None, Draft]:
        draft = EMPTY
        with turns.of(self._organization_id):
            steps = list(ExtractiveAnswerer(self._embedder).draft(wording_of(result), result))
        for step in steps:
            if isinstance(step, Draft):
                draft = step
            else:
                self._has_text = True
                yield Piece(step, AnswerOrigin.EXTRACTIVE)
        return draft

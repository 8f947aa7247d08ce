"""What answering a question yields, in order: signs that it goes on, pieces of text, perhaps a restart, the answer.
Pure data.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class CitedPassage:
    """A numbered source of an answer, with all that is shown of it."""

    number: int
    document_id: int
    document_title: str
    version_id: int
    version_number: int
    heading_path: tuple[str, ...]
    page: int | None
    locator: Mapping[str, Any]
    quote: str
    passage: str
    relevance: float


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that has been checked against its sources. `origin` is a value of AnswerOrigin."""

    text: str
    evidence: bool | None  # None: nothing was asked, so none was looked for
    confidence: float
    rung: str
    origin: str
    language: str
    citations: tuple[CitedPassage, ...] = ()
    is_replacement: bool = False  # the language model stopped half-way and its text was withdrawn
    trace: Mapping[str, Any] = field(default_factory=dict)
    understood: str = ""  # the question as it was searched, when the conversation gave it its topic

    @property
    def written_by(self) -> str:
        """The origin of its words: for an answer given before, that of then."""
        return str(self.trace.get("prepared", {}).get("written_by", self.origin))


@dataclass(frozen=True, slots=True)
class Waited:
    """Nothing new to show, but it goes on: a step is done that may have taken long, or a language model is silent or
    thinks.
    """


@dataclass(frozen=True, slots=True)
class Piece:
    """Text that follows the text so far. Its markers are not checked yet."""

    text: str
    origin: str


@dataclass(frozen=True, slots=True)
class Restarted:
    """The text so far is void; the pieces of another answer follow."""


@dataclass(frozen=True, slots=True)
class Done:
    """The end, always sent last."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Failed:
    """No answer came of it. `code` is that of a SkillNetError, `message` is for the person."""

    code: str
    message: str


AnswerEvent = Waited | Piece | Restarted | Done

"""How well questions with known answers are answered: figures over what the app above says to them (pure)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from retrieval.evaluation.judging import Expected, holds_words
from retrieval.folding import folded
from retrieval.types import Passage


@dataclass(frozen=True, slots=True)
class Cited:
    """A source of an answer: where its quote stands, and whether it stands there word for word."""

    document_id: int
    heading_path: tuple[str, ...]
    page: int | None
    is_exact: bool


@dataclass(frozen=True, slots=True)
class Given:
    """What is said to a question. A refusal has no text and cites nothing."""

    text: str = ""
    citations: tuple[Cited, ...] = ()
    statement_count: int = 0  # sentences, rows and steps of the text
    faithful_count: int = 0  # of these, those that stand word for word in the passage they cite

    @property
    def is_answer(self) -> bool:
        return bool(self.citations)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One answer beside what was expected; None is what does not apply to it."""

    is_right_to_speak: bool  # answered where there is an answer, refused where there is none
    is_place_right: bool | None
    says_expected: bool | None


ANSWER_FIGURES = ("tutor_answered", "tutor_refused", "page_right", "words_right", "quotes_exact", "faithful")


def verdict(
    expected: Expected | None,
    given: Given,
    right_hits: Sequence[Passage] = (),
    original: Callable[[int], int] = lambda document_id: document_id,
) -> Verdict:
    """An answer beside what was expected. `right_hits`: those that hold it, to know over which pages it runs.
    `original`: the judged document of one that is cited, where the one searched is a copy.
    """
    if expected is None:
        return Verdict(not given.is_answer, None, None)
    if not given.is_answer:
        return Verdict(False, None, False if expected.words else None)
    pages = {expected.page}
    for hit in right_hits:
        if hit.page_start is not None:
            pages |= set(range(hit.page_start, (hit.page_end or hit.page_start) + 1))
    return Verdict(
        True,
        any(
            original(cited.document_id) == expected.document_id and _is_there(cited, expected, pages)
            for cited in given.citations
        ),
        holds_words(given.text, expected.words) if expected.words else None,
    )


def figures(
    expected: Sequence[Expected | None], given: Sequence[Given], verdicts: Sequence[Verdict]
) -> dict[str, float]:
    """Shares, each over what it can be said of; one of nothing is left out.

    `tutor_answered` of the questions with an answer, `tutor_refused` of those without; `page_right` of the answers to
    the former: one of their sources is in the right document, on the right page, or in the right section where it has
    no pages; `words_right` of the questions that say which words an answer must have; `quotes_exact` of the sources of
    all answers; `faithful` of all sentences, rows and steps.
    """
    counted: dict[str, list[bool]] = {
        "tutor_answered": [one.is_right_to_speak for one, what in zip(verdicts, expected, strict=True) if what],
        "tutor_refused": [one.is_right_to_speak for one, what in zip(verdicts, expected, strict=True) if not what],
        "page_right": [one.is_place_right for one in verdicts if one.is_place_right is not None],
        "words_right": [one.says_expected for one in verdicts if one.says_expected is not None],
        "quotes_exact": [cited.is_exact for one in given for cited in one.citations],
    }
    shares: dict[str, float] = {name: sum(values) / len(values) for name, values in counted.items() if values}
    return shares | faithfulness(given)


def faithfulness(given: Sequence[Given]) -> dict[str, float]:
    """The share of all sentences, rows and steps that stand word for word in the passage they cite."""
    total = sum(one.statement_count for one in given)
    return {"faithful": sum(one.faithful_count for one in given) / total} if total else {}


def _is_there(cited: Cited, expected: Expected, pages: set[int | None]) -> bool:
    if expected.page is not None:
        return cited.page in pages
    if expected.heading_path:
        return folded(expected.heading_path[-1]) in map(folded, cited.heading_path)
    return True

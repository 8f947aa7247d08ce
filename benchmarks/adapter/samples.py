"""What the adapter learns from: passages cut into units, and questions that units answer or only seem to. Pure."""

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tutor.cutting import cut_units

Span = tuple[int, int]

EVERYDAY = Path(__file__).resolve().parent.parent / "data" / "everyday"
FIELDS = (  # in the order they are drawn from
    "food-and-hotels",
    "laws",
    "software",
    "people",
    "education",
    "guides",
    "long-laws",
    "buildings",
    "devices",
    "health",
    "how-to",
    "kitchens",
    "public-offices",
    "safety",
    "shops-and-money",
    "staff",
    "statutes",
    "transport",
    "work-and-study",
    "industry",
)
ARTICLES = "articles"
_ITEM_MARKS = ("-", "•")


@dataclass(frozen=True, slots=True)
class Passage:
    """A text with its units, as spans of its characters, end exclusive. `head` names it before it is embedded."""

    head: str
    text: str
    units: tuple[Span, ...]

    @property
    def headed_text(self) -> str:
        return self.head + self.text


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the index of the passage it was written to, and of the units there that answer it.

    A near miss has no units: it is about the subject of that passage, and nothing in the source answers it.
    """

    text: str
    passage: int
    units: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """A manual or an article: passages that are told apart only by what they say. Its `questions` all have answers."""

    field: str
    title: str
    passages: tuple[Passage, ...]
    questions: tuple[Question, ...]
    near_misses: tuple[Question, ...] = ()


@dataclass(frozen=True, slots=True)
class Batch:
    """Passages of several sources, and questions of which each is answered by one of them or is a near miss."""

    passages: tuple[Passage, ...]
    questions: tuple[Question, ...]
    sources: tuple[int, ...]  # of each passage, numbered within the batch


@dataclass(frozen=True, slots=True)
class BatchSize:
    """How many are drawn at most: sources, passages of each, and questions with an answer to each."""

    sources: int
    passages: int
    questions: int

    @property
    def near_misses(self) -> int:
        """To each source, when any are drawn."""
        return self.questions // 2


def everyday_sources(folder: Path = EVERYDAY) -> list[Source]:
    """The manuals written for training, by field. Questions that none of their sentences answers are near misses."""
    return [source for field in FIELDS for source in _manuals(field, _lines(folder / f"{field}.jsonl"))]


def article_sources(file: Path) -> list[Source]:
    """Articles of a file in SQuAD's layout: those with an even number, but for every fourth of these.

    What is left out can be measured on. A question's answer is the unit in which the answer's first letter stands.
    """
    articles = json.loads(file.read_text(encoding="utf-8"))["data"]
    return [_article(article) for number, article in enumerate(articles) if number % 2 == 0 and number % 8]


def drawn(
    sources: Sequence[Source], size: BatchSize, chance: random.Random, miss_chance: random.Random | None = None
) -> Batch:
    """Passages and questions drawn from some of the sources; equal chances draw equal batches.

    With `miss_chance` near misses are drawn by it, too. It may be `chance` itself; if it is another, the rest of the
    batch is the same as without near misses.
    """
    passages: list[Passage] = []
    questions: list[Question] = []
    source_numbers: list[int] = []
    for number, source in enumerate(chance.sample(sources, min(size.sources, len(sources)))):
        chosen = chance.sample(range(len(source.passages)), min(size.passages, len(source.passages)))
        place = {passage: len(passages) + at for at, passage in enumerate(chosen)}
        passages += [source.passages[passage] for passage in chosen]
        source_numbers += [number] * len(chosen)
        questions += _placed(source.questions, place, size.questions, chance)
        if miss_chance:
            questions += _placed(source.near_misses, place, size.near_misses, miss_chance)
    return Batch(tuple(passages), tuple(questions), tuple(source_numbers))


def joined(sentences: Sequence[str]) -> tuple[str, tuple[Span, ...]]:
    """Sentences as one text, those of a list on lines of their own, and where in it each of them stands."""
    sentences = [sentence.strip() for sentence in sentences]
    separator = "\n" if any(sentence.startswith(_ITEM_MARKS) for sentence in sentences) else " "
    spans: list[Span] = []
    start = 0
    for sentence in sentences:
        spans.append((start, start + len(sentence)))
        start += len(sentence) + len(separator)
    return separator.join(sentences), tuple(spans)


def _placed(
    questions: Iterable[Question], place: Mapping[int, int], count: int, chance: random.Random
) -> Iterator[Question]:
    """At most `count` of the questions to passages that have a place in the batch."""
    asked = [question for question in questions if question.passage in place]
    for question in chance.sample(asked, min(count, len(asked))):
        yield Question(question.text, place[question.passage], question.units)


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def _manuals(field: str, rows: Iterable[dict[str, Any]]) -> Iterator[Source]:
    by_title: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_title.setdefault(row["manual"], []).append(row)
    for title, passages in by_title.items():
        questions = [
            Question(asked["q"], index, (asked["s"],) if asked["s"] in range(len(row["sentences"])) else ())
            for index, row in enumerate(passages)
            for asked in row["questions"]
        ]
        yield Source(
            field,
            title,
            tuple(_passage(row) for row in passages),
            tuple(question for question in questions if question.units),
            tuple(question for question in questions if not question.units),
        )


def _passage(row: dict[str, Any]) -> Passage:
    text, spans = joined(row["sentences"])
    return Passage(f"[Documento: {row['manual']}] [Sección: {row['manual']} > {row['heading']}]\n", text, spans)


def _article(article: dict[str, Any]) -> Source:
    title = article.get("title", "")
    passages: list[Passage] = []
    questions: list[Question] = []
    for index, paragraph in enumerate(article["paragraphs"]):
        text = paragraph["context"]
        units = tuple((unit.start, unit.end) for unit in cut_units(text) if unit.may_answer)
        passages.append(Passage(f"[Documento: {title}]\n", text, units))
        for asked in paragraph["qas"]:
            start = asked["answers"][0]["answer_start"]
            holding = tuple(at for at, (first, last) in enumerate(units) if first <= start < last)
            if holding:
                questions.append(Question(asked["question"], index, holding))
    return Source(ARTICLES, title, tuple(passages), tuple(questions))

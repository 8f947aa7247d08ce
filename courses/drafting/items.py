"""A drafted quiz item, and what those of every sort need. Pure functions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from courses.drafting.titles import Casing, clean_title, is_noise
from documents.parsing.types import Block

OPTIONS = 4

Kind = Literal["single_choice", "order", "fill"]

MARKER = re.compile(r"^\s*(?:[•·▪◦‣+–—-]|\(?\d{1,2}(?:\.\d+)*[.)]|\(?[A-Za-zñ][.)])\s+(?=\S)")  # of a list's item
_WORDS = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class DraftedItem:
    """A question with its right answer and the passage that gives it; fields as in the stored quiz item."""

    kind: Kind
    question: str
    options: tuple[str, ...]
    answer: tuple[int | str, ...]
    heading_path: tuple[str, ...]
    page: int | None
    quote: str


def section_name(block: Block, casing: Casing) -> str:
    """What the section of a block is called; empty where its heading is no words."""
    heading = block.heading_path[-1] if block.heading_path else ""
    return "" if not heading or heading in casing.misread or is_noise(heading) else clean_title(heading, casing)


def says_too(topic: str, other: str) -> bool:
    """Whether one of two topics is the other, or a wider one: «Infracciones», «Infracciones graves»."""
    words, others = (set(_WORDS.findall(one.lower())) for one in (topic, other))
    return (words <= others or others <= words) if words and others else topic.lower() == other.lower()


def steady(seed: str, count: int) -> int:
    """A number under `count` that depends on the text alone, so that a draft made again is the same."""
    return int.from_bytes(sha256(seed.encode()).digest()[:4]) % count


def shuffled(right: str, wrong: Sequence[str]) -> tuple[tuple[str, ...], int]:
    """The options in an order that does not tell the right one, and its index."""
    at = steady(right + "".join(wrong), len(wrong) + 1)
    return (*wrong[:at], right, *wrong[at:]), at

"""Whether an answer names the right document, the right place and the words that answer."""

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SHOWN_CITATIONS = 3
ENOUGH_WORDS = 0.7


@dataclass(frozen=True)
class Shown:
    """A citation as it is shown: the file it is from, where in it, and its words."""

    file: str
    page: int | None
    heading_path: Sequence[str]
    quote: str


@dataclass(frozen=True)
class Judgement:
    is_document_right: bool
    is_place_right: bool
    is_supported: bool

    @property
    def is_right(self) -> bool:
        return self.is_document_right and self.is_place_right and self.is_supported


def folded(text: str) -> str:
    """The words of a text, without accents, case and punctuation, parted by one space."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    plain = "".join(character for character in decomposed if not unicodedata.combining(character))
    return re.sub(r"[^\w]+", " ", plain).strip()


def is_reported(question: str) -> bool:
    """Whether a question is of the half that figures are reported on; the other half is for choosing."""
    return int(hashlib.sha1(question.encode(), usedforsecurity=False).hexdigest(), 16) % 2 == 1


def judged(row: Mapping[str, Any], answer: str, citations: Sequence[Shown]) -> Judgement:
    """An answer against a question's `doc`, its `page` or `heading`, and the words (`quote`) that answer it.

    The first three citations count. The words are there when 70 % of them stand in the answer or in the quotes
    from the right document.
    """
    here = [shown for shown in citations[:SHOWN_CITATIONS] if shown.file == row["doc"]]
    heading = folded(row.get("heading") or "")
    if row.get("page"):
        in_place = any(shown.page == row["page"] for shown in here)
    elif heading:
        parts = [folded(part) for shown in here for part in shown.heading_path]
        in_place = any(len(part) > 3 and (part in heading or heading in part) for part in parts)
    else:
        in_place = bool(here)
    wanted = set(folded(row["quote"]).split())
    words = set(folded(" ".join([answer, *(shown.quote for shown in here)])).split())
    return Judgement(bool(here), in_place, len(wanted & words) >= ENOUGH_WORDS * len(wanted))

"""The words some models want before a text, known by the model's name."""

import re
from dataclasses import dataclass
from typing import Final

# multilingual-e5-small, intfloat/e5-base-v2; not e5-mistral-7b-instruct or multilingual-e5-large-instruct,
# which expect a written instruction instead.
_E5: Final = re.compile(r"(?:^|[/_-])e5[_-](?:small|base|large)(?!.*instruct)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Prefixes:
    query: str = ""
    passage: str = ""

    def replaced(self, query: str | None, passage: str | None) -> "Prefixes":
        """These prefixes with the ones given in their place; None keeps, an empty string means no prefix."""
        return Prefixes(self.query if query is None else query, self.passage if passage is None else passage)


def known_prefixes(model: str) -> Prefixes | None:
    """The prefixes of the model of this name or path; None when the name says nothing."""
    return Prefixes("query: ", "passage: ") if _E5.search(model) else None

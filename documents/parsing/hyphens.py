"""Words cut at a line's end put together again, judged by the document's own words. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_CUT = re.compile(r"([^\W\d_]+)[-\u2010\u00ad\u00ac]$")
_FIRST = re.compile(r"([^\W\d_]+)")
_KEEPS_HYPHEN = {"ex", "anti", "post", "pre", "pro", "vice", "auto", "inter", "multi", "semi", "sub", "super", "no"}
_LONGEST_WORD = 40
_SHORTEST_PART = 4  # letters: shorter halves of a compound are too often just syllables


class Hyphenator:
    """Joins lines of text. Built from all lines of a document, it knows which words the document uses."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._words: Counter[str] = Counter()
        was_cut = False
        for line in lines:
            words = _WORD.findall(line.casefold())
            if was_cut:
                words = words[1:]
            was_cut = line.rstrip().endswith(("-", "\u00ad", "\u2010"))
            self._words.update(words[:-1] if was_cut else words)

    def join(self, lines: Sequence[str]) -> str:
        """The lines as one: cut words whole, everything else with a space between."""
        text = ""
        for line in lines:
            line = line.strip()
            text = self._joined(text, line) if text else line
        return text

    def _joined(self, text: str, line: str) -> str:
        cut, first = _CUT.search(text[-_LONGEST_WORD:]), _FIRST.match(line)
        if cut is None or first is None or not (first.group()[0].islower() or text[-1] in "\u00ad\u00ac"):
            ends_in_hyphen = text.endswith("-") and len(text) > 1 and text[-2].isalnum() and line[:1].isalnum()
            return f"{text}{line}" if ends_in_hyphen else f"{text} {line}"
        keeps = self._keeps_hyphen(cut.group(1), first.group(1)) and text[-1] not in "\u00ad\u00ac"
        return f"{text}{line}" if keeps else f"{text[:-1]}{line}"

    def _keeps_hyphen(self, left: str, right: str) -> bool:
        left, right = left.casefold(), right.casefold()
        with_hyphen, without = self._words[f"{left}-{right}"], self._words[left + right]
        if with_hyphen or without:
            return with_hyphen > without
        if left in _KEEPS_HYPHEN:
            return self._knows(right)
        return (
            len(left) >= _SHORTEST_PART
            and len(right) >= _SHORTEST_PART
            and bool(self._words[left] and self._words[right])
        )

    def _knows(self, word: str) -> bool:
        """Whether the document uses the word, in singular or plural."""
        forms = {word, word + "s", word + "es", word.removesuffix("s"), word.removesuffix("es")}
        return any(self._words[form] for form in forms if len(form) > 2)

"""What the headings above a unit say, and how far they say what a question does. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.types import Passage
from tutor.allergens import allergens_in
from tutor.asking import Wanted, lacked_in, wanted_by
from tutor.sections import heading_path_at, is_merged
from tutor.units import Unit
from tutor.word_weights import AskedWords, keys_of
from tutor.wording import stems

BELOW_TITLE = 0.6  # of a unit in a section below the one that the question repeats, beside 1 for one in it


@dataclass(frozen=True, slots=True)
class Above:
    """What the headings above a unit say, `titles` with the document's: their words, those of the last, and what they
    name of the question's.
    """

    path: tuple[str, ...]
    titles: tuple[str, ...]
    words: frozenset[str]
    title: frozenset[str]
    allergens: frozenset[str]
    names_section: float
    is_thing: bool
    is_repeated: float
    lacks_the_same: bool


class Headings:
    """The headings of a question's passages, each read once."""

    def __init__(self, question: str, passages: Sequence[Passage], asked: AskedWords) -> None:
        self._passages = passages
        self._asked = asked
        self._question = _words(question)
        self._wanted = wanted_by(question)
        self._lacked = lacked_in(question)  # «no tiene tique» asks for the section of returns «sin tique»
        self._places: dict[tuple[int, tuple[str, ...]], Above] = {}

    def above(self, number: int, unit: Unit) -> Above:
        """What stands above a unit, which may be of another section than its passage begins with."""
        path = heading_path_at(self._passages[number], unit.start)
        place = (number, path)
        if place not in self._places:
            titles = (self._passages[number].document_title, *path)
            title = path[-1] if path else ""
            self._places[place] = Above(
                path=path,
                titles=titles,
                words=keys_of(" ".join(titles)),
                title=stems(title),
                allergens=allergens_in(" / ".join(titles)),
                names_section=self._named_section(title),
                is_thing=is_merged(self._passages[number]) and frozenset() < stems(title) <= self._asked.all,
                is_repeated=self._repeated_title(path),
                lacks_the_same=not self._lacked.isdisjoint(lacked_in(title)),
            )
        return self._places[place]

    def _named_section(self, title: str) -> float:
        """How far the question names a section by its title: 1 when that holds all of the question's words. Where a
        certain sort of thing is asked for the heading has to ask for it as well, and says nothing else: below
        «Vacaciones» stands more than how many there are.
        """
        words = _words(title)
        if self._wanted is not Wanted.ANYTHING and not (wanted_by(title) is self._wanted and words <= self._asked.all):
            return 0.0
        return self._asked.share(words)

    def _repeated_title(self, path: Sequence[str]) -> float:
        """Whether the question says what the heading of a section says, or that of one around it, in which there are
        others: no word more or less; a certain sort of thing that is asked for the heading asks for as well.
        """
        for depth, title in enumerate(reversed(path)):
            words = _words(title)
            if words and words == self._question and self._wanted in (Wanted.ANYTHING, wanted_by(title)):
                return BELOW_TITLE if depth else 1.0
        return 0.0


def _words(text: str) -> frozenset[str]:
    """The stems of a text without its numbers."""
    return frozenset(word for word in stems(text) if not word.isdigit())

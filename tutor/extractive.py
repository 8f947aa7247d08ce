"""Answers made of the documents' own words: the sentences, rows or steps of the best passages that answer.
Pure.
"""

from collections.abc import Sequence

from retrieval.types import Passage
from tutor.choices import OTHER_PASSAGE_MARGIN, Choices
from tutor.dishes import dish_parts
from tutor.drafting import Draft, DraftWriter, Part
from tutor.scoring import Choice, best_of
from tutor.selecting import selected
from tutor.whole_lists import beside_list, whole_list
from tutor.whole_sections import rest_of_paragraph, whole_section

LONGEST_ANSWER = 160  # words, markers and dashes among them


def compose(
    question: str, passages: Sequence[Passage], choices: Sequence[Choice], relevances: Sequence[float]
) -> Draft:
    """Answer from the passages, best first, with the best of their units, as scored.

    At most three sentences or rows, with two more that they make no sense without, or the steps of one procedure, or a
    short section that answers as a whole; at most MAX_WORDS; in reading order, each followed by its marker.
    `relevances` are those of the passages.
    """
    if not choices:
        return Draft("", ())
    writer = DraftWriter(question, passages, relevances)
    return writer.write(_parts(Choices(question, passages, choices, writer)))


def _parts(choices: Choices) -> list[Part]:
    best = best_of(choices.scored)
    dishes = [one for one in choices.scored if one.signals["of_diet"]]
    if dishes and (dish := best_of(dishes)).score >= best.score - OTHER_PASSAGE_MARGIN:
        return dish_parts(choices, dish)
    # Beside the table that a question asks for, no sentence is nearer than its rows.
    meant = [one for one in dishes if one.signals["is_asked_for"] and not one.signals["holds_avoided"]]
    if beside_best := [one for one in meant if one.passage == best.passage]:
        return dish_parts(choices, best_of(beside_best))
    whole = whole_list(choices, best)
    if whole is None:
        chosen = selected(choices, best)
        longer = whole_section(choices, best, chosen) or rest_of_paragraph(choices, best, chosen)
        return _fitting(choices.parts(longer or chosen, best), best, choices.writer)
    return [whole, *beside_list(choices, whole, best)]


def _fitting(parts: list[Part], best: Choice, writer: DraftWriter) -> list[Part]:
    """The parts without the last ones, as many as are too much: headings above items and what rules them add words that
    no choice counts. That of the best unit stays.
    """
    while len(writer.write(parts).text.split()) > LONGEST_ANSWER:
        spare = [one for one in parts if one.passage != best.passage or best.unit not in one.all_units]
        if not spare:
            break
        parts = [one for one in parts if one is not spare[-1]]
    return parts

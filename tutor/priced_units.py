"""Sentences of menus and price lists that are one unit with a price, or with what describes what they name. Pure."""

from collections.abc import Iterator
from dataclasses import replace

from documents.sentences import sentence_spans
from tutor.price_lists import is_description, is_name, is_price, is_priced, price_before
from tutor.units import Unit, UnitKind


def joined(text: str, named: Unit, sentence: Unit) -> Unit | None:
    """A unit and the sentence behind it as one, where that is its price or describes what it names; else None."""
    return _with_own_price(text, named, sentence) or _with_description(text, named, sentence)


def spans_with_prices(text: str) -> Iterator[tuple[int, int]]:
    """The spans of sentences; a price that stands alone, or before the next name, belongs to the one before it."""
    spans: list[tuple[int, int]] = []
    for first, last in sentence_spans(text):
        if spans and is_price(text[first:last]):
            spans[-1] = (spans[-1][0], last)
        elif spans and not is_priced(text[slice(*spans[-1])]) and (length := price_before(text[first:last])):
            spans[-1] = (spans[-1][0], first + length)
            begin = first + length
            spans.append((begin + len(text[begin:last]) - len(text[begin:last].lstrip()), last))
        else:
            spans.append((first, last))
    yield from spans


def _with_own_price(text: str, named: Unit, price: Unit) -> Unit | None:
    """A name and the price in the paragraph below as one: by itself neither says anything."""
    if named.kind is not UnitKind.SENTENCE or not is_price(price.text) or not is_name(named.text):
        return None
    end = max(named.paragraph[1], price.end)
    return replace(named, text=text[named.start : price.end], end=price.end, paragraph=(named.paragraph[0], end))


def _with_description(text: str, named: Unit, sentence: Unit) -> Unit | None:
    """A name with its price and the sentence below as one, when that describes what is named; a blank line may stand
    between the two, but not between what describes it.
    """
    is_name_of = named.kind in (UnitKind.SENTENCE, UnitKind.ITEM) and is_priced(named.words)
    if not is_name_of or not is_description(sentence.text):
        return None
    if "\n" in named.text and "\n\n" in text[named.end : sentence.start]:
        return None
    whole = text[named.start : sentence.end]
    return replace(
        named, text=whole, end=sentence.end, paragraph=(named.paragraph[0], max(named.paragraph[1], sentence.end))
    )

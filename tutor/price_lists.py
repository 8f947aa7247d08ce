"""Lines of menus and price lists: a name with its price, the price alone, and what describes what was named. Pure."""

import re

from tutor.wording import word_count

LONGEST_NAME = 12  # words of a line that names something and its price
LONGEST_DESCRIPTION = 45
LONGEST_LINE = 240  # characters, dots that lead to the price included: what the pattern costs grows with their square
# A menu may leave its currency out: «Tartar de atún 14,50».
_PRICE = r"(?:[$€]\s?\d+(?:[.,]\d+)?|\d+(?:[.,]\d+)?\s?(?:[$€]|euros?|EUR|USD)|\d{1,3},\d{2})"
_ONLY_PRICE = re.compile(rf"{_PRICE}\.?")
_LEADING_PRICE = re.compile(rf"{_PRICE}\.?(?=\s+[^\W\d_])")
_NAMED_PRICE = re.compile(rf".*[^\W\d_]{{3}}.*[\s.…]{_PRICE}\.?")


def is_price(text: str) -> bool:
    """Whether a text is a price and nothing else: «15$»."""
    return _ONLY_PRICE.fullmatch(text.strip()) is not None


def is_name(text: str) -> bool:
    """Whether a line may name what is sold: short, and no sentence."""
    return word_count(text) <= LONGEST_NAME and text[-1:].isalnum() and not is_priced(text)


def price_before(text: str) -> int:
    """How many characters the price takes that a sentence begins with, and that belongs to what was named before; 0
    without one: «4$ Torta de chocolate».
    """
    found = _LEADING_PRICE.match(text)
    return 0 if found is None else found.end()


def is_priced(text: str) -> bool:
    """Whether the first line of a text names something and ends with its price, «Pesca del día 20 $», or the second is
    that price.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    line = " ".join(lines[: 1 + (len(lines) > 1 and is_price(lines[1]))])
    if len(line) > LONGEST_LINE:
        return False
    return word_count(line) <= LONGEST_NAME and _NAMED_PRICE.fullmatch(line) is not None


def is_description(text: str) -> bool:
    """Whether a sentence may describe what the line above it names: short, and without a figure of its own."""
    return text.endswith(".") and word_count(text) <= LONGEST_DESCRIPTION and not any(map(str.isdigit, text))

"""What a document says that something is, in so many words. Pure functions."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from documents.parsing.types import Block, BlockKind
from documents.sentences import split_sentences

SAID_WORDS = (6, 40)  # of what is said of a term
TERM_WORDS = 6
GIVEN_AWAY = 0.5  # of a term's words in what is said of it, from which on that names the term

_VERB = (
    r"(?:se definen? como|se entienden? como|se refieren? al?|consisten?(?: \w+mente)? en|se denominan?"
    r"|se utilizan? para|se usan? para|sirven? para|se encargan? de)"
)
_NOUN = rf"(?:[^\s,;:.()]+\s+){{0,{TERM_WORDS - 1}}}?[^\s,;:.()]+"
_SAID_OF = re.compile(rf"^(?P<term>(?:El|La|Los|Las)\s+{_NOUN})\s+(?P<said>{_VERB}\s.+?)\.$")
# Things that go by a name of their own: the parameter «profiles», the key F5.
_NAMED = re.compile(
    r"^(?P<term>(?:El|La)\s+(?:parámetro|campo|opción|botón|comando|tecla|menú|pestaña|columna|propiedad|indicador)\s+"
    r"(?!(?:que|de|del|se|no|más|principal|siguiente|anterior|actual|correspondiente)\b)[«“\"]?[^\s»”\",;:]+[»”\"]?)\s+"
    r"(?P<said>(?:es|sirve|indica|permite|muestra|contiene|define|corresponde)\s.+?)\.$"
)
_LISTED = re.compile(r"^(?P<term>[A-ZÁÉÍÓÚÑ][^.:;()]{2,60}):\s+(?P<said>[A-ZÁÉÍÓÚÑ«].+?)\.$")
_LIST_OF_TERMS = re.compile(r"\b(?:definici[oó]n(?:es)?|glosario|t[ée]rminos|terminolog[ií]a)\b", re.IGNORECASE)
_POINTS_ELSEWHERE = re.compile(
    r"\b(?:art[ií]culos?|apartados?|este|esta|estos|estas|ese|esa|dich[oa]s?|anterior(?:es|mente)?|siguientes?|mism[oa]s?"
    r"|ejemplo|tabla|figura)\b",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:El|La|Los|Las)\s+(\w)")  # in half of the answers it would tell them apart
_WORD = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True, slots=True)
class Definition:
    """A term as it is named in a sentence, what is said of it there, the sentence and its block."""

    term: str
    said: str
    sentence: str
    block: Block


def definitions_in(blocks: Sequence[Block]) -> Iterator[Definition]:
    """The terms that the running text says what they are, in reading order; those that it defines twice not at all."""
    found = [one for block in blocks for one in _of(block)]
    for one in found:
        if sum(other.term.lower() == one.term.lower() for other in found) == 1:
            yield replace(one, term=_ARTICLE.sub(lambda match: match[1].upper(), one.term))


def _of(block: Block) -> Iterator[Definition]:
    if block.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM):
        return
    is_listed = bool(block.heading_path and _LIST_OF_TERMS.search(block.heading_path[-1]))
    text = " ".join(block.text.split())
    # A listed definition is one block: its term's colon ends no sentence.
    for sentence in [text] if is_listed and _LISTED.match(text) else split_sentences(text):
        match = (_LISTED.match(sentence) if is_listed else None) or _NAMED.match(sentence) or _SAID_OF.match(sentence)
        if match is not None and _is_telling(match["term"], match["said"]):
            yield Definition(match["term"], match["said"], sentence, block)


def _is_telling(term: str, said: str) -> bool:
    shortest, longest = SAID_WORDS
    words = {word.lower() for word in _WORD.findall(term)}
    told = {word.lower() for word in _WORD.findall(said)}
    return (
        shortest <= len(said.split()) <= longest
        and not _POINTS_ELSEWHERE.search(f"{term} {said}")
        and len(words & told) < GIVEN_AWAY * max(len(words), 1)
    )

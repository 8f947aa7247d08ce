"""A lesson written from blocks of documents, in their own words. Pure functions.

The text stays whole and in order. Above it stands what it is about, in its most central sentences; below it the figures
and duties worth remembering, and the terms it defines.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from courses.drafting.legibility import is_note
from courses.drafting.speaking import marked_notes
from courses.drafting.standing import UNNAMED, independence, is_balanced, points_back
from courses.drafting.titles import Casing, clean_title, is_labelled, is_noise
from documents.chunking.markdown import normalized_text
from documents.parsing.types import Block, BlockKind
from documents.sentences import split_sentences

SUMMARY_SENTENCES = 2
SUMMARY_WORDS = 60
SAID_ALREADY = 0.6  # likeness to a chosen sentence from which on another says the same
OPENING_WORDS = (8, 60)
MOSTLY = 0.5  # of a lesson's words in running text, from which on its steps are left out of the summary
LISTED_WORDS = 25  # an item of a list has seldom more
MAX_FACTS = 5
FACT_WORDS = (6, 40)
MIN_WORDS_FOR_FACTS = 200  # a shorter lesson needs no list of what matters in it
MAX_TERMS = 8
QUOTED_TITLE_WORDS = 30  # «Artículo 20 bis. Derecho a la desconexión», where one law quotes another
NOTHING = Block(BlockKind.PARAGRAPH, "")
COVER_WORDS = 12  # a line of a cover has no more

_LONE_BULLETS = frozenset("•·▪◦‣●■")
_STOPS = ".:;!?…»”)"
_ENDS = ("!", "?", ":", ";")  # «PhD.» ends so, too

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~])")
_WORD = re.compile(r"[^\W\d_]{3,}")
_RUNS_ON = re.compile(r"\b(?:del?|la|las|los|el|en|con|que|y|por|para|al?|su|sus|se|un|una)$", re.IGNORECASE)
_BOX = re.compile(r"(?<![\w\]])\[[ xX]\]\s*(?![(\[])")  # to be ticked on paper; in a lesson an item is an item
_BULLET = re.compile(r"^\s*(?:[•·▪◦‣+–—-]|\(?\d+(?:\.\d+)*[.)]?|\(?[a-zñA-Z][.)])\s+")
_BARE_ITEM = re.compile(r"^\s*(?:[•·▪◦‣+–—-]|\(?[a-zñ][.)])\s+")  # often no sentence without its lead-in
_FIGURE = re.compile(
    r"\d+(?:[.,]\d+)*\s*(?:%|€|euros?|dólares|pesos|días?|horas?|minutos?|segundos?|semanas?|meses|mes|años?|veces"
    r"|°\s?C|ºC|grados|mg|ml|kg|gramos|g|cm|mm|metros|m|litros|l|personas|ppm|MB|GB|kW)\b|\d+\s*%|\d+\s*€",
    re.IGNORECASE,
)
_DUTY = re.compile(
    r"\b(?:debe(?:rá)?n?|deberemos|debemos|hay que|es obligatori[oa]|está(?:n)? prohibid[oa]s?|no se (?:puede|debe)"
    r"|nunca|siempre|obligad[oa]s? a|queda(?:n)? prohibid[oa]s?|máximo|mínimo|antes de|plazo)\b",
    re.IGNORECASE,
)
_DEFINED = re.compile(
    r"^(?:(?:se entiende por|entendemos por|se denomina)\s+[«“\"]?(?P<said>[^,;:.»”\"]{3,50}?)[»”\"]?\s*[,:]"
    r"|[«“\"](?P<quoted>[^»”\"]{3,50})[»”\"]\s*:(?!\s*[«“\"{\[<\d])"  # not a setting of a file
    r"|(?P<named>(?!por ejemplo|nota|objetivo|importante|ejemplo|atención)[A-ZÁÉÍÓÚÑ][^,;:.()]{2,40})\s*:\s+"
    r"(?=(?:un|una|conjunto|proceso|cualquier|toda?|aquel|persona|documento|acción|operación)\b))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class WrittenLesson:
    """A lesson's summary and its content as Markdown."""

    summary: str
    content: str


def write_lesson(title: str, pieces: Sequence[Sequence[Block]], casing: Casing) -> WrittenLesson:
    """A lesson on runs of blocks, each from one place of a document.

    `casing` knows how the documents write words in running text.
    """
    blocks = _rejoined(_without_cover([block for piece in pieces for block in _readable(piece, casing)]))
    body = normalized_text(marked_notes(_levelled(title, blocks, casing)))
    sure = [block for block in blocks if not casing.spelling.is_doubtful(block.text)]
    sentences = _sentences(sure)
    told = [block for block in sure if not _BARE_ITEM.match(block.text)]
    listed = set(map(id, _led_in(blocks)))
    running = [block for block in told if block.kind is not BlockKind.LIST_ITEM and id(block) not in listed]
    is_running = sum(map(_size, running)) >= MOSTLY * sum(map(_size, told))  # a step tells little of the whole
    parts_named = _of_sections(title, blocks, casing)
    summary = " ".join((_central(running) if is_running else []) or ([] if parts_named else _central(told)))
    summary = summary or parts_named
    summary = summary or opening(_sentences(told)) or opening(sentences) or _of_table(sure)
    parts = [body]
    if sum(len(sentence.split()) for sentence in sentences) >= MIN_WORDS_FOR_FACTS:
        facts = [fact for fact in key_facts(sentences) if fact not in summary]
        parts += _listed("Datos clave", [_escaped(fact) for fact in facts] if len(facts) > 1 else [])
    parts += _listed("Glosario", [f"**{_escaped(term)}**: {_escaped(text)}" for term, text in glossary(blocks)])
    return WrittenLesson(summary, "\n\n".join(part for part in parts if part))


def _of_sections(title: str, blocks: Sequence[Block], casing: Casing) -> str:
    """The sections right below the lesson's own heading, for a lesson that is lists; empty without several."""
    headings = [block for block in blocks if block.kind is BlockKind.HEADING]
    below = [(block.level or 1, clean_title(block.text, casing)) for block in headings]
    below = [(level, name) for level, name in below if name != title]
    names = [name for level, name in below if level == min(level for level, _name in below)]
    return f"Apartados: {'; '.join(dict.fromkeys(names))}." if len(set(names)) > 1 else ""


def _led_in(blocks: Sequence[Block]) -> Iterator[Block]:
    """Short paragraphs in a row after text that ends in a colon: a list whose bullets were lost in reading."""
    for at, lead in enumerate(blocks):
        if lead.text.rstrip().endswith(":"):
            row = list(takewhile(_is_short_paragraph, blocks[at + 1 :]))
            yield from row if len(row) > 1 else ()


def _is_short_paragraph(block: Block) -> bool:
    is_lead = block.text.rstrip().endswith(":")
    return block.kind is BlockKind.PARAGRAPH and _size(block) <= LISTED_WORDS and not is_lead


def _of_table(blocks: Sequence[Block]) -> str:
    """What the columns of the first table are called, for a lesson that is little else; empty without one."""
    headers = (block.rows[0] for block in blocks if block.rows and block.header_rows == 1)
    names = [f"«{' '.join(name.split())}»" for name in next(headers, ()) if name.strip()]
    *first, last = names or [""]
    return f"Tabla con las columnas {', '.join(first)} y {last}." if first else ""


def _size(block: Block) -> int:
    return len(block.text.split())


def _central(blocks: Sequence[Block]) -> list[str]:
    return central_sentences(_sentences(blocks), SUMMARY_SENTENCES, SUMMARY_WORDS)


def _listed(heading: str, lines: Sequence[str]) -> list[str]:
    return [f"## {heading}", "\n".join(f"- {line}" for line in lines)] if lines else []


# --- the text itself


def _readable(blocks: Sequence[Block], casing: Casing) -> list[Block]:
    return [
        block if block.kind is BlockKind.CODE else replace(block, text=casing.spelling.mended(block.text))
        for block in blocks
        if block.kind is not BlockKind.HEADING or not (is_noise(block.text) or block.text in casing.misread)
    ]


def _without_cover(blocks: Sequence[Block]) -> list[Block]:
    """Without the lines before the first heading that say no sentence (authors, year, «CONTENIDO»), if all are such."""
    first = next((at for at, block in enumerate(blocks) if block.kind is BlockKind.HEADING), 0)
    is_cover = all(
        block.kind is BlockKind.PARAGRAPH
        and not block.heading_path
        and len(block.text.split()) <= COVER_WORDS
        and not block.text.rstrip().endswith(_ENDS)
        for block in blocks[:first]
    )
    return list(blocks[first:] if is_cover else blocks)


def _rejoined(blocks: Sequence[Block]) -> list[Block]:
    """With paragraphs whole again that the end of a page, or a picture, cut in the middle of a sentence."""
    whole: list[Block] = []
    for block in blocks:
        before = whole[-1] if whole else NOTHING
        if before.text.strip() in _LONE_BULLETS:  # and what it stands before
            whole.pop()
            is_item = block.kind is BlockKind.PARAGRAPH
            whole.append(replace(block, kind=BlockKind.LIST_ITEM, level=1) if is_item else block)
        elif block.kind is BlockKind.PARAGRAPH and _runs_on(before, block):
            whole[-1] = replace(before, text=f"{before.text.rstrip()} {block.text.lstrip()}")
        else:
            whole.append(block)
    return whole


def _runs_on(before: Block, block: Block) -> bool:
    """Whether a paragraph goes on with the sentence of the block before it."""
    begun = before.text.rstrip()
    if before.page is None or block.page is None or not begun or not block.text.strip():
        return False
    if before.kind is BlockKind.PARAGRAPH and before.page != block.page and _RUNS_ON.search(begun):
        return True
    is_text = before.kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)
    return is_text and begun[-1] not in _STOPS and block.text.lstrip()[0].islower() and not _BULLET.match(block.text)


def _levelled(title: str, blocks: Sequence[Block], casing: Casing) -> list[Block]:
    """Blocks ready to be set as Markdown: escaped, headings from the second level down, the lesson's own left out."""
    levels = [block.level or 1 for block in blocks if block.kind is BlockKind.HEADING]
    top = min(levels, default=1)
    ready = []
    for at, block in enumerate(blocks):
        if block.kind is BlockKind.HEADING:
            name = clean_title(block.text, casing)
            if at == 0 and name == title:
                continue
            ready.append(replace(block, text=_escaped(name), level=min(4, 2 + (block.level or 1) - top)))
        elif block.kind is BlockKind.CODE:
            ready.append(block)
        else:
            rows = None if block.rows is None else tuple(tuple(map(_cell, row)) for row in block.rows)
            ready.append(replace(block, text=_escaped(_BOX.sub("", block.text)), rows=rows))
    return ready


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _SPECIAL.sub(r"\\\1", text)


def _cell(text: str) -> str:
    return _escaped(text.replace("|", "/"))


# --- what matters in it


def _sentences(blocks: Sequence[Block]) -> list[str]:
    """The whole sentences of the running text, without their bullets."""
    kinds = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.CLAUSE)
    read = (block for block in blocks if block.kind in kinds and not is_note(block) and not _is_title(block.text))
    texts = (_BULLET.sub("", " ".join(block.text.split())) for block in read)
    return [sentence for text in texts for sentence in split_sentences(text)]


def _is_title(text: str) -> bool:
    """Whether a block is no sentence but the title of an article that another text quotes."""
    return is_labelled(text.lstrip('«“" ')) and len(text.split()) <= QUOTED_TITLE_WORDS


def central_sentences(sentences: Sequence[str], count: int, max_words: int) -> list[str]:
    """The sentences most like all the others, in reading order: up to `count`, together at most `max_words` words.

    A sentence weighs what its words do over all sentences (degree centrality, as in Erkan and Radev, "LexRank",
    JAIR 2004), earlier ones a little more. Those that point back, ask, or end in a colon are passed over.
    """
    bags = [Counter(word.lower() for word in _WORD.findall(sentence)) for sentence in sentences]
    holders = Counter(word for bag in bags for word in bag)
    weights = {word: math.log(1 + len(bags) / held) for word, held in holders.items()}
    vectors = [_unit({word: count * weights[word] for word, count in bag.items()}) for bag in bags]
    centre: Counter[str] = Counter()
    for vector in vectors:
        centre.update(vector)
    scored = []
    for at, (sentence, vector) in enumerate(zip(sentences, vectors, strict=True)):
        length = len(sentence.split())
        if not 8 <= length <= max_words or not _stands_alone(sentence):
            continue
        likeness = sum(value * centre[word] for word, value in vector.items()) / len(vectors)
        scored.append((independence(sentence) * likeness * (1.2 - 0.4 * at / len(sentences)), -at))
    named = [one for one in scored if independence(sentences[-one[1]]) > UNNAMED]
    scored = named or scored
    chosen: list[int] = []
    words = 0
    for _score, minus_at in sorted(scored, reverse=True):
        length = len(sentences[-minus_at].split())
        if (
            len(chosen) < count
            and words + length <= max_words
            and all(_likeness(vectors[-minus_at], vectors[at]) < SAID_ALREADY for at in chosen)
        ):
            chosen.append(-minus_at)
            words += length
    return [sentences[at] for at in sorted(chosen)]


def _likeness(one: dict[str, float], other: dict[str, float]) -> float:
    return sum(weight * other.get(word, 0.0) for word, weight in one.items())


def opening(sentences: Sequence[str]) -> str:
    """What a text begins with, where none of its sentences tells of the whole: the words that lead in a list, or a long
    sentence up to where it could end.
    """
    long = [one for one in sentences if len(one.split()) >= OPENING_WORDS[0] and one[0].isupper()]
    first = next((one for one in long if not points_back(one)), long[0] if long else "")
    words = first.split()
    if len(words) > OPENING_WORDS[1]:
        cut = max(
            (at for at in range(OPENING_WORDS[0], OPENING_WORDS[1]) if words[at - 1][-1] in ",;:"),
            default=OPENING_WORDS[1],
        )
        return " ".join(words[:cut]).rstrip(" ,;:") + "…"
    return first[:-1].rstrip() + "." if first.endswith((":", ";", ",")) else first


def _stands_alone(sentence: str) -> bool:
    """Whether a sentence is whole and can be read without the one before it."""
    return (
        sentence[0].isupper()
        and not sentence.isupper()
        and sentence[-1] in ".!"
        and is_balanced(sentence)
        and not points_back(sentence)
    )


def _unit(vector: dict[str, float]) -> dict[str, float]:
    length = math.sqrt(sum(value * value for value in vector.values()))
    return {word: value / length for word, value in vector.items()} if length else {}


def key_facts(sentences: Sequence[str]) -> list[str]:
    """Up to five sentences that name a figure or a duty, in reading order; both together weigh most."""
    shortest, longest = FACT_WORDS
    scored = []
    for at, sentence in enumerate(sentences):
        if not shortest <= len(sentence.split()) <= longest or not _stands_alone(sentence):
            continue
        if independence(sentence) <= UNNAMED:
            continue
        score = 2 * bool(_FIGURE.search(sentence)) + bool(_DUTY.search(sentence))
        if score:
            scored.append((-score, at))
    return list(dict.fromkeys(sentences[at] for at in sorted(at for _score, at in sorted(scored)[:MAX_FACTS])))


def glossary(blocks: Sequence[Block]) -> list[tuple[str, str]]:
    """Terms that the text defines in so many words, with the defining sentence."""
    found: dict[str, str] = {}
    for sentence in _sentences(blocks):
        match = _DEFINED.match(sentence)
        if match is None or len(sentence.split()) < 8:
            continue
        term = (match["said"] or match["quoted"] or match["named"]).strip()
        if len(term.split()) <= 6:
            found.setdefault(term[:1].upper() + term[1:], sentence)
    return list(found.items())[:MAX_TERMS]

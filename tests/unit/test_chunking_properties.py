"""What must hold for chunks of any document."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from documents.chunking import ChunkSettings, block_spans, chunk_blocks, normalized_text
from documents.parsing.types import Block, BlockKind
from documents.sentences import sentence_spans

WORDS = [
    "El",
    "cliente",
    "devuelve",
    "la",
    "caja.",
    "¿Cuándo?",
    "Sr.",
    "García,",
    "3.5",
    "etc.",
    "x" * 300,
    "ñandú",
    "pasos:",
    "|",
]
PUNCTUATION = set("#-|`*")

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=120).map(" ".join)
headings = st.sampled_from(["Uso", "Artículo 5", "Limpieza diaria", "Tabla 1", "Un título " * 60])
COUNTERS = {
    "words": lambda text: 3 + int(1.3 * len(text.split())) + sum(len(word) // 4 for word in text.split()),
    "characters": lambda text: 4 + len(text) // 4,
    "single characters": lambda text: 2 + len(text),
}


@st.composite
def documents(draw: st.DrawFn) -> list[Block]:
    """Blocks whose heading paths agree with the headings before them."""
    blocks: list[Block] = []
    path: tuple[str, ...] = ()
    for _ in range(draw(st.integers(1, 14))):
        kind = draw(st.sampled_from(list(BlockKind)))
        page = draw(st.none() | st.integers(1, 9))
        if kind is BlockKind.HEADING:
            level = draw(st.integers(1, 3))
            path = (*path[: level - 1], draw(headings).strip())
            blocks.append(Block(kind, path[-1], level=len(path), page=page, heading_path=path))
        elif kind is BlockKind.TABLE:
            width = draw(st.integers(1, 4))
            rows = draw(st.lists(st.tuples(*[texts] * width), min_size=1, max_size=6))
            header = draw(st.integers(0, 1)) if len(rows) > 1 else 0
            blocks.append(Block(kind, "tabla", page=page, heading_path=path, rows=tuple(rows), header_rows=header))
        else:
            level = draw(st.none() | st.integers(1, 4)) if kind is BlockKind.LIST_ITEM else None
            blocks.append(Block(kind, draw(texts), level=level, page=page, heading_path=path))
    return blocks


any_settings = st.builds(
    ChunkSettings,
    max_tokens=st.sampled_from([16, 40, 128, 512]),
    min_tokens=st.sampled_from([0, 10, 15]),
    overlap_sentences=st.integers(0, 3),
    strategy=st.sampled_from(["section", "fixed", "recursive", "markdown"]),
)
quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def letters(text: str) -> str:
    return re.sub(r"[\s#|`\\-]", "", text)


@quick
@given(documents(), st.text(max_size=300), any_settings, st.sampled_from(sorted(COUNTERS)))
def test_the_embedder_sees_all_of_every_chunk(blocks, title, chosen, counter):
    count_tokens = COUNTERS[counter]
    chunks = chunk_blocks(blocks, title=title, language="es", count_tokens=count_tokens, settings=chosen)
    for chunk in chunks:
        assert chunk.token_count == count_tokens(chunk.meaning_text) <= chosen.max_tokens
        assert chunk.meaning_text.endswith(chunk.text)
        assert chunk.text.strip()


@quick
@given(documents(), any_settings, st.sampled_from(sorted(COUNTERS)))
def test_chunks_follow_each_other_in_the_normalized_text_and_repeat_themselves_exactly(blocks, chosen, counter):
    def chunks():
        return chunk_blocks(blocks, title="Manual", language="es", count_tokens=COUNTERS[counter], settings=chosen)

    first = chunks()
    assert first == chunks()
    assert [chunk.position for chunk in first] == list(range(len(first)))
    text = normalized_text(blocks)
    starts = [chunk.char_start for chunk in first]
    assert starts == sorted(starts)
    for chunk in first:
        assert 0 <= chunk.char_start < chunk.char_end <= len(text)


@quick
@given(documents(), st.integers(0, 2), st.sampled_from([40, 128, 512]), st.sampled_from(sorted(COUNTERS)))
def test_no_word_is_lost_and_none_changes_its_place(blocks, overlap, limit, counter):
    chunks = chunk_blocks(
        [block for block in blocks if block.kind is not BlockKind.TABLE],
        title="Manual",
        language="es",
        count_tokens=COUNTERS[counter],
        settings=ChunkSettings(max_tokens=limit, min_tokens=15, overlap_sentences=overlap),
    )
    own = letters("".join(chunk.text[chunk.own_start :] for chunk in chunks))
    bodies = [block for block in blocks if block.kind not in (BlockKind.TABLE, BlockKind.HEADING)]
    position = 0
    for block in bodies:
        # heading lines of merged sections may stand between blocks, never inside one
        position = own.index(letters(block.text), position) + len(letters(block.text))
    paths = {name for chunk in chunks for name in chunk.heading_path}
    everything = letters("".join(chunk.text for chunk in chunks))
    for block in blocks:
        if block.kind is BlockKind.HEADING:
            assert block.text in paths or letters(block.text) in everything


@quick
@given(documents())
def test_a_table_row_is_whole_in_one_chunk_when_it_fits(blocks):
    chunks = chunk_blocks(
        blocks,
        title="",
        language="es",
        count_tokens=COUNTERS["characters"],
        settings=ChunkSettings(max_tokens=4000),
    )
    lines = [line for chunk in chunks for line in chunk.text.splitlines()]
    for block in blocks:
        for row in block.rows or ():
            assert " | ".join(row) in lines


@quick
@given(documents())
def test_block_spans_hold_each_blocks_words(blocks):
    text = normalized_text(blocks)
    end = 0
    for block, (start, stop) in zip(blocks, block_spans(blocks), strict=True):
        assert end <= start < stop
        cells = "".join("".join(row) for row in block.rows) if block.rows else block.text
        assert letters(text[start:stop]) == letters(cells)
        end = stop


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.sampled_from('aA1.!?…¿«»"() \n\t:;-ñ\u00a0') | st.characters()) | texts)
def test_sentences_leave_out_nothing_but_white_space(text):
    position = 0
    for start, end in sentence_spans(text):
        assert position <= start < end <= len(text)
        assert not text[position:start].strip()
        assert text[start:end] == text[start:end].strip()
        position = end
    assert not text[position:].strip()


@pytest.mark.parametrize("strategy", ["section", "fixed", "recursive", "markdown"])
def test_a_long_string_without_spaces_ends(strategy):
    chunks = chunk_blocks(
        [Block(BlockKind.PARAGRAPH, "x" * 20_000)],
        title="Manual",
        language="es",
        count_tokens=COUNTERS["single characters"],
        settings=ChunkSettings(strategy=strategy),
    )
    assert "".join(chunk.text[chunk.own_start :] for chunk in chunks) == "x" * 20_000

"""A quote's words are marked line by line, not the whole block they stand in."""

from documents.parsing.pdf_marking import Word, fitted

BLOCK = (0.0, 0.0, 100.0, 30.0)
LINES = ("Las devoluciones se hacen en", "caja. El dinero vuelve a la tarje-", "ta en tres días.")


def words(lines=LINES, top=0.0):
    return [
        Word((10.0 * place, top + 10.0 * line, 10.0 * place + 9, top + 10.0 * line + 8, text, 0, line, place))
        for line, row in enumerate(lines)
        for place, text in enumerate(row.split())
    ]


def test_each_line_of_the_quote_gets_a_box_as_wide_as_its_words():
    boxes = fitted([BLOCK], words(), "El dinero vuelve a la tarjeta en tres días.")
    assert boxes == [(10.0, 10.0, 69.0, 18.0), (0.0, 20.0, 39.0, 28.0)]


def test_a_word_parted_at_the_end_of_its_line_is_marked_too():
    (_first, second) = fitted([BLOCK], words(), "El dinero vuelve a la tarjeta en tres días.")
    assert second[0] == 0.0


def test_words_outside_the_blocks_are_left_alone():
    again = words(top=100.0)
    boxes = fitted([BLOCK], words() + again, "Las devoluciones se hacen en caja.")
    assert all(box[3] < 30 for box in boxes)


def test_a_block_that_says_it_in_other_words_is_marked_whole():
    assert fitted([BLOCK], words(), "Plazo: tres días; forma: tarjeta; lugar: caja") == [BLOCK]


def test_a_page_without_text_is_marked_as_it_was():
    assert fitted([BLOCK], [], "El dinero vuelve") == [BLOCK]


def test_a_short_quote_is_found_whole():
    assert fitted([BLOCK], words(), "tres días") == [(20.0, 20.0, 39.0, 28.0)]

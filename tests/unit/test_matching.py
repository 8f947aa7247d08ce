"""When a question is the same as one that has an answer."""

from tutor.prepared.matching import SAME_WORDS, Asked, question_key, same_question

STORY = (
    "Un cliente compró un abrigo de lana la semana pasada y ahora dice que le queda pequeño y que no tiene tique. " * 6
)


def sameness(one: str, other: str) -> float:
    return same_question(Asked(one, "", lambda: None), other, None, None)


def test_long_questions_that_end_otherwise_are_not_the_same():
    refund, sale = f"{STORY}¿Le devuelvo el dinero?", f"{STORY}¿Le vendo otro abrigo?"
    assert question_key(refund) != question_key(sale)
    assert sameness(refund, sale) == 0.0


def test_a_long_question_in_the_same_words_is_the_same_and_its_key_fits_its_column():
    asked, stored = f"{STORY}¿Le devuelvo el dinero?", f"{STORY.upper()} le devuelvo el dinero"
    assert sameness(asked, stored) == SAME_WORDS
    assert len(question_key(asked)) == 500


def test_a_question_that_fits_is_its_own_key():
    assert question_key("¿Cuándo se cobra?") == "cuando se cobra"
    assert question_key("a" * 500) == "a" * 500

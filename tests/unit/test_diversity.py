from retrieval.diversity import Body, maximal_marginal_relevance, without_near_duplicates
from retrieval.types import Hit

OPENING = "La tienda abre a las nueve y cierra a las dos de la tarde los días laborables"
RETURNS = "Una devolución necesita el tique y el producto sin usar"
HYGIENE = "Las manos se lavan con jabón antes de tocar un alimento"


def hits(*scores):
    return [Hit(number, score) for number, score in enumerate(scores, start=1)]


def body(text, document_id=1):
    return Body.of(document_id, str(hash(text)), text)


def ids(found):
    return [hit.chunk_id for hit in found]


def test_of_near_duplicates_the_best_is_kept():
    bodies = [body(OPENING), body(OPENING + " siempre", 2), body(RETURNS, 3)]
    kept, kept_bodies = without_near_duplicates(hits(0.9, 0.8, 0.7), bodies)
    assert ids(kept) == [1, 3]
    assert kept_bodies == [bodies[0], bodies[2]]


def test_equal_bodies_are_duplicates_by_their_hash():
    bodies = [Body.of(1, "a", ""), Body.of(2, "a", "")]
    assert ids(without_near_duplicates(hits(0.9, 0.8), bodies)[0]) == [1]


def test_another_number_makes_another_rule():
    bodies = [body("El plazo de devolución es de 30 días"), body("El plazo de devolución es de 45 días")]
    assert ids(without_near_duplicates(hits(0.9, 0.8), bodies)[0]) == [1, 2]


def test_a_passage_unlike_the_first_comes_before_one_that_repeats_it():
    bodies = [body(OPENING), body(OPENING + " salvo festivos en verano", 2), body(RETURNS, 3), body(HYGIENE, 4)]
    found = hits(0.9, 0.85, 0.8, 0.1)
    assert ids(maximal_marginal_relevance(found, bodies, limit=4)) == [1, 3, 2, 4]


def test_no_document_of_several_gives_more_than_three():
    texts = ["uno dos", "tres cuatro", "cinco seis", "siete ocho", "nueve diez"]
    bodies = [body(text, document_id=2 if index == 4 else 1) for index, text in enumerate(texts)]
    assert ids(maximal_marginal_relevance(hits(0.9, 0.8, 0.7, 0.6, 0.1), bodies, limit=10)) == [1, 2, 3, 5]


def test_a_single_document_gives_as_many_as_are_wanted():
    bodies = [body(text) for text in ("uno dos", "tres cuatro", "cinco seis", "siete ocho", "nueve diez")]
    assert ids(maximal_marginal_relevance(hits(0.9, 0.8, 0.7, 0.6, 0.5), bodies, limit=4)) == [1, 2, 3, 4]


def test_nothing_stays_nothing():
    assert maximal_marginal_relevance([], [], limit=10) == []

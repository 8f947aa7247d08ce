"""What a question's words stand for: the glossary, misspelt words, and how they are ranked."""

import pytest
from django.db import connection

from documents.access import ADMINISTRATION
from retrieval.models import GlossaryEntry
from retrieval.pipeline import search
from retrieval.spelling import skeleton
from retrieval.types import SearchConfig, SearchScope
from skillnet.tenancy import organization_scope
from tests.factories import make_document

pytestmark = pytest.mark.django_db

KEYWORD = SearchConfig(mode="keyword")
TILL = "# Cierre\nEl TPV se apaga al terminar la jornada y se cuenta el efectivo entre dos personas."
WEEKEND = "# Turnos\nDurante el fin de semana abre primero la persona encargada del obrador principal."


@pytest.fixture(autouse=True)
def manuals(organization):
    make_document(organization, "Cierre", TILL)
    make_document(organization, "Turnos", WEEKEND)


@pytest.fixture
def mean_the_same(organization):
    def remember(*wordings, owner=organization):
        with organization_scope(owner.pk):
            GlossaryEntry.objects.create(organization=owner, wordings=list(wordings))

    return remember


def ask(organization, question, config=KEYWORD):
    with organization_scope(organization.pk):
        return search(question, SearchScope(organization.pk, ADMINISTRATION), config)


def found(result):
    return [passage.document_title for passage in result.passages]


@pytest.mark.parametrize("question", ["caja", "CAJA", "¿cuándo se apagan las cajas?", "datáfono", "datafono"])
def test_another_word_for_the_same_is_found(organization, mean_the_same, question):
    assert "Cierre" not in found(ask(organization, "caja"))
    mean_the_same("caja", "TPV", "datáfono")
    result = ask(organization, question)
    assert found(result) == ["Cierre"]
    assert "TPV" in result.trace["glossary"]


def test_a_phrase_stands_for_a_word_and_a_word_for_a_phrase(organization, mean_the_same):
    mean_the_same("finde", "fin de semana")
    result = ask(organization, "¿quién abre el finde?")
    assert found(result) == ["Turnos"]
    assert result.passages[0].signals["coverage"] == pytest.approx(1)
    make_document(organization, "Cafetería", "# Bar\nEn el finde el bar de la esquina sirve churros hasta mediodía.")
    assert found(ask(organization, "churros en fin de semana"))[0] == "Cafetería"
    assert "Cierre" not in found(ask(organization, "semana sin fin"))  # the words of a phrase, in another order


def test_other_words_for_the_same_add_no_weight(organization, mean_the_same):
    before = ask(organization, "apagar el TPV").passages[0]
    mean_the_same("caja", "TPV", "terminal punto de venta")
    after = ask(organization, "apagar el TPV").passages[0]
    assert after.signals["coverage"] == before.signals["coverage"] == pytest.approx(1)
    assert ask(organization, "apagar la caja").passages[0].signals == after.signals


def test_a_glossary_is_its_organizations_own(organization, other_organization, mean_the_same):
    mean_the_same("caja", "TPV", owner=other_organization)
    assert found(ask(organization, "caja")) == []


@pytest.mark.parametrize("wordings", [("de la", "TPV"), ("¿?", "TPV"), ("caja", "sin resultados en nada")])
def test_wordings_without_words_or_texts_do_no_harm(organization, mean_the_same, wordings):
    mean_the_same(*wordings)
    assert found(ask(organization, "TPV de la caja")) == ["Cierre"]


@pytest.mark.parametrize("question", ["efectibo", "jornda", "obradro", "enkargada", "prinsipal"])
def test_a_misspelt_word_is_found(organization, question):
    result = ask(organization, question)
    assert len(found(result)) == 1
    assert result.trace["spelling"]
    assert found(ask(organization, question, SearchConfig(mode="keyword", corrects_spelling=False))) == []


def test_a_known_word_is_never_replaced(organization):
    make_document(organization, "Rareza", "# Lista\nEl efectibo con be aparece en este ejemplo de ortografía escolar.")
    result = ask(organization, "efectibo")
    assert found(result) == ["Rareza"]
    assert "spelling" not in result.trace


def test_a_misspelt_word_is_less_certain(organization):
    right, wrong = ask(organization, "efectivo extranjero"), ask(organization, "efectibo extranjero")
    assert wrong.passages[0].signals["coverage"] < right.passages[0].signals["coverage"]


@pytest.mark.parametrize("question", ["K-209", "efectuar una cosa imposible", "xzqwv", "persianas"])
def test_other_words_and_codes_are_not_taken_for_known_ones(organization, question):
    assert "spelling" not in ask(organization, question).trace


WORDS = """
    chocolate llave queso guitarra gente cena zapato caja quilla vino waterpolo horno año expediente cambio enviar
    carro perro aaab 303 e4711 ñoño güito ch h q llll cc
"""


def test_the_database_hears_words_as_the_code_does(organization):
    with connection.cursor() as cursor:
        cursor.execute("SELECT word, skillnet_sound(word) FROM unnest(%s::text[]) AS word", [WORDS.split()])
        assert dict(cursor.fetchall()) == {word: skeleton(word) for word in WORDS.split()}


def test_words_can_be_ranked_by_how_near_they_stand(organization):
    near = "# Uno\nLa merma del obrador se anota siempre antes de la hora de salir por la puerta trasera."
    far = "# Dos\nLa merma y muchas otras cosas que pasan durante el día se dejan escritas y las ve el obrador."
    make_document(organization, "Cerca", near)
    make_document(organization, "Lejos", far)
    result = ask(organization, "merma obrador", SearchConfig(mode="keyword", keyword_rank="ts_rank_cd"))
    assert found(result)[:2] == ["Cerca", "Lejos"]

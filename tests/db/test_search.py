from dataclasses import replace
from datetime import date

import pytest
from django.db import connection
from django.utils import timezone

from documents.access import ADMINISTRATION, Reader
from documents.models import ChunkEmbedding, Collection, DocumentVersion, EmbeddingModel
from retrieval import keyword_search, legs, pipeline, ranking
from retrieval.allowed import allowed_chunks
from retrieval.keywords import inverse_frequency
from retrieval.types import SearchConfig, SearchScope, Section
from retrieval.vocabulary import terms_of, vocabulary_of
from skillnet.errors import BackendUnavailable
from skillnet.models import Classification, Group, GroupMember
from skillnet.tenancy import organization_scope
from tests.factories import make_document

pytestmark = pytest.mark.django_db

RETURNS = """
# Devoluciones
Un cliente puede devolver un pedido durante treinta días con el tique de compra y el producto sin usar.
## Error del datáfono
Si el datáfono muestra el código K-208, apágalo, espera un minuto y vuelve a encenderlo antes de cobrar.
"""
HOLIDAYS = """
# Vacaciones
Las vacaciones se piden con dos meses de antelación a la persona encargada de la tienda.
"""


@pytest.fixture
def returns(organization):
    return make_document(organization, "Manual de devoluciones", RETURNS)


@pytest.fixture
def sections(organization):
    """Two sections too long to be put together."""
    first, second = RETURNS.split("## ")
    long = "Conviene leerlo despacio antes de atender a nadie en el mostrador de la tienda. " * 6
    return make_document(organization, "Manual de devoluciones", f"{first}{long}\n## {second}{long}")


@pytest.fixture
def holidays(organization):
    return make_document(organization, "Manual de vacaciones", HOLIDAYS)


def ask(organization, question, *, config=None, reader=ADMINISTRATION, **filters):
    with organization_scope(organization.pk):
        return pipeline.search(question, SearchScope(organization.pk, reader, **filters), config)


def found(result):
    return [passage.document_title for passage in result.passages]


@pytest.mark.parametrize("mode", ["hybrid", "vector", "keyword"])
def test_the_passage_that_answers_comes_first(organization, returns, holidays, mode):
    result = ask(organization, "¿Con cuánta antelación se piden las vacaciones?", config=SearchConfig(mode=mode))
    assert result.passages[0].document_id == holidays.pk
    assert result.language == "es"
    assert result.rung == "chunks"


def test_hits_say_which_legs_found_them_and_carry_their_signals(organization, returns, holidays):
    passage = ask(organization, "antelación para pedir vacaciones").passages[0]
    assert passage.legs == {"semantic", "keyword"}
    assert passage.signals["cosine"] > 0
    assert 0 < passage.signals["coverage"] <= 1


def test_the_same_question_gives_the_same_order(organization, returns, holidays):
    for number in range(4):
        make_document(organization, f"Tienda {number}", f"{HOLIDAYS}Vale en la tienda {number}.")
    results = [ask(organization, "vacaciones con antelación") for _ in range(3)]
    assert len({tuple(passage.chunk_id for passage in result.passages) for result in results}) == 1


def test_equal_scores_go_by_document_and_position(organization):
    for number in range(4):
        make_document(organization, f"Tienda {number}", f"{HOLIDAYS}Vale en la tienda {number}.")
    result = ask(organization, "vacaciones con antelación", config=SearchConfig(mode="keyword"))
    assert found(result) == ["Tienda 0", "Tienda 1", "Tienda 2", "Tienda 3"]


def test_a_code_is_found_whole(organization, returns, holidays):
    assert found(ask(organization, "K208", config=SearchConfig(mode="keyword"))) == ["Manual de devoluciones"]
    assert found(ask(organization, "K-209", config=SearchConfig(mode="keyword"))) == []


def test_some_of_the_words_are_enough_when_not_all_are_there(organization, returns, holidays):
    result = ask(organization, "pedir vacaciones desde el extranjero en avión", config=SearchConfig(mode="keyword"))
    assert found(result)[0] == "Manual de vacaciones"
    assert result.passages[0].signals["coverage"] < 1


def test_a_word_in_the_heading_weighs_more(organization):
    body = "Todas las personas de la tienda leen este apartado antes de empezar su turno de trabajo. {} aparece aquí."
    make_document(organization, "A", "# Turnos\n" + body.format("Inventario 1"))
    make_document(organization, "B", "# Inventario\n" + body.format("Turno 2"))
    assert found(ask(organization, "inventario", config=SearchConfig(mode="keyword"))) == ["B", "A"]


@pytest.mark.parametrize("mode", ["hybrid", "keyword"])
@pytest.mark.parametrize(
    "question", ["", "   ", "de la que el", "¿?", "'; -- \\ & | ! <-> :*", "\0", "x" * 10_000, "pedido " * 1_500]
)
def test_no_question_is_an_error(organization, returns, question, mode):
    assert ask(organization, question, config=SearchConfig(mode=mode)).question is not None


def test_nothing_found_is_no_evidence(organization):
    result = ask(organization, "vacaciones")
    assert (result.passages, result.confidence, result.evidence, result.rung) == ((), 0.0, False, "none")


def test_words_go_on_when_the_embedder_is_down(organization, returns, holidays, monkeypatch):
    class Down:
        model_id = "fake"
        supports_tokens = False

        def embed_query(self, text):
            raise BackendUnavailable("no answer")

    monkeypatch.setattr(legs, "get_embedder", Down)
    result = ask(organization, "vacaciones con antelación")
    assert found(result)[0] == "Manual de vacaciones"
    assert result.passages[0].legs == {"keyword"}
    assert result.trace["embedder"] == "backend_unavailable"


def test_vectors_of_another_model_are_skipped_and_counted(organization, returns, holidays):
    with organization_scope(organization.pk):
        other = EmbeddingModel.objects.create(name="otro", dimensions=384)
        ChunkEmbedding.objects.filter(version=holidays.active_version).update(model=other)
        DocumentVersion.objects.filter(pk=holidays.active_version_id).update(embedding_model=other)
    result = ask(organization, "vacaciones con antelación")
    legs = {passage.document_title: passage.legs for passage in result.passages}
    assert legs["Manual de vacaciones"] == {"keyword"}
    assert result.trace["mismatch"] == 1
    assert "Manual de vacaciones" not in found(ask(organization, "vacaciones", config=SearchConfig(mode="vector")))


def test_confidence_rests_on_words_alone_when_no_vector_is_there(organization, holidays):
    with organization_scope(organization.pk):
        ChunkEmbedding.objects.all().delete()
    result = ask(organization, "vacaciones con antelación")
    assert result.confidence == ask(organization, result.question, config=SearchConfig(mode="keyword")).confidence > 0.5


def test_another_organizations_documents_are_never_found(organization, other_organization, holidays):
    theirs = make_document(other_organization, "Vacaciones ajenas", HOLIDAYS)
    assert found(ask(organization, "vacaciones")) == ["Manual de vacaciones"]
    assert ask(organization, "vacaciones", document_ids=(theirs.pk,)).passages == ()


@pytest.mark.parametrize("mode", ["hybrid", "vector", "keyword"])
def test_readers_find_only_what_they_may_read(organization, employee_membership, holidays, mode):
    make_document(organization, "Salarios", f"{HOLIDAYS}Plus 90.", classification=Classification.CONFIDENTIAL)
    shift = make_document(organization, "Turno de noche", f"{HOLIDAYS}Turno 3.", audience="groups")
    reader, config = Reader.of(employee_membership), SearchConfig(mode=mode)
    assert found(ask(organization, "vacaciones", reader=reader, config=config)) == ["Manual de vacaciones"]
    with organization_scope(organization.pk):
        group = Group.objects.create(organization=organization, name="Noche")
        shift.audience_groups.create(organization=organization, group=group)
        GroupMember.objects.create(organization=organization, group=group, user_id=employee_membership.user_id)
    assert set(found(ask(organization, "vacaciones", reader=reader, config=config))) == {
        "Manual de vacaciones",
        "Turno de noche",
    }


def test_filters_hold_for_both_legs(organization, returns, holidays):
    with organization_scope(organization.pk):
        collection = Collection.objects.create(organization=organization, name="Personal")
        holidays.collection, holidays.tags = collection, ["plantilla"]
        holidays.save(update_fields=["collection", "tags"])
        today = timezone.localdate(holidays.active_version.uploaded_at)
        media_type = holidays.active_version.media_type
    for filters in ({"collection_id": collection.pk}, {"tags": ("plantilla",)}, {"document_ids": (holidays.pk,)}):
        assert set(found(ask(organization, "pedido devolver vacaciones", **filters))) == {"Manual de vacaciones"}
    both = {"Manual de vacaciones", "Manual de devoluciones"}
    assert (
        set(found(ask(organization, "pedido vacaciones", media_types=(media_type,), since=today, until=today))) == both
    )
    assert ask(organization, "vacaciones", media_types=("application/pdf",)).passages == ()
    assert ask(organization, "vacaciones", until=today.replace(year=2001)).passages == ()
    assert ask(organization, "vacaciones", course_id=1).passages == ()


@pytest.mark.parametrize("mode", ["hybrid", "vector", "keyword"])
def test_a_document_is_found_by_its_own_date_and_language(organization, returns, holidays, mode):
    config = SearchConfig(mode=mode)
    with organization_scope(organization.pk):
        type(holidays).objects.filter(pk=holidays.pk).update(document_date=date(2024, 5, 2), language="pt")
    for filters in (
        {"dated_since": date(2024, 5, 2), "dated_until": date(2024, 5, 2)},
        {"dated_until": date(2030, 1, 1)},
        {"language": "pt"},
    ):
        assert set(found(ask(organization, "pedido vacaciones", config=config, **filters))) == {"Manual de vacaciones"}
    assert ask(organization, "pedido vacaciones", config=config, dated_since=date(2024, 5, 3)).passages == ()
    assert ask(organization, "pedido vacaciones", config=config, language="fr").passages == ()


@pytest.mark.parametrize("mode", ["hybrid", "vector", "keyword"])
@pytest.mark.parametrize(
    "path", [("Devoluciones", "Error del datáfono"), ("devoluciones", "error del datafono"), ("Error del datáfono",)]
)
def test_a_section_is_searched_alone(organization, sections, mode, path):
    scope = {"sections": (Section(path),)}
    result = ask(organization, "datáfono pedido tique", config=SearchConfig(mode=mode), **scope)
    assert [passage.heading_path for passage in result.passages] == [("Devoluciones", "Error del datáfono")]


def test_a_section_has_what_is_below_it_and_may_name_its_document(organization, sections, holidays):
    config = SearchConfig(mode="vector")
    assert len(ask(organization, "datáfono", config=config, sections=(Section(("Devoluciones",)),)).passages) == 2
    elsewhere = Section(("Devoluciones",), holidays.pk)
    assert ask(organization, "datáfono", config=config, sections=(elsewhere,)).passages == ()
    either = (elsewhere, Section(("Vacaciones",), holidays.pk))
    assert found(ask(organization, "datáfono", config=config, sections=either)) == ["Manual de vacaciones"]


def test_an_earlier_version_is_not_found(organization, holidays):
    make_document(organization, text=HOLIDAYS.replace("dos meses", "tres semanas"), version_of=holidays)
    result = ask(organization, "vacaciones con antelación")
    assert ["tres semanas" in passage.text for passage in result.passages] == [True]
    assert result.passages[0].version_number == 2


def test_statements_kept_on_a_connection_find_only_what_the_next_organization_has(
    organization, other_organization, holidays
):
    make_document(other_organization, "Vacaciones ajenas", HOLIDAYS)
    for _time in range(6):  # PostgreSQL keeps a plan for any parameters from the sixth run on
        assert found(ask(organization, "vacaciones")) == ["Manual de vacaciones"]
        assert found(ask(other_organization, "vacaciones")) == ["Vacaciones ajenas"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%near AS MATERIALIZED%'")
        assert cursor.fetchone() == (1,)


def test_what_is_withdrawn_between_ranking_and_reading_is_left_out(organization, holidays, monkeypatch):
    fused = ranking.reciprocal_rank_fusion

    def withdrawn_meanwhile(*arguments, **options):
        type(holidays).objects.filter(pk=holidays.pk).update(classification=Classification.CONFIDENTIAL)
        return fused(*arguments, **options)

    monkeypatch.setattr(ranking, "reciprocal_rank_fusion", withdrawn_meanwhile)
    reader = replace(ADMINISTRATION, clearance=Classification.INTERNAL, sees_everything=False)
    assert ask(organization, "vacaciones", reader=reader).passages == ()


@pytest.mark.parametrize(
    ("expression", "titles"),
    [
        ('"sin usar"', ["Manual de devoluciones"]),
        ('"usar producto"', []),
        ('"dos meses de antelacion"', ["Manual de vacaciones"]),
        ("tienda or datáfono", ["Manual de devoluciones", "Manual de vacaciones"]),
        ("vacaciones -antelación", []),
        ("minuto -vacaciones", ["Manual de devoluciones"]),
        ("minuto vacaciones", []),
        ("-vacaciones", []),
        ('" & | ! (', []),
    ],
)
def test_an_advanced_search_reads_quotes_minus_and_or(organization, returns, holidays, expression, titles):
    assert sorted(set(found(ask(organization, expression, config=SearchConfig(advanced=True))))) == titles


def test_the_trace_tells_times_and_candidates(organization, holidays):
    trace = ask(organization, "vacaciones").trace
    assert set(trace["timings_ms"]) >= {"language", "embedding", "semantic", "keyword", "fusion", "passages", "total"}
    assert trace["candidates"]["keyword"] == trace["candidates"]["semantic"] == 1


def test_nobody_finds_everything_by_the_organizations_own_id(organization, returns):
    config = SearchConfig(mode="keyword")
    assert found(ask(organization, str(organization.pk), config=config)) == []
    assert found(ask(organization, f'"{organization.pk}"', config=SearchConfig(advanced=True))) == []


def test_bm25_counts_what_ranking_functions_imply(organization, scope):
    words = " ".join(["inventario"] * 7)
    document = make_document(organization, "A", f"# Otra cosa\nTenemos {words} en la tienda este mes.")
    make_document(organization, "B", "# Otra cosa\nNada de eso hay aquí.")
    search_scope = SearchScope(organization.pk, ADMINISTRATION)
    allowed = allowed_chunks(search_scope)
    corpus = vocabulary_of(organization.pk).corpus
    terms = terms_of(organization.pk, ["es"], ["inventario"])
    chunk = document.active_version.chunks.get()
    hits, _scores = keyword_search.keyword_scores(search_scope, allowed, terms, corpus, [chunk.pk])
    length = 1 - keyword_search.B + keyword_search.B * chunk.token_count / corpus.average_length
    weight = inverse_frequency(terms[0], corpus.chunk_count)
    expected = weight * 7 * (keyword_search.K1 + 1) / (7 + keyword_search.K1 * length)
    assert hits[0].score == pytest.approx(expected)


@pytest.mark.parametrize("question", ["evacuacion", "EVACUACIÓN", "evacuacio\u0301n", "Evacuación."])
def test_accents_case_and_unicode_forms_make_no_difference(organization, question):
    make_document(organization, "Emergencias", "# Evacuación\nEn una evacuación nadie usa el ascensor de la tienda.")
    make_document(organization, "Otro", "# Otro\nNada que ver con lo anterior en este otro documento.")
    config = SearchConfig(mode="keyword")
    expected = ask(organization, "evacuación", config=config)
    assert found(ask(organization, question, config=config)) == found(expected) == ["Emergencias"]


@pytest.mark.parametrize(
    "question",
    [
        "¿qué es esto?",
        "no",
        "A-5",
        "3.2",
        "How long do I have to return an order?",
        "Quanto tempo tenho para devolver uma encomenda?",
        "Combien de temps ai-je pour rendre une commande ?",
        "Quanto tempo ho per restituire un ordine?",
        "Wie lange kann ich eine Bestellung zurückgeben?",
        "Quant de temps tinc per tornar una comanda?",
    ],
)
@pytest.mark.parametrize("mode", ["hybrid", "keyword"])
def test_little_to_go_on_is_no_error(organization, returns, question, mode):
    assert ask(organization, question, config=SearchConfig(mode=mode)).rung in ("chunks", "none")


def test_what_both_legs_found_appears_once_and_first(organization, returns, holidays):
    result = ask(organization, "vacaciones con dos meses de antelación", config=SearchConfig(rerank="none"))
    ids = [passage.chunk_id for passage in result.passages]
    assert len(ids) == len(set(ids))
    assert result.passages[0].legs == {"semantic", "keyword"}


def test_a_document_published_anew_between_ranking_and_reading_is_left_out(organization, holidays, monkeypatch):
    fused = ranking.reciprocal_rank_fusion

    def replaced_meanwhile(*arguments, **options):
        hits = fused(*arguments, **options)
        make_document(organization, text=HOLIDAYS.replace("dos meses", "tres semanas"), version_of=holidays)
        return hits

    monkeypatch.setattr(ranking, "reciprocal_rank_fusion", replaced_meanwhile)
    assert all("dos meses" not in passage.text for passage in ask(organization, "vacaciones").passages)

"""The organization's own questions with known answers, and what is measured with them."""

import io
import json
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from documents.models import Chunk, Collection
from retrieval.evaluation import jobs
from retrieval.evaluation.runs import MEASURES
from retrieval.evaluation.services import judge_question, start_evaluation
from retrieval.models import Evaluation, EvaluationQuestion, EvaluationRun, SettingsOverride
from skillnet.models import Organization
from skillnet.tenancy import organization_scope
from tests.factories import make_document
from tutor import answering, own_words, writing
from tutor.models import Conversation, Turn

pytestmark = pytest.mark.django_db

OVEN = """
# Limpieza
El horno se limpia cada noche con agua templada y un paño suave.
# Averías
Si el horno no calienta, avisa al taller.
"""
TILL = "# Cierre\nLa caja se cuenta al cerrar y el efectivo se guarda en la caja fuerte del despacho."


@pytest.fixture
def admin(client_for, admin_membership):
    return client_for(admin_membership)


@pytest.fixture
def question_set(organization, admin_membership):
    oven = make_document(organization, "Horno", OVEN)
    till = make_document(organization, "Caja", TILL)
    with organization_scope(organization.pk):
        judged = {
            "¿cuándo se limpia el horno?": Chunk.objects.filter(version__document=oven).first(),
            "¿dónde se guarda el efectivo?": Chunk.objects.filter(version__document=till).first(),
            "¿cuántas vacaciones tengo?": None,
        }
        for text, chunk in judged.items():
            judge_question(organization=organization, question=text, chunk=chunk, created_by=admin_membership.user)


def run(*arguments):
    output = io.StringIO()
    call_command("evaluate", "--org", "acme", *arguments, "--json", stdout=output)
    return json.loads(output.getvalue())


def test_all_six_configurations_are_measured_on_own_questions(question_set):
    names = ["vector", "vector+rerank", "keyword", "hybrid", "hybrid+rerank", "hybrid+rerank+mmr"]
    runs = run("--configs", ",".join(names))["runs"]
    assert [one["config"] for one in runs] == names
    keyword = runs[2]
    assert keyword["metrics"]["recall@1"] == 1.0
    assert set(keyword["metrics"]) >= {"answered", "refused", "mrr@10", "ndcg@10"}
    assert keyword["latency_ms"]["p95"] >= keyword["latency_ms"]["p50"] > 0


def test_answers_are_measured_with_the_search(organization, question_set):
    metrics = run("--configs", "hybrid+rerank")["runs"][0]["metrics"]
    assert (metrics["tutor_answered"], metrics["tutor_refused"], metrics["page_right"]) == (1.0, 1.0, 1.0)
    assert (metrics["quotes_exact"], metrics["faithful"]) == (1.0, 1.0)
    assert "words_right" not in metrics  # the set does not say which
    with organization_scope(organization.pk):
        assert EvaluationRun.objects.get().metrics == metrics
        EvaluationQuestion.objects.filter(question__contains="horno").update(expected_words="cada noche con agua")
        EvaluationQuestion.objects.filter(question__contains="efectivo").update(expected_words="en el cajón 3")
    assert run("--configs", "hybrid+rerank")["runs"][0]["metrics"]["words_right"] == 0.5


def test_an_answer_from_elsewhere_or_none_is_no_right_one(organization, question_set, monkeypatch):
    with organization_scope(organization.pk):
        oven, till = Chunk.objects.filter(text__contains="agua"), Chunk.objects.filter(text__contains="efectivo")
        EvaluationQuestion.objects.filter(question__contains="horno").update(
            document=till.get().version.document, passage=till.get().text, heading_path=["Cierre"]
        )
        assert oven.exists()
    assert run("--configs", "hybrid+rerank")["runs"][0]["metrics"]["page_right"] == 0.5
    monkeypatch.setattr(own_words, "assessed", lambda result, *_args: replace(result, evidence=False))
    metrics = run("--configs", "hybrid+rerank")["runs"][0]["metrics"]
    assert (metrics["tutor_answered"], metrics["tutor_refused"]) == (0.0, 1.0)
    assert not {"page_right", "quotes_exact", "faithful"} & metrics.keys()


def test_answers_are_as_cautious_as_the_collection_of_their_document_says(organization, question_set):
    with organization_scope(organization.pk):
        till = Chunk.objects.get(text__contains="efectivo").version.document
        till.collection = Collection.objects.create(organization=organization, name="Caja")
        till.save(update_fields=["collection"])
        SettingsOverride.objects.create(
            organization=organization, collection=till.collection, values={"minimum_sources": 9}
        )
    assert run("--configs", "hybrid+rerank")["runs"][0]["metrics"]["tutor_answered"] == 0.5


def test_a_measured_answer_that_says_what_its_source_does_not_is_counted(question_set, monkeypatch):
    honest = own_words.ground
    monkeypatch.setattr(
        own_words, "ground", lambda *given: replace(honest(*given), text="Se limpia cada mes. [Fuente 1]")
    )
    assert run("--configs", "hybrid+rerank")["runs"][0]["metrics"]["faithful"] == 0.0


def test_measuring_asks_no_language_model(question_set, monkeypatch):
    def ask(*_args, **_kwargs):
        raise AssertionError("a language model was asked")

    for module in (answering, writing):
        monkeypatch.setattr(module, "get_language_model", ask)
    assert run("--configs", "hybrid+rerank")["runs"][0]["metrics"]["tutor_answered"] == 1.0


def test_runs_keep_settings_data_and_each_question(organization, question_set):
    run("--configs", "keyword")
    run("--configs", "keyword")
    with organization_scope(organization.pk):
        first, second = EvaluationRun.objects.all()
        assert first.fingerprint == second.fingerprint
        assert len(first.settings["fingerprint"]) == 64
        assert len(first.per_query) == 2  # what has no answer is not ranked
    make_document(organization, "Otro", "# Otro\nOtro texto.")
    run("--configs", "keyword")
    with organization_scope(organization.pk):
        assert EvaluationRun.objects.first().fingerprint != first.fingerprint


def test_ways_of_cutting_are_compared_and_nothing_of_the_copies_is_left(organization, question_set):
    before = Organization.objects.count()
    runs = run("--configs", "keyword", "--chunking", "section,fixed,recursive,markdown")["runs"]
    assert [one["config"] for one in runs] == [
        "keyword/section",
        "keyword/fixed",
        "keyword/recursive",
        "keyword/markdown",
    ]
    assert [one["metrics"]["recall@1"] for one in runs] == [1.0] * 4
    assert all(one["metrics"]["chunks"] >= 2 for one in runs)
    assert Organization.objects.count() == before
    with organization_scope(organization.pk):
        assert EvaluationRun.objects.count() == 4


def test_own_runs_are_compared(question_set):
    runs = run("--configs", "keyword,hybrid")["runs"]
    comparison = run("--compare", runs[0]["id"], runs[1]["id"])["comparison"]
    assert comparison["same_data"] is True
    assert comparison["questions"] == 2


def test_an_organization_without_questions_is_told_where_to_add_them(organization):
    with pytest.raises(CommandError, match="/o/acme/evaluacion/preguntas/"):
        run()


def test_texts_of_a_beir_set_are_not_cut(tmp_path):
    with pytest.raises(CommandError, match="usa --org"):
        call_command("evaluate", "--beir", str(tmp_path), "--chunking", "fixed")


def test_the_right_passage_is_picked_from_the_hits(organization, admin):
    document = make_document(organization, "Horno", OVEN)
    address = reverse("evaluation:judge", args=[organization.slug])
    page = admin.get(address, {"pregunta": "limpiar el horno"}).content.decode()
    with organization_scope(organization.pk):
        chunk = Chunk.objects.filter(version__document=document).first()
    assert f'value="{chunk.pk}"' in page
    admin.post(address, {"pregunta": "limpiar el horno", "respuesta": str(chunk.pk)})
    admin.post(address, {"pregunta": "vacaciones", "respuesta": "ninguno"})
    with organization_scope(organization.pk):
        answered, unanswered = EvaluationQuestion.objects.all()
        assert (answered.document_id, answered.passage) == (document.pk, chunk.text)
        assert unanswered.is_answerable is False
    assert "En ningún documento" in admin.get(reverse("evaluation:questions", args=["acme"])).content.decode()


def test_the_words_an_answer_must_say_are_kept_and_shown_again(organization, admin):
    make_document(organization, "Horno", OVEN)
    address = reverse("evaluation:judge", args=[organization.slug])
    with organization_scope(organization.pk):
        chunk = Chunk.objects.first()
    data = {"pregunta": "limpiar el horno", "respuesta": str(chunk.pk), "palabras": "cada noche"}
    admin.post(address, data)
    with organization_scope(organization.pk):
        assert EvaluationQuestion.objects.get().expected_words == "cada noche"
    assert 'value="cada noche"' in admin.get(address, {"pregunta": "limpiar el horno"}).content.decode()
    admin.post(address, data | {"respuesta": "ninguno"})
    with organization_scope(organization.pk):
        assert EvaluationQuestion.objects.get().expected_words == ""
    assert admin.post(address, data | {"palabras": "x" * 501}).status_code == 422
    assert "Escribe alguna palabra o cifra" in admin.post(address, data | {"palabras": "— …"}).text


def test_what_was_measured_before_answers_were_is_shown_as_it_was(organization, admin, question_set):
    run("--configs", "keyword")
    with organization_scope(organization.pk):
        evaluation = Evaluation.objects.create(organization=organization, configurations=["keyword"], state="done")
        stored = EvaluationRun.objects.get()
        stored.metrics = {name: value for name, value in stored.metrics.items() if name in MEASURES}
        stored.evaluation = evaluation
        stored.save()
    page = admin.get(reverse("evaluation:overview", args=[organization.slug])).content.decode()
    assert "Solo palabras" in page and "Lo que el tutor respondería" not in page


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ({"pregunta": "", "respuesta": "ninguno"}, 422),
        ({"pregunta": "horno"}, 422),
        ({"pregunta": "horno", "respuesta": "x"}, 422),
        ({"pregunta": "x" * 501, "respuesta": "ninguno"}, 422),
        ({"pregunta": "horno", "respuesta": "999999"}, 404),
    ],
)
def test_a_bad_pick_is_no_question(organization, admin, data, status):
    assert admin.post(reverse("evaluation:judge", args=[organization.slug]), data).status_code == status
    with organization_scope(organization.pk):
        assert not EvaluationQuestion.objects.exists()


def test_a_passage_of_another_organization_cannot_be_picked(organization, other_organization, admin):
    theirs = make_document(other_organization, "Ajeno", OVEN)
    with organization_scope(other_organization.pk):
        chunk = Chunk.objects.filter(version__document=theirs).first()
    data = {"pregunta": "horno", "respuesta": str(chunk.pk)}
    assert admin.post(reverse("evaluation:judge", args=[organization.slug]), data).status_code == 404


def test_what_people_asked_is_offered_until_it_is_judged(organization, admin, admin_membership):
    with organization_scope(organization.pk):
        conversation = Conversation.objects.create(organization=organization, user=admin_membership.user)
        for text in ("¿Y el horno?", "¿Y el horno?", "¿Y la caja?"):
            Turn.objects.create(organization=organization, conversation=conversation, question=text)
    address = reverse("evaluation:questions", args=[organization.slug])
    page = admin.get(address).content.decode()
    assert (page.count("¿Y el horno?"), page.count("¿Y la caja?")) == (1, 1)
    admin.post(
        reverse("evaluation:judge", args=[organization.slug]), {"pregunta": "¿Y la caja?", "respuesta": "ninguno"}
    )
    section = admin.get(address).content.decode().split("Lo que ha preguntado tu equipo")[1].split("</section>")[0]
    assert "¿Y la caja?" not in section


def test_measuring_goes_on_a_configuration_at_a_time_and_shows_how_far_it_is(
    organization, admin, admin_membership, question_set
):
    admin.post(reverse("evaluation:start", args=[organization.slug]), {"configuraciones": ["keyword", "hybrid"]})
    with organization_scope(organization.pk):
        evaluation = Evaluation.objects.get()
    address = reverse("evaluation:state", args=[organization.slug, evaluation.pk])
    assert jobs.step(organization.pk, evaluation.pk) is True
    page = admin.get(address).content.decode()
    assert "1 de 2 formas de buscar" in page
    assert "hx-get" in page
    assert jobs.step(organization.pk, evaluation.pk) is False
    page = admin.get(address).content.decode()
    assert "100 %" in page
    assert "Lo que el tutor respondería" in page
    assert page.count('<td data-label="Cita la página buena">') == 2
    assert '<td data-label="Dice lo que tenía que decir">—</td>' in page
    assert "hx-get" not in page
    assert jobs.step(organization.pk, evaluation.pk) is False  # once more does nothing
    with organization_scope(organization.pk):
        assert EvaluationRun.objects.count() == 2


def test_two_runs_are_compared_in_the_browser(organization, admin, admin_membership, question_set):
    with organization_scope(organization.pk):
        evaluation = start_evaluation(
            organization=organization, configurations=["keyword", "hybrid"], started_by=admin_membership.user
        )
    jobs.step(organization.pk, evaluation.pk)
    jobs.step(organization.pk, evaluation.pk)
    with organization_scope(organization.pk):
        before, after = EvaluationRun.objects.order_by("created_at")
    address = reverse("evaluation:compare", args=[organization.slug])
    page = admin.get(address, {"antes": before.pk, "despues": after.pk}).content.decode()
    assert "2 preguntas en las dos mediciones" in page
    assert admin.get(address).status_code == 200
    assert admin.get(address, {"antes": "x", "despues": "y"}).status_code == 404


def test_what_goes_wrong_ends_the_evaluation_with_a_reason_and_can_be_tried_again(
    organization, admin, admin_membership, question_set
):
    with organization_scope(organization.pk):
        evaluation = Evaluation.objects.create(organization=organization, configurations=["no-such"])
    assert jobs.step(organization.pk, evaluation.pk) is False
    page = admin.get(reverse("evaluation:overview", args=[organization.slug])).content.decode()
    assert "No hemos podido medir" in page
    admin.post(reverse("evaluation:restart", args=[organization.slug, evaluation.pk]))
    with organization_scope(organization.pk):
        evaluation.refresh_from_db()
        assert evaluation.state == "waiting"


def test_without_answerable_questions_there_is_nothing_to_measure(organization, admin):
    response = admin.post(
        reverse("evaluation:start", args=[organization.slug]), {"configuraciones": ["keyword"]}, follow=True
    )
    assert "al menos una pregunta" in response.content.decode()
    assert admin.post(reverse("evaluation:start", args=[organization.slug]), {}).status_code == 422

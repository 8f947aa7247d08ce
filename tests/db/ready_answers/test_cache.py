"""Answers given before: who gets them again, and what makes them stop holding."""

import uuid

import pytest

from documents import bulk
from documents import services as document_services
from documents.access import ADMINISTRATION, Reader
from documents.models import Collection, Document, DocumentVersion, Status
from retrieval import services as glossary_services
from retrieval.types import SearchConfig
from skillnet.backends.fakes import FakeLanguageModel
from skillnet.models import Classification, Membership, Organization
from skillnet.tenancy import organization_scope
from tests import factories
from tests.db.ready_answers.preparing import OTHER_MANUAL, QUESTION, ask, cached_count, correct, reader_scope
from tutor import answering, reactions, services, writing
from tutor.models import CachedAnswer, Turn
from tutor.policy import TutorPolicy, store_policy
from tutor.prepared import cache, matching
from tutor.turns import TurnTask, answer_turn

pytestmark = pytest.mark.django_db


def test_a_second_asking_gets_the_answer_of_the_first(organization, manual):
    first, second = ask(reader_scope(organization)), ask(reader_scope(organization))
    assert (first.origin, second.origin) == ("extractive", "cache")
    assert (second.text, second.citations, second.confidence) == (first.text, first.citations, first.confidence)
    assert second.written_by == "extractive"
    assert "answered_at" in second.trace["prepared"]


def test_a_language_model_is_called_once_for_two_askings(organization, manual, monkeypatch):
    model = FakeLanguageModel(["El cliente tiene 30 días naturales para devolver el producto [Fuente 1]."])
    for module in (answering, writing):
        monkeypatch.setattr(module, "get_language_model", lambda: model)
    assert [ask(reader_scope(organization)).origin for _ in range(2)] == ["model", "cache"]
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    ("pieces", "options", "quota"),
    [
        (["El cliente"], {"fails_after": 0}, None),
        (["El cliente dispone de 30 días."], {"fails_after": 1}, None),
        (["<think>Serán 30 días"], {}, None),
        (["El cliente dispone de 30 días naturales [Fuente 1]."], {}, 0),
    ],
    ids=["away", "broken off", "thoughts alone", "quota used up"],
)
def test_what_stands_in_for_a_language_model_is_not_kept_in_its_place(
    organization, manual, monkeypatch, pieces, options, quota
):
    store_policy(organization, TutorPolicy(monthly_answers=quota))
    model = FakeLanguageModel(pieces, **options)
    for module in (answering, writing, cache):
        monkeypatch.setattr(module, "get_language_model", lambda: model)
    assert ask(reader_scope(organization)).origin == "extractive"
    assert cached_count(organization) == 0


def test_asking_anew_looks_it_up_again_and_takes_the_place_of_what_was_kept(organization, manual):
    ask(reader_scope(organization))
    assert ask(reader_scope(organization), is_fresh=True).origin == "extractive"
    assert cached_count(organization) == 1
    assert ask(reader_scope(organization)).origin == "cache"


def test_two_organizations_get_each_their_own(organization, other_organization, manual):
    factories.make_document(other_organization, "Manual de devoluciones", OTHER_MANUAL)
    answers = [ask(reader_scope(one)) for one in (organization, other_organization) for _ in range(2)]
    assert [answer.origin for answer in answers] == ["extractive", "cache", "extractive", "cache"]
    assert "30 días" in answers[1].text and "14 días" in answers[3].text


def test_readers_who_may_read_different_documents_share_no_answer(organization, manual, employee_membership):
    factories.make_document(
        organization,
        "Directiva",
        "# Plazos\nPara la dirección, devolver un producto no alimentario con tique son 90 días naturales.",
        classification=Classification.CONFIDENTIAL,
    )
    ask(reader_scope(organization))
    answer = ask(reader_scope(organization, Reader.of(employee_membership)))
    assert answer.origin == "extractive"
    assert "90" not in answer.text


def test_two_people_who_may_read_the_same_share_an_answer(organization, manual, employee_membership):
    colleague = factories.make_member(organization, "otro@acme.example")
    ask(reader_scope(organization, Reader.of(employee_membership)))
    assert ask(reader_scope(organization, Reader.of(colleague))).origin == "cache"


def test_other_settings_and_other_scopes_have_answers_of_their_own(organization, manual):
    ask(reader_scope(organization))
    assert ask(reader_scope(organization), config=SearchConfig(top_k=3)).origin == "extractive"
    assert ask(reader_scope(organization, document_ids=(manual.pk,))).origin == "extractive"
    with organization_scope(organization.pk):
        Collection.objects.create(organization=organization, name="Ventas")
    Organization.objects.filter(pk=organization.pk).update(settings={"alpha": 0.4})
    assert ask(reader_scope(organization)).origin == "extractive"


def replace_version(organization: Organization, document: Document) -> None:
    factories.make_document(organization, text=OTHER_MANUAL, version_of=document)


def rename(organization: Organization, document: Document) -> None:
    with organization_scope(organization.pk):
        Document.objects.filter(pk=document.pk).update(title="Manual de cambios")


def move(organization: Organization, document: Document) -> None:
    with organization_scope(organization.pk):
        collection = Collection.objects.create(organization=organization, name="Ventas")
        bulk.move(Document.objects.filter(pk=document.pk), collection)


def reclassify(organization: Organization, document: Document) -> None:
    with organization_scope(organization.pk):
        bulk.classify(Document.objects.filter(pk=document.pk), Classification.CONFIDENTIAL)


def add_another(organization: Organization, document: Document) -> None:
    factories.make_document(organization, "Anexo", "# Anexo\nLos productos rebajados no se devuelven.")


def add_to_glossary(organization: Organization, document: Document) -> None:
    with organization_scope(organization.pk):
        glossary_services.add_to_glossary(organization=organization, entries=[["tique", "recibo"]])


CHANGES = [replace_version, correct, rename, move, reclassify, add_another, add_to_glossary]


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_a_document_drops_the_answers_given_before(organization, manual, change):
    assert [ask(reader_scope(organization)).origin for _ in range(2)] == ["extractive", "cache"]
    change(organization, manual)
    assert ask(reader_scope(organization)).origin == "extractive"


def test_a_deleted_document_takes_its_answers_along(organization, manual):
    ask(reader_scope(organization))
    with organization_scope(organization.pk):
        document_services.delete_document(manual)
    assert cached_count(organization) == 0
    assert ask(reader_scope(organization)).origin == "none"


def test_a_corrected_text_is_answered_from_anew(organization, manual):
    ask(reader_scope(organization))
    correct(organization, manual)
    assert "45 días" in ask(reader_scope(organization)).text


def test_nothing_is_kept_while_a_document_is_being_read_in(organization, manual):
    with organization_scope(organization.pk):
        version = factories.make_version(manual, b"otro", status=Status.PARSING)
    ask(reader_scope(organization))
    assert cached_count(organization) == 0
    with organization_scope(organization.pk):
        DocumentVersion.objects.filter(pk=version.pk).update(status=Status.FAILED)
    ask(reader_scope(organization))
    assert cached_count(organization) == 1


def test_what_is_unsure_unanswered_or_expired_is_not_given_again(organization, manual, settings):
    settings.SKILLNET_CACHE_MIN_CONFIDENCE = 1.1
    ask(reader_scope(organization))
    assert cached_count(organization) == 0
    settings.SKILLNET_CACHE_MIN_CONFIDENCE = 0.0
    ask(reader_scope(organization), "¿Qué tiempo hace en la luna de Júpiter?")
    assert cached_count(organization) == 0
    settings.SKILLNET_CACHE_DAYS = 0
    ask(reader_scope(organization))
    assert cached_count(organization) == 0
    settings.SKILLNET_CACHE_DAYS = 7
    ask(reader_scope(organization))
    with organization_scope(organization.pk):
        CachedAnswer.objects.update(expires_at="2020-01-01T00:00Z")
    assert ask(reader_scope(organization)).origin == "extractive"
    assert cached_count(organization) == 1


def answered_turn(membership: Membership, question: str = QUESTION) -> Turn:
    organization = membership.organization
    with organization_scope(organization.pk):
        conversation = services.start_conversation(organization=organization, user=membership.user)
        turn = services.open_turn(conversation=conversation, question=question, submission=uuid.uuid4())
        claim = services.claim_turn(turn.pk)
    assert claim is not None
    list(answer_turn(TurnTask(turn.pk, question, reader_scope(organization, Reader.of(membership))), claim))
    with organization_scope(organization.pk):
        return Turn.objects.prefetch_related("citations").get(pk=turn.pk)


def test_a_turn_stores_where_its_answer_came_from_once(manual, employee_membership):
    first, second = (answered_turn(employee_membership) for _ in range(2))
    assert (first.origin, second.origin) == ("extractive", "cache")
    assert len(first.citations.all()) == len(second.citations.all()) >= 1


def keep_another_answer(organization: Organization) -> None:
    ask(reader_scope(organization), "¿Quién tiene el tique de un producto no alimentario?", is_fresh=True)
    with organization_scope(organization.pk):
        CachedAnswer.objects.filter(question__startswith="¿Quién").update(answer={"text": "La encargada."})


@pytest.mark.parametrize("disliked", [0, 1], ids=["the one it was stored of", "the one given from there"])
def test_what_was_no_use_to_somebody_is_not_given_again(
    organization, manual, employee_membership, monkeypatch, disliked
):
    monkeypatch.setattr(matching, "calibrations", lambda: {"fake": matching.Calibration(0.1)})
    turns = [answered_turn(employee_membership), answered_turn(employee_membership, QUESTION.replace("hay", "hay ya"))]
    assert [turn.origin for turn in turns] == ["extractive", "cache"]
    keep_another_answer(organization)
    stored = cached_count(organization)
    with organization_scope(organization.pk):
        reactions.give_feedback(turns[disliked], is_useful=True, comment="")
        assert cached_count(organization) == stored
        reactions.give_feedback(turns[disliked], is_useful=False, comment="")
    assert cached_count(organization) == stored - 1
    assert answered_turn(employee_membership).origin == "extractive"


def test_what_was_no_use_is_given_again_to_nobody_under_any_key(organization, manual, employee_membership):
    scopes = [reader_scope(organization, reader) for reader in (ADMINISTRATION, Reader.of(employee_membership))]
    turn = answered_turn(employee_membership)
    answers = {ask(scopes[0]).text, ask(scopes[0], QUESTION.replace("con tique", "con su tique")).text}
    assert answers == {turn.answer}
    keep_another_answer(organization)
    assert cached_count(organization) == 4
    with organization_scope(organization.pk):
        reactions.give_feedback(turn, is_useful=False, comment="")
        assert [kept.question[:6] for kept in CachedAnswer.objects.all()] == ["¿Quién"]

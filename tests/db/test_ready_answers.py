"""Answers that are ready: who gets them, who must not, and when they stop holding."""

import uuid
from dataclasses import replace
from typing import Any

import pytest

from documents import bulk, corrections
from documents import services as document_services
from documents.access import ADMINISTRATION, Reader
from documents.correcting import Correction, Place
from documents.models import Audience, Collection, Document, DocumentVersion, ParsedContent, Status
from retrieval import services as glossary_services
from retrieval.followups import Form
from retrieval.types import SearchConfig, SearchScope
from skillnet.backends.fakes import FakeEmbedder, FakeLanguageModel
from skillnet.models import Classification, Group, GroupMember, Membership, Organization
from skillnet.taking_turns import turns
from skillnet.tenancy import organization_scope
from tests import factories
from tutor import answering, reactions, services, writing
from tutor.events import Answer, Done, Piece
from tutor.models import CachedAnswer, FaqEntry, FaqVariant, ReviewReason, Turn
from tutor.policy import TutorPolicy, store_policy
from tutor.prepared import cache, lookup, matching
from tutor.prepared import services as faq_services
from tutor.prepared.lookup import prepared_answer
from tutor.turns import TurnTask, answer_turn

MANUAL = "# Plazos\nEl cliente dispone de 30 días naturales para devolver un producto no alimentario con su tique."
OTHER_MANUAL = (
    "# Plazos\nEl cliente dispone de 14 días naturales para devolver un producto no alimentario con su tique."
)
QUESTION = "¿Cuántos días naturales hay para devolver un producto no alimentario con tique?"
QUOTE = "30 días naturales para devolver un producto no alimentario"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def everything_is_kept(settings: Any) -> None:
    settings.SKILLNET_CACHE_MIN_CONFIDENCE = 0.0


@pytest.fixture
def manual(organization: Organization) -> Document:
    return factories.make_document(organization, "Manual de devoluciones", MANUAL)


def reader_scope(organization: Organization, reader: Reader = ADMINISTRATION, **filters: Any) -> SearchScope:
    return SearchScope(organization.pk, reader, **filters)


def ask(scope: SearchScope, question: str = QUESTION, **options: Any) -> Answer:
    events = list(answering.answer(question, scope=scope, **options))
    assert isinstance(events[-1], Done)
    return events[-1].answer


def make_entry(organization: Organization, document: Document | None, **values: Any) -> FaqEntry:
    with organization_scope(organization.pk):
        sources = [] if document is None else [faq_services.bind_source(document, values.pop("quote", QUOTE))]
        return faq_services.save_entry(
            organization=organization,
            owner=None,
            sources=sources,
            **{
                "questions": [QUESTION],
                "answer": "Tiene **30 días** para devolverlo.",
                "classification": Classification.INTERNAL,
                **values,
            },
        )


def reason(entry: FaqEntry) -> str:
    with organization_scope(entry.organization_id):
        return str(FaqEntry.objects.get(pk=entry.pk).review_reason)


def cached_count(organization: Organization) -> int:
    with organization_scope(organization.pk):
        return int(CachedAnswer.objects.count())


# --- FAQ


def test_a_written_answer_is_given_with_its_source_and_without_search_or_model(organization, manual, monkeypatch):
    make_entry(organization, manual)
    model = FakeLanguageModel()
    monkeypatch.setattr(answering, "get_language_model", lambda: model)
    monkeypatch.setattr(answering, "search", lambda *_: pytest.fail("it searched"))
    answer = ask(reader_scope(organization), QUESTION.lower())
    assert (answer.origin, answer.evidence, answer.citations[0].quote) == ("faq", True, QUOTE)
    assert answer.text == "Tiene **30 días** para devolverlo. [Fuente 1]"
    assert model.requests == []
    with organization_scope(organization.pk):
        assert FaqEntry.objects.get().hit_count == 1


def test_the_same_words_are_recognized_without_the_embedder(organization, manual, monkeypatch):
    make_entry(organization, manual)
    monkeypatch.setattr(FakeEmbedder, "embed_query_with_tokens", lambda *_: pytest.fail("it embedded"))
    assert ask(reader_scope(organization), QUESTION.lower()).origin == "faq"


def test_another_wording_is_found_by_likeness_and_a_near_miss_is_not(organization, manual, monkeypatch):
    monkeypatch.setattr(matching, "calibrations", lambda: {"fake": matching.Calibration(0.5)})
    make_entry(organization, manual, questions=["¿Cada cuánto se hace inventario en la tienda?"])
    scope = reader_scope(organization)
    assert ask(scope, "¿Con qué frecuencia hacemos inventario en la tienda?").origin == "faq"
    assert ask(scope, "¿Cada cuánto no se hace inventario en la tienda?").origin != "faq"
    assert ask(scope, "¿Quién hace inventario en la tienda?").origin != "faq"


def test_an_inactive_entry_does_not_answer(organization, manual):
    make_entry(organization, manual, is_active=False)
    assert ask(reader_scope(organization)).origin == "extractive"


def test_who_may_not_read_its_document_gets_no_hint_of_an_entry(organization, manual, employee_membership):
    make_entry(organization, manual)
    reader = Reader.of(employee_membership)
    with organization_scope(organization.pk):
        Document.objects.update(classification=Classification.CONFIDENTIAL)
    answer = ask(reader_scope(organization, reader))
    assert answer.origin == "none"
    assert "related" not in answer.trace
    assert ask(reader_scope(organization)).origin == "faq"


def test_the_audience_of_a_document_is_that_of_its_entries(organization, manual, employee_membership):
    make_entry(organization, manual)
    scope = reader_scope(organization, Reader.of(employee_membership))
    with organization_scope(organization.pk):
        group = Group.objects.create(organization=organization, name="Cocina")
        Document.objects.update(audience=Audience.GROUPS)
        document_services.set_audience_groups(manual, [group])
    assert ask(scope).origin == "none"
    with organization_scope(organization.pk):
        GroupMember.objects.create(organization=organization, group=group, user=employee_membership.user)
    assert ask(scope).origin == "faq"


def test_an_entry_without_sources_keeps_to_its_own_classification(organization, employee_membership):
    make_entry(organization, None, classification=Classification.CONFIDENTIAL)
    assert ask(reader_scope(organization, Reader.of(employee_membership))).origin == "none"
    answer = ask(reader_scope(organization))
    assert (answer.origin, answer.evidence, answer.citations) == ("faq", False, ())


def test_a_mark_of_a_source_that_an_entry_does_not_have_is_not_given(organization, manual):
    make_entry(organization, None, answer="Tiene 30 días. [Fuente 1]")
    assert ask(reader_scope(organization)).text == "Tiene 30 días."
    make_entry(organization, manual, questions=["¿Y el plazo?"], answer="Son 30 días. [Fuentes 1 y 4]")
    assert ask(reader_scope(organization), "¿Y el plazo?").text == "Son 30 días. [Fuente 1]"


def test_a_search_in_other_documents_does_not_take_an_entry(organization, manual):
    make_entry(organization, manual)
    other = factories.make_document(organization, "Vacaciones", "# Vacaciones\nHay 22 días laborables de vacaciones.")
    assert ask(reader_scope(organization, document_ids=(other.pk,))).origin != "faq"


def test_organizations_have_entries_of_their_own(organization, other_organization, manual):
    make_entry(organization, manual)
    factories.make_document(other_organization, "Manual", OTHER_MANUAL)
    answer = ask(reader_scope(other_organization))
    assert answer.origin == "extractive"
    assert "14 días" in answer.text


def test_a_new_version_flags_an_entry_which_goes_on_with_the_version_it_rests_on(organization, manual):
    entry = make_entry(organization, manual)
    factories.make_document(organization, text=OTHER_MANUAL, version_of=manual)
    assert reason(entry) == ReviewReason.CHANGED
    answer = ask(reader_scope(organization))
    assert (answer.origin, answer.citations[0].version_number) == ("faq", 1)


def test_a_deleted_document_flags_an_entry_and_silences_it(organization, manual, employee_membership):
    entry = make_entry(organization, manual)
    with organization_scope(organization.pk):
        document_services.delete_document(manual)
    assert reason(entry) == ReviewReason.DELETED
    assert ask(reader_scope(organization)).origin == "none"


def test_a_correction_that_takes_the_quoted_words_away_flags_an_entry(organization, manual):
    entry = make_entry(organization, manual)
    correct(organization, manual, "30 días", "45 días")
    assert reason(entry) == ReviewReason.CHANGED


def test_saving_an_entry_reviews_it_and_binds_it_to_what_is_served(organization, manual):
    entry = make_entry(organization, manual)
    factories.make_document(organization, text=MANUAL.replace("con su tique", "con factura"), version_of=manual)
    with organization_scope(organization.pk):
        manual.refresh_from_db()
    make_entry(organization, manual, entry=entry)
    assert reason(entry) == ReviewReason.NONE
    assert ask(reader_scope(organization)).citations[0].version_number == 2


def test_nothing_found_offers_the_nearest_entries_that_the_reader_may_read(organization, manual, monkeypatch):
    rough = matching.Calibration(related_distance=0.9)
    monkeypatch.setattr(matching, "calibrations", lambda: {"fake": rough})
    entry = make_entry(organization, manual, questions=["¿Cuándo caduca la tarjeta regalo?"])
    answer = ask(reader_scope(organization), "¿Se regalan tarjetas de felicitación cuando caduca la campaña?")
    assert answer.origin == "none"
    assert answer.trace["related"] == [entry.pk]


def test_the_events_of_a_ready_answer_are_those_of_any_other(organization, manual):
    make_entry(organization, manual)
    events = list(answering.answer(QUESTION, scope=reader_scope(organization)))
    assert [type(event) for event in events] == [Piece, Done]


# --- Cache


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


def correct(organization: Organization, document: Document, before: str = "30 días", after: str = "45 días") -> None:
    from documents import ingestion

    with organization_scope(organization.pk):
        document.refresh_from_db()
        version = document.active_version
        assert version is not None
        blocks = ParsedContent.objects.get(version=version).blocks
        index = next(at for at, block in enumerate(blocks) if before in block["text"])
        old = blocks[index]["text"]
        change = Correction(Place(index, None, None), old, old.replace(before, after))
        assert corrections.correct(version=version, corrected_by=None, corrections=[change]) == 1
    ingestion.run(organization.pk, version.pk)


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


EARLIER = ["¿Cómo se devuelve un producto sin tique?"]


@pytest.mark.parametrize(
    ("wording", "asked", "is_answered"),
    [
        ("¿Cuál es el horario de la tienda?", "cual es el horario de la tienda", True),
        ("¿Cómo pido las vacaciones?", "¿Cómo pido las vacaciones?", True),
        ("¿Cómo pido las vacaciones?", "¿Cómo se piden las vacaciones?", False),  # who knows what it goes on with
        ("¿Cuánto tarda?", "¿Cuánto tarda?", False),
        ("¿Y en verano?", "¿Y en verano?", False),
    ],
)
def test_within_a_conversation_a_short_question_is_answered_by_an_entry_of_the_same_words(
    organization, manual, monkeypatch, wording, asked, is_answered
):
    monkeypatch.setattr(matching, "calibrations", lambda: {"fake": matching.Calibration(0.1)})
    make_entry(organization, manual, questions=[wording])
    answer = ask(reader_scope(organization), asked, history=EARLIER)
    assert (answer.origin == "faq") == is_answered
    assert ask(reader_scope(organization), asked, history=EARLIER, is_fresh=True).origin != "faq"


def test_a_short_question_of_a_conversation_is_not_kept_and_offers_the_nearest_entries(
    organization, manual, monkeypatch
):
    monkeypatch.setattr(matching, "calibrations", lambda: {"fake": matching.Calibration(related_distance=0.9)})
    entry = make_entry(organization, manual, questions=["¿Cuándo caduca la tarjeta regalo?"])
    answer = ask(reader_scope(organization), "¿Caduca la tarjeta?", history=EARLIER)
    assert answer.trace["related"] == [entry.pk]
    ask(reader_scope(organization), "¿Quién da el tique?", history=EARLIER)
    assert cached_count(organization) == 0


def test_what_goes_on_with_its_topic_is_offered_the_entries_near_to_both(organization, manual, monkeypatch):
    monkeypatch.setattr(matching, "calibrations", lambda: {"fake": matching.Calibration(related_distance=0.9)})
    near = make_entry(organization, manual, questions=["¿Cuándo caduca la tarjeta regalo?"])
    real = answering.search

    def search(*args: Any, **kwargs: Any) -> Any:
        found = real(*args, **kwargs)
        return replace(found, evidence=False, confidence=0.1, searched="¿Cuándo caduca la tarjeta? ¿Y la de socio?")

    monkeypatch.setattr(answering, "search", search)
    monkeypatch.setattr(answering, "assessed", lambda result, config, embedder: result)
    with_vectors = lookup.question_with_tokens
    has_turn = []

    def noted(*arguments: Any) -> Any:
        has_turn.append(getattr(turns._own, "has_turn", False))
        return with_vectors(*arguments)

    monkeypatch.setattr(lookup, "question_with_tokens", noted)
    answer = ask(reader_scope(organization), "¿Y la de socio?", history=["¿Cuándo caduca la tarjeta?"])
    assert (answer.origin, answer.trace["related"]) == ("none", [near.pk])
    assert has_turn == [True]
    assert cached_count(organization) == 0


@pytest.mark.parametrize("form", [Form.EMPTY, Form.OPEN])
def test_a_question_that_depends_on_the_conversation_is_neither_found_nor_kept(organization, manual, form):
    make_entry(organization, manual)
    with organization_scope(organization.pk):
        prepared = prepared_answer(QUESTION, reader_scope(organization), form=form)
    assert (prepared.answer, prepared.key, prepared.related) == (None, "", ())


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


def test_wordings_without_a_vector_of_this_model_get_one_later(organization, manual):
    make_entry(organization, manual)
    with organization_scope(organization.pk):
        FaqVariant.objects.update(model=None, vector=None, tokens=None)
        assert faq_services.complete_vectors(organization) == 1
        assert faq_services.complete_vectors(organization) == 0

"""Answers that the company wrote: who gets them, who must not, and when they have to be looked at again."""

import pytest

from documents import services as document_services
from documents.access import Reader
from documents.models import Audience, Document
from skillnet.backends.fakes import FakeEmbedder, FakeLanguageModel
from skillnet.models import Classification, Group, GroupMember
from skillnet.tenancy import organization_scope
from tests import factories
from tests.db.ready_answers.preparing import (
    MANUAL,
    OTHER_MANUAL,
    QUESTION,
    QUOTE,
    ask,
    correct,
    make_entry,
    reader_scope,
)
from tutor import answering
from tutor.events import Done, Piece
from tutor.models import FaqEntry, FaqVariant, ReviewReason
from tutor.prepared import matching
from tutor.prepared import services as faq_services

pytestmark = pytest.mark.django_db


def reason(entry: FaqEntry) -> str:
    with organization_scope(entry.organization_id):
        return str(FaqEntry.objects.get(pk=entry.pk).review_reason)


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


def test_wordings_without_a_vector_of_this_model_get_one_later(organization, manual):
    make_entry(organization, manual)
    with organization_scope(organization.pk):
        FaqVariant.objects.update(model=None, vector=None, tokens=None)
        assert faq_services.complete_vectors(organization) == 1
        assert faq_services.complete_vectors(organization) == 0

"""The FAQ's suggestions: what was asked in vain, made an entry or put aside; for whom."""

import re
import uuid

import pytest

from documents.models import Document
from skillnet.models import Classification, Membership, Organization, Role
from skillnet.tenancy import organization_scope
from tests import factories
from tests.db.test_faq_views import MANUAL, QUOTE, address, entries, entry_fields
from tutor import jobs, reactions, services
from tutor.models import AnswerOrigin, Citation, Feedback, OpenQuestion, Turn, TurnStatus
from tutor.prepared import matching, open_questions

pytestmark = pytest.mark.django_db


@pytest.fixture
def manual(organization: Organization) -> Document:
    return factories.make_document(organization, "Manual de devoluciones", MANUAL)


def asked_in_vain(organization: Organization, member: Membership, *questions: str) -> list[Turn]:
    with organization_scope(organization.pk):
        conversation = services.start_conversation(organization=organization, user=member.user)
        return [
            Turn.objects.create(
                organization=organization,
                conversation=conversation,
                question=question,
                status=TurnStatus.DONE,
                origin=AnswerOrigin.NONE,
                evidence=False,
            )
            for question in questions
        ]


def test_what_was_asked_twice_in_vain_is_suggested_and_approved_with_one_click(
    client_for, admin_membership, employee_membership, organization, manual
):
    asked = "¿Cuántos días naturales hay para devolver un producto no alimentario con tique?"
    turns = asked_in_vain(organization, employee_membership, asked, asked.upper(), "¿Hay piscina?")
    client = client_for(admin_membership)
    response = client.get(address("faq_suggested"))
    page = response.content.decode()
    assert asked in page and "2 veces" in page and "¿Hay piscina?" not in page
    (shown,) = response.context["shown"]
    proposal = client.get(address("faq_proposal", shown["suggestion"].turn_ids[0]))
    assert "30 días naturales" in proposal.context["answer"]
    assert "Aprobar" in proposal.content.decode()
    fields = entry_fields(
        questions=shown["fields"]["questions"], answer=proposal.context["answer"], turns=shown["fields"]["turns"]
    )
    for number, passage, quote in proposal.context["sources"][:3]:
        fields |= {f"document_{number}": passage.document_id, f"quote_{number}": quote}
    assert client.post(address("faq_create"), fields)["Location"] == address("faq_suggested")
    (entry,) = entries(organization)
    assert [source.document_id for source in entry.sources.all()] == [manual.pk]
    assert " [Fuente 1]" in entry.answer and "\\" not in entry.answer
    assert "No hay nada que sugerir" in client.get(address("faq_suggested")).content.decode()
    with organization_scope(organization.pk):
        assert OpenQuestion.objects.filter(turn__in=turns[:2], is_settled=True).count() == 2


def test_questions_are_gathered_by_their_meaning_once_a_worker_has_read_them(
    client_for, admin_membership, employee_membership, organization, monkeypatch, django_capture_on_commit_callbacks
):
    asked = ("¿Quién paga lavar el uniforme de tienda?", "¿Quién paga lavar el uniforme de la tienda?")
    turns = asked_in_vain(organization, employee_membership, *asked)
    queued = []
    monkeypatch.setattr(jobs, "_enqueue", lambda *arguments: queued.append(arguments))
    monkeypatch.setattr(jobs, "close_old_connections", lambda: None)
    monkeypatch.setattr(
        matching, "calibrations", lambda: {"fake": matching.Calibration(same_answer_distance=0.3)}
    )  # the tests' embedder is a rough one
    client = client_for(admin_membership)
    with django_capture_on_commit_callbacks(execute=True):
        page = client.get(address("faq_suggested")).content.decode()
    assert "Aún no hemos comparado 2 preguntas" in page
    [(organization_id, turn_ids)] = queued
    assert set(turn_ids) == {turn.pk for turn in turns}
    for _twice in range(2):
        jobs.read_open_questions(organization_id, turn_ids)
    with organization_scope(organization.pk):
        assert OpenQuestion.objects.filter(turn__in=turns, vector__isnull=False).count() == 2
    response = client.get(address("faq_suggested"))
    assert "Aún no hemos comparado" not in response.content.decode()
    (shown,) = response.context["shown"]
    assert shown["suggestion"].count == 2


def test_an_answer_that_satisfied_nobody_is_read_for_comparing(
    employee_membership, organization, monkeypatch, django_capture_on_commit_callbacks
):
    [turn] = asked_in_vain(organization, employee_membership, "¿Hay piscina?")
    queued = []
    monkeypatch.setattr(jobs, "_enqueue", lambda *arguments: queued.append(arguments))
    with organization_scope(organization.pk), django_capture_on_commit_callbacks(execute=True):
        reactions.give_feedback(turn, is_useful=True, comment="")
        reactions.give_feedback(turn, is_useful=False, comment="")
    assert queued == [(organization.pk, [turn.pk])]


def test_a_suggestion_without_answer_in_the_documents_is_written_by_hand(
    client_for, admin_membership, employee_membership, organization
):
    asked_in_vain(organization, employee_membership, "¿Hay piscina?", "¿hay piscina?")
    client = client_for(admin_membership)
    response = client.get(address("faq_suggested"))
    assert "Escribir respuesta" in response.content.decode()
    (shown,) = response.context["shown"]
    proposal = client.get(address("faq_proposal", shown["suggestion"].turn_ids[0])).content.decode()
    assert "escríbela tú" in proposal and "Aprobar" not in proposal
    assert "¿Hay piscina?" in client.get(address("faq_create") + "?pregunta=%C2%BFHay+piscina%3F").content.decode()


def test_a_suggestion_of_many_turns_is_written_by_hand_from_a_short_address(
    client_for, admin_membership, employee_membership, organization
):
    turns = asked_in_vain(organization, employee_membership, *["¿Hay piscina?"] * 120)
    client = client_for(admin_membership)
    page = client.get(address("faq_suggested")).text
    (href,) = {found for found in re.findall(r'href="([^"]*)"', page) if "/faq/nueva/?" in found}
    assert len(href) < 200
    fields = client.get(href).context["form"].initial
    assert fields["questions"] == "¿Hay piscina?"
    assert set(fields["turns"].split(",")) == {str(turn.pk) for turn in turns}
    assert client.get(address("faq_create") + f"?turno={uuid.uuid4()}").context["form"].initial["questions"] == ""


def test_a_suggestion_is_worded_as_a_sentence(client_for, admin_membership, employee_membership, organization):
    turns = asked_in_vain(organization, employee_membership, "hay  piscina?", "HAY PISCINA?")
    with organization_scope(organization.pk):
        Turn.objects.filter(pk__in=[turn.pk for turn in turns]).update(language="es")
    (shown,) = client_for(admin_membership).get(address("faq_suggested")).context["shown"]
    assert shown["suggestion"].questions[0] == "¿Hay piscina?"


def test_what_has_an_entry_already_is_not_suggested(client_for, admin_membership, employee_membership, organization):
    asked_in_vain(organization, employee_membership, "¿Hay piscina?", "¿hay piscina?")
    client = client_for(admin_membership)
    client.post(address("faq_create"), entry_fields(questions="¿Hay piscina?"))
    assert "No hay nada que sugerir" in client.get(address("faq_suggested")).content.decode()


def test_what_an_entry_answered_is_not_suggested_though_somebody_disliked_it(
    client_for, admin_membership, employee_membership, organization
):
    turns = asked_in_vain(organization, employee_membership, "¿Hay parking?", "¿hay parking?")
    with organization_scope(organization.pk):
        Turn.objects.update(origin=AnswerOrigin.FAQ)
        for turn in turns:
            Feedback.objects.create(organization=organization, turn=turn, is_useful=False)
    page = client_for(admin_membership).get(address("faq_suggested")).content.decode()
    assert "No hay nada que sugerir" in page


def test_a_suggestion_is_put_aside(client_for, admin_membership, employee_membership, organization):
    turns = asked_in_vain(organization, employee_membership, "¿Hay piscina?", "¿hay piscina?")
    client = client_for(admin_membership)
    ids = ",".join(str(turn.pk) for turn in turns)
    assert client.post(address("faq_dismiss"), {"turns": ids}).status_code == 302
    assert "No hay nada que sugerir" in client.get(address("faq_suggested")).content.decode()


def test_questions_of_another_organization_are_neither_suggested_nor_settled(
    client_for, admin_membership, organization, other_organization
):
    member = factories.make_member(other_organization, "x@otra.example")
    turns = asked_in_vain(other_organization, member, "¿Hay sauna?", "¿hay sauna?")
    client = client_for(admin_membership)
    assert "sauna" not in client.get(address("faq_suggested")).content.decode()
    assert client.post(address("faq_dismiss"), {"turns": f"{turns[0].pk},{uuid.uuid4()},x"}).status_code == 404


def test_an_editor_is_not_suggested_questions_that_a_document_beyond_their_clearance_answered(
    client_for, admin_membership, organization
):
    editor = factories.make_member(organization, "editora@acme.example", Role.EDITOR)
    secret = factories.make_document(organization, "Nóminas", MANUAL, classification=Classification.CONFIDENTIAL)
    turns = asked_in_vain(organization, admin_membership, *["¿Por qué cobra tanto la dirección?"] * 2)
    with organization_scope(organization.pk):
        for turn in turns:
            Turn.objects.filter(pk=turn.pk).update(origin=AnswerOrigin.EXTRACTIVE, evidence=True)
            Feedback.objects.create(organization=organization, turn=turn, is_useful=False)
            Citation.objects.create(
                organization=organization,
                turn=turn,
                number=1,
                document=secret,
                version=secret.active_version,
                quote=QUOTE,
                passage=QUOTE,
                relevance=1.0,
            )
    shown = [
        "cobra tanto" in client_for(member).get(address("faq_suggested")).content.decode()
        for member in (admin_membership, editor)
    ]
    assert shown == [True, False]
    proposals = [client_for(member).get(address("faq_proposal", turns[0].pk)) for member in (admin_membership, editor)]
    assert [one.status_code for one in proposals] == [200, 404]


DAYS, PAY = "¿Cuántos días de vacaciones tengo al año?", "¿Cuánto cobro de vacaciones?"
DAYS_TOO = "¿Cuántos días de vacaciones al año tengo?"


def test_what_does_not_ask_the_same_is_proposed_and_not_taken_by_itself(
    client_for, admin_membership, employee_membership, organization
):
    client = client_for(admin_membership)
    page = client.get(address("faq_create"), {"pregunta": f"{DAYS}\n{PAY}\n{DAYS_TOO}"})
    form = page.context["form"]
    assert (form.initial["questions"].splitlines(), form.proposals) == ([DAYS, DAYS_TOO], [PAY])
    assert f'value="{PAY}" checked' not in page.text and form["also"].value() is None
    turns = asked_in_vain(organization, employee_membership, DAYS, PAY)
    ids = ",".join(str(turn.pk) for turn in turns)
    client.post(address("faq_create"), entry_fields(questions=DAYS, proposed=PAY, turns=ids))
    assert [variant.text for variant in entries(organization)[0].variants.all()] == [DAYS]
    with organization_scope(organization.pk):
        assert [one.turn.question for one in OpenQuestion.objects.filter(is_settled=True)] == [DAYS]


def test_a_proposed_wording_that_is_ticked_belongs_to_the_entry(
    client_for, admin_membership, employee_membership, organization
):
    [turn] = asked_in_vain(organization, employee_membership, PAY)
    fields = entry_fields(questions=DAYS, proposed=[PAY, "¿Hay piscina?"], also=[PAY], turns=str(turn.pk))
    client = client_for(admin_membership)
    client.post(address("faq_create"), fields | {"also": [PAY, "¿Y esto?"]})  # not one that was proposed
    assert entries(organization) == []
    client.post(address("faq_create"), fields)
    assert [variant.text for variant in entries(organization)[0].variants.all()] == [DAYS, PAY]
    with organization_scope(organization.pk):
        assert OpenQuestion.objects.get(turn=turn).is_settled


def test_approving_a_suggestion_at_once_takes_only_what_asks_the_same(
    client_for, admin_membership, employee_membership, organization, monkeypatch
):
    monkeypatch.setattr("tutor.prepared.suggested.grouped", lambda vectors, _distance: [list(range(len(vectors)))])
    turns = asked_in_vain(organization, employee_membership, DAYS, DAYS_TOO, PAY)
    with organization_scope(organization.pk):
        open_questions.read(organization.pk, [turn.pk for turn in turns])
    [shown] = client_for(admin_membership).get(address("faq_suggested")).context["shown"]
    first = shown["suggestion"].questions[0]
    assert (PAY in shown["fields"]["questions"].splitlines()) is (first == PAY)
    assert len(shown["fields"]["proposals"]) == (2 if first == PAY else 1)

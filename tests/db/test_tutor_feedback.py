"""What comes back about an answer: feedback, questions passed on, e-mails."""

import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks
from redis.exceptions import RedisError

from documents.access import Reader
from documents.models import Document
from retrieval.types import SearchScope
from skillnet.models import Classification, Membership, Organization, Role
from skillnet.tenancy import organization_scope
from tests import factories
from tutor import jobs, reactions, services, streaming
from tutor.models import Conversation, Escalation, EscalationRecipient, FaqEntry, Feedback, Turn
from tutor.policy import TutorPolicy, store_policy
from tutor.turns import TurnTask

pytestmark = pytest.mark.django_db

LogIn = Callable[[Membership], Client]
MANUAL = "# Plazos\nEl cliente dispone de 30 días naturales para devolver un producto no alimentario con su tique."
HTMX = {"HX-Request": "true"}


@pytest.fixture
def answered(organization: Organization, employee_membership: Membership) -> Turn:
    with organization_scope(organization.pk):
        conversation = services.start_conversation(organization=organization, user=employee_membership.user)
        turn = services.open_turn(conversation=conversation, question="¿Y el <b>plus</b>?", submission=uuid.uuid4())
        Turn.objects.filter(pk=turn.pk).update(status="done", evidence=False, answer="Nada.", origin="none")
        turn.refresh_from_db()
        return turn


class Queue:
    """Keeps the arguments of what is to be sent, and sends nothing."""

    def __init__(self, kept: list[tuple[Any, ...]]) -> None:
        self.kept = kept

    def enqueue(self, _job: Any, *arguments: Any, **_options: Any) -> None:
        self.kept.append(arguments)


@pytest.fixture
def queued(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    kept: list[tuple[Any, ...]] = []
    monkeypatch.setattr(jobs.django_rq, "get_queue", lambda _name: Queue(kept))
    return kept


@pytest.fixture(autouse=True)
def _job_shares_the_tests_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "close_old_connections", lambda: None)


def feedback_of(turn: Turn) -> Feedback:
    with organization_scope(turn.organization_id):
        return Feedback.objects.get(turn=turn)


def test_an_opinion_is_kept_and_the_last_one_counts(client_for: LogIn, employee_membership: Membership, answered: Turn):
    client = client_for(employee_membership)
    address = reverse("tutor:feedback", args=["acme", answered.pk])
    assert "Te ha servido" in client.post(address, {"util": "si"}, headers=HTMX).content.decode()
    response = client.post(address, {"util": "no", "comentario": "Falta el importe"}, headers=HTMX)
    assert "Tu comentario: «Falta el importe»" in response.content.decode()
    kept = feedback_of(answered)
    assert (kept.is_useful, kept.comment) == (False, "Falta el importe")


def test_without_scripts_an_opinion_leads_back_to_the_answer(
    client_for: LogIn, employee_membership: Membership, answered: Turn
):
    response = client_for(employee_membership).post(
        reverse("tutor:feedback", args=["acme", answered.pk]), {"util": "no"}
    )
    assert response.headers["Location"].endswith(f"/{answered.conversation_id}/#turn-{answered.pk}")


def test_nobody_rates_another_persons_answer(client_for: LogIn, admin_membership: Membership, answered: Turn):
    client = client_for(admin_membership)
    for name in ("tutor:feedback", "tutor:escalate"):
        assert client.post(reverse(name, args=["acme", answered.pk]), {"util": "si"}).status_code == 404


def test_passing_a_question_on_tells_the_administrators_once(
    client_for: LogIn,
    employee_membership: Membership,
    admin_membership: Membership,
    answered: Turn,
    queued: list[tuple[Any, ...]],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
):
    client = client_for(employee_membership)
    for _click in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            client.post(reverse("tutor:escalate", args=["acme", answered.pk]), {"comentario": "Urge"}, headers=HTMX)
    assert mail.outbox == []  # a slow mail server keeps nobody's page waiting
    (job,) = queued
    jobs.send_escalation(*job)
    (message,) = mail.outbox
    assert message.to == [admin_membership.user.email]
    assert "¿Y el <b>plus</b>?" in message.body
    assert "http://127.0.0.1:8000/o/acme/tutor/avisos/" in message.body
    (html, kind) = message.alternatives[0]
    assert (kind, "<b>plus" in html, "&lt;b&gt;plus" in html) == ("text/html", False, True)
    page = client_for(admin_membership).get(reverse("tutor:inbox", args=["acme"])).content.decode()
    assert "&lt;b&gt;plus" in page and "Urge" in page


def test_a_question_about_a_document_goes_to_its_owner_who_sees_only_that_one(
    client_for: LogIn, organization: Organization, employee_membership: Membership, admin_membership: Membership
):
    owner = factories.make_member(organization, "dueña@acme.example", Role.EDITOR)
    other = factories.make_member(organization, "otra@acme.example", Role.EDITOR)
    document = factories.make_document(organization, "Manual", MANUAL, created_by=owner.user)
    turn = answer_it(organization, employee_membership, document)
    client_for(employee_membership).post(reverse("tutor:escalate", args=["acme", turn.pk]))
    with organization_scope(organization.pk):
        escalation = Escalation.objects.get()
        assert [person.pk for person in escalation.recipients.all()] == [owner.user_id]
    inbox = reverse("tutor:inbox", args=["acme"])
    assert turn.question in client_for(owner).get(inbox).content.decode()
    assert turn.question not in client_for(other).get(inbox).content.decode()
    close = reverse("tutor:close_escalation", args=["acme", escalation.pk])
    assert client_for(other).post(close).status_code == 404
    assert client_for(owner).post(close).status_code == 302


def test_a_question_without_answer_goes_to_the_owner_of_the_document_that_came_nearest(
    client_for: LogIn, organization: Organization, admin_membership: Membership, answered: Turn
):
    owner = factories.make_member(organization, "dueña@acme.example", Role.EDITOR)
    document = factories.make_document(organization, "Manual", MANUAL, created_by=owner.user)
    with organization_scope(organization.pk):
        Turn.objects.update(trace={"nearest": {"document": document.pk, "section": ["Plazos"]}})
    client_for(admin_membership).post(reverse("tutor:ask_owner", args=["acme", answered.pk]))
    with organization_scope(organization.pk):
        assert [person.pk for person in Escalation.objects.get().recipients.all()] == [owner.user_id]


@pytest.mark.parametrize("why", ["dealt with", "has left"])
def test_who_need_not_know_any_more_is_not_told(
    organization: Organization, admin_membership: Membership, answered: Turn, why: str
):
    with organization_scope(organization.pk):
        escalation = reactions.escalate(answered)
        place = EscalationRecipient.objects.get()
        if why == "dealt with":
            reactions.close_escalation(escalation)
        else:
            Membership.objects.filter(pk=admin_membership.pk).update(is_active=False)
    jobs.send_escalation(organization.pk, place.pk)
    assert mail.outbox == []


def test_each_person_is_told_on_their_own(
    organization: Organization,
    admin_membership: Membership,
    answered: Turn,
    queued: list[tuple[Any, ...]],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
):
    factories.make_member(organization, "otra@acme.example", Role.ADMIN)
    with django_capture_on_commit_callbacks(execute=True), organization_scope(organization.pk):
        reactions.escalate(answered)
    for job in queued:
        jobs.send_escalation(*job)
    assert [message.to for message in mail.outbox] == [[admin_membership.user.email], ["otra@acme.example"]]


def test_a_question_is_passed_on_without_a_queue(
    organization: Organization,
    admin_membership: Membership,
    answered: Turn,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
):
    def away(_name: str) -> None:
        raise RedisError

    monkeypatch.setattr(jobs.django_rq, "get_queue", away)
    with django_capture_on_commit_callbacks(execute=True), organization_scope(organization.pk):
        reactions.escalate(answered)
    with organization_scope(organization.pk):
        assert Escalation.objects.get().recipients.count() == 1


def test_an_answer_is_kept_though_passing_it_on_fails(
    organization: Organization, employee_membership: Membership, monkeypatch: pytest.MonkeyPatch
):
    def broken(*_args: Any, **_kwargs: Any) -> None:
        raise RuntimeError

    store_policy(organization, TutorPolicy(passes_on_doubts=True))
    monkeypatch.setattr("tutor.reactions.escalate", broken)
    turn = answer_it(organization, employee_membership, factories.make_document(organization, "Manual", "# Uno\nDos."))
    assert turn.status == "done"


def answer_it(organization: Organization, membership: Membership, document: Document) -> Turn:
    with organization_scope(organization.pk):
        conversation = services.start_conversation(organization=organization, user=membership.user)
        turn = services.open_turn(
            conversation=conversation, question="¿Cuántos días naturales hay para devolver?", submission=uuid.uuid4()
        )
    streaming.answer_now(TurnTask(turn.pk, turn.question, SearchScope(organization.pk, Reader.of(membership))))
    with organization_scope(organization.pk):
        return Turn.objects.get(pk=turn.pk)


@pytest.mark.parametrize("wants", [True, False])
def test_a_doubtful_answer_is_passed_on_by_itself_where_the_organization_wants_that(
    organization: Organization, employee_membership: Membership, admin_membership: Membership, wants: bool
):
    store_policy(organization, TutorPolicy(passes_on_doubts=wants))
    with organization_scope(organization.pk):
        conversation = services.start_conversation(organization=organization, user=employee_membership.user)
        turn = services.open_turn(conversation=conversation, question="¿Y en Mongolia?", submission=uuid.uuid4())
    scope = SearchScope(organization.pk, Reader.of(employee_membership))
    streaming.answer_now(TurnTask(turn.pk, turn.question, scope))
    with organization_scope(organization.pk):
        assert [one.is_automatic for one in Escalation.objects.all()] == ([True] if wants else [])


def test_an_answer_of_an_old_version_says_so_and_offers_to_ask_again(
    client_for: LogIn, organization: Organization, employee_membership: Membership
):
    document = factories.make_document(organization, "Manual", MANUAL)
    turn = answer_it(organization, employee_membership, document)
    page = reverse("tutor:conversation", args=["acme", turn.conversation_id])
    client = client_for(employee_membership)
    assert "la vigente es" not in client.get(page).content.decode()
    factories.make_document(organization, "Manual", MANUAL.replace("30", "45"), version_of=document)
    shown = client.get(page).content.decode()
    assert "Cita la versión 1 de «Manual»; la vigente es la 2" in shown
    assert "Respuesta con fuente clara" not in shown
    assert "Preguntar otra vez" in shown


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("¿Cuántos días tiene el cliente?", ""),
        ("hay fuego en la cocina", "Si hay alguien en peligro, llama ya al teléfono de emergencias"),
        ("¿Cuántos días tiene el cliente? ¿Quién firma la hoja?", "Has hecho varias preguntas a la vez."),
    ],
)
def test_an_answer_to_an_emergency_or_to_several_questions_is_not_called_clear(
    client_for: LogIn, organization: Organization, employee_membership: Membership, question: str, note: str
):
    turn = answer_it(organization, employee_membership, factories.make_document(organization, "Manual", MANUAL))
    with organization_scope(organization.pk):
        Turn.objects.filter(pk=turn.pk).update(question=question, confidence=1.0)
    shown = client_for(employee_membership).get(reverse("tutor:conversation", args=["acme", turn.conversation_id]))
    content = shown.content.decode()
    assert note in content
    assert ("Respuesta con fuente clara" in content) is not bool(note)
    assert ("Revisa la fuente" in content) is bool(note)
    assert ("Avisar a mi responsable" in content) is bool(note)


def test_a_used_up_quota_is_mentioned_to_who_manages_alone(
    client_for: LogIn, organization: Organization, employee_membership: Membership, admin_membership: Membership
):
    for membership, is_told in ((employee_membership, False), (admin_membership, True)):
        with organization_scope(organization.pk):
            conversation = Conversation.objects.create(organization=organization, user=membership.user)
            Turn.objects.create(
                organization=organization,
                conversation=conversation,
                question="¿Y?",
                status="done",
                evidence=False,
                answer="Nada.",
                trace={"quota": "used_up"},
            )
        page = client_for(membership).get(reverse("tutor:conversation", args=["acme", conversation.pk]))
        assert ("respuestas redactadas de este mes se han acabado" in page.content.decode()) is is_told


def test_general_knowledge_is_marked(client_for: LogIn, employee_membership: Membership, answered: Turn):
    with organization_scope(answered.organization_id):
        Turn.objects.filter(pk=answered.pk).update(rung="general", origin="model", answer="París.")
    page = reverse("tutor:conversation", args=["acme", answered.conversation_id])
    shown = client_for(employee_membership).get(page).content.decode()
    assert "No procede de documentos de tu empresa" in shown
    assert "Fuentes" not in shown


def test_how_a_question_was_understood_is_shown(client_for: LogIn, employee_membership: Membership, answered: Turn):
    with organization_scope(answered.organization_id):
        Turn.objects.filter(pk=answered.pk).update(understood="¿Y el plus de los becarios?")
    page = reverse("tutor:conversation", args=["acme", answered.conversation_id])
    shown = client_for(employee_membership).get(page).content.decode()
    assert "Entendido como: «¿Y el plus de los becarios?»" in shown


def under_the_question(client: Client, turn: Turn) -> str:
    page: str = client.get(reverse("tutor:conversation", args=["acme", turn.conversation_id])).text
    return page


def notices_of(client: Client) -> str:
    page: str = client.get(reverse("notifications:list", args=["acme"])).text
    return page


def test_a_short_reply_closes_the_escalation_and_comes_back_under_the_question(
    client_for: LogIn, employee_membership: Membership, admin_membership: Membership, answered: Turn
):
    employee, admin = client_for(employee_membership), client_for(admin_membership)
    employee.post(reverse("tutor:escalate", args=["acme", answered.pk]))
    with organization_scope(answered.organization_id):
        escalation = Escalation.objects.get()
    address = reverse("tutor:reply", args=["acme", escalation.pk])
    assert address in admin.get(reverse("tutor:inbox", args=["acme"])).text
    assert admin.post(address, {"respuesta": " "}).status_code == 422
    assert client_for(employee_membership).post(address, {"respuesta": "Yo mismo"}).status_code == 404
    admin.post(address, {"respuesta": "Con el <i>parte</i>, a Personal."})
    assert address not in admin.get(reverse("tutor:inbox", args=["acme"])).text
    page = under_the_question(employee, answered)
    assert "Con el &lt;i&gt;parte&lt;/i&gt;, a Personal." in page
    assert "tiene tu pregunta" not in page
    told = notices_of(employee)
    assert "Han respondido a tu pregunta: «¿Y el &lt;b&gt;plus&lt;/b&gt;?»" in told
    followed = employee.get(re.search(r'"([^"]*/notificaciones/\d+/[^"]*)"', told)[1])  # type: ignore[index]
    assert followed.headers["Location"].endswith(f"/{answered.conversation_id}/#turn-{answered.pk}")


def faq_fields(**fields: Any) -> dict[str, Any]:
    return {
        "questions": "¿Cuánto es el plus?",
        "answer": "Son **30 €**.",
        "classification": 2,
        "is_active": "on",
    } | fields


def test_an_entry_written_for_a_question_passed_on_comes_back_under_it(
    client_for: LogIn, employee_membership: Membership, admin_membership: Membership, answered: Turn
):
    employee, admin = client_for(employee_membership), client_for(admin_membership)
    employee.post(reverse("tutor:escalate", args=["acme", answered.pk]))
    address = reverse("tutor:faq_create", args=["acme"]) + f"?aviso={answered.pk}"
    assert address in admin.get(reverse("tutor:inbox", args=["acme"])).text
    initial = admin.get(address).context["form"].initial
    assert (initial["questions"], initial["turns"]) == (answered.question, str(answered.pk))
    saved = admin.post(address, faq_fields(turns=initial["turns"]))
    assert saved.headers["Location"] == reverse("tutor:inbox", args=["acme"])
    assert "No hay preguntas pendientes" in admin.get(saved.headers["Location"]).text
    assert "<strong>30 €</strong>" in under_the_question(employee, answered)
    assert "Han respondido a tu pregunta" in notices_of(employee)
    assert "Han respondido" not in notices_of(admin)


def test_an_entry_of_the_same_words_answers_what_was_passed_on_wherever_it_was_written_from(
    client_for: LogIn, employee_membership: Membership, admin_membership: Membership, answered: Turn
):
    with organization_scope(answered.organization_id):
        Turn.objects.update(question="¿Cuánto es el plus?")
    client_for(employee_membership).post(reverse("tutor:escalate", args=["acme", answered.pk]))
    client_for(admin_membership).post(reverse("tutor:faq_create", args=["acme"]), faq_fields())
    assert "<strong>30 €</strong>" in under_the_question(client_for(employee_membership), answered)


def test_a_question_stays_open_whose_asker_may_not_read_the_entry_written_for_it(
    client_for: LogIn, employee_membership: Membership, admin_membership: Membership, answered: Turn
):
    employee, admin = client_for(employee_membership), client_for(admin_membership)
    employee.post(reverse("tutor:escalate", args=["acme", answered.pk]))
    address = reverse("tutor:faq_create", args=["acme"]) + f"?aviso={answered.pk}"
    fields = faq_fields(turns=str(answered.pk), classification=3)
    page = admin.post(address, fields, follow=True).text
    assert "no puede leer esta respuesta" in page and answered.question[:4] in page
    assert "30 €" not in under_the_question(employee, answered)
    assert "Han respondido" not in notices_of(employee)


def test_an_entry_that_does_not_answer_yet_leaves_what_waits_as_it_is_and_says_so(
    client_for: LogIn, employee_membership: Membership, admin_membership: Membership, answered: Turn
):
    employee, admin = client_for(employee_membership), client_for(admin_membership)
    employee.post(reverse("tutor:escalate", args=["acme", answered.pk]))
    employee.post(reverse("tutor:feedback", args=["acme", answered.pk]), {"util": "no", "comentario": "No"})
    address = reverse("tutor:faq_create", args=["acme"]) + f"?aviso={answered.pk}"
    fields = faq_fields(turns=str(answered.pk))
    del fields["is_active"]
    page = admin.post(address, fields, follow=True).text
    assert "no puede leer esta respuesta" not in page and "ya responde con ella" not in page
    assert "Guardada, sin activar" in page and answered.question[:4] in page
    with organization_scope(answered.organization_id):
        assert Escalation.objects.get().handled_at is None and Feedback.objects.get().handled_at is None
        entry = FaqEntry.objects.get()
    admin.post(reverse("tutor:faq_edit", args=["acme", entry.pk]), faq_fields(questions=answered.question))
    assert "<strong>30 €</strong>" in under_the_question(employee, answered)


def test_an_editor_cannot_name_a_question_that_was_not_sent_to_them(
    client_for: LogIn, organization: Organization, employee_membership: Membership, answered: Turn
):
    client_for(employee_membership).post(reverse("tutor:escalate", args=["acme", answered.pk]))
    editor = client_for(factories.make_member(organization, "otra@acme.example", Role.EDITOR))
    address = reverse("tutor:faq_create", args=["acme"]) + f"?aviso={answered.pk}"
    assert editor.get(address).context["form"].initial["questions"] == ""
    editor.post(address, faq_fields(turns=str(answered.pk)))
    with organization_scope(organization.pk):
        assert Escalation.objects.get().handled_at is None


@pytest.mark.parametrize(("classification", "is_shown"), [(2, True), (3, False)])
def test_an_editor_is_shown_an_answer_of_the_company_only_where_its_entry_may_be_read(
    client_for: LogIn,
    organization: Organization,
    employee_membership: Membership,
    admin_membership: Membership,
    answered: Turn,
    classification: int,
    is_shown: bool,
):
    editor = factories.make_member(organization, "otra@acme.example", Role.EDITOR)
    client_for(employee_membership).post(reverse("tutor:escalate", args=["acme", answered.pk]))
    client_for(admin_membership).post(
        reverse("tutor:faq_create", args=["acme"]), faq_fields(questions="¿Otra?", classification=classification)
    )
    with organization_scope(organization.pk):
        EscalationRecipient.objects.create(
            organization=organization, escalation=Escalation.objects.get(), user=editor.user
        )
        trace = {"prepared": {"kind": "faq", "entry": FaqEntry.objects.get().pk}}
        Turn.objects.filter(pk=answered.pk).update(answer="Son 30 €.", origin="faq", trace=trace)
    inbox = reverse("tutor:inbox", args=["acme"])
    assert ("Son 30 €." in client_for(editor).get(inbox).text) == is_shown
    assert "Son 30 €." in client_for(admin_membership).get(inbox).text


def test_a_conversation_takes_no_more_queries_the_more_entries_answer_it(
    client_for: LogIn, employee_membership: Membership, answered: Turn
):
    employee, owned = client_for(employee_membership), {"organization_id": answered.organization_id}
    under_the_question(employee, answered)  # the first visit is noted

    def taken(count: int) -> int:
        with organization_scope(answered.organization_id):
            for _number in range(count):
                entry = FaqEntry.objects.create(answer="Son **30 €**.", **owned)
                turn = Turn.objects.create(
                    conversation=answered.conversation, question="¿Y el plus?", status="done", evidence=False, **owned
                )
                Escalation.objects.create(turn=turn, entry=entry, handled_at=timezone.now(), **owned)
        with CaptureQueriesContext(connection) as queries:
            under_the_question(employee, answered)
        return len(queries)

    assert taken(1) == taken(3)
    assert under_the_question(employee, answered).count("<strong>30 €</strong>") == 4


def test_what_was_no_use_shows_its_answer_and_is_dealt_with_by_an_entry(
    client_for: LogIn, employee_membership: Membership, admin_membership: Membership, answered: Turn
):
    admin, inbox = client_for(admin_membership), reverse("tutor:inbox", args=["acme"])
    address = reverse("tutor:faq_create", args=["acme"]) + f"?aviso={answered.pk}"
    feedback = reverse("tutor:feedback", args=["acme", answered.pk])
    client_for(employee_membership).post(feedback, {"util": "si", "comentario": "Bien"})
    page = admin.get(inbox).text
    assert "Nada." in page and address not in page
    client_for(employee_membership).post(feedback, {"util": "no"})
    assert address in admin.get(inbox).text
    assert admin.get(address).context["form"].initial["questions"] == answered.question
    admin.post(address, faq_fields(turns=str(answered.pk)))
    assert "No hay valoraciones por revisar" in admin.get(inbox).text


def test_who_may_not_read_a_document_is_not_shown_the_answer_that_cites_it(
    client_for: LogIn, organization: Organization, employee_membership: Membership, admin_membership: Membership
):
    owner = factories.make_member(organization, "dueña@acme.example", Role.EDITOR)
    document = factories.make_document(organization, "Manual", MANUAL, created_by=owner.user)
    turn = answer_it(organization, employee_membership, document)
    client_for(employee_membership).post(reverse("tutor:escalate", args=["acme", turn.pk]))
    inbox = reverse("tutor:inbox", args=["acme"])
    assert "30 días naturales" in client_for(owner).get(inbox).text
    with organization_scope(organization.pk):
        Document.objects.update(classification=Classification.CONFIDENTIAL)
    page = client_for(owner).get(inbox).text
    assert turn.question in page and "30 días naturales" not in page

"""Questions passed on: to whom, how they are told, and who may see what."""

import uuid
from typing import Any

import pytest
from django.core import mail
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks
from redis.exceptions import RedisError

from documents.access import Reader
from documents.models import Document
from retrieval.types import SearchScope
from skillnet.models import Classification, Membership, Organization, Role
from skillnet.tenancy import organization_scope
from tests import factories
from tests.db.asking import LogIn
from tests.db.tutor_feedback.reacting import HTMX, MANUAL, answer_it, faq_fields
from tutor import jobs, reactions, services, streaming
from tutor.models import Escalation, EscalationRecipient, FaqEntry, Turn
from tutor.policy import TutorPolicy, store_policy
from tutor.turns import TurnTask

pytestmark = pytest.mark.django_db


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

"""What is stored about a person goes when they ask for it, and nothing that names them stays behind unnoticed."""

from datetime import timedelta

import psycopg
import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.models import ForeignKey
from django.urls import reverse
from django.utils import timezone

from courses import enrolling, studying
from courses.models import Completion, Enrolment, QuizAttempt
from skillnet import audit, erasing
from skillnet.models import AuditEntry, Group, GroupMember, Invitation, Membership, Organization, Role, User
from skillnet.tenancy import organization_scope
from tests import factories
from tutor import reactions, retention
from tutor.models import CachedAnswer, Conversation, Escalation, EscalationRecipient, Turn
from tutor.policy import TutorPolicy, store_policy
from tutor.prepared.matching import question_key

pytestmark = pytest.mark.django_db

# Every column that refers to a person is in one of these: a new one has to say what becomes of it.
DELETED = {
    "account_emailaddress.user_id",
    "courses_enrolment.user_id",
    "courses_quizattempt.user_id",
    "mfa_authenticator.user_id",
    "skillnet_groupmember.user_id",
    "skillnet_membership.user_id",
    "skillnet_notification.user_id",
    "socialaccount_socialaccount.user_id",
    "tutor_conversation.user_id",
    "tutor_escalationrecipient.user_id",
    "usersessions_usersession.user_id",
}
NAMELESS = {  # they refer to an account that no longer says whose it was
    "courses_completion.user_id",
    "courses_course.created_by_id",
    "courses_coursedraft.created_by_id",
    "courses_groupassignment.assigned_by_id",
    "courses_lessonproposal.created_by_id",
    "courses_lessonproposal.decided_by_id",
    "courses_touchedlesson.resolved_by_id",
    "courses_updatenotice.closed_by_id",
    "django_admin_log.user_id",
    "documents_blockcorrection.corrected_by_id",
    "documents_document.created_by_id",
    "documents_documentversion.uploaded_by_id",
    "retrieval_evaluation.started_by_id",
    "retrieval_evaluationquestion.created_by_id",
    "retrieval_settingsoverride.updated_by_id",
    "skillnet_auditentry.actor_id",
    "skillnet_invitation.invited_by_id",
    "skillnet_user_groups.user_id",
    "skillnet_user_user_permissions.user_id",
    "tutor_faqentry.owner_id",
}
SAYS_WHO_DID_WHAT = "skillnet_auditentry"  # keeps the names that it was written with


@pytest.fixture
def person(organization: Organization, admin_membership: Membership) -> User:
    """An employee who has left traces everywhere."""
    membership = factories.make_member(organization, "nuria.erasable@acme.example")
    user = membership.user
    user.first_name, user.last_name = "Nuria", "Borrable"
    user.save()
    document = factories.make_document(organization, "Manual", created_by=user)
    with organization_scope(organization.pk):
        course = factories.make_course(organization, "Caja", lessons=["Fondo"], created_by=user)
        lesson = course.modules.get().lessons.get()
        item = factories.make_question(lesson, document=document)
        enrolling.enrol(course=course, user_ids=[user.pk])
        studying.take_quiz(lesson=lesson, user=user, given={item.pk: ["150 €"]})
        studying.mark_done(enrolment=Enrolment.objects.get(), lesson=lesson)
        group = Group.objects.create(organization=organization, name="Turno")
        GroupMember.objects.create(organization=organization, group=group, user=user)
        conversation = Conversation.objects.create(organization=organization, user=user)
        turn = Turn.objects.create(organization=organization, conversation=conversation, question="¿Y mi plus?")
        other = Conversation.objects.create(organization=organization, user=admin_membership.user)
        passed_on = Turn.objects.create(organization=organization, conversation=other, question="¿Quién abre?")
        escalation = Escalation.objects.create(organization=organization, turn=passed_on)
        EscalationRecipient.objects.create(organization=organization, escalation=escalation, user=user)
        Invitation.objects.create(
            organization=organization,
            email=user.email,
            name="Nuria",
            expires_at=timezone.now(),
            accepted_at=timezone.now(),
        )
        audit.record(organization, user, audit.Action.DOCUMENT_ACCESS, document)
        assert turn.pk
    return user


def references() -> set[str]:
    """Every column of ours or of a library's that refers to a person."""
    return {
        f"{model._meta.db_table}.{field.column}"
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.get_fields()
        if isinstance(field, ForeignKey) and field.related_model is User
    }


def places_of(words: tuple[str, ...], organization: Organization) -> set[str]:
    """The tables with a row in which one of these words stands."""
    found = set()
    with organization_scope(organization.pk), connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            for word in words:
                sql = f"SELECT EXISTS (SELECT FROM {connection.ops.quote_name(table)} t WHERE t::text ILIKE %s)"
                cursor.execute(sql, [f"%{word}%"])
                if cursor.fetchone()[0]:
                    found.add(table)
    return found


def test_every_reference_to_a_person_has_its_fate():
    assert references() == DELETED | NAMELESS


def test_nothing_but_the_log_of_administration_names_an_erased_person(organization: Organization, person: User):
    assert len(places_of(("erasable", "borrable"), organization)) > 2
    erasing.erase(person)
    assert places_of(("erasable", "borrable", "nuria"), organization) == {SAYS_WHO_DID_WHAT}


def test_what_a_person_asked_and_studied_is_deleted_and_what_they_made_stays(organization: Organization, person: User):
    erasing.erase(person)
    with organization_scope(organization.pk), connection.cursor() as cursor:
        for reference in DELETED:
            table, column = reference.split(".")
            cursor.execute(f"SELECT count(*) FROM {table} WHERE {column} = %s", [person.pk])
            assert cursor.fetchone() == (0,), reference
        assert not Enrolment.objects.exists()
        assert not QuizAttempt.objects.exists()
        assert Turn.objects.get().question == "¿Quién abre?"
        assert Completion.objects.get().user_id == person.pk
        assert factories.Document.objects.get().created_by_id == person.pk
    person.refresh_from_db()
    assert not person.is_active
    assert not person.has_usable_password()


@pytest.mark.parametrize("goes_by", ["erasing", "retention"])
def test_a_question_goes_from_wherever_it_was_kept(
    organization: Organization, admin_membership: Membership, goes_by: str
):
    membership = factories.make_member(organization, "pregunta@acme.example")
    question = "¿Me pagan el plus de Ramón Secreto?"
    with organization_scope(organization.pk):
        conversation = Conversation.objects.create(organization=organization, user=membership.user)
        turn = Turn.objects.create(organization=organization, conversation=conversation, question=question)
        reactions.escalate(turn)
        CachedAnswer.objects.create(
            organization=organization,
            key="k",
            question=question,
            question_key=question_key(question),
            answer={},
            answered_at=timezone.now(),
            expires_at=timezone.now() + timedelta(days=9),
        )
    assert len(places_of(("ramón secreto",), organization)) == 3
    if goes_by == "erasing":
        erasing.erase(membership.user)
    else:
        then = timezone.now() - timedelta(days=40)
        with organization_scope(organization.pk):
            Conversation.objects.update(created_at=then, updated_at=then)
            Turn.objects.update(asked_at=then)
        store_policy(organization, TutorPolicy(conversation_days=30))
        assert retention.remove_due(organization) == 1
    assert not places_of(("ramón secreto",), organization)


def test_one_organization_erases_its_own_part_only(
    organization: Organization, other_organization: Organization, person: User
):
    Membership.objects.create(organization=other_organization, user=person)
    with organization_scope(other_organization.pk):
        Conversation.objects.create(organization=other_organization, user=person)
    call_command("erase_person", person.email, "--org", "acme")
    with organization_scope(other_organization.pk):
        assert Conversation.objects.count() == 1
    person.refresh_from_db()
    assert person.is_active
    assert person.last_name == "Borrable"
    assert not Membership.objects.filter(organization=organization, user=person).exists()


def test_the_only_administrator_is_still_needed(organization: Organization, admin_membership: Membership):
    with pytest.raises(CommandError, match="única que administra"):
        call_command("erase_person", admin_membership.user.email)
    assert Membership.objects.filter(pk=admin_membership.pk).exists()


def test_an_administrator_removes_somebody_with_their_data(organization, person, admin_membership, client_for):
    membership = Membership.objects.get(user=person)
    page = reverse("people:remove", args=["acme", membership.pk])
    client_for(admin_membership).post(page, {"borrar": "1"})
    with organization_scope(organization.pk):
        assert not Conversation.objects.filter(user=person).exists()
    person.refresh_from_db()
    assert person.last_name == ""


def test_who_cannot_be_erased_is_not_removed_either(organization, person, admin_membership, client_for):
    User.objects.filter(pk=person.pk).update(is_staff=True)
    membership = Membership.objects.get(user=person)
    client_for(admin_membership).post(reverse("people:remove", args=["acme", membership.pk]), {"borrar": "1"})
    assert Membership.objects.filter(pk=membership.pk).exists()
    with organization_scope(organization.pk):
        assert not AuditEntry.objects.filter(action__startswith="member.").exists()
        assert GroupMember.objects.filter(user=person).exists()


def test_a_person_erases_themself(organization, person, client_for):
    client = client_for(Membership.objects.get(user=person))
    client.post(reverse("account_reauthenticate"), {"password": "contraseña-larga-1"})
    assert client.get(reverse("erase_account")).status_code == 200
    assert User.objects.get(pk=person.pk).is_active
    client.post(reverse("erase_account"))
    with organization_scope(organization.pk):
        entry = AuditEntry.objects.get(action="member.erased")
    assert (entry.target, entry.actor_name) == ("Nuria Borrable", "Nuria Borrable")
    assert not User.objects.get(pk=person.pk).is_active
    assert client.get(reverse("account")).status_code == 302  # logged out


@pytest.mark.parametrize("method", ["get", "post"])
def test_nobody_is_erased_who_has_not_just_given_their_password(person, client_for, method: str):
    client = client_for(Membership.objects.get(user=person))
    asked = getattr(client, method)(reverse("erase_account"))
    assert asked["Location"].startswith(reverse("account_reauthenticate"))
    assert User.objects.get(pk=person.pk).is_active


def test_who_comes_in_through_another_service_alone_has_no_password_to_give(person, client_for):
    person.set_unusable_password()
    person.save()
    client = client_for(Membership.objects.get(user=person))
    client.post(reverse("erase_account"))
    assert not User.objects.get(pk=person.pk).is_active


@pytest.mark.django_db(transaction=True)
def test_two_administrators_do_not_leave_at_once(organization: Organization, admin_membership: Membership):
    other = factories.make_member(organization, "otra@acme.example", Role.ADMIN)
    parameters = connection.get_connection_params() | {"autocommit": False}
    with psycopg.connect(**parameters) as leaving, connection.cursor() as cursor:
        leaving.execute("DELETE FROM skillnet_membership WHERE id = %s", [other.pk])
        cursor.execute("SET lock_timeout = '100ms'")
        with pytest.raises(OperationalError, match="lock timeout"):
            erasing.erase(admin_membership.user)
        cursor.execute("RESET lock_timeout")
    with pytest.raises(erasing.StillNeeded):
        erasing.erase(admin_membership.user)
    assert Membership.objects.filter(pk=admin_membership.pk).exists()


def test_conversations_are_kept_as_long_as_the_organization_says(
    organization: Organization, admin_membership: Membership
):
    with organization_scope(organization.pk):
        for days in (5, 40):
            conversation = Conversation.objects.create(organization=organization, user=admin_membership.user)
            turn = Turn.objects.create(organization=organization, conversation=conversation, question=f"hace {days}")
            then = timezone.now() - timedelta(days=days)
            Conversation.objects.filter(pk=conversation.pk).update(created_at=then, updated_at=then)
            Turn.objects.filter(pk=turn.pk).update(asked_at=then)
    assert retention.remove_due(organization) == 0
    store_policy(organization, TutorPolicy(conversation_days=30))
    assert retention.remove_due(organization) == 1
    with organization_scope(organization.pk):
        assert [turn.question for turn in Turn.objects.all()] == ["hace 5"]


def test_old_conversations_are_looked_for_once_a_day(
    organization: Organization, admin_membership: Membership, monkeypatch
):
    monkeypatch.setattr(retention, "_last", [])
    store_policy(organization, TutorPolicy(conversation_days=30))
    looked: list[Organization] = []
    monkeypatch.setattr(retention, "remove_due", lambda one: looked.append(one) or 0)
    retention.remove_old()
    retention.remove_old()
    assert looked == [organization]

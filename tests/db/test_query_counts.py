"""Lists ask the database as often for thirty rows as for three."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.admin import site
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from courses.models import Course, Enrolment
from documents.models import Document, Status
from skillnet import notifications
from skillnet.models import AuditEntry, Group, Invitation, Membership, User
from skillnet.notification_kinds import Kind
from skillnet.tenancy import organization_scope
from tests.factories import make_course, make_document, make_version
from tutor.models import Citation, Conversation, FaqEntry, FaqVariant, Feedback, Turn, TurnStatus

ROWS = 30
MOST = 16
OF_THE_SCOPE = ("SAVEPOINT", "RELEASE", "SELECT set_config")

LISTS = (
    "inicio/", "notificaciones/", "documentos/", "documentos/manuales/", "documentos/colecciones/", "cursos/",
    "cursos/nuevo/", "cursos/avisos/", "cursos/certificados/", "tutor/", "tutor/registro/", "tutor/huecos/",
    "tutor/avisos/", "tutor/faq/", "personas/", "personas/invitaciones/", "personas/grupos/",
    "personas/registro/", "tutor/faq/sugeridas/", "evaluacion/", "evaluacion/preguntas/", "buscar/glosario/",
)  # fmt: skip


@pytest.fixture
def much(organization, admin_membership, employee_membership):
    """Thirty of everything that lists show."""
    owned = {"organization": organization}
    users = User.objects.bulk_create(User(email=f"persona{number}@acme.example") for number in range(ROWS))
    Membership.objects.bulk_create(Membership(user=user, **owned) for user in users)
    with organization_scope(organization.pk):
        for number in range(ROWS):
            document = Document.objects.create(title=f"Manual {number}", created_by=admin_membership.user, **owned)
            document.active_version = make_version(document, f"texto {number}".encode(), status=Status.READY)
            document.save()
            make_course(organization, f"Curso {number}", lessons=["Uno", "Dos"])
            notifications.tell(
                organization_id=organization.pk,
                user_ids=[admin_membership.user_id],
                kind=Kind.COURSE_DUE,
                matter=f"course:{number}",
                subject="Alquiler",
                address="/o/acme/cursos/",
            )
        Group.objects.bulk_create(Group(name=f"Grupo {number}", **owned) for number in range(ROWS))
        Enrolment.objects.bulk_create(
            Enrolment(course=course, user=employee_membership.user, **owned) for course in Course.objects.all()
        )
        conversations = Conversation.objects.bulk_create(
            Conversation(user=user, title="Dudas", **owned) for user in users
        )
        turns = Turn.objects.bulk_create(
            Turn(conversation=one, question="¿Y el casco?", status=TurnStatus.DONE, evidence=False, **owned)
            for one in conversations
        )
        Feedback.objects.bulk_create(
            Feedback(turn=turn, is_useful=False, given_at=timezone.now(), **owned) for turn in turns
        )


@pytest.fixture
def much_for_staff(organization, admin_membership, much):
    """And thirty of what only staff see as a list."""
    owned = {"organization": organization}
    with organization_scope(organization.pk):
        for number in range(ROWS):
            entry = FaqEntry.objects.create(answer="Sí.", owner=admin_membership.user, **owned)
            FaqVariant.objects.create(entry=entry, text=f"¿Hay casco {number}?", key=f"casco {number}", **owned)
        AuditEntry.objects.bulk_create(
            AuditEntry(actor=admin_membership.user, actor_name="Ana", action="group.created", target="Noche", **owned)
            for _number in range(ROWS)
        )
        Invitation.objects.bulk_create(
            Invitation(
                email=f"nueva{number}@acme.example",
                invited_by=admin_membership.user,
                expires_at=timezone.now(),
                **owned,
            )
            for number in range(ROWS)
        )
    EmailAddress.objects.bulk_create(
        EmailAddress(user=user, email=user.email) for user in User.objects.filter(email__startswith="persona")
    )


def test_every_staff_list_takes_few_queries(client, organization, much_for_staff):
    staff = User.objects.create_superuser("operacion@skillnet.example", "una frase bien larga")
    client.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    client.post("/staff/skillnet/organization/", {"action": "work_in", "_selected_action": [str(organization.pk)]})
    lists = [reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist") for model in site._registry]
    taken = {address: count(client, address) for address in lists}
    assert len(taken) > 15
    assert {address: queries for address, queries in taken.items() if queries > MOST} == {}


def count(client, address: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200, address
        return sum(not query["sql"].startswith(OF_THE_SCOPE) for query in queries)


def test_every_list_takes_few_queries(client_for, admin_membership, employee_membership, much):
    admin, employee = client_for(admin_membership), client_for(employee_membership)
    for client in (admin, employee):
        client.get("/o/acme/notificaciones/")  # the first visit is noted
    taken = {address: count(admin, f"/o/acme/{address}") for address in LISTS}
    taken |= {
        f"employee {address}": count(employee, f"/o/acme/{address}")
        for address in ("cursos/", "documentos/manuales/", "tutor/", "notificaciones/")
    }
    assert {address: queries for address, queries in taken.items() if queries > MOST} == {}


def test_an_answer_of_many_sources_takes_no_more_queries_than_one_of_two(client_for, organization, employee_membership):
    document = make_document(organization, "Manual", "# Casco\nEl casco es obligatorio.")
    owned = {"organization": organization}
    with organization_scope(organization.pk):
        conversation = Conversation.objects.create(user=employee_membership.user, **owned)
        turn = Turn.objects.create(
            conversation=conversation, question="¿Y el casco?", status=TurnStatus.DONE, evidence=True, **owned
        )

    def cite(numbers) -> int:
        with organization_scope(organization.pk):
            for number in numbers:
                Citation.objects.create(
                    turn=turn,
                    number=number,
                    document=document,
                    version_id=document.active_version_id,
                    quote="El casco es obligatorio.",
                    relevance=0.9,
                    passage="El casco es obligatorio. Se guarda en el almacén.",
                    **owned,
                )
            answer = " ".join(f"Sí [Fuente {one.number}]." for one in turn.citations.all())
            Turn.objects.filter(pk=turn.pk).update(answer=answer)
        return count(client_for(employee_membership), f"/o/acme/tutor/conversaciones/{conversation.pk}/")

    cite([1])  # the first visit is noted
    assert cite([2]) == cite(range(3, 7))

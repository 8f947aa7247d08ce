"""What comes back under a question that was passed on: a reply, or an entry written for it."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from skillnet.models import Membership, Organization, Role
from skillnet.tenancy import organization_scope
from tests import factories
from tests.db.asking import LogIn
from tests.db.tutor_feedback.reacting import faq_fields
from tutor.models import Escalation, FaqEntry, Feedback, Turn

pytestmark = pytest.mark.django_db


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

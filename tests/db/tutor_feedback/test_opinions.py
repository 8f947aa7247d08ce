"""What people think of an answer, and who looks at that."""

import pytest
from django.urls import reverse

from skillnet.models import Membership
from skillnet.tenancy import organization_scope
from tests.db.asking import LogIn
from tests.db.tutor_feedback.reacting import HTMX, faq_fields
from tutor.models import Feedback, Turn

pytestmark = pytest.mark.django_db


def feedback_of(turn: Turn) -> Feedback:
    with organization_scope(turn.organization_id):
        return Feedback.objects.get(turn=turn)


def test_an_opinion_is_kept_and_the_last_one_counts(client_for: LogIn, employee_membership: Membership, answered: Turn):
    client = client_for(employee_membership)
    address = reverse("tutor:feedback", args=["acme", answered.pk])
    assert "Has dicho que no falta" in client.post(address, {"util": "si"}, headers=HTMX).content.decode()
    response = client.post(address, {"util": "no", "comentario": "Falta el importe"}, headers=HTMX)
    assert "Tu comentario: «Falta el importe»" in response.content.decode()
    kept = feedback_of(answered)
    assert (kept.is_useful, kept.comment) == (False, "Falta el importe")


def test_where_nothing_was_told_it_is_asked_whether_something_is_missing(
    client_for: LogIn, employee_membership: Membership, answered: Turn
):
    client = client_for(employee_membership)
    address = reverse("tutor:conversation", args=["acme", answered.conversation_id])
    page = client.get(address).text
    assert "¿Debería haber respuesta?" in page
    assert "¿Te ha servido?" not in page
    assert "data-copy-answer" not in page
    said = client.post(reverse("tutor:feedback", args=["acme", answered.pk]), {"util": "no"}, headers=HTMX).text
    assert "Has dicho que falta la respuesta" in said
    assert "¿Dónde debería estar" in said
    with organization_scope(answered.organization_id):
        Feedback.objects.all().delete()
        Turn.objects.filter(pk=answered.pk).update(evidence=True, origin="extractive", answer="Son 30 días.")
    page = client.get(address).text
    assert "¿Te ha servido?" in page
    assert "data-copy-answer" in page


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

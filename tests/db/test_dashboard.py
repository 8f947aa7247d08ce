"""The first page of those who manage."""

from datetime import timedelta

import pytest
from django.utils import timezone

from courses.models import UpdateNotice
from documents.models import DocumentVersion, Status
from skillnet.models import Classification, Role
from skillnet.tenancy import organization_scope
from tests.factories import make_course, make_document, make_member, make_version
from tutor import dashboard
from tutor.models import Conversation, Escalation, EscalationRecipient, Feedback, Turn, TurnStatus

PAGE = "/o/acme/inicio/"


@pytest.fixture
def ask(organization, employee_membership):
    """Writes a finished question down: ask("¿…?", evidence=False, days_ago=3)."""
    with organization_scope(organization.pk):
        conversation = Conversation.objects.create(organization=organization, user=employee_membership.user)

    def write(
        question: str = "¿Y el casco?", *, evidence: bool | None = True, days_ago: int = 0, origin: str = ""
    ) -> Turn:
        with organization_scope(organization.pk):
            turn = Turn.objects.create(
                organization=organization,
                conversation=conversation,
                question=question,
                status=TurnStatus.DONE,
                evidence=evidence,
                origin=origin,
            )
            Turn.objects.filter(pk=turn.pk).update(asked_at=timezone.now() - timedelta(days=days_ago))
            return turn

    return write


def text_of(response) -> str:
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_it_is_where_those_who_manage_come_in(client_for, admin_membership, employee_membership):
    assert client_for(admin_membership).get("/o/acme/")["Location"] == PAGE
    employee = client_for(employee_membership)
    assert employee.get("/o/acme/")["Location"] == "/o/acme/cursos/"
    assert employee.get(PAGE).status_code == 404


def test_documents_are_counted_by_their_newest_version(organization, admin_membership):
    ready = make_document(organization, "Uno")
    make_document(organization, "Dos")
    with organization_scope(organization.pk):
        make_version(ready, b"nueva", status=Status.PARSING)
        failed = make_version(make_document(organization, "Tres"), b"otra", status=Status.FAILED)
        assert failed.number == 2
        figures = dashboard.documents_of(admin_membership)
    assert (figures.ready, figures.underway, figures.in_trouble, figures.total) == (1, 1, 1, 3)


def test_what_one_may_not_know_of_is_not_counted(organization):
    editor = make_member(organization, "eva@acme.example", Role.EDITOR)
    make_document(organization, "Salarios", classification=Classification.CONFIDENTIAL)
    with organization_scope(organization.pk):
        assert dashboard.documents_of(editor).total == 0


def test_questions_of_the_last_days_are_counted_day_by_day(organization, ask):
    ask(days_ago=0)
    ask(days_ago=0, evidence=False)
    ask(days_ago=6)
    ask(days_ago=7)
    ask(days_ago=13, evidence=False)
    ask(days_ago=14)
    ask(days_ago=1, evidence=None)  # a greeting
    with organization_scope(organization.pk):
        days = dashboard.days_of(organization)
        figures = dashboard.questions_of(organization, days)
    assert [(day.answered, day.unanswered) for day in days if day.total] == [(0, 1), (1, 0), (1, 0), (1, 1)]
    assert days[-1].day == timezone.localdate()
    assert (figures.total, figures.percent_with_source) == (3, 67)


def test_what_the_company_answers_itself_counts_as_answered(client_for, organization, admin_membership, ask):
    ask("¿Hay parking?", evidence=False, origin="faq")
    with organization_scope(organization.pk):
        days = dashboard.days_of(organization)
    assert (days[-1].answered, days[-1].unanswered) == (1, 0)
    page = text_of(client_for(admin_membership).get(PAGE))
    assert "¿Hay parking?" not in page
    assert "1 respondidas, 0 sin respuesta" in page


def test_the_share_with_a_source_counts_what_its_name_says_and_leads_to_it(
    client_for, organization, admin_membership, ask
):
    ask("¿Hay parking?", evidence=False, origin="faq")  # the company's own words, no document behind them
    ask("¿Y el casco?", origin="faq")
    ask("¿Y los guantes?")
    ask("¿Y la nómina?", evidence=False)
    client = client_for(admin_membership)
    page = text_of(client.get(PAGE))
    assert "Respondidas con fuente" in page
    assert '<a href="/o/acme/tutor/registro/?resultado=con-fuente">50 %</a>' in page
    listed = text_of(client.get("/o/acme/tutor/registro/?resultado=con-fuente"))
    assert "¿Y el casco?" in listed and "¿Y los guantes?" in listed
    assert "¿Hay parking?" not in listed and "¿Y la nómina?" not in listed


def test_what_people_thought_of_answers_is_said(client_for, organization, admin_membership, ask):
    for is_useful in (True, True, False):
        turn = ask()
        with organization_scope(organization.pk):
            Feedback.objects.create(organization=organization, turn=turn, is_useful=is_useful)
    assert "Útiles: 2 de 3 valoradas" in text_of(client_for(admin_membership).get(PAGE))


def test_the_chart_says_the_same_as_its_table(client_for, admin_membership, ask):
    ask()
    ask(evidence=False)
    page = text_of(client_for(admin_membership).get(PAGE))
    assert '<svg class="chart__bars"' in page
    assert "2 preguntas en los últimos 14 días" in page
    assert "<td>1</td><td>1</td>" in page


def test_the_questions_that_nobody_could_answer_are_listed_the_most_asked_first(client_for, admin_membership, ask):
    ask("¿Hay parking?", evidence=False)
    ask("¿Cuánto es el plus?", evidence=False, days_ago=2)
    ask("¿Cuánto es el PLUS?", evidence=False, days_ago=3)
    page = text_of(client_for(admin_membership).get(PAGE))
    assert page.index("¿Cuánto es el plus?") < page.index("¿Hay parking?")
    assert "2 veces" in page


def test_everything_that_waits_is_counted_and_leads_to_its_page(client_for, organization, admin_membership, ask):
    editor = make_member(organization, "eva@acme.example", Role.EDITOR)
    with organization_scope(organization.pk):
        make_version(make_document(organization, "Roto"), b"rota", status=Status.FAILED)
        passed_on = [Escalation.objects.create(organization=organization, turn=ask(f"¿Y {one}?")) for one in "ab"]
        EscalationRecipient.objects.create(organization=organization, escalation=passed_on[0], user=editor.user)
        Feedback.objects.create(organization=organization, turn=ask("¿Y la llave?"), is_useful=False)
        Feedback.objects.create(organization=organization, turn=ask("¿Y la caja?"), is_useful=True)
    ask("¿Hay parking?", evidence=False)
    ask("¿hay PARKING?", evidence=False)
    page = text_of(client_for(admin_membership).get(PAGE))
    assert '<a href="#por-revisar">5</a>' in page
    for text, address in (
        ("2 preguntas esperan tu respuesta", "tutor/avisos/"),
        ("1 documento con problemas", "documentos/?estado=problemas"),
        ("1 valoración por mirar", "tutor/avisos/#valoraciones"),
        ("1 pregunta sin respuesta", "tutor/huecos/"),
    ):
        assert text in page.split(f'<a class="button" href="/o/acme/{address}">')[1].split("</a>")[0]
    theirs = text_of(client_for(editor).get(PAGE))
    assert "1 pregunta espera tu respuesta" in theirs
    assert "valoraci" not in theirs.split('id="por-revisar"')[1].split("</section>")[0]
    assert "sin respuesta" not in theirs


def test_nothing_waits_where_all_is_done(client_for, admin_membership):
    page = text_of(client_for(admin_membership).get(PAGE))
    assert "Todo al día" in page
    assert 'id="por-revisar"' not in page


def test_updated_sources_are_listed(client_for, organization, admin_membership):
    document = make_document(organization, "Manual de alquiler")
    with organization_scope(organization.pk):
        version = DocumentVersion.objects.get()
        UpdateNotice.objects.create(
            organization=organization,
            course=make_course(organization, "Alquiler"),
            document=document,
            from_version=version,
            to_version=version,
        )
    page = text_of(client_for(admin_membership).get(PAGE))
    assert "«Manual de alquiler» cambió el" in page


def test_first_steps_go_away_when_they_are_done(client_for, organization, admin_membership, employee_membership, ask):
    client = client_for(admin_membership)
    assert "1 de 4 hechos" in text_of(client.get(PAGE))  # there is an employee
    make_document(organization, "Uno")
    ask()
    with organization_scope(organization.pk):
        make_course(organization, "Alquiler")
    assert "Primeros pasos" not in text_of(client.get(PAGE))


def test_editors_see_no_questions(client_for, organization, ask):
    ask("¿Hay parking?", evidence=False)
    page = text_of(client_for(make_member(organization, "eva@acme.example", Role.EDITOR)).get(PAGE))
    assert "Documentos listos" in page
    assert "parking" not in page
    assert "Preguntas en 7 días" not in page


def test_it_takes_few_queries_however_much_there_is(
    client_for, organization, admin_membership, ask, django_assert_max_num_queries
):
    client = client_for(admin_membership)
    for number in range(12):
        ask(f"¿Pregunta {number}?", evidence=number % 2 == 0)
        make_document(organization, f"Manual {number}")
    client.get(PAGE)
    with django_assert_max_num_queries(20):  # the transaction's beginning and the session's count too
        client.get(PAGE)

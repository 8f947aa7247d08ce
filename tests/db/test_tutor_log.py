"""The log of questions, what leaves it as a file, and the report of gaps."""

import csv
import io
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache.backends.base import BaseCache
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from redis.exceptions import ConnectionError as RedisConnectionError

from documents.access import Reader
from skillnet.models import Classification, Membership, Organization, Role
from skillnet.tenancy import organization_scope
from tests import factories
from tutor.forgetting import forget
from tutor.gaps import dismiss, gaps_of, most_asked
from tutor.models import Conversation, FaqEntry, FaqSource, FaqVariant, Feedback, Turn
from tutor.policy import TutorPolicy, policy_of, store_policy
from tutor.prepared.matching import question_key
from tutor.prepared.suggested import suggestions
from tutor.reactions import is_in_doubt

pytestmark = pytest.mark.django_db

LogIn = Callable[[Membership], Client]


@pytest.fixture
def make_turn(organization: Organization, employee_membership: Membership) -> Callable[..., Turn]:
    with organization_scope(organization.pk):
        conversation = Conversation.objects.create(organization=organization, user=employee_membership.user)

    def make(question: str, **fields: Any) -> Turn:
        values = {"status": "done", "evidence": True, "answer": "Sí.", "origin": "extractive", "confidence": 0.9}
        with organization_scope(organization.pk):
            return Turn.objects.create(
                organization=organization, question=question, **({"conversation": conversation} | values | fields)
            )

    return make


@pytest.fixture
def admin(client_for: LogIn, admin_membership: Membership) -> Client:
    return client_for(admin_membership)


def test_filters_narrow_the_log(admin: Client, make_turn: Callable[..., Turn], organization: Organization):
    found = make_turn("¿Cuándo se cobra?")
    empty = make_turn("¿Hay gimnasio?", evidence=False, origin="none", answer="Nada.")
    with organization_scope(organization.pk):
        Feedback.objects.create(organization=organization, turn=found, is_useful=False)
        Turn.objects.filter(pk=empty.pk).update(asked_at=timezone.now() - timedelta(days=30))

    def shown(**filters: str) -> set[str]:
        page = admin.get(reverse("tutor:questions", args=["acme"]), filters).context["page"]
        return {turn.question for turn in page}

    both = {found.question, empty.question}
    assert shown() == both
    assert shown(resultado="sin-respuesta") == shown(origen="none") == {empty.question}
    assert shown(valoracion="no-util") == shown(texto="COBRA") == {found.question}
    assert shown(desde=f"{timezone.localdate() - timedelta(days=2):%Y-%m-%d}") == {found.question}
    assert shown(hasta=f"{timezone.localdate() - timedelta(days=2):%Y-%m-%d}") == {empty.question}
    assert shown(resultado="inventado", curso="99999", desde="ayer") == both


def test_names_are_hidden_where_the_organization_wants_that(
    admin: Client, make_turn: Callable[..., Turn], organization: Organization
):
    turn = make_turn("¿Cuándo se cobra?")
    pages = [reverse("tutor:questions", args=["acme"]), reverse("tutor:question", args=["acme", turn.pk])]
    export = reverse("tutor:questions_export", args=["acme"])
    assert all("empleada@acme.example" in admin.get(page).content.decode() for page in pages)
    assert "empleada@acme.example" in admin.get(export).getvalue().decode()
    store_policy(organization, TutorPolicy(hides_names=True))
    assert not any("empleada@acme.example" in admin.get(page).content.decode() for page in pages)
    assert "empleada@acme.example" not in admin.get(export).getvalue().decode()


@pytest.mark.parametrize("attack", ["=HYPERLINK(1)", "+1", "-1", "@SUM(1)", "\t=1", "  =1", "＝1"])
def test_no_exported_cell_is_a_formula(admin: Client, make_turn: Callable[..., Turn], attack: str):
    make_turn(attack, answer=attack)
    response = admin.get(reverse("tutor:questions_export", args=["acme"]))
    text = response.getvalue().decode("utf-8-sig")
    _header, row = list(csv.reader(io.StringIO(text, newline=""), delimiter=";"))
    assert not any(cell.strip().startswith(("=", "+", "-", "@", "＝")) for cell in row)
    assert f"'{attack}" in row


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"rung": "chunks"}, "Encontrada buscando en los documentos"),
        ({"rung": "course_tree"}, "Encontrada por las lecciones del curso"),
        ({"rung": "full_text"}, "Encontrada leyendo un documento entero"),
        ({"rung": "full_text", "origin": "cache"}, "Encontrada leyendo un documento entero"),
        ({"rung": "general", "evidence": False, "origin": "model"}, "No procede de documentos de tu empresa"),
        ({"rung": "none", "evidence": False, "origin": "none"}, "No encontrada"),
        ({"rung": "chunks", "origin": "faq"}, ""),
        ({"rung": "courtesy", "evidence": None, "origin": ""}, ""),
    ],
)
def test_how_each_answer_was_found_is_said_in_words(
    admin: Client, make_turn: Callable[..., Turn], fields: dict[str, Any], words: str
):
    turn = make_turn("¿Cuándo se cobra?", **fields)
    text = admin.get(reverse("tutor:questions_export", args=["acme"])).getvalue().decode("utf-8-sig")
    header, row = list(csv.reader(io.StringIO(text, newline=""), delimiter=";"))
    assert dict(zip(header, row, strict=True))["Cómo se encontró"] == words
    pages = [reverse("tutor:questions", args=["acme"]), reverse("tutor:question", args=["acme", turn.pk])]
    shown = [admin.get(page).content.decode() for page in pages]
    if words != "No encontrada":  # there the badge says it
        assert all(words in page for page in shown)
    assert all(("Sin respuesta en los documentos</span>" in page) is (turn.evidence is False) for page in shown)
    assert all("Encontrada " in page for page in shown) is words.startswith("Encontrada ")


def test_only_administrators_see_the_log(client_for: LogIn, organization: Organization, make_turn: Callable[..., Turn]):
    turn = make_turn("¿Cuándo se cobra?")
    names = ("questions", "questions_export", "gaps", "policy")
    addresses = [reverse(f"tutor:{name}", args=["acme"]) for name in names]
    addresses.append(reverse("tutor:question", args=["acme", turn.pk]))
    for role in (Role.EDITOR, Role.EMPLOYEE):
        client = client_for(factories.make_member(organization, f"{role}@acme.example", role))
        assert [client.get(address).status_code for address in addresses] == [404] * len(addresses)


def test_an_answer_in_the_log_is_rendered_without_anything_that_runs(admin: Client, make_turn: Callable[..., Turn]):
    turn = make_turn("<script>x</script>", origin="model", answer="![a](https://mal.example/x.png) [b](javascript:x)")
    page = admin.get(reverse("tutor:question", args=["acme", turn.pk])).content.decode()
    assert "mal.example" not in page
    assert "<script>x" not in page
    assert 'href="javascript' not in page


def test_unanswered_questions_are_grouped_with_their_nearest_section(
    organization: Organization, make_turn: Callable[..., Turn]
):
    document = factories.make_document(organization, "Manual", "# Vestuario\nEl uniforme se lava en casa.")
    near = {"nearest": {"document": document.pk, "section": ["Vestuario"]}}
    make_turn("¿Quién paga lavar el uniforme de tienda?", evidence=False, trace=near)
    make_turn("¿Quién paga lavar el uniforme de la tienda?", evidence=False, trace=near)
    make_turn("¿Hay parking gratis?", evidence=False)
    make_turn("¿Cuándo se cobra?")
    with organization_scope(organization.pk):
        first, second = gaps_of(organization)
    assert (len(first.turns), first.document, first.section) == (2, document, ("Vestuario",))
    assert (len(second.turns), second.question, second.document) == (1, "¿Hay parking gratis?", None)


def test_what_the_company_answers_itself_is_answered_though_no_document_says_it(
    admin: Client, make_turn: Callable[..., Turn], organization: Organization
):
    own = make_turn("¿Hay parking gratis?", evidence=False, origin="faq", rung="none", confidence=1.0)
    with organization_scope(organization.pk):
        assert gaps_of(organization) == most_asked(organization) == []
    assert not is_in_doubt(own)
    response = admin.get(reverse("tutor:questions", args=["acme"]))
    facts = response.content.decode().split('<p class="log__facts">')[1].split("</p>")[0]
    assert '<span class="badge badge--ok">' in facts
    assert facts.casefold().count("respuesta de la empresa") == 1
    assert "Sin respuesta" not in facts
    filters = {result: {"resultado": result} for result in ("respondidas", "con-fuente", "sin-respuesta")}
    found = {
        result: [*admin.get(reverse("tutor:questions", args=["acme"]), query).context["page"]]
        for result, query in filters.items()
    }
    assert found == {"respondidas": [own], "con-fuente": [], "sin-respuesta": []}
    exported = admin.get(reverse("tutor:questions_export", args=["acme"])).getvalue().decode()
    assert "Respuesta de la empresa" in exported and "Sin respuesta" not in exported


def test_a_gap_is_closed_by_an_entry_of_the_same_words_and_brings_all_its_wordings(
    organization: Organization, make_turn: Callable[..., Turn], admin: Client
):
    asked = "¿Quién paga lavar el uniforme de tienda?"
    for question in (asked, asked.strip("¿?").lower(), "¿Quién paga lavar el uniforme de la tienda?"):
        make_turn(question, evidence=False)
    with organization_scope(organization.pk):
        [gap] = gaps_of(organization)
    wordings = gap.wordings.splitlines()
    assert wordings[0] == gap.question
    assert len(wordings) == 2  # two of them are the same words
    form = admin.get(reverse("tutor:faq_create", args=["acme"]), {"pregunta": gap.wordings}).context["form"]
    assert form.initial["questions"].splitlines() == wordings
    with organization_scope(organization.pk):
        entry = FaqEntry.objects.create(organization=organization, answer="Sí.")
        for at, text in enumerate(wordings):
            FaqVariant.objects.create(
                organization=organization, entry=entry, position=at, text=text, key=question_key(text)
            )
        assert gaps_of(organization) == most_asked(organization) == []
        FaqEntry.objects.update(is_active=False)
        assert len(most_asked(organization)) == 2


@pytest.fixture
def write_entry(organization: Organization) -> Callable[..., FaqEntry]:
    def write(question: str, **fields: Any) -> FaqEntry:
        with organization_scope(organization.pk):
            entry = FaqEntry.objects.create(organization=organization, answer="Sí.", **fields)
            FaqVariant.objects.create(organization=organization, entry=entry, text=question, key=question_key(question))
            return entry

    return write


def test_a_gap_stays_open_where_its_asker_may_not_read_the_entry(
    organization: Organization, make_turn: Callable[..., Turn], write_entry: Callable[..., FaqEntry]
):
    make_turn("¿Hay parking gratis?", evidence=False)
    entry = write_entry("¿Hay parking gratis?", classification=Classification.CONFIDENTIAL)
    hidden = factories.make_document(organization, "Plazas", classification=Classification.CONFIDENTIAL)
    with organization_scope(organization.pk):
        assert len(gaps_of(organization)) == len(most_asked(organization)) == 1
        FaqEntry.objects.update(classification=Classification.INTERNAL)
        assert gaps_of(organization) == most_asked(organization) == []
        FaqSource.objects.create(
            organization=organization, entry=entry, number=1, document=hidden, version=hidden.active_version
        )
        assert len(gaps_of(organization)) == len(most_asked(organization)) == 1


def test_a_gap_stays_open_that_an_entry_written_before_did_not_answer(
    organization: Organization, make_turn: Callable[..., Turn], write_entry: Callable[..., FaqEntry]
):
    entry = write_entry("¿Hay parking gratis?")
    make_turn("¿Hay parking gratis?", evidence=False)
    with organization_scope(organization.pk):
        assert len(gaps_of(organization)) == len(most_asked(organization)) == 1
        entry.save()
        assert gaps_of(organization) == most_asked(organization) == []


def test_a_gap_of_somebody_who_left_is_closed_by_what_any_employee_may_read(
    organization: Organization, make_turn: Callable[..., Turn], write_entry: Callable[..., FaqEntry]
):
    make_turn("¿Hay parking gratis?", evidence=False)
    with organization_scope(organization.pk):
        Conversation.objects.update(user=None)
    write_entry("¿Hay parking gratis?")
    with organization_scope(organization.pk):
        assert gaps_of(organization) == most_asked(organization) == []


def test_who_asked_the_gaps_is_read_at_once(
    organization: Organization,
    make_turn: Callable[..., Turn],
    write_entry: Callable[..., FaqEntry],
    django_assert_num_queries: Any,
):
    for number in range(5):
        make_turn(f"¿Se puede aparcar en la plaza {number}?", evidence=False)
    with organization_scope(organization.pk), django_assert_num_queries(3):
        most_asked(organization)
    for number in range(5):
        write_entry(f"¿Se puede aparcar en la plaza {number}?")
    with organization_scope(organization.pk), django_assert_num_queries(5):
        assert most_asked(organization) == []


class NoCache(BaseCache):
    """A cache whose server is away."""

    def get_many(self, *_args: Any, **_kwargs: Any) -> Any:
        raise RedisConnectionError

    set_many = get_many


def test_gaps_are_found_while_the_cache_is_away(
    organization: Organization, make_turn: Callable[..., Turn], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tutor.gaps.cache", NoCache({}))
    make_turn("¿Hay parking gratis?", evidence=False)
    with organization_scope(organization.pk):
        assert [gap.question for gap in gaps_of(organization)] == ["¿Hay parking gratis?"]


def test_the_gaps_page_offers_to_ask_who_is_responsible(admin: Client, make_turn: Callable[..., Turn]):
    assert "No hay preguntas sin respuesta" in admin.get(reverse("tutor:gaps", args=["acme"])).content.decode()
    turn = make_turn("¿Hay parking gratis?", evidence=False)
    page = reverse("tutor:gaps", args=["acme"])
    assert "Pedir al responsable" in admin.get(page).content.decode()
    admin.post(reverse("tutor:ask_owner", args=["acme", turn.pk]))
    assert "Pedido al responsable" in admin.get(page).content.decode()


def test_the_tutors_settings_are_stored_and_refuse_nonsense(admin: Client, organization: Organization):
    address = reverse("tutor:policy", args=["acme"])
    assert admin.post(address, {"monthly_answers": "-1"}).status_code == 422
    assert admin.post(address, {"general_knowledge": "on", "monthly_answers": "50"}).status_code == 302
    organization.refresh_from_db()
    assert policy_of(organization) == TutorPolicy(general_knowledge=True, monthly_answers=50)
    assert "0 de 50" in admin.get(address).content.decode()


def test_reviewed_feedback_leaves_the_inbox(admin: Client, make_turn: Callable[..., Turn], organization: Organization):
    with organization_scope(organization.pk):
        feedback = Feedback.objects.create(
            organization=organization, turn=make_turn("¿Cuándo se cobra?"), is_useful=False, comment="No lo dice"
        )
    inbox = reverse("tutor:inbox", args=["acme"])
    assert "No lo dice" in admin.get(inbox).content.decode()
    admin.post(reverse("tutor:close_feedback", args=["acme", feedback.pk]))
    assert "No lo dice" not in admin.get(inbox).content.decode()


def test_a_gap_that_is_put_aside_does_not_come_back_with_the_same_question(
    admin: Client, make_turn: Callable[..., Turn], organization: Organization, client_for: LogIn
):
    first = make_turn("¿Cuál es la capital de Francia?", evidence=False, origin="none")
    make_turn("¿Hay parking gratis?", evidence=False, origin="none")
    page, dismiss = reverse("tutor:gaps", args=["acme"]), reverse("tutor:dismiss_gap", args=["acme"])
    assert str(first.pk) in admin.get(page).text
    assert admin.post(dismiss, {"turns": "x"}).status_code == 404
    editor = factories.make_member(organization, "otra@acme.example", Role.EDITOR)
    assert client_for(editor).post(dismiss, {"turns": str(first.pk)}).status_code == 404
    assert admin.post(dismiss, {"turns": str(first.pk)}).headers["Location"] == page
    make_turn("cual es la capital de francia", evidence=False, origin="none")
    with organization_scope(organization.pk):
        assert [gap.question for gap in gaps_of(organization)] == ["¿Hay parking gratis?"]
        assert [gap.question for gap in most_asked(organization)] == ["¿Hay parking gratis?"]


def test_what_was_put_aside_can_be_taken_back(
    admin: Client, make_turn: Callable[..., Turn], organization: Organization, client_for: LogIn
):
    turn = make_turn("¿Cuál es la capital de Francia?", evidence=False, origin="none")
    restore = reverse("tutor:restore_gap", args=["acme"])
    assert admin.post(restore, {"turns": str(turn.pk)}).status_code == 404  # nobody has put it aside
    listed = reverse("tutor:dismissed_gaps", args=["acme"])
    assert "No hay preguntas descartadas" in admin.get(listed).text
    admin.post(reverse("tutor:dismiss_gap", args=["acme"]), {"turns": str(turn.pk)})
    again = make_turn("cual es la capital de francia", evidence=False, origin="none")
    page = admin.get(listed)
    assert [gap.turns for gap in page.context["gaps"]] == [(again, turn)]
    editor = client_for(factories.make_member(organization, "otra@acme.example", Role.EDITOR))
    assert editor.get(listed).status_code == editor.post(restore, {"turns": str(turn.pk)}).status_code == 404
    assert admin.post(restore, {"turns": str(turn.pk)}).headers["Location"] == listed
    assert admin.get(listed).context["gaps"] == []
    with organization_scope(organization.pk):
        assert [gap.turns for gap in gaps_of(organization)] == [(again, turn)]


def test_a_question_that_is_put_aside_stays_so_when_the_conversation_that_asked_it_is_deleted(
    make_turn: Callable[..., Turn], organization: Organization, employee_membership: Membership
):
    first = make_turn("¿Cuál es la capital de Francia?", evidence=False, origin="none")
    with organization_scope(organization.pk):
        assert dismiss(organization, [str(first.pk)]) == [first]
        assert dismiss(organization, [str(first.pk)]) == [first]
        other = Conversation.objects.create(organization=organization, user=employee_membership.user)
    again = [make_turn("cual es la capital de francia", evidence=False, origin="none") for _time in range(3)]
    follow_up = make_turn("¿Y en verano?", understood="¿Qué hay? ¿Y en verano?", evidence=False, origin="none")
    with organization_scope(organization.pk):
        Turn.objects.filter(pk__in=[turn.pk for turn in (*again, follow_up)]).update(conversation=other)
        forget(Conversation.objects.filter(pk=first.conversation_id))
        assert [gap.question for gap in gaps_of(organization)] == ["¿Qué hay? — ¿Y en verano?"]
        dismiss(organization, [str(follow_up.pk)])
    for _time in range(2):
        make_turn("¿Y en verano?", conversation=other, evidence=False, origin="none")
    with organization_scope(organization.pk):
        assert [gap.question for gap in gaps_of(organization)] == ["¿Y en verano?"]
        found = suggestions(organization, Reader.of(employee_membership)).found
        assert [one.questions[0] for one in found] == ["¿Y en verano?"]


def test_what_asks_nothing_is_no_gap(make_turn: Callable[..., Turn], organization: Organization):
    for text in ("eres un inutil de mierda", "asdfgh jkl", "hola 12"):
        make_turn(text, evidence=False, origin="none")
    with organization_scope(organization.pk):
        assert gaps_of(organization) == most_asked(organization) == []


@pytest.mark.parametrize(
    ("question", "understood", "shown"),
    [
        ("¿Y en verano?", "¿Qué horario hay? ¿Y en verano?", "¿Qué horario hay? — ¿Y en verano?"),
        ("¿Y en verano?", "hola 9 hola 11 ¿Y en verano?", "¿Y en verano?"),
        ("¿Y en verano?", "¿Qué horario hay en verano?", "¿Qué horario hay en verano?"),
        ("¿Y en verano?", "", "¿Y en verano?"),
    ],
)
def test_a_gap_is_named_by_the_question_as_it_was_understood(
    make_turn: Callable[..., Turn], organization: Organization, question: str, understood: str, shown: str
):
    make_turn(question, understood=understood, evidence=False, origin="none")
    with organization_scope(organization.pk):
        assert [gap.question for gap in gaps_of(organization)] == [shown]

"""The FAQ's pages: written, imported, exported; for whom."""

import csv
import io
import json
import uuid
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from documents import services as document_services
from documents.models import Document
from skillnet import notifications
from skillnet.models import Classification, Organization, Role
from skillnet.notification_kinds import text_of
from skillnet.tenancy import organization_scope
from tests import factories
from tutor.models import FaqEntry, ReviewReason, Turn
from tutor.prepared import services as faq_services

MANUAL = "# Plazos\nEl cliente dispone de 30 días naturales para devolver un producto no alimentario con su tique."
QUOTE = "30 días naturales para devolver un producto no alimentario"

pytestmark = pytest.mark.django_db


@pytest.fixture
def manual(organization: Organization) -> Document:
    return factories.make_document(organization, "Manual de devoluciones", MANUAL)


def address(name: str, *args: Any) -> str:
    return reverse(f"tutor:{name}", args=["acme", *args])


def entry_fields(**fields: Any) -> dict[str, Any]:
    return {
        "questions": "¿Cuánto tiempo hay para devolver?\n¿Qué plazo de devolución damos?",
        "answer": "Son **30 días**.",
        "classification": Classification.INTERNAL,
        "is_active": "on",
        **fields,
    }


def entries(organization: Organization) -> list[FaqEntry]:
    with organization_scope(organization.pk):
        return list(FaqEntry.objects.prefetch_related("variants", "sources").order_by("pk"))


def test_an_entry_is_written_changed_and_deleted(client_for, admin_membership, organization, manual):
    client = client_for(admin_membership)
    response = client.post(address("faq_create"), entry_fields(document_1=manual.pk, quote_1=QUOTE))
    assert response.status_code == 302
    (entry,) = entries(organization)
    assert entry.question == "¿Cuánto tiempo hay para devolver?"
    assert [(source.version_id, source.quote) for source in entry.sources.all()] == [(manual.active_version_id, QUOTE)]
    page = client.get(address("faq_edit", entry.pk)).content.decode()
    assert "¿Qué plazo de devolución damos?" in page and QUOTE in page
    client.post(address("faq_edit", entry.pk), entry_fields(questions="¿Plazo?", answer="Un mes."))
    (changed,) = entries(organization)
    assert (changed.question, changed.answer, list(changed.sources.all())) == ("¿Plazo?", "Un mes.", [])
    assert "¿Borrar" in client.get(address("faq_delete", entry.pk)).content.decode()
    client.post(address("faq_delete", entry.pk))
    assert entries(organization) == []


def test_words_that_the_document_does_not_have_are_refused_at_the_field(
    client_for, admin_membership, organization, manual
):
    fields = entry_fields(document_1=manual.pk, quote_1="90 días naturales para devolver")
    response = client_for(admin_membership).post(address("faq_create"), fields)
    assert response.status_code == 422
    assert "Esas palabras no están en la versión actual" in response.content.decode()
    assert entries(organization) == []


@pytest.mark.parametrize("fields", [{"questions": "  \n"}, {"questions": "???"}, {"answer": ""}, {"quote_1": "algo"}])
def test_an_unfinished_entry_says_what_is_missing(client_for, admin_membership, organization, fields):
    response = client_for(admin_membership).post(address("faq_create"), entry_fields(**fields))
    assert response.status_code == 422
    assert "field__error" in response.content.decode()


def test_the_same_question_is_not_written_twice(client_for, admin_membership, organization):
    client = client_for(admin_membership)
    client.post(address("faq_create"), entry_fields())
    response = client.post(address("faq_create"), entry_fields(questions="que plazo de devolucion damos"))
    assert response.status_code == 422
    assert "Ya hay otra respuesta" in response.content.decode()


def test_an_empty_list_says_what_to_do_and_a_full_one_can_be_searched(client_for, admin_membership, organization):
    client = client_for(admin_membership)
    assert "Aún no hay preguntas frecuentes" in client.get(address("faq")).content.decode()
    client.post(address("faq_create"), entry_fields())
    client.post(address("faq_create"), entry_fields(questions="¿Dónde se aparca?", is_active=""))
    assert "¿Dónde se aparca?" not in client.get(address("faq") + "?q=devolver").content.decode()
    assert "¿Dónde se aparca?" in client.get(address("faq") + "?estado=inactivas").content.decode()
    assert "Ninguna coincide" in client.get(address("faq") + "?estado=revisar").content.decode()


def test_employees_have_no_pages_of_the_faq(client_for, employee_membership, organization):
    client = client_for(employee_membership)
    for name in ("faq", "faq_create", "faq_suggested", "faq_import", "faq_export"):
        assert client.get(address(name)).status_code == 404


def test_an_editor_sees_no_entry_of_a_document_beyond_their_clearance(
    client_for, admin_membership, organization, manual
):
    client_for(admin_membership).post(address("faq_create"), entry_fields(document_1=manual.pk, quote_1=QUOTE))
    (entry,) = entries(organization)
    with organization_scope(organization.pk):
        Document.objects.update(classification=Classification.CONFIDENTIAL)
    client = client_for(factories.make_member(organization, "editora@acme.example", Role.EDITOR))
    assert "devolver" not in client.get(address("faq")).content.decode()
    assert client.get(address("faq_edit", entry.pk)).status_code == 404
    assert client.post(address("faq_delete", entry.pk)).status_code == 404
    assert "devolver" not in client.get(address("faq_export")).content.decode()
    assert manual.title not in client.get(address("faq_create")).content.decode()


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_what_is_exported_can_be_imported(client_for, admin_membership, organization, manual, ending):
    client = client_for(admin_membership)
    client.post(address("faq_create"), entry_fields(document_1=manual.pk, quote_1=QUOTE, answer="=1+1; son 30"))
    exported = client.get(address("faq_export") + f"?formato={ending}").content
    if ending == "csv":
        rows = list(csv.reader(io.StringIO(exported.decode("utf-8-sig")), delimiter=";"))
        assert rows[1][2] == "'=1+1; son 30"  # no formula for a spreadsheet
    else:
        assert json.loads(exported)[0]["sources"][0]["quote"] == QUOTE
    with organization_scope(organization.pk):
        FaqEntry.objects.all().delete()
    for expected in ("Guardada.", "Actualizada"):
        page = client.post(address("faq_import"), {"file": SimpleUploadedFile(f"faq.{ending}", exported)})
        assert expected in page.content.decode()
    (entry,) = entries(organization)
    assert entry.answer == "=1+1; son 30"
    assert [variant.text for variant in entry.variants.all()] == entry_fields()["questions"].splitlines()
    assert [source.quote for source in entry.sources.all()] == [QUOTE]


def test_a_bad_row_does_not_stop_the_others(client_for, admin_membership, organization, manual):
    content = (
        "pregunta;respuesta;documento;cita\n"
        "¿Hay parking?;Sí, detrás.;;\n"
        ";Sin pregunta;;\n"
        "¿Y el plazo?;30 días;Otro manual;30 días\n"
        "¿Y las cajas?;Al lado.;Manual de devoluciones;palabras que no están\n"
    )
    response = client_for(admin_membership).post(
        address("faq_import"), {"file": SimpleUploadedFile("faq.csv", content.encode("cp1252"))}
    )
    page = response.content.decode()
    assert "Guardadas 1 de 4" in page
    assert "Falta la pregunta o la respuesta." in page and "Otro manual" in page and "Esas palabras" in page
    assert [entry.question for entry in entries(organization)] == ["¿Hay parking?"]


def test_a_mark_of_a_source_that_was_not_chosen_is_refused_at_the_answer(
    client_for, admin_membership, organization, manual
):
    client = client_for(admin_membership)
    said = "La respuesta cita la Fuente 1, pero no has elegido esa fuente: elígela o quita la marca."
    response = client.post(address("faq_create"), entry_fields(answer="Son 30 días. [Fuente 1]"))
    assert response.status_code == 422
    assert said in response.content.decode()
    fields = entry_fields(answer="Son 30 días. [Fuentes 1 y 2]", document_1=manual.pk, quote_1=QUOTE)
    assert said.replace("1", "2") in client.post(address("faq_create"), fields).content.decode()
    assert entries(organization) == []


def test_a_mark_goes_on_naming_its_source_when_a_place_before_it_is_empty(
    client_for, admin_membership, organization, manual
):
    fields = entry_fields(answer="Son 30 días. [Fuente 2]", document_2=manual.pk, quote_2=QUOTE)
    assert client_for(admin_membership).post(address("faq_create"), fields).status_code == 302
    (entry,) = entries(organization)
    assert (entry.answer, [source.number for source in entry.sources.all()]) == ("Son 30 días. [Fuente 1]", [1])


def test_a_mark_of_a_source_that_a_file_does_not_bring_is_dropped_and_told(client_for, admin_membership, organization):
    content = "pregunta;respuesta\n¿Hay parking?;Sí, detrás. [Fuente 1]\n".encode()
    page = client_for(admin_membership).post(address("faq_import"), {"file": SimpleUploadedFile("faq.csv", content)})
    assert "Guardada. Hemos quitado la marca de la Fuente 1: el archivo no trae esa fuente." in page.content.decode()
    assert [entry.answer for entry in entries(organization)] == ["Sí, detrás."]


@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n", b"[1, 2]", b"{", b'[{"questions": "x"}]', b"\x00\xff\xfe"])
def test_a_file_that_holds_no_entries_is_refused_with_words(client_for, admin_membership, organization, content):
    response = client_for(admin_membership).post(address("faq_import"), {"file": SimpleUploadedFile("faq", content)})
    assert response.status_code == 422
    assert "field__error" in response.content.decode()


def test_an_entry_to_review_says_so_to_those_who_write_and_to_those_who_ask(
    client_for, admin_membership, employee_membership, organization, manual
):
    client_for(admin_membership).post(address("faq_create"), entry_fields(document_1=manual.pk, quote_1=QUOTE))
    factories.make_document(organization, text=MANUAL.replace("30", "14"), version_of=manual)
    (entry,) = entries(organization)
    assert entry.review_reason == ReviewReason.CHANGED
    assert "Revisar: documento cambiado" in client_for(admin_membership).get(address("faq")).content.decode()
    page = ask(client_for(employee_membership), "¿Cuánto tiempo hay para devolver?")
    assert "Respuesta preparada por tu empresa" in page
    assert "<strong>30 días</strong>" in page
    assert "Se apoya en la versión 1 de «Manual de devoluciones»" in page


def test_an_answer_given_before_says_of_when_and_can_be_asked_anew(
    client_for, admin_membership, organization, manual, settings
):
    settings.SKILLNET_CACHE_MIN_CONFIDENCE = 0.0
    client = client_for(admin_membership)
    question = "¿Cuántos días naturales hay para devolver un producto no alimentario con tique?"
    assert "Respuesta guardada" not in ask(client, question)
    page = ask(client, question)
    assert "Respuesta guardada del" in page and 'name="fresh" value="true"' in page
    assert "Respuesta guardada" not in ask(client, question, fresh="true")


def ask(client: Any, question: str, **fields: str) -> str:
    """The conversation's page after a question was asked and answered without scripts."""
    conversation = uuid.uuid4()
    sent = {"question": question, "submission": str(uuid.uuid4()), "conversation": str(conversation), **fields}
    client.post(address("ask"), sent)
    with organization_scope(Organization.objects.get(slug="acme").pk):
        turn = Turn.objects.get(conversation_id=conversation)
    b"".join(client.get(address("answer", turn.pk)).streaming_content)
    return str(client.get(address("conversation", conversation)).content.decode())


def test_an_entry_whose_document_was_deleted_is_shown_to_its_owner_and_administrators_alone(
    client_for, admin_membership, organization
):
    editors = [factories.make_member(organization, f"{name}@acme.example", Role.EDITOR) for name in ("una", "otra")]
    secret = factories.make_document(organization, "Nóminas", MANUAL, classification=Classification.CONFIDENTIAL)
    with organization_scope(organization.pk):
        faq_services.save_entry(
            organization=organization,
            owner=editors[0].user,
            questions=["¿Cuánto cobra la dirección?"],
            answer="Mucho.",
            classification=Classification.INTERNAL,
            sources=[faq_services.bind_source(secret, QUOTE)],
        )
        document_services.delete_document(secret)
    seen = [
        "¿Cuánto cobra la dirección?" in client_for(member).get(address(page)).content.decode()
        for member in (admin_membership, *editors)
        for page in ("faq", "faq_export")
    ]
    assert seen == [True, True, True, True, False, False]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("nul.json", '[{"questions": ["\\u0000¿Hay\\ud800 parking?"], "answer": "Sí.\\u0000"}]', "Guardadas 1 de 1"),
        (
            "sin-fin.json",
            '[{"questions": ["¿Hay parking?"], "answer": "Sí.", "classification": Infinity}]',
            "No podemos",
        ),
        ("enorme.csv", f"pregunta;respuesta;clasificacion\n¿Hay parking?;Sí.;{'9' * 5000}\n", "Guardadas 0 de 1"),
        ("rara.csv", "pregunta;respuesta;clasificacion\n¿Hay parking?;Sí.;alta\n", "Guardadas 0 de 1"),
    ],
)
def test_what_no_database_can_hold_is_imported_without_it_or_refused(
    client_for, admin_membership, organization, name, content, said
):
    file = SimpleUploadedFile(name, content.encode())
    response = client_for(admin_membership).post(address("faq_import"), {"file": file})
    assert said in response.content.decode()


def test_a_search_for_what_no_text_holds_finds_nothing(client_for, admin_membership, organization):
    assert client_for(admin_membership).get(address("faq"), {"q": "\0"}).status_code == 200


def editor_of(organization: Organization, email: str = "eva@acme.example", **fields: Any) -> Any:
    return factories.make_member(organization, email, Role.EDITOR, **fields)


def test_an_entry_is_handed_over_to_somebody_else_who_writes_entries(
    client_for, admin_membership, employee_membership, organization, manual
):
    editor, former = editor_of(organization), editor_of(organization, "fede@acme.example")
    former.is_active = False
    former.save()
    client = client_for(admin_membership)
    client.post(address("faq_create"), entry_fields(document_1=manual.pk, quote_1=QUOTE))
    (entry,) = entries(organization)
    assert entry.owner_id == admin_membership.user_id
    page = client.get(address("faq_edit", entry.pk)).content.decode()
    assert f'<option value="{admin_membership.user_id}" selected>' in page
    assert f'<option value="{editor.user_id}">' in page
    for other in (employee_membership, former):
        assert f'<option value="{other.user_id}"' not in page
        refused = client.post(address("faq_edit", entry.pk), entry_fields(owner=other.user_id))
        assert refused.status_code == 422
    client.post(address("faq_edit", entry.pk), entry_fields(owner=editor.user_id))
    assert entries(organization)[0].owner_id == editor.user_id
    client.post(address("faq_edit", entry.pk), entry_fields())  # nothing said of it
    assert entries(organization)[0].owner_id == editor.user_id


def test_nobody_outside_the_organization_is_offered_or_taken(
    client_for, admin_membership, organization, other_organization
):
    stranger = factories.make_member(other_organization, "otra@globex.example", Role.ADMIN)
    client = client_for(admin_membership)
    assert "otra@globex.example" not in client.get(address("faq_create")).content.decode()
    assert client.post(address("faq_create"), entry_fields(owner=stranger.user_id)).status_code == 422
    assert entries(organization) == []


def test_an_entry_is_not_handed_to_somebody_who_may_not_read_it(client_for, admin_membership, organization, manual):
    editor = editor_of(organization)
    client = client_for(admin_membership)
    hidden = entry_fields(owner=editor.user_id, classification=Classification.CONFIDENTIAL)
    page = client.post(address("faq_create"), hidden)
    assert page.status_code == 422 and "Esa persona no puede leer esta respuesta" in page.content.decode()
    with organization_scope(organization.pk):
        Document.objects.update(classification=Classification.CONFIDENTIAL)
    page = client.post(address("faq_create"), entry_fields(owner=editor.user_id, document_1=manual.pk, quote_1=QUOTE))
    assert page.status_code == 422 and "Esa persona no puede leer esta respuesta" in page.content.decode()


def test_an_import_leaves_entries_whose_they_are(client_for, admin_membership, organization):
    editor = editor_of(organization)
    client_for(editor).post(address("faq_create"), entry_fields())
    client = client_for(admin_membership)
    exported = client.get(address("faq_export") + "?formato=json").content
    client.post(address("faq_import"), {"file": SimpleUploadedFile("faq.json", exported)})
    assert [entry.owner_id for entry in entries(organization)] == [editor.user_id]


def told(membership: Any) -> list[str]:
    with organization_scope(membership.organization_id):
        return [text_of(one) for one in notifications.shown_to(membership).unread()]


CHANGED = "«Manual de devoluciones» ha cambiado o ya no está: revisa tus preguntas frecuentes."


def publish(document: Document, text: str = "# Plazos\nAhora son 15 días.") -> None:
    with organization_scope(document.organization_id):
        document = Document.objects.get(pk=document.pk)
    factories.make_document(document.organization, text=text, version_of=document)


def owned(owner: Any, manual: Document, *questions: str) -> list[FaqEntry]:
    with organization_scope(manual.organization_id):
        source = faq_services.bind_source(Document.objects.get(pk=manual.pk), QUOTE)
        return [
            faq_services.save_entry(
                organization=owner.organization,
                owner=owner.user,
                questions=[question],
                answer="Son 30 días.",
                classification=Classification.INTERNAL,
                sources=[source],
            )
            for question in questions
        ]


def test_an_owner_is_told_once_of_all_entries_to_review_and_no_more_when_they_are_reviewed(
    client_for, admin_membership, organization, manual
):
    editor, other = editor_of(organization), editor_of(organization, "fede@acme.example")
    mine = owned(editor, manual, "¿Plazo?", "¿Cuántos días?", "¿Hasta cuándo?", "¿Y sin tique?")
    publish(manual)
    assert told(editor) == [CHANGED]
    assert told(other) == told(admin_membership) == []
    client = client_for(editor)
    with organization_scope(organization.pk):
        notification = notifications.shown_to(editor).get()
    assert client.get(f"/o/acme/notificaciones/{notification.pk}/")["Location"] == address("faq") + "?estado=revisar"
    publish(manual, "# Plazos\nAhora son 14 días.")  # they are flagged already: no news
    assert told(editor) == []
    with organization_scope(organization.pk):
        FaqEntry.objects.update(review_reason=ReviewReason.NONE)
    publish(manual, "# Plazos\nAhora son 13 días.")
    assert told(editor) == [CHANGED]
    for entry in mine[:-1]:
        fields = entry_fields(questions=f"¿Pregunta {entry.pk}?")
        client_for(admin_membership).post(address("faq_edit", entry.pk), fields)
    assert told(editor) == [CHANGED]
    client.post(address("faq_delete", mine[-1].pk))
    assert told(editor) == []


def test_an_owner_is_told_of_a_deleted_document(organization, manual):
    editor = editor_of(organization)
    owned(editor, manual, "¿Plazo?")
    with organization_scope(organization.pk):
        document_services.delete_document(Document.objects.get(pk=manual.pk))
    assert told(editor) == [CHANGED]


@pytest.mark.parametrize("change", ["demoted", "inactive", "beyond"])
def test_who_can_review_nothing_is_told_nothing(organization, manual, change):
    editor = editor_of(organization)
    owned(editor, manual, "¿Plazo?")
    if change == "demoted":
        editor.role = Role.EMPLOYEE
    elif change == "inactive":
        editor.is_active = False
    else:
        with organization_scope(organization.pk):
            Document.objects.update(classification=Classification.CONFIDENTIAL)
    editor.save()
    publish(manual)
    assert told(editor) == []

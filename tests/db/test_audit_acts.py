"""What administrators do is written down: every act, who did it, and to what."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from documents.models import DocumentVersion, Status
from skillnet.audit import Action
from skillnet.models import AuditEntry, Organization
from skillnet.tenancy import organization_scope
from tests.db.isolation.worlds import World, make_world

WORD = "granate"


@pytest.fixture
def world(organization: Organization) -> World:
    return make_world(organization, WORD)


@pytest.fixture
def client(world: World) -> Client:
    client = Client()
    client.force_login(world.admin.user, backend="django.contrib.auth.backends.ModelBackend")
    return client


@dataclass(frozen=True, slots=True)
class Act:
    """A request, and what is to be found in the log after it. `{names}` in the address are ids of the world."""

    action: Action
    address: str
    data: Callable[[World], dict[str, Any]] = lambda world: {}
    method: str = "post"
    target: str = WORD
    status: Status | None = None  # of the document's version before it


def text_file(name: str, text: str = "") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, (text or f"# Caja {WORD}\nLa caja {WORD} se abre a las nueve.").encode())


ACTS = {
    "upload": Act(Action.DOCUMENT_UPLOADED, "documentos/subir/", lambda w: {"uploads": text_file(f"{WORD}.md")}),
    "new version": Act(
        Action.DOCUMENT_VERSION, "documentos/{document_id}/version-nueva/", lambda w: {"file": text_file("v2.md")}
    ),
    "try again": Act(Action.DOCUMENT_RETRIED, "documentos/versiones/{version_id}/reintentar/", status=Status.CANCELLED),
    "try several again": Act(
        Action.DOCUMENT_RETRIED,
        "documentos/acciones/",
        lambda w: {"accion": "reintentar", "documento": w.ids["document_id"]},
        status=Status.CANCELLED,
    ),
    "cancel": Act(Action.DOCUMENT_CANCELLED, "documentos/versiones/{version_id}/cancelar/", status=Status.PARSING),
    "delete": Act(Action.DOCUMENT_DELETED, "documentos/{document_id}/borrar/"),
    "reclassify several": Act(
        Action.DOCUMENT_ACCESS,
        "documentos/acciones/",
        lambda w: {"accion": "reclasificar", "documento": w.ids["document_id"], "classification": "3"},
    ),
    "delete several": Act(
        Action.DOCUMENT_DELETED,
        "documentos/acciones/",
        lambda w: {"accion": "borrar", "documento": w.ids["document_id"]},
    ),
    "export what was read": Act(Action.EXPORTED, "documentos/{document_id}/v{number}/texto.md", method="get"),
    "export as blocks": Act(Action.EXPORTED, "documentos/{document_id}/v{number}/texto.json", method="get"),
    "collection": Act(Action.COLLECTION_CREATED, "documentos/colecciones/", lambda w: {"name": f"Nueva {WORD}"}),
    "glossary": Act(Action.GLOSSARY_CHANGED, "buscar/glosario/", lambda w: {"lines": f"tpv, caja {WORD}"}),
    "forget a word": Act(Action.GLOSSARY_CHANGED, "buscar/glosario/{glossary_id}/borrar/"),
    "withdraw a course": Act(Action.COURSE_WITHDRAWN, "cursos/{course_id}/publicar/"),
    "delete a course": Act(Action.COURSE_DELETED, "cursos/{course_id}/borrar/"),
    "export a course": Act(Action.EXPORTED, "cursos/{course_id}/exportar/", method="get"),
    "export progress": Act(Action.EXPORTED, "cursos/{course_id}/personas/exportar/", method="get"),
    "export certificates": Act(Action.EXPORTED, "cursos/certificados/exportar/", method="get", target="Certificados"),
    "export questions": Act(
        Action.EXPORTED, "tutor/registro/exportar.csv", method="get", target="Registro de preguntas"
    ),
    "export answers": Act(Action.EXPORTED, "tutor/faq/exportar/", method="get", target="Preguntas frecuentes"),
    "answer": Act(
        Action.FAQ_SAVED,
        "tutor/faq/nueva/",
        lambda w: {
            "questions": f"¿Qué es {WORD}?",
            "answer": "Un color.",
            "classification": "2",
            "is_active": "on",
            "turns": "",
        },
    ),
    "import answers": Act(
        Action.FAQ_IMPORTED,
        "tutor/faq/importar/",
        lambda w: {"file": text_file(f"{WORD}.csv", f"pregunta;respuesta\n¿Y {WORD}?;Un color\n")},
    ),
    "delete an answer": Act(Action.FAQ_DELETED, "tutor/faq/{entry_id}/borrar/"),
    "invite": Act(
        Action.INVITATION_SENT,
        "personas/invitaciones/nueva/",
        lambda w: {"email": f"{WORD}@acme.example", "role": "employee", "clearance": "2"},
    ),
    "withdraw an invitation": Act(
        Action.INVITATION_WITHDRAWN, "personas/invitaciones/{invitation_id}/retirar/", target="nueva@acme.example"
    ),
    "group": Act(Action.GROUP_CREATED, "personas/grupos/", lambda w: {"name": f"Noche {WORD}"}),
    "prepare the search anew": Act(
        Action.SETTINGS_CHANGED, "documentos/preparar-busqueda/", target="Búsqueda por significado"
    ),
    "search settings": Act(Action.SETTINGS_CHANGED, "ajustes-de-busqueda/restaurar/", target=""),
}


@pytest.mark.parametrize("name", ACTS)
def test_an_act_is_written_down(name: str, client: Client, world: World):
    act = ACTS[name]
    with organization_scope(world.organization.pk):
        AuditEntry.objects.all().delete()
        if act.status:
            DocumentVersion.objects.filter(pk=world.ids["version_id"]).update(status=act.status)
    address = f"/o/{world.organization.slug}/" + act.address.format(**world.ids)
    response = getattr(client, act.method)(address, act.data(world))
    assert response.status_code in (200, 302), response.content.decode()[-3000:]
    if response.streaming:
        b"".join(response)
    with organization_scope(world.organization.pk):
        written = list(AuditEntry.objects.filter(action=act.action))
    assert len(written) == 1
    assert act.target in written[0].target
    assert written[0].actor == world.admin.user
    page = client.get(f"/o/{world.organization.slug}/personas/registro/").content.decode()
    assert str(act.action.label) in page


def test_what_is_refused_is_not_written_down(client: Client, world: World):
    """An upload of what is there already, and a form with a fault, are no acts."""
    with organization_scope(world.organization.pk):
        AuditEntry.objects.all().delete()
    home = f"/o/{world.organization.slug}"
    client.post(f"{home}/documentos/subir/", {})
    client.post(f"{home}/tutor/faq/nueva/", {"questions": "", "answer": ""})
    client.post(f"{home}/documentos/colecciones/", {"name": ""})
    with organization_scope(world.organization.pk):
        assert not AuditEntry.objects.exists()

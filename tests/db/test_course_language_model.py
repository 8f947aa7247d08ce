"""Courses written by a language model behind HTTP: what it says well is kept, what its document does not say is not."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.urls import reverse

from courses import draft_writing, drafts, proposal_writing
from courses.models import CourseDraft, DraftStatus, Lesson, LessonProposal, UpdateNotice
from documents.models import Document
from skillnet import backends
from skillnet.models import Membership, Organization
from skillnet.tenancy import organization_scope
from tests.factories import make_document

pytestmark = pytest.mark.django_db

GOOD, LATER = 22, 21  # the hour by which the manual has it written down, before and after its new version


@dataclass
class Script:
    """What the endpoint answers, one after the other (the last again and again), and the messages it was sent."""

    url: str
    replies: list[str] = field(default_factory=list)
    asked: list[list[dict[str, str]]] = field(default_factory=list)


class Handler(BaseHTTPRequestHandler):
    script: Script

    def do_POST(self) -> None:
        body: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.script.asked.append(body["messages"])
        replies = self.script.replies
        text = replies.pop(0) if len(replies) > 1 else replies[0]
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for piece, reason in ((text[: len(text) // 2], None), (text[len(text) // 2 :], "stop")):
            delta = {"index": 0, "delta": {"content": piece}, "finish_reason": reason}
            chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [delta]}
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, *_arguments: object) -> None:
        """Keep the test's output clean."""


@pytest.fixture
def endpoint(settings) -> Iterator[Script]:
    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    script = Script(f"http://127.0.0.1:{http.server_port}/v1")
    http.RequestHandlerClass = type("ScriptedHandler", (Handler,), {"script": script})
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    patient = {"timeout": 60, "first_token_timeout": 60, "reply_timeout": 60}
    named = {"base_url": script.url, "model": "escritor", "api_key": "k"}
    settings.SKILLNET_LLM = settings.SKILLNET_LLM | named | patient
    backends.reset()
    yield script
    http.shutdown()
    thread.join()
    http.server_close()
    backends.reset()


def manual(hour: int) -> str:
    lines = [
        f"El encargado revisa la caja número {n} y lo anota en el libro antes de las {hour} horas." for n in range(15)
    ]
    return "# Caja\n" + "\n".join(lines)


def lesson_said(hour: int, *, content: str = "") -> str:
    """A reply as asked for, with one question whose passage stands in the manual and one whose does not."""
    quote = f"El encargado revisa la caja número 3 y lo anota en el libro antes de las {hour} horas."
    asked = {"kind": "fill", "question": "Se anota antes de las ____ horas.", "answer": [str(hour)], "quote": quote}
    return json.dumps(
        {
            "summary": "El encargado revisa la caja y lo anota en el libro.",
            "content": content
            or f"## Cada noche\n\nEl encargado revisa la caja y lo anota antes de las **{hour} horas**.",
            "questions": [asked, asked | {"question": "¿Quién paga?", "quote": "Paga el encargado."}],
        }
    )


INVENTED = lesson_said(GOOD, content="El encargado cobra 90 euros de multa a quien llegue tarde al trabajo.")


@pytest.fixture
def document(organization: Organization) -> Document:
    return make_document(organization, "Manual de tienda", manual(GOOD))


@pytest.fixture
def draft(organization: Organization, document: Document, admin_membership: Membership) -> CourseDraft:
    with organization_scope(organization.pk):
        draft = drafts.propose(
            organization=organization, title="Tienda", documents=[document], created_by=admin_membership.user
        )
        drafts.start(draft)
    return draft


def written(organization: Organization, draft: CourseDraft) -> Lesson:
    draft_writing.run(organization.pk, draft.pk)
    with organization_scope(organization.pk):
        draft.refresh_from_db()
        assert draft.status == DraftStatus.DONE
        return Lesson.objects.prefetch_related("quiz_items", "sources").get()


def test_a_lesson_in_the_models_words_keeps_its_sources_and_its_questions_wait(organization, draft, endpoint):
    endpoint.replies = [f"Aquí tienes:\n```json\n{lesson_said(GOOD)}\n```"]
    lesson = written(organization, draft)
    assert "**22 horas**" in lesson.content
    assert [source.heading_path for source in lesson.sources.all()] == [["Caja"]]
    [item] = lesson.quiz_items.all()  # the one whose passage nobody wrote is left out
    assert (item.question, item.is_reviewed) == ("Se anota antes de las ____ horas.", False)
    [[instructions, asked]] = endpoint.asked
    assert "Responde solo con un objeto JSON" in instructions["content"]
    assert "número 14" in asked["content"]


def test_broken_json_is_asked_for_once_more_saying_what_was_wrong(organization, draft, endpoint):
    endpoint.replies = [lesson_said(GOOD)[:-40], lesson_said(GOOD)]
    assert "**22 horas**" in written(organization, draft).content
    assert len(endpoint.asked) == 2
    assert "Corrígelo y responde de nuevo" in endpoint.asked[1][-1]["content"]


@pytest.mark.parametrize("replies", [[INVENTED], ["no es JSON"], [INVENTED, "{}"]])
def test_what_the_document_does_not_say_is_refused_and_its_own_text_stays(organization, draft, endpoint, replies):
    endpoint.replies = list(replies)
    lesson = written(organization, draft)
    assert len(endpoint.asked) == 2
    assert "multa" not in lesson.content
    assert "caja número 14" in lesson.content


def test_what_was_invented_once_and_mended_is_kept(organization, draft, endpoint):
    endpoint.replies = [INVENTED, lesson_said(GOOD)]
    assert "**22 horas**" in written(organization, draft).content
    assert "El texto no dice esto: «El encargado cobra 90 euros" in endpoint.asked[1][-1]["content"]


def test_a_module_is_written_anew_by_the_model_compared_and_accepted_on_the_same_screens(
    organization, document, draft, endpoint, client_for, admin_membership
):
    endpoint.replies = [lesson_said(GOOD)]
    lesson = written(organization, draft)
    make_document(organization, text=manual(LATER), version_of=document)
    admin = client_for(admin_membership)
    with organization_scope(organization.pk):
        notice = UpdateNotice.objects.get()
    # The first reply still says what the old version did: it is not borne out any more.
    endpoint.replies = [lesson_said(GOOD), lesson_said(LATER)]
    admin.post(reverse("courses:regenerate_module", args=["acme", notice.pk, lesson.module_id]))
    with organization_scope(organization.pk):
        proposal = LessonProposal.objects.get()
    assert "caja número 14" in proposal.content  # the document's own words until the model has written
    page = reverse("courses:proposal", args=["acme", proposal.pk])
    proposal_writing.rewrite(organization.pk, proposal.pk)
    html = admin.get(page).text
    assert "Redactado por un modelo de lenguaje y comprobado frase a frase" in html
    assert "El texto no dice esto" in endpoint.asked[-1][-1]["content"]
    with organization_scope(organization.pk):
        lesson.refresh_from_db()
        assert "**22 horas**" in lesson.content  # nothing is taught before somebody accepts it
    admin.post(reverse("courses:accept_proposal", args=["acme", proposal.pk]))
    with organization_scope(organization.pk):
        lesson.refresh_from_db()
        assert "**21 horas**" in lesson.content


def test_a_proposal_that_the_document_does_not_bear_out_keeps_its_words(
    organization, document, draft, endpoint, client_for, admin_membership
):
    endpoint.replies = [lesson_said(GOOD)]
    lesson = written(organization, draft)
    make_document(organization, text=manual(LATER), version_of=document)
    endpoint.replies = [INVENTED]
    with organization_scope(organization.pk):
        notice = UpdateNotice.objects.get()
    admin = client_for(admin_membership)
    admin.post(reverse("courses:regenerate_module", args=["acme", notice.pk, lesson.module_id]))
    with organization_scope(organization.pk):
        proposal = LessonProposal.objects.get()
    proposal_writing.rewrite(organization.pk, proposal.pk)
    html = admin.get(reverse("courses:proposal", args=["acme", proposal.pk])).text
    assert "Redactado por un modelo" not in html
    assert "multa" not in html

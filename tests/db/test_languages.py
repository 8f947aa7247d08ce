"""Every screen and e-mail in the language of whoever reads it."""

import re
from datetime import timedelta
from functools import cache
from html.parser import HTMLParser

import polib
import pytest
from django.conf import settings
from django.core import mail as outbox
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from courses import enrolling, reminders
from courses.models import Enrolment
from documents.models import Document, DocumentVersion, Status
from documents.parsing import notices
from documents.templatetags.documents import warning_text
from skillnet import invitations, mail_jobs
from skillnet.models import User
from skillnet.tenancy import organization_scope
from tests.db.isolation.addresses import all_routes
from tests.db.isolation.worlds import make_world
from tests.factories import make_course, make_document, make_version
from tests.unit.source_texts import ROOT, is_spanish

ROUTES = [route for route in all_routes() if route.is_of_organizations]
PLAIN = [route for route in ROUTES if route.names == {"slug"}]
OWN = ["/cuenta/", "/cuenta/sesiones/", "/cuenta/dos-pasos/", "/cuenta/password/change/", "/cuenta/logout/"]
STRANGERS = ["/cuenta/login/", "/cuenta/password/reset/", "/invitacion/nada/", "/no-existe/"]
BY_THEIR_OWN_NAMES = {"Español", "Português"}
NAMES_OF_THINGS = frozenset({"Curso", "Texto", "Todo"})  # of test data, and source strings as well


class _Texts(HTMLParser):
    """What a page shows or reads out."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        shown = [value for name, value in attrs if name in ("aria-label", "title", "placeholder", "alt") and value]
        self.texts.update(shown)

    def handle_data(self, data: str) -> None:
        self.texts.add(" ".join(data.split()))


@cache
def only_spanish(language: str) -> frozenset[str]:
    """Source strings that a page in the language never shows."""
    entries = polib.pofile(str(ROOT / "locale" / language / "LC_MESSAGES" / "django.po"))
    return frozenset(entry.msgid for entry in entries) - {entry.msgstr for entry in entries}


def spanish_in(page: str, language: str) -> set[str]:
    """Texts of a page that the catalogue says otherwise, and in English those that look Spanish."""
    texts = _Texts(page).texts - BY_THEIR_OWN_NAMES
    return {text for text in texts if text in only_spanish(language) or (language == "en" and is_spanish(text))}


@pytest.fixture(autouse=True)
def _language_ends_with_the_test():
    with translation.override(settings.LANGUAGE_CODE):
        yield


@pytest.fixture
def reads(client_for, admin_membership):
    """Logs the administrator in, reading a language."""

    def log_in(language: str) -> Client:
        User.objects.filter(pk=admin_membership.user_id).update(language=language)
        return client_for(admin_membership)

    return log_in


@pytest.mark.parametrize("language", ["en", "pt"])
def test_no_screen_of_an_organization_keeps_spanish(reads, organization, language):
    client, seen = reads(language), 0
    for place in [*OWN, *(route.address({"slug": organization.slug}) for route in PLAIN)]:
        response = client.get(place)
        if response.status_code == 200 and not response.streaming and response["Content-Type"].startswith("text/html"):
            assert spanish_in(response.text, language) == set(), place
            assert f'lang="{language}"' in response.text or "<html" not in response.text
            seen += 1
    assert seen > 20


def test_no_screen_about_something_keeps_spanish(client_for, other_organization):
    """As far as English goes, in an organization that has something of everything, all in Spanish."""
    world, seen = make_world(other_organization, "esmeralda"), 0
    User.objects.filter(pk=world.admin.user_id).update(language="en")
    client = client_for(world.admin)
    for route in ROUTES:
        if len(route.names) > 1:
            place = route.address({"slug": other_organization.slug, **world.ids})
            response = client.get(place)
            if (
                response.status_code == 200
                and not response.streaming
                and response["Content-Type"].startswith("text/html")
            ):
                assert _Texts(response.text).texts & only_spanish("en") - NAMES_OF_THINGS == set(), place
                seen += 1
    assert seen > 20


@pytest.mark.parametrize("language", ["en", "pt"])
@pytest.mark.parametrize("place", STRANGERS)
def test_a_stranger_reads_what_their_browser_asks_for(client, db, place, language):
    response = client.get(place, headers={"accept-language": f"{language}-XX,fr;q=0.5"})
    assert f'<html lang="{language}"' in response.text
    assert spanish_in(response.text, language) == set()


def test_spanish_is_for_browsers_that_ask_for_none_of_ours(client, db):
    assert '<html lang="es"' in client.get("/cuenta/login/", headers={"accept-language": "fi"}).text


def test_a_stranger_chooses_a_language_at_the_foot_of_the_page(client, db):
    chosen = client.post(reverse("set_language"), {"language": "pt", "next": "/cuenta/login/"}, follow=True)
    assert '<html lang="pt"' in chosen.text
    assert "Palavra-passe" in chosen.text


def test_the_account_decides_for_who_is_logged_in(reads):
    page = reads("en").get("/cuenta/", headers={"accept-language": "pt"}).text
    assert "My account" in page
    assert 'name="language"' in page


def test_a_new_person_keeps_the_language_in_which_they_accepted(client, organization, admin_membership, monkeypatch):
    monkeypatch.setattr(mail_jobs, "close_old_connections", lambda: None)
    with organization_scope(organization.pk):
        invitation = invitations.invite(
            organization=organization, invited_by=admin_membership.user, email="nuria@acme.example", clearance=1
        )
    mail_jobs.send_invitation(organization.pk, invitation.pk)
    link = re.search(r"/invitacion/\S+", outbox.outbox[0].body)[0]
    secret = "a long and quiet phrase"
    sent = {"first_name": "Nuria", "last_name": "Sol", "password": secret, "repeated": secret}
    client.post(reverse("set_language"), {"language": "en", "next": link})
    client.post(link, sent)
    assert User.objects.get(email="nuria@acme.example").language == "en"


def test_a_reminder_is_written_in_the_language_of_who_gets_it(organization, employee_membership):
    User.objects.filter(pk=employee_membership.user_id).update(language="en")
    with organization_scope(organization.pk):
        course = make_course(organization, "Caja", lessons=["Arqueo"])
        enrolling.enrol(course=course, user_ids=[employee_membership.user_id])
        Enrolment.objects.update(due_on=timezone.localdate() + timedelta(days=2))
    reminders.send_all_pending(organization.pk)
    [message] = outbox.outbox
    assert message.subject.startswith("Finish “Caja” before ")
    assert "You have done 0 of 1 lessons." in message.body
    assert '<html lang="en">' in message.alternatives[0][0]


def test_why_a_file_failed_is_told_in_the_readers_language(reads, organization):
    with organization_scope(organization.pk):
        document = Document.objects.create(organization=organization, title="Manual")
        version = make_version(document, status=Status.FAILED)
        reason = "No se ha podido leer esta página."  # any source string, as it is stored
        DocumentVersion.objects.filter(pk=version.pk).update(error_code="damaged", error_message=reason)
    page = reads("pt").get(f"/o/{organization.slug}/documentos/").text
    assert "Não foi possível ler esta página." in page


def test_a_warning_of_the_reading_is_told_in_the_readers_language(reads, organization):
    document = make_document(organization, "Manual", "# Manual\nTexto del manual.")
    warning = notices.warning("pages_without_text", count=2, total=9)
    stored = {"code": warning.code, "message": warning.message, "page": None, "values": warning.values}
    with organization_scope(organization.pk):
        DocumentVersion.objects.filter(document=document).update(warnings=[stored])
    page = reads("en").get(reverse("documents:coverage", args=[organization.slug, document.pk])).text
    assert "2 of 9 pages have no text and cannot be searched." in page


def test_a_warning_stored_without_its_values_stays_as_it_was():
    stored = {"code": "pages_without_text", "message": "2 de 9 páginas no tienen texto.", "page": None}
    assert warning_text(stored) == "2 de 9 páginas no tienen texto."

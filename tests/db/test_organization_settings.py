"""How an organization looks to its people."""

import re

import pytest
from django.core import mail
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.html import strip_tags

from skillnet import invitation_mail, invitations
from skillnet.appearance import LOGO_BYTES, appearance_of
from skillnet.models import AuditEntry, Organization, Role, User
from skillnet.tenancy import organization_scope
from tests.factories import make_course, make_member

PAGE = "/o/acme/ajustes/"
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 40


def give(client, **fields):
    return client.post(PAGE, {"name": "Acme", "accent": "teal", "language": "es", **fields})


def image(content: bytes = PNG, name: str = "logo.png") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content, content_type="image/png")


@pytest.fixture
def admin(client_for, admin_membership):
    return client_for(admin_membership)


@pytest.mark.parametrize(
    "address",
    [
        "ajustes-de-busqueda/",
        "buscar/glosario/",
        "evaluacion/",
        "evaluacion/preguntas/",
    ],
)
def test_every_page_of_settings_says_that_it_is_one(admin, client_for, organization, address):
    page = " ".join(admin.get(f"/o/acme/{address}").content.decode().split())
    assert '<li><a href="/o/acme/ajustes/">Ajustes</a></li>' in page.split('class="breadcrumbs"')[1].split("</nav>")[0]


def test_settings_are_in_the_navigation_of_administrators_alone(admin, client_for, organization, employee_membership):
    def navigation(client, address: str) -> str:
        return client.get(f"/o/acme/{address}").content.decode().split('class="site-nav"')[1].split("</nav>")[0]

    assert 'href="/o/acme/ajustes/"' in navigation(admin, "cursos/")
    assert 'href="/o/acme/ajustes/" aria-current="true"' in navigation(admin, "ajustes/")
    editor = client_for(make_member(organization, "eva@acme.example", Role.EDITOR))
    assert "ajustes" not in navigation(editor, "cursos/") + navigation(client_for(employee_membership), "cursos/")
    assert "ajustes" not in editor.get("/o/acme/buscar/glosario/").content.decode()  # the way leads elsewhere for them


def test_only_the_section_that_a_page_belongs_to_is_the_present_one(admin, organization):
    with organization_scope(organization.pk):
        course = make_course(organization, "Cajas")
    places = {
        f"cursos/{course.pk}/editar/": "Cursos",
        f"cursos/{course.pk}/borrar/": "Cursos",
        "documentos/": "Documentos",
        "buscar/": "Documentos",
        "buscar/glosario/": "Ajustes",
        "evaluacion/preguntas/": "Ajustes",
        "tutor/": "Tutor",
        "tutor/conversaciones/": "Tutor",
        "tutor/faq/nueva/": "FAQ",
        "tutor/huecos/": "Preguntas",
        "tutor/ajustes/": "Preguntas",
        "personas/seguridad/": "Personas",
    }
    for address, section in places.items():
        navigation = admin.get(f"/o/acme/{address}").content.decode().split('class="site-nav"')[1].split("</nav>")[0]
        present = re.findall(r'aria-current="true">(.*?)</a>', navigation, re.DOTALL)
        assert [strip_tags(words).strip() for words in present] == [section], address


def test_name_and_colour_are_seen_on_every_page(admin, client_for, organization, employee_membership):
    assert give(admin, name="Bicis del Norte", accent="blue").status_code == 302
    page = client_for(employee_membership).get("/o/acme/cursos/").content.decode()
    assert 'data-accent="blue"' in page
    assert "Bicis del Norte" in page
    with organization_scope(organization.pk):
        assert AuditEntry.objects.get().detail.endswith("→ Bicis del Norte")


def test_its_language_is_that_of_invitations_and_of_who_is_new(admin, client, organization, admin_membership):
    give(admin, language="pt")
    organization.refresh_from_db()
    with organization_scope(organization.pk):
        assert AuditEntry.objects.get().detail == "es → pt"
        invitation = invitations.invite(
            organization=organization, invited_by=admin_membership.user, email="ana@acme.example", clearance=2
        )
        assert invitation_mail.send(invitation.pk)
    address = re.search(r"https?://[^/\s]+(/\S+)", mail.outbox[0].body)[1]
    page = client.get(address, headers={"accept-language": "es"})
    assert 'lang="pt"' in page.content.decode()
    given = {"first_name": "Ana", "password": "uma frase bem longa", "repeated": "uma frase bem longa"}
    client.post(address, given, headers={"accept-language": "es"})
    assert User.objects.get(email="ana@acme.example").language == "pt"


def test_who_has_chosen_a_language_on_the_page_keeps_it(client, organization, admin_membership):
    organization.settings = {"language": "pt"}
    organization.save()
    with organization_scope(organization.pk):
        invitation = invitations.invite(
            organization=organization, invited_by=admin_membership.user, email="ana@acme.example", clearance=2
        )
        invitation_mail.send(invitation.pk)
    address = re.search(r"https?://[^/\s]+(/\S+)", mail.outbox[0].body)[1]
    client.post("/idioma/", {"language": "en", "next": address})
    assert 'lang="en"' in client.get(address).content.decode()


def test_a_language_that_is_not_offered_is_refused(admin, organization):
    assert give(admin, language="tlh").status_code == 422
    organization.settings = {"language": "tlh"}
    assert organization.language == "es"


def test_the_logo_is_for_members_and_goes_when_another_comes(
    admin, client_for, client, organization, employee_membership, other_organization, django_capture_on_commit_callbacks
):
    give(admin, logo=image())
    first = appearance_of(Organization.objects.get(slug="acme"))
    address = f"/o/acme/logo/{first.logo_id}/"
    employee = client_for(employee_membership)
    assert address in employee.get("/o/acme/cursos/").content.decode()
    answer = employee.get(address)
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("image/png", "nosniff")
    assert b"".join(answer.streaming_content) == PNG
    stranger = client_for(make_member(other_organization, "otra@otra.example", Role.ADMIN))
    assert stranger.get(address).status_code == 404
    assert stranger.get(f"/o/otra/logo/{first.logo_id}/").status_code == 404
    with django_capture_on_commit_callbacks(execute=True):
        give(admin, drops_logo="on")
    assert not default_storage.exists(first.logo)
    assert employee.get(address).status_code == 404


@pytest.mark.parametrize("content", [b"<svg onload='x'/>", b"GIF89a", PNG + b"0" * LOGO_BYTES])
def test_what_is_no_small_picture_is_refused_at_its_field(admin, content):
    answer = give(admin, logo=image(content))
    assert answer.status_code == 422
    assert "PNG, JPEG o WebP de 200 kB" in answer.content.decode()
    assert appearance_of(Organization.objects.get(slug="acme")).logo == ""


def test_other_settings_stay_as_they_are(admin, organization):
    Organization.objects.filter(pk=organization.pk).update(settings={"tutor": {"hides_names": True}})
    give(admin, accent="red")
    assert Organization.objects.get(slug="acme").settings["tutor"] == {"hides_names": True}


def test_employees_and_editors_set_nothing(client_for, organization, employee_membership):
    editor = make_member(organization, "eva@acme.example", Role.EDITOR)
    for membership in (employee_membership, editor):
        assert give(client_for(membership), name="Mía").status_code == 404

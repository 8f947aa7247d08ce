"""Who is shown which documents, and what the others are told."""

import pytest
from django.urls import reverse

from documents.models import Audience, Document
from skillnet.models import Classification, Membership, Role
from skillnet.tenancy import organization_scope
from tests import factories
from tests.db.document_screens.browsing import MANUAL, address


@pytest.mark.parametrize("name", ["list", "upload"])
def test_employees_are_told_that_the_list_does_not_exist(employee, name):
    assert employee.get(address(name)).status_code == 404


@pytest.mark.parametrize("name", ["coverage", "fragments", "versions", "edit", "delete", "upload_version", "state"])
def test_employees_do_not_see_how_documents_are_managed(employee, manual, name):
    assert employee.get(address(name, manual.pk)).status_code == 404


def test_employees_read_a_document_that_is_for_everyone(employee, manual):
    html = employee.get(address("detail", manual.pk)).content.decode()
    assert "Cuenta el efectivo antes de abrir." in html
    assert "Borrar" not in html


def test_what_a_person_may_not_read_does_not_exist_for_them(employee, organization, manual, pdf_version):
    with organization_scope(organization.pk):
        Document.objects.filter(pk=manual.pk).update(classification=Classification.CONFIDENTIAL)
        Document.objects.filter(pk=pdf_version.document_id).update(audience=Audience.GROUPS)
    hidden = [
        address("detail", manual.pk),
        address("download", manual.pk, 1),
        address("page", pdf_version.document_id, 1, 1),
        address("page_image", pdf_version.document_id, 1, 1),
    ]
    assert {employee.get(url).status_code for url in hidden} == {404}


def test_employees_get_only_the_version_that_is_served(employee, admin, organization, manual):
    factories.make_document(organization, text=MANUAL + "Segunda.", version_of=manual)
    assert employee.get(address("download", manual.pk, 1)).status_code == 404
    assert employee.get(address("download", manual.pk, 2)).status_code == 200
    assert admin.get(address("download", manual.pk, 1)).status_code == 200


def test_another_organization_finds_nothing(client_for, other_organization, manual):
    stranger = client_for(factories.make_member(other_organization, "jefa@otra.example", Role.ADMIN))
    assert stranger.get(address("detail", manual.pk)).status_code == 404
    foreign = reverse("documents:detail", args=["otra", manual.pk])
    assert stranger.get(foreign).status_code == 404


def test_what_does_not_exist_gets_a_readable_page_or_a_readable_fragment(employee, manual):
    page = employee.get(address("list")).content.decode()
    assert "No encontramos esta página" in page
    assert "Mis cursos" in page  # the way on
    fragment = employee.get(address("row", 1), headers={"HX-Request": "true"}).content.decode()
    assert "data-error-text" in fragment
    assert "<html" not in fragment


def test_the_header_switches_between_ones_own_organizations_alone(admin, admin_membership, other_organization):
    factories.make_organization("ajena", "Empresa ajena")
    assert "Cambiar de organización" not in admin.get(address("list")).content.decode()
    Membership.objects.create(organization=other_organization, user=admin_membership.user)
    html = admin.get(address("list")).content.decode()
    assert "Cambiar de organización" in html
    assert 'href="/o/otra/"' in html
    assert "Empresa ajena" not in html

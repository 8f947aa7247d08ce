"""Documents in the browser: what is shown, to whom, and what uploads answer."""

import numpy as np
import pymupdf
import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from documents import page_images
from documents.models import Audience, Document, DocumentVersion, ParsedContent, Status
from documents.page_images import PageTooCostly, render_page
from documents.parsing.limits import DrawLimits
from skillnet.models import Classification, Membership, Role
from skillnet.tenancy import organization_scope
from tests import factories
from tests.unit.parsing_files import page_that_takes_ages

MANUAL = """# Manual de caja
## Apertura
Cuenta el efectivo antes de abrir.
[p2]
## Cierre
Firma el arqueo al cerrar.
"""


@pytest.fixture
def admin(client_for, admin_membership):
    return client_for(admin_membership)


@pytest.fixture
def employee(client_for, employee_membership):
    return client_for(employee_membership)


@pytest.fixture
def manual(organization):
    return factories.make_document(organization, title="Manual de caja", text=MANUAL)


@pytest.fixture
def pdf_version(organization):
    """A document of two drawn pages, the second empty."""
    with pymupdf.open() as file:
        file.new_page(width=300, height=400).insert_text((40, 80), "Arqueo de caja")
        file.new_page(width=300, height=400)
        content = file.tobytes()
    with organization_scope(organization.pk):
        document = Document.objects.create(organization=organization, title="Impreso")
        version = DocumentVersion(
            organization=organization, document=document, number=1, file_name="arqueo «1».pdf",
            sha256="a" * 64, size=len(content), media_type="application/pdf", page_count=2,
            status=Status.READY, pages_without_text=[2],
        )  # fmt: skip
        version.file.save("arqueo.pdf", ContentFile(content), save=False)
        version.save()
        document.active_version = version
        document.save()
        return version


def address(name, *args):
    return reverse(f"documents:{name}", args=["acme", *args])


def set_status(organization, document, status, **fields):
    with organization_scope(organization.pk):
        document.versions.update(status=status, **fields)
        return document.versions.get()


def picture(png):
    """An image as rows of pixels of red, green and blue."""
    drawn = pymupdf.Pixmap(png)
    return np.frombuffer(drawn.samples, dtype=np.uint8).reshape(drawn.height, drawn.width, 3)


def upload(client, *files, htmx=False, **data):
    headers = {"HX-Request": "true"} if htmx else {}
    sent = [SimpleUploadedFile(name, content) for name, content in files]
    return client.post(address("upload"), {"uploads": sent, **data}, headers=headers)


# --- the list


def test_the_list_shows_each_document_once_with_its_newest_version(admin, organization, manual):
    factories.make_document(organization, text=MANUAL + "Nuevo.", version_of=manual)
    html = admin.get(address("list")).content.decode()
    assert html.count('id="version-') == 1
    assert "Listo" in html


def test_the_list_needs_few_queries_however_long_it_is(admin, organization, django_assert_max_num_queries):
    with organization_scope(organization.pk):
        for number in range(30):
            document = Document.objects.create(organization=organization, title=f"Norma {number}")
            DocumentVersion.objects.create(
                organization=organization, document=document, number=1, sha256=f"{number:064}", size=1
            )
    admin.get(address("list"))  # the first visit is noted
    with django_assert_max_num_queries(17):
        html = admin.get(address("list")).content.decode()
    assert html.count('id="version-') == 25
    assert "Página 1 de 2" in html


def test_search_and_filter_narrow_the_list(admin, organization, manual):
    other = factories.make_document(organization, title="Guía de limpieza", text="# Limpieza\nLimpia cada noche.")
    set_status(organization, other, Status.FAILED, error_message="El archivo está dañado.")
    assert "Guía de limpieza" not in admin.get(address("list"), {"q": "caja"}).content.decode()
    problems = admin.get(address("list"), {"estado": "problemas"}).content.decode()
    assert "Guía de limpieza" in problems
    assert "El archivo está dañado." in problems
    assert "Manual de caja" not in problems
    assert "Ningún documento coincide" in admin.get(address("list"), {"q": "xyz"}).content.decode()


def test_an_empty_list_says_what_to_do_next(admin):
    assert "Sube tu primer manual" in admin.get(address("list")).content.decode()


def test_an_unfinished_row_asks_for_itself_again_and_a_final_one_stops(admin, organization, manual):
    version = set_status(organization, manual, Status.PARSING, progress_done=12, progress_total=80)
    row = admin.get(address("row", version.pk)).content.decode()
    assert 'hx-trigger="every 2s"' in row
    assert "Página 12 de 80" in row
    assert "Cancelar" in row
    set_status(organization, manual, Status.READY)
    row = admin.get(address("row", version.pk)).content.decode()
    assert "hx-trigger" not in row
    assert "Listo" in row


@pytest.mark.parametrize(
    ("status", "words"), [(Status.EMBEDDING, "Fragmento 64 de 210"), (Status.PENDING, "Esperando su turno")]
)
def test_progress_is_told_in_plain_words(admin, organization, manual, status, words):
    version = set_status(organization, manual, status, progress_done=64, progress_total=210)
    assert words in admin.get(address("row", version.pk)).content.decode()


# --- who may see what


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


# --- uploads


@pytest.mark.parametrize("htmx", [True, False])
def test_each_file_of_an_upload_gets_its_own_answer(admin, organization, htmx):
    upload(admin, ("antes.txt", b"Ya estaba aqui."))
    response = upload(
        admin,
        ("nuevo.txt", b"Texto nuevo."),
        ("vacio.txt", b""),
        ("copia.txt", b"Ya estaba aqui."),
        htmx=htmx,
    )
    html = response.content.decode()
    assert response.status_code == 200
    assert html.count("Recibido") == 1
    assert "está vacío" in html
    assert "ya lo tienes en" in html
    assert ("<html" in html) is not htmx
    with organization_scope(organization.pk):
        assert set(Document.objects.values_list("title", flat=True)) == {"antes", "nuevo"}


def test_an_upload_of_nothing_is_explained_with_422(admin):
    response = admin.post(address("upload"), {})
    assert response.status_code == 422
    assert "Elige al menos un archivo" in response.content.decode()


def test_too_many_files_at_once_are_refused(admin, settings):
    settings.SKILLNET_UPLOAD_MAX_FILES = 1
    response = upload(admin, ("a.txt", b"a"), ("b.txt", b"b"), htmx=True)
    assert response.status_code == 422
    assert "como mucho 1 archivo" in response.content.decode()


def test_an_upload_takes_the_chosen_classification(admin, organization):
    upload(admin, ("nominas.txt", b"Salarios."), classification=Classification.CONFIDENTIAL)
    with organization_scope(organization.pk):
        assert Document.objects.get().classification == Classification.CONFIDENTIAL


def test_an_editor_learns_nothing_of_a_hidden_document_by_uploading_its_copy(client_for, organization, admin):
    upload(admin, ("nominas-2026.txt", b"Salarios."), classification=Classification.CONFIDENTIAL)
    editor = client_for(factories.make_member(organization, "editora@acme.example", Role.EDITOR))
    html = upload(editor, ("copia.txt", b"Salarios.")).content.decode()
    assert "nominas 2026" not in html
    assert "ya está subido" in html


def test_an_editor_cannot_hide_a_document_from_themselves(client_for, organization):
    editor = client_for(factories.make_member(organization, "editora@acme.example", Role.EDITOR))
    response = upload(editor, ("a.txt", b"a"), classification=Classification.CONFIDENTIAL)
    assert response.status_code == 422


def test_a_new_version_is_announced_and_the_same_file_is_not(admin, organization, manual):
    url = address("upload_version", manual.pk)
    file = SimpleUploadedFile("caja.txt", b"Version dos.")
    assert "Versión 2 recibida" in admin.post(url, {"file": file}, follow=True).content.decode()
    file = SimpleUploadedFile("caja.txt", b"Version dos.")
    assert "mismo archivo" in admin.post(url, {"file": file}, follow=True).content.decode()
    empty = admin.post(url, {"file": SimpleUploadedFile("caja.txt", b"")})
    assert empty.status_code == 422
    assert "está vacío" in empty.content.decode()


# --- actions


def test_a_failed_version_can_be_tried_again(admin, organization, manual):
    version = set_status(organization, manual, Status.FAILED)
    assert admin.get(address("retry", version.pk)).status_code == 405
    admin.post(address("retry", version.pk))
    with organization_scope(organization.pk):
        version.refresh_from_db()
        assert version.status == Status.PENDING


def test_a_running_version_can_be_cancelled(admin, organization, manual):
    version = set_status(organization, manual, Status.PARSING)
    asked = admin.get(address("cancel", version.pk)).content.decode()
    assert "¿Cancelar la lectura de «Manual de caja»?" in asked
    assert "La versión 1 seguirá en uso" in asked
    with organization_scope(organization.pk):
        version.refresh_from_db()
        assert not version.cancel_requested  # asking is not doing
    assert admin.post(address("cancel", version.pk)).url == address("list")
    assert "Cancelando…" in admin.get(address("row", version.pk)).content.decode()


def test_what_has_ended_meanwhile_is_not_cancelled(admin, manual):
    version_id = manual.active_version_id
    page = admin.post(address("cancel", version_id), follow=True).content.decode()
    assert "ya había terminado" in page


def test_a_row_says_why_a_document_is_ready_with_warnings(admin, organization, manual):
    version = set_status(
        organization,
        manual,
        Status.READY_WITH_WARNINGS,
        warnings=[
            {"code": "pages_without_text", "message": "", "page": None, "values": {"count": 4, "total": 10}},
            {"code": "repaired", "message": "El archivo estaba dañado.", "page": None, "values": {}},
        ],
    )
    row = admin.get(address("row", version.pk)).content.decode()
    assert "4 de 10 páginas no tienen texto" in row
    assert "Ver este y 1 aviso más" in row
    assert address("coverage", manual.pk) in row


def test_actions_never_lead_to_another_site(admin, organization, manual):
    version = set_status(organization, manual, Status.PARSING)
    response = admin.post(address("cancel", version.pk), {"volver": "https://elsewhere.example/"})
    assert response.url == address("list")


def test_deleting_asks_first_and_says_what_it_affects(admin, organization, manual):
    page = admin.get(address("delete", manual.pk)).content.decode()
    assert "Ningún curso lo usa" in page
    response = admin.post(address("delete", manual.pk), follow=True)
    assert "se ha borrado" in response.content.decode()
    with organization_scope(organization.pk):
        assert not Document.objects.exists()


def test_a_title_given_by_hand_stays(admin, organization, manual):
    data = {"title": "Caja y cambio", "classification": 2, "audience": "everyone"}
    assert "Caja y cambio" in admin.post(address("edit", manual.pk), data, follow=True).content.decode()
    with organization_scope(organization.pk):
        assert Document.objects.get().title_is_given


# --- a document


def test_text_is_shown_with_outline_and_page_marks(admin, manual, django_assert_max_num_queries):
    with django_assert_max_num_queries(17):
        html = admin.get(address("detail", manual.pk)).content.decode()
    assert 'id="pagina-2"' in html
    assert "<h3" in html
    assert "Firma el arqueo al cerrar." in html
    assert 'href="#b' in html


def test_a_long_text_comes_in_parts_and_a_page_opens_its_part(admin, organization, manual):
    paragraphs = [
        {"kind": "paragraph", "text": f"Párrafo {n}.", "page": n // 10 + 1, "heading_path": []} for n in range(450)
    ]
    with organization_scope(organization.pk):
        ParsedContent.objects.filter(version__document=manual).update(blocks=paragraphs)
    first = admin.get(address("detail", manual.pk)).content.decode()
    assert "Párrafo 199." in first
    assert "Párrafo 200." not in first
    assert "Parte 1 de 3" in first
    assert "Párrafo 400." in admin.get(address("detail", manual.pk), {"pagina": 41}).content.decode()
    assert admin.get(address("detail", manual.pk), {"parte": "99"}).status_code == 200
    assert admin.get(address("detail", manual.pk), {"parte": "x"}).status_code == 200


def test_coverage_names_the_pages_without_text(admin, organization, pdf_version):
    with organization_scope(organization.pk):
        pdf_version.warnings = [{"code": "x", "message": "Hay texto oculto.", "page": 1}]
        pdf_version.save()
    html = admin.get(address("coverage", pdf_version.document_id)).content.decode()
    assert "1 de 2 páginas con texto" in html
    assert "Hay texto oculto." in html
    assert address("page", pdf_version.document_id, 1, 2) in html


def test_fragments_can_be_searched(admin, manual):
    every = admin.get(address("fragments", manual.pk)).content.decode()
    assert "efectivo" in every
    nothing = admin.get(address("fragments", manual.pk), {"q": "aspirador"}).content.decode()
    assert "Nada con «aspirador»" in nothing


def test_the_original_is_offered_to_save_and_never_shown(admin, pdf_version):
    response = admin.get(address("download", pdf_version.document_id, 1))
    assert response["Content-Disposition"].startswith("attachment")
    assert response["Content-Type"] == "application/octet-stream"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert b"".join(response.streaming_content).startswith(b"%PDF")


def test_a_page_is_drawn_and_asked_for_again_only_when_it_changed(admin, pdf_version):
    url = address("page_image", pdf_version.document_id, 1, 1)
    response = admin.get(url)
    assert response["Content-Type"] == "image/png"
    assert response.content.startswith(b"\x89PNG")
    assert "private" in response["Cache-Control"]
    assert admin.get(url, headers={"If-None-Match": response["ETag"]}).status_code == 304
    assert admin.get(address("page_image", pdf_version.document_id, 1, 3)).status_code == 404


def test_pages_of_other_formats_have_no_image_but_text(admin, manual):
    assert admin.get(address("page_image", manual.pk, 1, 1)).status_code == 404
    assert "Firma el arqueo" in admin.get(address("page", manual.pk, 1, 2)).content.decode()
    assert admin.get(address("page", manual.pk, 1, 9)).status_code == 404


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_marks_cover_the_words_however_the_page_is_turned_and_cropped(organization, pdf_version, rotation):
    with pymupdf.open() as file:
        page = file.new_page(width=300, height=400)
        page.insert_text((60, 100), "Arqueo", fontsize=20)
        page.set_cropbox(pymupdf.Rect(20, 30, 280, 380))
        page.set_rotation(rotation)
        content = file.tobytes()
    with pymupdf.open("pdf", content) as file:
        word = file[0].get_text("words")[0][:4]
    with organization_scope(organization.pk):
        pdf_version.file.save("girado.pdf", ContentFile(content))
        plain = picture(render_page(pdf_version, 1))
        marked = picture(render_page(pdf_version, 1, [word]))
    ink = plain.min(axis=2) < 100
    is_marked = marked[..., 0].astype(int) - marked[..., 2] > 50
    assert is_marked.any()
    assert is_marked.mean() < 0.05  # the word, not the page
    rows, columns = np.where(is_marked)
    word_rows, word_columns = np.where(ink)
    assert rows.min() <= word_rows.min() <= word_rows.max() <= rows.max()
    assert columns.min() <= word_columns.min() <= word_columns.max() <= columns.max()


def test_marks_outside_the_page_are_left_out(organization, pdf_version):
    with organization_scope(organization.pk):
        marked = picture(render_page(pdf_version, 1, [[-50, -50, -10, -10], [290, 390, 900, 900]]))
    assert (marked[0, 0] == 255).all()
    assert marked[-1, -1, 2] < 200


def test_a_damaged_file_has_no_image_and_no_traceback(admin, organization, pdf_version):
    with organization_scope(organization.pk):
        pdf_version.file.save("roto.pdf", ContentFile(b"no es un PDF"))
    assert admin.get(address("page_image", pdf_version.document_id, 1, 1)).status_code == 404


def test_a_page_that_takes_too_long_says_so_at_once_the_next_time(admin, organization, pdf_version, monkeypatch):
    url = address("page_image", pdf_version.document_id, 1, 1)
    with organization_scope(organization.pk):
        pdf_version.file.save("pesado.pdf", ContentFile(page_that_takes_ages()))
    monkeypatch.setattr(page_images, "LIMITS", DrawLimits(seconds=0.5))
    assert "Lee su texto" in admin.get(url).content.decode()
    monkeypatch.setattr(page_images, "LIMITS", DrawLimits())
    with organization_scope(organization.pk):
        pdf_version.file.delete(save=False)  # nobody opens it any more
        pdf_version.refresh_from_db()
        with pytest.raises(PageTooCostly):
            render_page(pdf_version, 1, [[0, 0, 10, 10]])
    assert admin.get(url).status_code == 404


def test_a_page_drawn_a_short_while_ago_is_not_drawn_again_but_another_mark_is_seen(organization, pdf_version):
    with organization_scope(organization.pk):
        plain, marked = render_page(pdf_version, 1), render_page(pdf_version, 1, [[0, 0, 10, 10]])
        assert plain != marked
        pdf_version.file.storage.delete(pdf_version.file.name)
        assert render_page(pdf_version, 1) == plain
        assert render_page(pdf_version, 1, [[0, 0, 10, 10]]) == marked


def test_who_finds_the_drawing_process_taken_is_asked_to_come_again(admin, pdf_version, monkeypatch):
    monkeypatch.setattr(page_images, "WAIT_SECONDS", 0.01)
    url = address("page_image", pdf_version.document_id, 1, 1)
    with page_images._drawer_lock:
        response = admin.get(url)
    assert response.status_code == 503
    assert "Vuelve a intentarlo" in response.content.decode()
    assert admin.get(url).status_code == 200


class RemoteStorage(Storage):
    """A storage without a file system."""

    def __init__(self):
        self._files = {}

    def _save(self, name, content):
        self._files[name] = content.read()
        return name

    def _open(self, name, mode="rb"):
        return ContentFile(self._files[name], name)

    def exists(self, name):
        return name in self._files


def test_pages_are_drawn_from_storages_without_a_file_system(organization, pdf_version, monkeypatch):
    content = pdf_version.file.read()
    monkeypatch.setattr(DocumentVersion._meta.get_field("file"), "storage", RemoteStorage())
    with organization_scope(organization.pk):
        version = DocumentVersion.objects.get(pk=pdf_version.pk)
        version.file.save("lejos.pdf", ContentFile(content))
        assert picture(render_page(version, 1)).min() < 100

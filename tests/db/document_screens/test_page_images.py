"""Pages drawn as images, with what they mark."""

import numpy as np
import pymupdf
import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import Storage

from documents import page_images
from documents.models import DocumentVersion
from documents.page_images import PageTooCostly, render_page
from documents.parsing.limits import DrawLimits
from skillnet.tenancy import organization_scope
from tests.db.document_screens.browsing import address
from tests.unit.parsing_files import page_that_takes_ages


def picture(png):
    """An image as rows of pixels of red, green and blue."""
    drawn = pymupdf.Pixmap(png)
    return np.frombuffer(drawn.samples, dtype=np.uint8).reshape(drawn.height, drawn.width, 3)


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

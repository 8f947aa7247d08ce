"""The upload screen: one line a file whatever becomes of it, videos by their address, and what each line says later."""

import errno
import re

import pytest
from django.core.files.storage import FileSystemStorage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from courses.models import Course
from documents import ingestion, transcripts
from documents.full_text import full_text_of
from documents.models import Document, DocumentVersion, Status
from documents.parsing.errors import NoTranscript
from documents.parsing.youtube import Transcript
from skillnet.tenancy import organization_scope
from tests import factories

SAME = "# Turnos\n\n" + " ".join(f"El turno {n} abre la persiana {n} y revisa el extintor {n}." for n in range(60))


@pytest.fixture
def admin(client_for, admin_membership):
    return client_for(admin_membership)


def address(name, *args):
    return reverse(f"documents:{name}", args=["acme", *args])


def text_of(response) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def test_of_forty_files_six_are_bad_and_every_one_has_its_line(admin, organization):
    good = [
        SimpleUploadedFile(f"ficha-{n}.txt", f"La ficha {n} dice cómo se cierra la caja {n}.".encode())
        for n in range(34)
    ]
    bad = [
        SimpleUploadedFile("vacio-1.txt", b""),
        SimpleUploadedFile("vacio-2.pdf", b""),
        SimpleUploadedFile("roto.pdf", b"%PDF-1.7 broken"),
        SimpleUploadedFile("roto.docx", b"PK\x03\x04 broken"),
        SimpleUploadedFile("programa.exe", b"MZ\x90\x00" + bytes(range(256)) * 8),
        SimpleUploadedFile("blanco.txt", b" \n \n"),
    ]
    files = good[:10] + bad[:3] + good[10:] + bad[3:]
    page = admin.post(address("upload"), {"uploads": files}, headers={"HX-Request": "true"})
    assert page.status_code == 200
    assert "38 archivos recibidos" in text_of(page)
    assert page.content.decode().count("<li>") == 2
    with organization_scope(organization.pk):
        versions = list(DocumentVersion.objects.order_by("pk"))
    assert len(versions) == 38
    for version in versions:
        ingestion.run(organization.pk, version.pk)
    with organization_scope(organization.pk):
        assert DocumentVersion.objects.filter(status=Status.READY).count() == 34
        failed = DocumentVersion.objects.filter(status=Status.FAILED)
        assert {version.file_name for version in failed} == {"roto.pdf", "roto.docx", "programa.exe", "blanco.txt"}
        assert all(version.error_message for version in failed)


def test_what_was_received_is_told_in_the_list_alone(admin, organization):
    def sent(seen: str) -> str:
        file = SimpleUploadedFile(f"turnos{len(seen)}.md", f"{SAME} {len(seen)}".encode())
        headers = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{seen}"}
        return admin.post(address("upload"), {"uploads": file}, headers=headers).content.decode()

    page = sent(address("list"))
    assert "1 archivo recibido: en la lista ves cómo se lee" in page
    assert "<progress" not in page
    assert "Ver todos los documentos" not in page
    assert "Ver todos los documentos" in sent(address("list") + "?estado=problemas")
    headers = {"HX-Request": "true", "HX-Current-URL": "http://["}  # no address at all
    odd = admin.post(address("upload"), {"uploads": SimpleUploadedFile("otros.md", b"Otros turnos")}, headers=headers)
    assert "1 archivo recibido" in odd.text


def test_a_near_copy_is_told_in_the_list(admin, organization):
    original = factories.make_document(organization, "Turnos de tienda", SAME)
    factories.make_document(organization, "Turnos bis", SAME + "\n\nFirmado en mayo.")
    told = "Se parece mucho a « Turnos de tienda »"
    assert told in text_of(admin.get(address("list")))
    assert (
        f'<a href="{address("detail", original.pk)}">Turnos de tienda</a>'
        in admin.get(address("list")).content.decode()
    )


def test_a_video_becomes_a_document_by_its_address(admin, organization, monkeypatch):
    asked = []

    def fetched(address):
        asked.append(address)
        return transcripts.as_file(
            Transcript("Cómo cerrar\nla caja", "WEBVTT\n\n00:05.000 --> 00:09.000\nCuenta el dinero dos veces.\n")
        )

    monkeypatch.setattr(transcripts, "fetched", fetched)
    video = "https://www.youtube.com/watch?v=abcdefghijk"
    page = admin.post(address("upload"), {"video": video}, headers={"HX-Request": "true"})
    assert asked == [video]
    assert "1 archivo recibido" in text_of(page)
    with organization_scope(organization.pk):
        version = DocumentVersion.objects.get()
    ingestion.run(organization.pk, version.pk)
    with organization_scope(organization.pk):
        document = Document.objects.get()
        assert document.title == "Cómo cerrar la caja"
        assert "dos veces" in full_text_of(document.active_version)


def test_a_network_without_youtube_says_what_to_do(admin, monkeypatch):
    def fetched(address):
        raise NoTranscript("no route", user_message=NoTranscript.unreachable)

    monkeypatch.setattr(transcripts, "fetched", fetched)
    page = admin.post(address("upload"), {"video": "https://youtu.be/abcdefghijk"}, headers={"HX-Request": "true"})
    assert page.status_code == 200
    assert "No aceptado" in text_of(page)
    assert "Descarga los subtítulos" in text_of(page)


@pytest.mark.parametrize("video", ["https://example.com/watch?v=a", "javascript:alert(1)", "hola"])
def test_another_address_is_no_video(admin, video):
    page = admin.post(address("upload"), {"video": video}, headers={"HX-Request": "true"})
    assert page.status_code == 422
    assert "no es una dirección de YouTube" in text_of(page)


def test_nothing_sent_says_what_to_do(admin):
    page = admin.post(address("upload"), {}, headers={"HX-Request": "true"})
    assert page.status_code == 422
    assert "Elige al menos un archivo" in text_of(page)


def test_the_list_finds_documents_by_the_name_of_their_file(admin, organization):
    admin.post(address("upload"), {"uploads": SimpleUploadedFile("Horario_Otoño.txt", b"Abrimos a las nueve.")})
    with organization_scope(organization.pk):
        Document.objects.update(title="Apertura")
    for words in ("horario_otono", "OTOÑO", "apertura horario"):
        expected = [] if words == "horario_otono" else ["Apertura"]
        page = admin.get(address("list"), {"q": words}).context["page"]
        assert [version.document.title for version in page] == expected, words


@pytest.mark.parametrize("words", ["camara frigorifica", "CÁMARA", "frigorífica"])
def test_fragments_are_found_without_accents_or_case(admin, organization, words):
    document = factories.make_document(organization, "Frío", "# Frío\nLa cámara frigorífica se revisa a las ocho.")
    page = admin.get(address("fragments", document.pk), {"q": words})
    assert "se revisa a las ocho" in text_of(page)


def test_the_table_of_versions_asks_for_itself_until_the_newest_is_final(admin, organization):
    document = factories.make_document(organization, "Turnos", SAME)
    file = SimpleUploadedFile("turnos.md", b"# Turnos\n\nAhora son dos turnos.\n")
    admin.post(address("upload_version", document.pk), {"file": file})
    asks = f'hx-get="{address("versions", document.pk)}"'
    part = {"HX-Request": "true", "HX-Target": "version-list"}
    assert asks in admin.get(address("versions", document.pk)).content.decode()
    page = admin.get(address("versions", document.pk), headers=part)
    assert asks in page.content.decode()
    assert "<html" not in page.content.decode()
    with organization_scope(organization.pk):
        newest = document.versions.get(number=2)
    ingestion.run(organization.pk, newest.pk)
    assert asks not in admin.get(address("versions", document.pk), headers=part).content.decode()


def test_a_course_cannot_be_given_a_document_that_could_not_be_read(admin, organization):
    with organization_scope(organization.pk):
        document = Document.objects.create(organization=organization, title="Roto")
        factories.make_version(document, status=Status.FAILED)
    sent = {"title": "Caja", "summary": "", "status": "draft", "documents": [document.pk]}
    page = admin.post(reverse("courses:create", args=["acme"]), sent)
    assert page.status_code == 422
    assert "«Roto» no se ha podido leer" in text_of(page)
    with organization_scope(organization.pk):
        assert not Course.objects.exists()


def test_a_full_disk_is_told_and_leaves_nothing_behind(admin, organization, monkeypatch, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path

    def full(self, name, content):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"a half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(FileSystemStorage, "_save", full)
    page = admin.post(
        address("upload"), {"uploads": SimpleUploadedFile("turnos.md", SAME.encode())}, headers={"HX-Request": "true"}
    )
    assert "No queda sitio" in text_of(page)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    with organization_scope(organization.pk):
        assert not Document.objects.exists()


def test_refused_files_come_first_and_all_are_counted(admin):
    files = [
        SimpleUploadedFile("uno.txt", b"Se cierra a las diez."),
        SimpleUploadedFile("otra-vez.txt", b"Se cierra a las diez."),
        SimpleUploadedFile("vacio.txt", b""),
        SimpleUploadedFile("dos.txt", b"Se abre a las nueve."),
    ]
    page = text_of(admin.post(address("upload"), {"uploads": files}, headers={"HX-Request": "true"}))
    assert page.index("vacio.txt") < page.index("otra-vez.txt")
    for told in ("2 archivos recibidos", "1 ya estaba", "1 no aceptado"):
        assert told in page

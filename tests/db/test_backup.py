"""A backup brings back what people had, or says that it cannot."""

import json
import os
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import connections

from documents.models import DocumentVersion
from skillnet import appearance, backup
from skillnet.backup import manifest, restoring, saving, tables
from skillnet.backup.errors import BackupDamaged, FolderInUse, NotABackup, OtherRelease, TargetInUse
from skillnet.models import Membership
from skillnet.tenancy import organization_scope
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "owner"])

MANUAL = (
    "# Plazos\nEl cliente dispone de 30 días para devolver un producto con su tique.\n# Caja\nEl fondo es de 150 €."
)
QUESTIONS = ("¿Cuántos días hay para devolver un producto?", "¿Cuánto es el fondo?", "¿Qué tiempo hace?")


def said(command: str, *arguments: str) -> list[dict[str, Any]]:
    """What a command answers to the questions, without what differs from one moment to the next."""
    answers = []
    for question in QUESTIONS:
        out = StringIO()
        call_command(command, question, "--org", "acme", "--json", *arguments, stdout=out)
        [(_name, results)] = json.loads(out.getvalue()).items()
        answers += [
            {key: value for key, value in one.items() if key not in ("timings_ms", "conversation")} for one in results
        ]
    return answers


@pytest.fixture
def installation(organization, admin_membership: Membership) -> Membership:
    factories.make_document(organization, "Devoluciones", MANUAL, created_by=admin_membership.user)
    factories.make_document(organization, "Recetas", "# Pan\nEl pan se hornea a 220 grados.")
    return admin_membership


def test_a_restored_installation_answers_the_same(
    installation, organization, another_database: Callable[[], None], settings, tmp_path: Path
):
    settings.SKILLNET_CACHE_DAYS = 0  # an answer kept says that it was
    before = said("search"), said("ask")
    with organization_scope(organization.pk):
        files = {version.file.name: version.file.read() for version in DocumentVersion.objects.all()}
    out = StringIO()
    call_command("backup", str(tmp_path / "copia"), "--json", stdout=out)
    saved = json.loads(out.getvalue())
    assert saved["files"] == 2
    assert saved["rows"] > 10
    another_database()
    settings.MEDIA_ROOT = tmp_path / "otra"
    out = StringIO()
    call_command("restore", str(tmp_path / "copia"), "--json", stdout=out)
    assert json.loads(out.getvalue()) == {"files": saved["files"], "rows": saved["rows"]}
    assert (said("search"), said("ask")) == before
    assert {name: default_storage.open(name).read() for name in files} == files
    factories.make_document(organization, "Nuevo", "# Nuevo\nLo que viene después tiene su propio número.")
    assert tables.rows_of(connections["owner"], "SELECT count(*) FROM documents_document") == [(3,)]


def test_a_logo_comes_back(installation, organization, admin_membership: Membership, settings, tmp_path: Path):
    with organization_scope(organization.pk):
        appearance.change(
            organization,
            name="Acme",
            accent=appearance.Accent.BLUE,
            language="es",
            logo=b"\x89PNG\r\n\x1a\n logo",
            drops_logo=False,
            by=admin_membership.user,
        )
    organization.refresh_from_db()
    logo = appearance.appearance_of(organization).logo
    backup.back_up(tmp_path / "copia")
    settings.MEDIA_ROOT = tmp_path / "otra"
    backup.restore(tmp_path / "copia", replace=True)
    assert default_storage.open(logo).read().endswith(b" logo")


def test_a_backup_cut_off_is_none(installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    class Killed(BaseException):
        pass

    copied: list[str] = []
    real = tables.copy_out

    def dies(database: Any, name: str, *rest: Any) -> Any:
        copied.append(name)
        if len(copied) == 5:
            raise Killed
        return real(database, name, *rest)

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(saving.tables, "copy_out", dies)
        backup.back_up(tmp_path / "copia")
    with pytest.raises(NotABackup):
        backup.restore(tmp_path / "copia", replace=True)
    assert backup.back_up(tmp_path / "copia").row_count  # the next try takes the folder over


def spoil_file(folder: Path) -> None:
    next(path for path in (folder / "files").rglob("*") if path.is_file()).write_bytes(b"otra cosa")


def spoil_table(folder: Path) -> None:
    with (folder / "database/documents_chunk.copy.gz").open("r+b") as table:
        table.seek(-10, os.SEEK_END)
        table.write(b"\0")


def lose_table(folder: Path) -> None:
    (folder / "database/documents_chunk.copy.gz").unlink()


def lead_astray(folder: Path) -> None:
    listed = json.loads((folder / "manifest.json").read_text())
    listed["files"]["../../fuera"] = {"size": 1, "sha256": "0"}
    (folder / "manifest.json").write_text(json.dumps(listed))


@pytest.mark.parametrize("harm", [spoil_file, spoil_table, lose_table, lead_astray])
def test_a_damaged_backup_changes_nothing(
    harm: Callable[[Path], None], installation, organization, settings, tmp_path: Path
):
    backup.back_up(tmp_path / "copia")
    harm(tmp_path / "copia")
    before = said("search")
    with pytest.raises(BackupDamaged):
        backup.restore(tmp_path / "copia", replace=True)
    assert said("search") == before


def test_rows_that_do_not_arrive_whole_are_not_kept(installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    backup.back_up(tmp_path / "copia")
    before = said("search")
    monkeypatch.setattr(restoring.tables, "copy_in", lambda *_arguments: 0)
    with pytest.raises(BackupDamaged):
        backup.restore(tmp_path / "copia", replace=True)
    assert said("search") == before


def test_what_is_there_is_only_replaced_when_told(installation, organization, tmp_path: Path):
    backup.back_up(tmp_path / "copia")
    before = said("search")
    later = factories.make_document(organization, "Posterior", "# Posterior\nLlegó después de la copia.")
    with organization_scope(organization.pk):
        name = later.active_version.file.name
    with pytest.raises(TargetInUse):
        backup.restore(tmp_path / "copia")
    backup.restore(tmp_path / "copia", replace=True)
    assert said("search") == before
    assert not default_storage.exists(name)


def test_a_backup_takes_no_folder_that_is_in_use(installation, tmp_path: Path):
    (tmp_path / "notas.txt").write_text("mías")
    with pytest.raises(FolderInUse):
        backup.back_up(tmp_path)
    backup.back_up(tmp_path / "copia")
    with pytest.raises(FolderInUse):
        backup.back_up(tmp_path / "copia")


def test_a_second_backup_leaves_the_folder_to_the_first(installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    refused: list[str] = []
    real = tables.copy_out

    def begins_another(*arguments: Any) -> Any:
        if not refused:
            with pytest.raises(FolderInUse) as error:
                backup.back_up(tmp_path / "copia")
            refused.append(str(error.value))
        return real(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(saving.tables, "copy_out", begins_another)
        backup.back_up(tmp_path / "copia").verify(tmp_path / "copia")
    assert refused


def test_every_folder_is_on_the_disk_before_the_manifest(installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "copia"
    safe: set[Path] = set()
    real = manifest.on_disk

    def noted(path: Path) -> None:
        real(path)
        if not (folder / manifest.NAME).exists():
            safe.add(path)

    monkeypatch.setattr(manifest, "on_disk", noted)
    backup.back_up(folder)
    assert {folder, *(path for path in folder.rglob("*") if path.is_dir())} <= safe


def test_a_backup_of_another_release_is_refused(installation, tmp_path: Path):
    backup.back_up(tmp_path / "copia")
    listed = json.loads((tmp_path / "copia/manifest.json").read_text())
    listed["migrations"].append("documents.9999_later")
    (tmp_path / "copia/manifest.json").write_text(json.dumps(listed))
    with pytest.raises(OtherRelease):
        backup.restore(tmp_path / "copia", replace=True)


def test_a_file_that_is_gone_does_not_keep_the_rest_from_being_saved(installation, organization, tmp_path: Path):
    with organization_scope(organization.pk):
        version = DocumentVersion.objects.order_by("pk").first()
        assert version is not None
        version.file.storage.delete(version.file.name)
    made = backup.back_up(tmp_path / "copia")
    assert made.missing == [version.file.name]
    assert len(made.files) == 1


def test_nothing_but_its_owner_may_enter_a_backup(installation, tmp_path: Path):
    backup.back_up(tmp_path / "copia")
    assert (tmp_path / "copia").stat().st_mode & 0o077 == 0


def test_restoring_nothing_says_so(tmp_path: Path):
    with pytest.raises(CommandError, match="no hay una copia completa"):
        call_command("restore", str(tmp_path / "nada"))

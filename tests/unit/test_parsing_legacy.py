from pathlib import Path

import docx
import pytest

from documents.parsing import ParseLimits, parse
from documents.parsing.errors import DamagedFile, LimitExceeded, UnsupportedFormat


@pytest.fixture
def old_file(tmp_path: Path) -> Path:
    """What Word 97 files begin with: the container's mark and the name of their stream."""
    path = tmp_path / "manual.doc"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 504 + "WordDocument".encode("utf-16-le"))
    return path


def install(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> None:
    """Make `soffice` a shell script, with $new its folder for results."""
    program = folder / "bin" / "soffice"
    program.parent.mkdir()
    find = 'while [ $# -gt 1 ]; do [ "$1" = --outdir ] && new="$2"; shift; done; mkdir -p "$new"\n'
    program.write_text(f"#!/bin/sh\n{find}{script}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")


def test_old_files_are_read_through_the_office_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, old_file: Path):
    document = docx.Document()
    document.add_paragraph("La caja se cuenta al abrir.")
    document.save(tmp_path / "new.docx")
    install(monkeypatch, tmp_path, f'cp "{tmp_path}/new.docx" "$new/document.docx"')
    assert [block.text for block in parse(old_file).blocks] == ["La caja se cuenta al abrir."]


def test_old_files_are_refused_with_what_to_do_where_there_is_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, old_file: Path
):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UnsupportedFormat) as refused:
        parse(old_file)
    assert "guárdalo como .docx" in str(refused.value.user_message)


def test_a_program_that_hangs_or_makes_nothing_fails_clearly(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, old_file: Path
):
    install(monkeypatch, tmp_path, '[ -e "$0.hang" ] && exec sleep 600; exit 0')
    with pytest.raises(DamagedFile):
        parse(old_file)
    (tmp_path / "bin" / "soffice.hang").touch()
    with pytest.raises(LimitExceeded):
        parse(old_file, limits=ParseLimits(seconds=0.3))

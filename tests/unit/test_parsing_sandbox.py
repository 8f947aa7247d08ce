import json
import threading
from dataclasses import replace
from pathlib import Path

import pymupdf
import pytest
from django.core.management import call_command

from documents.parsing import DEFAULT_LIMITS
from documents.parsing.errors import DamagedFile, LimitExceeded
from documents.parsing.limits import DrawLimits
from documents.parsing.sandbox import ParserProcess
from tests.unit.parsing_files import page_that_takes_ages


@pytest.fixture
def manual(tmp_path: Path) -> Path:
    path = tmp_path / "manual.md"
    path.write_text("# Caja\n\nAbre la caja por la mañana y cuenta el cambio antes de empezar el turno de trabajo.\n")
    return path


def test_one_process_reads_file_after_file_and_survives_refusals(manual: Path, tmp_path: Path):
    broken = tmp_path / "roto.pdf"
    broken.write_bytes(b"%PDF-1.4 nada")
    with ParserProcess() as parser:
        assert parser.parse(manual).blocks[0].text == "Caja"
        with pytest.raises(DamagedFile) as refusal:
            parser.parse(broken)
        assert "dañado" in str(refusal.value.user_message)
        assert parser.parse(manual, name="otro.txt").media_type == "text/plain"


def test_a_file_that_takes_too_long_fails_alone(manual: Path):
    with ParserProcess() as parser:
        with pytest.raises(LimitExceeded):
            parser.parse(manual, limits=replace(DEFAULT_LIMITS, seconds=0.0001))
        assert parser.parse(manual).blocks


def test_a_file_that_takes_too_much_memory_fails_alone(manual: Path, tmp_path: Path):
    heavy = tmp_path / "heavy.txt"
    heavy.write_text("palabra " * 2_000_000)
    with ParserProcess() as parser:
        with pytest.raises(LimitExceeded):
            parser.parse(heavy, limits=replace(DEFAULT_LIMITS, memory_bytes=160 * 1024 * 1024))
        assert parser.parse(manual).blocks


def test_a_page_that_takes_ages_to_draw_fails_alone_while_other_threads_go_on(manual: Path, tmp_path: Path):
    heavy, light = tmp_path / "heavy.pdf", tmp_path / "light.pdf"
    heavy.write_bytes(page_that_takes_ages())
    with pymupdf.open() as file:
        file.new_page(width=72, height=144)
        light.write_bytes(file.tobytes())
    is_over, ticks = threading.Event(), 0

    def tick() -> None:
        nonlocal ticks
        while not is_over.wait(0.01):
            ticks += 1

    other = threading.Thread(target=tick)
    with ParserProcess() as drawer:
        other.start()
        try:
            with pytest.raises(LimitExceeded):
                drawer.draw(heavy, 1, limits=DrawLimits(seconds=1))
        finally:
            is_over.set()
            other.join()
        assert ticks > 5  # none but the first, if drawing kept the others from running
        drawn = pymupdf.Pixmap(drawer.draw(light, 1))
        assert (drawn.width, drawn.height) == (110, 220)
        assert drawer.parse(manual).blocks


def test_a_poster_is_drawn_smaller(tmp_path: Path):
    with pymupdf.open() as file:
        file.new_page(width=5000, height=5000)
        (tmp_path / "poster.pdf").write_bytes(file.tobytes())
    with ParserProcess() as drawer:
        drawn = pymupdf.Pixmap(drawer.draw(tmp_path / "poster.pdf", 1, limits=DrawLimits(pixels=10_000)))
    assert 9_000 < drawn.width * drawn.height < 11_000


def test_limits_must_be_positive():
    with pytest.raises(ValueError, match="pages"):
        replace(DEFAULT_LIMITS, pages=0)
    with pytest.raises(ValueError, match="seconds"):
        DrawLimits(seconds=0)


def test_command_prints_a_result_for_every_file(manual: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "vacio.txt").touch()
    call_command("parse", str(manual), str(tmp_path / "vacio.txt"), str(tmp_path / "no-existe.pdf"), "--json")
    files = json.loads(capsys.readouterr().out)["files"]
    assert [file["error"] and file["error"]["code"] for file in files] == [None, "empty", "damaged"]
    assert files[0]["blocks"][1]["heading_path"] == ["Caja"]
    assert files[0]["language"] == "es"

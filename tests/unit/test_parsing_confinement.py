"""A parser that a file has taken over: what it can still reach."""

import sys
from pathlib import Path

import pytest

from documents.parsing import confinement
from documents.parsing.sandbox import ParserProcess

# Stands for a parser that runs a file's code: every try becomes a line of the document, with what came of it.
HOSTILE = """
import ctypes, os, pathlib, signal, socket, subprocess, sys
from documents.parsing import child
from documents.parsing.types import Block, BlockKind, ParsedDocument

PARENT = os.getppid()

def tries(path):
    home = pathlib.Path.cwd()
    yield "input", lambda: path.read_text()
    yield "own copy", lambda: path.write_text("Cierra la caja.")
    yield "own folder", lambda: (path.parent / "made").write_text("x")
    yield "internet", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    yield "datagrams", lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    yield "machine", lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    yield "raw", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)
    yield "passwd", lambda: open("/etc/passwd").read()
    yield "through a program", lambda: subprocess.run(["cat", "/etc/passwd"], check=True, stderr=subprocess.DEVNULL)
    yield "project", lambda: (home / "manage.py").read_text()
    yield "project's folder", lambda: os.listdir(home)
    yield "other files", lambda: open(SECRET_FILE).read()
    yield "temporary files", lambda: os.listdir("/tmp")
    yield "parent's environment", lambda: open(f"/proc/{PARENT}/environ").read()
    yield "parent's memory", lambda: open(f"/proc/{PARENT}/mem", "rb").read(1)
    yield "parent's files", lambda: os.listdir(f"/proc/{PARENT}/fd")
    yield "writing", lambda: open(SECRET_FILE + ".new", "w").write("x")
    yield "own environment", lambda: {**os.environ}["DATABASE_URL"]
    yield "signals", lambda: os.kill(PARENT, 0)
    yield "asynchronous calls", lambda: call(425, 8, ctypes.create_string_buffer(120))
    yield "tracing", lambda: call(101 if os.uname().machine == "x86_64" else 117, 0x4206, PARENT, 0, 0)  # PTRACE_SEIZE

def call(*arguments):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(*arguments) < 0:
        raise OSError(ctypes.get_errno(), "refused")

def parse(path, **options):
    done = []
    for name, attempt in tries(path):
        try:
            attempt()
        except (OSError, KeyError, subprocess.CalledProcessError) as error:
            continue
        done.append(name)
    return ParsedDocument("text/plain", tuple(Block(BlockKind.PARAGRAPH, name) for name in done), page_count=1)

child.parse = parse
child.main()
"""


def what_it_reached(path: Path, secret: Path) -> set[str]:
    class Hostile(ParserProcess):
        command = (sys.executable, "-c", f"SECRET_FILE = {str(secret)!r}\n{HOSTILE}")

    with Hostile() as parser:
        return {block.text for block in parser.parse(path).blocks}


@pytest.mark.skipif(not confinement.is_possible(), reason="this kernel cannot shut a process in")
def test_a_parser_taken_over_by_a_file_reaches_its_input_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DATABASE_URL", "postgres://somebody:secret@localhost/skillnet")
    path, secret = tmp_path / "manual.txt", tmp_path / "secret-key"
    path.write_text("Abre la caja.")
    secret.write_text("secret")
    reached = what_it_reached(path, secret)
    if confinement.landlock_version() < 6:
        reached.discard("signals")  # older kernels cannot keep it from asking whether its parent lives
    assert reached == {"input", "own copy", "own folder"}
    assert path.read_text() == "Abre la caja."
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["manual.txt", "secret-key"]


def test_without_confinement_the_same_parser_would_reach_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The tries above are real: they succeed where nothing holds them back."""
    path, secret = tmp_path / "manual.txt", tmp_path / "secret-key"
    path.write_text("Abre la caja.")
    secret.write_text("secret")

    class Free(ParserProcess):
        command = (
            sys.executable,
            "-c",
            f"SECRET_FILE = {str(secret)!r}\nfrom documents.parsing import child as c\nc._shut_in = lambda _: None\n"
            + HOSTILE,
        )

    with Free() as parser:
        reached = {block.text for block in parser.parse(path).blocks}
    assert {"internet", "machine", "passwd", "project", "other files", "writing", "signals"} <= reached


def test_the_copy_handed_over_is_gone_when_the_process_is(tmp_path: Path):
    path = tmp_path / "manual.txt"
    path.write_text("Abre la caja por la mañana y cuenta el cambio.")
    with ParserProcess() as parser:
        parser.parse(path)
        folder = Path(parser._folder.name)
        assert list(folder.iterdir()) == []
    assert not folder.exists()
    assert path.exists()

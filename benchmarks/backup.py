"""A large organization saved and brought back into another installation: does it answer as before, byte for byte.

    python benchmarks/backup.py [--chunks 5000] [--folder FOLDER [--fill]]

Fills an installation with manuals, asks it what they say with `search` and `ask`, backs it up, restores the backup into
a second, empty installation and asks again. Answers are compared as the commands print them, without times and the
random names of conversations; files by their checksums. With a folder the work may be done in two parts: `--fill` only
fills the installation and leaves it there, and the next call takes it up.
"""

import argparse
import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent / "ingestion"))
from stage import PROJECT, SENTENCES

FILES = 10
QUESTIONS = 40
DIFFERENCES_SHOWN = 10
VARYING = {"timings_ms", "conversation"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=5_000, help="at least; each section is one")
    parser.add_argument("--folder", type=Path, help="where the installations are made, and left")
    parser.add_argument("--fill", action="store_true", help="fill the first installation and end")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what was begun is stopped then, too
    with ExitStack() as stack:
        folder = options.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="skillnet-backup-")))
        folder.mkdir(exist_ok=True)
        folder.chmod(0o711)  # PostgreSQL runs as somebody else under root, and has to pass through
        first, second = Installation(folder / "first"), Installation(folder / "second")
        stack.callback(first.stop)
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
        if not (folder / "questions.jsonl").exists():
            fill(first, folder, options.chunks)
        if not options.fill:
            stack.callback(second.stop)
            sys.exit(compare(first, second, folder))


class Installation:
    """Embedded services in a folder of their own, worked by commands alone."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._environment = {
            **os.environ,
            **dict.fromkeys(("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "MEDIA_ROOT", "LLM_BASE_URL"), ""),
            "DJANGO_SETTINGS_MODULE": "skillnet.settings.development",
            "EMBEDDING_PROVIDER": "fake",
            "SKILLNET_HOME": str(home),
            "CACHE_DAYS": "0",  # an answer that was kept says so
            "LOG_LEVEL": "ERROR",
        }

    def run(self, *arguments: str) -> Any:
        """What a command says with `--json`. Raises: subprocess.CalledProcessError, when it fails."""
        command = [sys.executable, "manage.py", *arguments, "--json"]
        done = subprocess.run(command, cwd=PROJECT, env=self._environment, stdout=subprocess.PIPE, check=True)
        return json.loads(done.stdout)

    def answers(self, questions: Path) -> Any:
        """Everything that `search` and `ask` say to the questions, without what is of one time only."""
        return _steady(
            [self.run(command, "--org", "grande", "--questions", str(questions)) for command in ("search", "ask")]
        )

    def files(self) -> dict[str, str]:
        media = self.home / "media"
        return {
            str(path.relative_to(media)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in media.rglob("*")
            if path.is_file()
        }

    def stop(self) -> None:
        self.run("embedded", "stop")


def fill(first: Installation, folder: Path, chunks: int) -> None:
    """Have manuals taken in, and write down what to ask."""
    first.run("create_organization", "grande", "--name", "Grande")
    manuals = [_manual(folder / f"manual-{number}.md", number, -(-chunks // FILES)) for number in range(FILES)]
    taken_in = first.run("ingest", "--org", "grande", *map(str, manuals))["documents"]
    print(f"{sum(one['chunk_count'] for one in taken_in)} chunks", flush=True)
    questions = "".join(f"{json.dumps({'question': text})}\n" for text in _questions(chunks))
    (folder / "questions.jsonl").write_text(questions)


def compare(first: Installation, second: Installation, folder: Path) -> int:
    """Print figures, and return 1 when anything differs."""
    questions = folder / "questions.jsonl"
    before = first.answers(questions)
    started = time.monotonic()
    saved = first.run("backup", str(folder / "backup"))
    saving = time.monotonic() - started
    started = time.monotonic()
    restored = second.run("restore", str(folder / "backup"))
    restoring = time.monotonic() - started
    after = second.answers(questions)
    size = sum(path.stat().st_size for path in (folder / "backup").rglob("*") if path.is_file())
    print(f"{saved['rows']} rows, {saved['files']} files")
    print(f"saved in {saving:.0f} s ({size / 2**20:.0f} MB), restored in {restoring:.0f} s")
    is_same = _bytes(before) == _bytes(after)
    print(f"{2 * QUESTIONS} answers, {len(_bytes(before))} bytes, equal: {is_same}")
    for place, was, now in list(_differences(before, after))[:DIFFERENCES_SHOWN]:
        print(f"  {place}: {was!r} became {now!r}")
    counted = all(saved[kind] == restored[kind] for kind in ("files", "rows")) and not saved["missing"]
    print(f"files equal: {first.files() == second.files()}, counts equal: {counted}")
    return 0 if is_same and first.files() == second.files() and counted else 1


def _manual(path: Path, seed: int, sections: int) -> Path:
    """A manual of sections of about a hundred words, no two alike."""
    with path.open("w") as file:
        for number in range(sections):
            place = seed * 10_000 + number
            sentences = (SENTENCES[at % len(SENTENCES)].format(n=place * 10 + at) for at in range(6))
            file.write(f"# Tarea {place}\n\n{' '.join(sentences)}\n\n")
    return path


def _questions(chunks: int) -> list[str]:
    per_file = -(-chunks // FILES)
    places = [(n % FILES) * 10_000 + n * per_file // QUESTIONS for n in range(QUESTIONS)]
    return [f"¿Qué se hace si la lectura {place * 10 + 1} pasa de 8 grados?" for place in places]


def _steady(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _steady(inner) for key, inner in value.items() if key not in VARYING}
    return [_steady(inner) for inner in value] if isinstance(value, list) else value


def _bytes(said: Any) -> bytes:
    return json.dumps(said, ensure_ascii=False, sort_keys=True).encode()


def _differences(was: Any, now: Any, place: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Where two answers differ, and what stands there."""
    if isinstance(was, dict) and isinstance(now, dict):
        for key in sorted(was.keys() | now.keys()):
            yield from _differences(was.get(key), now.get(key), f"{place}.{key}")
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for number, (one, other) in enumerate(zip(was, now, strict=True)):
            yield from _differences(one, other, f"{place}[{number}]")
    elif was != now:
        yield place, was, now


if __name__ == "__main__":
    main()

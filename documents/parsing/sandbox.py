"""Parse and draw in another process, so that a hostile file costs that process and nothing else."""

import base64
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

from documents.parsing.errors import ERRORS_BY_CODE, DamagedFile, LimitExceeded, ParseError
from documents.parsing.limits import DEFAULT_DRAW_LIMITS, DEFAULT_LIMITS, DrawLimits, ParseLimits
from documents.parsing.types import Block, ParsedDocument, ParseWarning

Progress = Callable[[int, int], None]

_PROJECT = Path(__file__).resolve().parents[2]
_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "TESSDATA_PREFIX")  # and no secret of ours
_FILES_PER_PROCESS = 200  # then a fresh one: native libraries leak a little
_READ_BYTES = 1 << 20
_LIMIT_SIGNALS = (signal.SIGXCPU, signal.SIGKILL)  # processor time used up; killed by us or for want of memory


def parse_in_child(
    path: Path, *, name: str = "", limits: ParseLimits = DEFAULT_LIMITS, progress: Progress | None = None
) -> ParsedDocument:
    """As `documents.parsing.parse`, in a process of its own with limits on time and memory.

    Raises: ParseError; LimitExceeded when time or memory ran out, DamagedFile when the process crashed.
    """
    with ParserProcess() as parser:
        return parser.parse(path, name=name, limits=limits, progress=progress)


class ParserProcess:
    """A process that parses and draws, one request after another, replaced after a failure. Not for several threads."""

    command: Sequence[str] = (sys.executable, "-m", "documents.parsing.child")

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None  # all the process may read and write of ours
        self._served = 0
        self._pending = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def parse(
        self, path: Path, *, name: str = "", limits: ParseLimits = DEFAULT_LIMITS, progress: Progress | None = None
    ) -> ParsedDocument:
        """Parse one file. An exception from `progress` stops the file and is passed on.

        Raises: FileNotFoundError; ParseError, as `parse_in_child`.
        """
        return from_json(self._answer("parse", path, limits, progress, name=name or path.name)["document"])

    def draw(
        self,
        path: Path,
        page: int,
        marks: Sequence[Sequence[float]] = (),
        *,
        quote: str = "",
        limits: DrawLimits = DEFAULT_DRAW_LIMITS,
    ) -> bytes:
        """Page `page` (from 1) of a PDF as PNG, with `marks` (x0, y0, x1, y1 in points from the top left) marked; of
        them only the words of `quote`, if given and found.

        Raises: FileNotFoundError; LimitExceeded, DamagedFile, also for a page that is not there.
        """
        wanted: dict[str, Any] = {"page": page, "marks": [list(mark) for mark in marks], "quote": quote}
        return base64.b64decode(self._answer("draw", path, limits, **wanted)["picture"])

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process, self._pending, self._served = self._process, None, b"", 0
        if process is None:
            return
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except BrokenPipeError:  # it has gone before us
                    continue
        process.kill()
        process.wait()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _answer(
        self, task: str, path: Path, limits: ParseLimits | DrawLimits, progress: Progress | None = None, **wanted: Any
    ) -> dict[str, Any]:
        if not path.is_file():
            raise FileNotFoundError(f"no file at {path}")
        process = self._started()
        assert self._folder is not None
        deadline = time.monotonic() + limits.seconds
        try:
            with _handed_over(path, Path(self._folder.name)) as copy:
                request = {"task": task, "path": str(copy), "limits": asdict(limits), **wanted}
                answer = self._ask(process, request, deadline, progress)
        except BaseException:  # half-read answers must not be taken for the next file's
            self.close()
            raise
        self._served += 1
        if "error" in answer:
            error = answer["error"]
            raise ERRORS_BY_CODE.get(error["code"], ParseError)(error["detail"], user_message=error["message"] or None)
        return answer

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is not None and (self._served >= _FILES_PER_PROCESS or self._process.poll() is not None):
            self.close()
        if self._process is None:
            self._folder = tempfile.TemporaryDirectory(prefix="parser-", ignore_cleanup_errors=True)
            self._process = subprocess.Popen(
                [*self.command, self._folder.name],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                cwd=_PROJECT,
                env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
                | {"OMP_THREAD_LIMIT": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(_PROJECT)}
                | {"TMPDIR": self._folder.name},
            )
        return self._process

    def _ask(
        self, process: subprocess.Popen[bytes], request: dict[str, Any], deadline: float, progress: Progress | None
    ) -> dict[str, Any]:
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
        except BrokenPipeError as error:
            raise self._death(process) from error
        while True:
            message = json.loads(self._read_line(process, deadline))
            if "progress" not in message:
                return dict(message)
            if progress is not None:
                progress(*message["progress"])

    def _read_line(self, process: subprocess.Popen[bytes], deadline: float) -> bytes:
        assert process.stdout is not None
        pieces = [self._pending]
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while b"\n" not in pieces[-1]:
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    raise LimitExceeded("out of time")
                piece = os.read(process.stdout.fileno(), _READ_BYTES)
                if not piece:
                    raise self._death(process)
                pieces.append(piece)
        line, _, self._pending = b"".join(pieces).partition(b"\n")
        return line

    @staticmethod
    def _death(process: subprocess.Popen[bytes]) -> ParseError:
        status = process.wait()
        if status < 0 and -status in _LIMIT_SIGNALS:
            return LimitExceeded(f"killed by signal {-status}")
        return DamagedFile(f"ended with status {status}")


@contextmanager
def _handed_over(path: Path, folder: Path) -> Iterator[Path]:
    """A copy in the process's own folder, where alone that process can open it.

    The process may write there: a hard link would let it change the original, and under a name that it knows it could
    leave a symbolic link for us to write through.
    """
    copy = folder / f"{uuid4().hex}{path.suffix}"
    try:
        with path.open("rb") as original, copy.open("xb") as target:
            shutil.copyfileobj(original, target, _READ_BYTES)
        yield copy
    finally:
        copy.unlink(missing_ok=True)


def from_json(data: dict[str, Any]) -> ParsedDocument:
    """A parsed document from the JSON its process sent."""
    return ParsedDocument(
        media_type=data["media_type"],
        blocks=tuple(Block.from_json(block) for block in data["blocks"]),
        page_count=data["page_count"],
        part_count=data["part_count"],
        pages_without_text=tuple(data["pages_without_text"]),
        title=data["title"],
        language=data["language"],
        warnings=tuple(ParseWarning(**warning) for warning in data["warnings"]),
    )

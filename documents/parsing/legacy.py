"""Old Office files made new by LibreOffice, where it is installed."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from documents.parsing import media_types
from documents.parsing.errors import DamagedFile, LimitExceeded, TooLarge
from documents.parsing.limits import ParseLimits

_SECONDS = 120.0
_NEW = {media_types.DOC: ("doc", "docx"), media_types.XLS: ("xls", "xlsx"), media_types.PPT: ("ppt", "pptx")}


def can_convert(media_type: str) -> bool:
    """Whether a file of this kind can be made new here."""
    return media_type in _NEW and shutil.which("soffice") is not None


@contextmanager
def converted(path: Path, media_type: str, limits: ParseLimits) -> Iterator[Path]:
    """The file as .docx, .xlsx or .pptx, for as long as the context lasts.

    LibreOffice works with a profile of its own, in a folder that goes with it, under this process's limits.
    Raises: DamagedFile, LimitExceeded, TooLarge.
    """
    old, new = _NEW[media_type]
    with tempfile.TemporaryDirectory(prefix="office-") as folder:
        source = Path(folder) / f"document.{old}"
        shutil.copyfile(path, source)
        profile = f"-env:UserInstallation=file://{folder}/profile"
        options = ["--headless", "--norestore", "--nologo", "--convert-to", new, "--outdir", f"{folder}/new"]
        _run(["soffice", profile, *options, str(source)], min(_SECONDS, limits.seconds))
        result = Path(folder) / "new" / f"document.{new}"
        if not result.is_file():
            raise DamagedFile("LibreOffice made nothing of it")
        if result.stat().st_size > limits.file_bytes:
            raise TooLarge(f"{result.stat().st_size} bytes after conversion")
        yield result


def _run(command: list[str], seconds: float) -> None:
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired as error:
        raise LimitExceeded("LibreOffice took too long") from error
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)  # soffice starts others
            process.wait()

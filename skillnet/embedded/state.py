"""What an instance remembers: its folder, its ports and its secrets."""

import json
import os
import secrets
import socket
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from .errors import EmbeddedError
from .layout import choose_services_folder, home, make_home
from .locks import exclusive

# Below the ports that systems hand out for outgoing connections: a stopped server finds its port free again.
PORTS = range(20_000, 32_000)


def is_free(port: int) -> bool:
    """Whether a server could listen on this port of 127.0.0.1 now."""
    with socket.socket() as candidate:
        # As the servers do: connections that just ended do not count.
        candidate.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            candidate.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_port() -> int:
    """A port of 127.0.0.1 nobody listens on."""
    for _ in range(100):
        port = secrets.choice(PORTS)
        if is_free(port):
            return port
    raise EmbeddedError("No queda ningún puerto libre en 127.0.0.1. Cierra otros servidores y vuelve a intentarlo.")


def _password() -> str:
    return secrets.token_urlsafe(24)


@dataclass(frozen=True, slots=True)
class State:
    """One instance. Kept in `state.json` of its home, readable by its owner only."""

    services_folder: str
    postgres_port: int = field(default_factory=free_port)
    valkey_port: int = field(default_factory=free_port)
    app_password: str = field(default_factory=_password)
    maintenance_password: str = field(default_factory=_password)
    valkey_password: str = field(default_factory=_password)
    provisioned: str = ""  # fingerprint of the provisioning script last applied

    @classmethod
    def read(cls) -> Self | None:
        """What is remembered, or None before the first use."""
        path = _state_file()
        try:
            stored: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            return cls(**stored)
        except FileNotFoundError:
            return None
        except (ValueError, TypeError) as error:
            raise EmbeddedError(
                f"El archivo {path} está dañado. Bórralo y vuelve a intentarlo: los datos no se pierden."
            ) from error
        except OSError as error:
            raise EmbeddedError(
                f"No se puede leer {path} ({error.strerror}). "
                "Usa el mismo usuario que la otra vez o indica otra carpeta en SKILLNET_HOME."
            ) from error

    @classmethod
    def load(cls) -> Self:
        """What is remembered; the first use chooses the ports and the secrets."""
        if (known := cls.read()) is not None:
            return known
        folder = make_home()
        with exclusive(folder / "state.lock"):
            if (known := cls.read()) is not None:
                return known
            return cls(services_folder=str(choose_services_folder())).save()

    def save(self) -> Self:
        """Write it, whole or not at all."""
        path = _state_file()
        draft = path.with_suffix(".new")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(asdict(self), file, indent=1)
        draft.replace(path)
        return self

    def changed(self, **values: Any) -> Self:
        """The same instance with these values, written."""
        return replace(self, **values).save()


def _state_file() -> Path:
    return home() / "state.json"

"""What can go wrong with the embedded services, told to the person at the keyboard."""

from pathlib import Path


class EmbeddedError(Exception):
    """An embedded service cannot be used. The message is Spanish and names the next step.

    A plain exception with a plain string: this package runs before Django's settings, so before translations.
    """

    def __init__(self, message: str, *, log: Path | None = None) -> None:
        self.log = log
        super().__init__(message if log is None else f"{message} Registro: {log}")

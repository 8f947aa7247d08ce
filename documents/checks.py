"""Start-up checks of this app: is the process that opens uploaded files shut in?"""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Tags, Warning, register

from documents.parsing import confinement


@register(Tags.security)
def check_parser_is_shut_in(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Warn where the kernel cannot keep the parser from the network and from other files."""
    if confinement.is_possible():
        return []
    return [
        Warning(
            "The process that opens uploaded files can reach the network and this user's files.",
            hint="Run on Linux 5.13 or newer (amd64, arm64) with Landlock allowed; see docs/security.md.",
            id="documents.W001",
        )
    ]

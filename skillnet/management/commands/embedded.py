"""`embedded start|stop|status`: the bundled PostgreSQL and Valkey, by hand."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from skillnet import embedded

ACTIONS = {"start": embedded.ensure_started, "stop": embedded.stop, "status": embedded.status}
WORDS = {"running": _("en marcha"), "starting": _("arrancando"), "stopped": _("parado")}


class Command(BaseCommand):
    help = "Arranca, para o muestra los servidores incluidos (PostgreSQL y Valkey)."
    requires_system_checks: list[str] = []  # they may need the very services this command starts

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=sorted(ACTIONS))
        parser.add_argument("--json", action="store_true", dest="as_json", help="Un documento JSON.")

    def handle(self, *args: Any, action: str, as_json: bool, **options: Any) -> None:
        try:
            status = ACTIONS[action]()
        except embedded.EmbeddedError as error:
            raise CommandError(str(error)) from error
        if as_json:
            self.stdout.write(json.dumps({**asdict(status), "home": str(embedded.home())}))
            return
        self.stdout.write(
            gettext("PostgreSQL: %(postgres)s. Valkey: %(valkey)s. Datos en %(home)s.")
            % {
                "postgres": WORDS[status.postgres],
                "valkey": WORDS[status.valkey],
                "home": embedded.home(),
            }
        )

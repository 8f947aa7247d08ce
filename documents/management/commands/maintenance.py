"""The owner's upkeep of the database in a process of its own, so that workers need not hold the owner's password."""

import signal
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from documents import vector_indexes
from documents.maintenance import Maintenance


class Command(BaseCommand):
    help = "Cuida la base de datos (índices de las organizaciones grandes) hasta que se le pide parar."

    def handle(self, *args: Any, **options: Any) -> None:
        if not vector_indexes.can_tend():
            raise CommandError("Falta DATABASE_OWNER_URL: los índices los crea la dueña de las tablas.")
        maintenance = Maintenance()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: maintenance.stop())
        maintenance.run()

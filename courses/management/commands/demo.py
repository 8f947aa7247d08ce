"""Load the demo organization: people, manuals, a course. Safe to repeat."""

from typing import Any

from django.core.management.base import CommandParser

from courses.demo import content
from courses.demo.loader import load
from documents import ingestion
from skillnet.commands import ProductCommand


class Command(ProductCommand):
    help = "Carga la organización de demostración. Repetirlo no duplica nada."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--queue", action="store_true", help="deja la lectura de los manuales a los procesos de trabajo"
        )

    def run(self, **options: Any) -> dict[str, Any]:
        organization, versions = load()
        if not options["queue"]:
            for version in versions:
                ingestion.run(organization.pk, version.pk)
        return {
            "organization": organization.slug,
            "users": [{"email": user.email, "password": content.PASSWORD, "role": user.role} for user in content.USERS],
        }

    def text(self, result: dict[str, Any]) -> str:
        people = "\n".join(f"  {user['email']}  {user['password']}  ({user['role']})" for user in result["users"])
        return f"Organización de demostración «{result['organization']}». Para entrar:\n{people}"

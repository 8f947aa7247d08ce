"""Erase what is stored about one person."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from skillnet import erasing
from skillnet.commands import ProductCommand, organization_named
from skillnet.models import User


class Command(ProductCommand):
    help = "Borra lo que se guarda de una persona. Lo que hizo para la organización queda, sin su nombre."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--org", metavar="SLUG", help="solo en esta organización")

    def run(self, **options: Any) -> dict[str, Any]:
        user = User.objects.filter(email__iexact=options["email"]).first()
        if user is None:
            raise CommandError(f"No hay ninguna cuenta con la dirección «{options['email']}».")
        if options["org"]:
            erasing.erase_in(organization_named(options["org"]), user)
            return {"email": options["email"], "organizations": 1}
        return {"email": options["email"], "organizations": erasing.erase(user)}

    def text(self, result: dict[str, Any]) -> str:
        return f"Borrado lo que había de {result['email']}."

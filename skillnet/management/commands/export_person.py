"""Everything stored about one person, as they would download it themselves."""

import json
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.core.serializers.json import DjangoJSONEncoder

from skillnet import personal_data
from skillnet.commands import ProductCommand
from skillnet.models import User


class Command(ProductCommand):
    help = "Escribe todo lo que se guarda de una persona."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")

    def run(self, **options: Any) -> dict[str, Any]:
        user = User.objects.filter(email__iexact=options["email"]).first()
        if user is None:
            raise CommandError(f"No hay ninguna cuenta con la dirección «{options['email']}».")
        plain: dict[str, Any] = json.loads(json.dumps(personal_data.collect(user), cls=DjangoJSONEncoder))
        return plain

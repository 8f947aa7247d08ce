"""What all management commands of the product share: JSON on request, and errors in plain words."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from skillnet.embedded import EmbeddedError
from skillnet.errors import SkillNetError
from skillnet.models import Membership, Organization


class ProductCommand(BaseCommand):
    """A command that prints one JSON document with `--json`, else text for people.

    Subclasses implement `arguments` and `run`. Exit status: 0 done, 1 failed, 2 wrong use.
    """

    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
        self.arguments(parser)

    def arguments(self, parser: CommandParser) -> None:
        """Declare the command's own arguments."""

    def run(self, **options: Any) -> dict[str, Any]:
        """Do the work and return what `--json` prints."""
        raise NotImplementedError

    def text(self, result: dict[str, Any]) -> str:
        """The result for people."""
        return json.dumps(result, ensure_ascii=False, indent=2)

    def handle(self, *args: Any, **options: Any) -> None:
        as_json = options.pop("json")
        try:
            result = self.run(**options)
        except SkillNetError as error:
            raise CommandError(f"{error.user_message} {error}".strip()) from error
        except EmbeddedError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(json.dumps(result, ensure_ascii=False) if as_json else self.text(result))


def organization_named(slug: str) -> Organization:
    """The organization of that slug. Raises: CommandError, when there is none."""
    try:
        return Organization.objects.get(slug=slug)
    except Organization.DoesNotExist:
        raise CommandError(
            f"No existe la organización «{slug}». Créala con: create_organization {slug} --name NOMBRE"
        ) from None


def member_named(organization: Organization, email: str) -> Membership:
    """The membership of a person. Raises: CommandError, when that person is no member."""
    membership = (
        Membership.objects.filter(organization=organization, user__email__iexact=email).select_related("user").first()
    )
    if membership is None:
        raise CommandError(f"«{email}» no es miembro de «{organization.slug}».")
    return membership

"""What all management commands of the product share: JSON on request, and errors in plain words."""

import json
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from skillnet.embedded import EmbeddedError
from skillnet.errors import SkillNetError
from skillnet.models import Membership, Organization


class ProductCommand(BaseCommand, ABC):
    """A command that prints one JSON document with `--json`, else text for people.

    Subclasses implement `arguments` and `run`. Exit status: 0 done, 1 failed, 2 wrong use.
    """

    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
        self.arguments(parser)

    def arguments(self, parser: CommandParser) -> None:
        """Declare the command's own arguments."""

    @abstractmethod
    def run(self, **options: Any) -> dict[str, Any]:
        """Do the work and return what `--json` prints."""

    def text(self, result: dict[str, Any]) -> str:
        """The result for people."""
        return json.dumps(result, ensure_ascii=False, indent=2)

    def check_result(self, result: dict[str, Any]) -> None:
        """Called once the result is printed. Raises: CommandError, when part of the work failed."""

    def handle(self, *args: Any, **options: Any) -> None:
        as_json = options.pop("json")
        try:
            result = self.run(**options)
        except SkillNetError as error:
            raise CommandError(f"{error.user_message} {error}".strip()) from error
        except EmbeddedError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(json.dumps(result, ensure_ascii=False) if as_json else self.text(result))
        self.check_result(result)


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
        Membership.objects.active()
        .filter(organization=organization, user__email__iexact=email)
        .select_related("user")
        .first()
    )
    if membership is None:
        raise CommandError(f"«{email}» no es miembro de «{organization.slug}».")
    return membership


def read_questions(path: Path) -> list[str]:
    """The questions of a file with one JSON object a line; blank lines are skipped.

    Raises: CommandError naming the file, and the line where one is at fault.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise CommandError(f"No se puede leer {path}: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"No se puede leer {path}: no es texto en UTF-8. Guárdalo en UTF-8.") from error
    return [_question(line, f"{path}, línea {number}") for number, line in enumerate(lines, start=1) if line.strip()]


def _question(line: str, place: str) -> str:
    try:
        question = json.loads(line)["question"]
    except (ValueError, LookupError, TypeError, RecursionError):
        question = None
    if not isinstance(question, str):
        raise CommandError(f"{place}: hace falta un objeto JSON con «question», un texto.")
    if "\0" in question or any("\ud800" <= character <= "\udfff" for character in question):
        raise CommandError(f"{place}: la pregunta tiene caracteres que no son texto (\\u0000 o \\ud800 a \\udfff).")
    return question

"""Make an organization and, if asked, its first administrator."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser
from django.core.validators import validate_email, validate_slug

from skillnet.commands import ProductCommand
from skillnet.models import Role
from skillnet.services import add_member, create_organization


class Command(ProductCommand):
    help = "Crea una organización; la que ya existe se devuelve como está."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--name", required=True)
        parser.add_argument("--admin-email")
        parser.add_argument("--admin-password")

    def run(self, **options: Any) -> dict[str, Any]:
        try:
            validate_slug(options["slug"])
            if options["admin_email"]:
                validate_email(options["admin_email"])
        except ValidationError as error:
            raise CommandError(" ".join(error.messages), returncode=2) from error
        if bool(options["admin_email"]) != bool(options["admin_password"]):
            raise CommandError("Indica --admin-email y --admin-password juntos.", returncode=2)
        organization = create_organization(slug=options["slug"], name=options["name"])
        if options["admin_email"]:
            membership = add_member(
                organization=organization,
                email=options["admin_email"],
                password=options["admin_password"],
                role=Role.ADMIN,
            )
            if membership.role != Role.ADMIN:  # a member already: this command says what they are from now on
                membership.role = Role.ADMIN
                membership.save(update_fields=["role"])
        return {"slug": organization.slug, "id": str(organization.pk), "name": organization.name}

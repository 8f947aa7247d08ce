"""Making organizations and their members."""

from django.db import transaction

from skillnet.models import Classification, Membership, Organization, Role, User


def create_organization(*, slug: str, name: str) -> Organization:
    """The organization of that slug, made if missing; one that exists is returned as it is."""
    return Organization.objects.get_or_create(slug=slug, defaults={"name": name})[0]


@transaction.atomic
def add_member(
    *,
    organization: Organization,
    email: str,
    password: str | None = None,
    role: str = Role.EMPLOYEE,
    clearance: int = Classification.INTERNAL,
    first_name: str = "",
    last_name: str = "",
) -> Membership:
    """A person's membership, made if missing. A person who exists keeps name and password; a member keeps the role."""
    user = User.objects.filter(email__iexact=email).first()
    if user is None:
        user = User.objects.create_user(
            email, password, first_name=first_name, last_name=last_name, language=organization.language
        )
    return Membership.objects.get_or_create(
        organization=organization, user=user, defaults={"role": role, "clearance": clearance}
    )[0]

"""Who may open a view of an organization."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.http import Http404, HttpRequest, HttpResponseBase

from skillnet.models import Membership, Organization, Role, User

P = ParamSpec("P")


class OrganizationRequest(HttpRequest):
    """A request that the middleware has bound to an organization and to the member who asks."""

    organization: Organization
    membership: Membership
    user: User


def organization_view(
    *roles: Role,
) -> Callable[
    [Callable[Concatenate[OrganizationRequest, P], HttpResponseBase]],
    Callable[..., HttpResponseBase],
]:
    """Open a view to members with one of `roles` (all roles when none is named); others are told 404.

    The view gets the request and the rest of the address; the organization is `request.organization`.
    """
    allowed = frozenset(roles or Role)

    def decorate(
        view: Callable[Concatenate[OrganizationRequest, P], HttpResponseBase],
    ) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def guarded(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            bound = cast(OrganizationRequest, request)
            if bound.organization.slug != slug or bound.membership.role not in allowed:
                raise Http404
            return view(bound, *args, **kwargs)

        guarded.organization_roles = allowed  # type: ignore[attr-defined]
        return guarded

    return decorate

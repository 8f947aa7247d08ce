"""Who may open a view of an organization."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from skillnet import second_factor
from skillnet.models import Membership, Organization, Role, User

P = ParamSpec("P")


def _ask_for_second_factor(request: HttpRequest) -> HttpResponseBase:
    """To the page that says how to set it up; a fragment's request moves the whole page there."""
    address = reverse("second_factor_needed")
    return HttpResponseClientRedirect(address) if getattr(request, "htmx", False) else redirect(address)


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

    Who lacks the second factor that the organization asks for is led to set it up first.

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
            if second_factor.is_missing(bound.membership):
                return _ask_for_second_factor(request)
            return view(bound, *args, **kwargs)

        guarded.organization_roles = allowed  # type: ignore[attr-defined]
        return guarded

    return decorate

"""The way in, and error pages."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse

from skillnet.access import OrganizationRequest, organization_view
from skillnet.models import Membership


def home(request: HttpRequest) -> HttpResponse:
    """To the person's organization, to a choice between several, or to log-in."""
    if not request.user.is_authenticated:
        return redirect(settings.LOGIN_URL)
    memberships = list(
        Membership.objects.active()
        .filter(user=request.user)
        .select_related("organization")
        .order_by("organization__name")
    )
    if len(memberships) == 1:
        return redirect("organization_home", memberships[0].organization.slug)
    left = None if memberships else Membership.objects.filter(user=request.user).select_related("organization").first()
    return render(request, "skillnet/choose_organization.html", {"memberships": memberships, "left": left})


@organization_view()
def organization_home(request: OrganizationRequest) -> HttpResponseBase:
    """Each role's first page."""
    name = "dashboard:home" if request.membership.manages else "courses:list"
    return redirect(reverse(name, args=[request.organization.slug]))


def nowhere(request: HttpRequest, rest: str = "") -> HttpResponse:
    """No such page."""
    raise Http404


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404 for pages; a short readable fragment for htmx."""
    template = "skillnet/_not_found.html" if getattr(request, "htmx", False) else "404.html"
    return render(request, template, status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """500 without touching the database."""
    template = "skillnet/_server_error.html" if getattr(request, "htmx", False) else "500.html"
    return render(request, template, status=500)

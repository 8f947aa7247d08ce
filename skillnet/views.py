"""The way in, health, and error pages."""

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django_rq import get_queue
from redis.exceptions import RedisError

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
    return render(request, "skillnet/choose_organization.html", {"memberships": memberships})


@organization_view()
def organization_home(request: OrganizationRequest) -> HttpResponseBase:
    """Each role's first page."""
    name = "dashboard:home" if request.membership.manages else "courses:list"
    return redirect(reverse(name, args=[request.organization.slug]))


def healthz(request: HttpRequest) -> HttpResponse:
    """Alive: the process answers."""
    return HttpResponse("ok", content_type="text/plain")


def readyz(request: HttpRequest) -> JsonResponse:
    """Ready: database, migrations and queue. 503 names what is missing."""
    state = {"database": False, "migrations": False, "queue": False}
    try:
        executor = MigrationExecutor(connection)
        state["database"] = True
        state["migrations"] = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        state["database"] = False
    try:
        state["queue"] = bool(get_queue("ingestion").connection.ping())
    except RedisError:
        state["queue"] = False
    return JsonResponse(state, status=200 if all(state.values()) else 503)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404 for pages; a short readable fragment for htmx."""
    template = "skillnet/_not_found.html" if getattr(request, "htmx", False) else "404.html"
    return render(request, template, status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """500 without touching the database."""
    template = "skillnet/_server_error.html" if getattr(request, "htmx", False) else "500.html"
    return render(request, template, status=500)

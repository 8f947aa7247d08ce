"""The organization named in the address, and its scope around the request."""

import re
from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import get_script_prefix, is_valid_path
from django.utils import timezone, translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language_from_request
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from skillnet import last_organization, seeing_as_employee, staff, unsent
from skillnet.models import Membership, User
from skillnet.rate_limits import too_many
from skillnet.taking_turns import Crowded, turns
from skillnet.tenancy import current_organization_id, organization_scope

ORGANIZATION_ADDRESS = re.compile(r"^/o/(?P<slug>[-\w]+)(?:/|$)")
SEEN_AGAIN_AFTER = timedelta(minutes=5)
CROWDED_SECONDS = 5  # after which one may try again who came while too many of the organization waited


def _in_scope(
    organization_id: UUID, get_response: Callable[[HttpRequest], HttpResponse], request: HttpRequest
) -> HttpResponse:
    with organization_scope(organization_id):
        response = get_response(request)
        if response.status_code >= 500:  # Django has already turned the exception into this page
            transaction.set_rollback(True)
    return response


def _led_back(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """`response`, or where an address for forms alone is opened as a page, the way to the page above it.

    A browser stays at such an address with whatever was answered to the form: a mistake in it, a limit. Opened anew,
    duplicated or restored it would show an error of the browser's own.
    """
    is_page = request.method == "GET" and not request.htmx  # type: ignore[attr-defined]
    if response.status_code != HTTPStatus.METHOD_NOT_ALLOWED or not is_page:
        return response
    roles = getattr(request.resolver_match.func, "organization_roles", ())  # type: ignore[union-attr]
    if request.membership.role not in roles:  # type: ignore[attr-defined]
        return response
    above = request.path_info
    while not is_valid_path(above) or above == request.path_info:
        above = above.rstrip("/").rpartition("/")[0] + "/"
    return redirect(get_script_prefix().rstrip("/") + above)


def _keep_text(request: HttpRequest) -> bool:
    """Keep what a form sent after its session had expired, and say so."""
    if request.method != "POST" or not unsent.keep(request):
        return False
    messages.warning(request, _("Tu sesión había caducado. Entra de nuevo: tu texto te espera, sin enviar."))
    return True


def _note_visit(membership: Membership) -> None:
    """Write down when a member was last here, to five minutes, in a transaction of its own."""
    now = timezone.now()
    if membership.last_seen_at is None or now - membership.last_seen_at > SEEN_AGAIN_AFTER:
        Membership.objects.filter(pk=membership.pk).update(last_seen_at=now)


def memberships_of(user: User | AnonymousUser) -> list[Membership]:
    """The memberships that let a person in, with their organizations, by name."""
    if not user.is_authenticated:
        return []
    mine = Membership.objects.active().filter(user_id=user.pk)
    return list(mine.select_related("organization", "user").order_by("organization__name", "pk"))


class LanguageMiddleware:
    """Pages in the language that a person chose in their account, whatever their browser asks for."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        if isinstance(user, User) and user.is_authenticated:
            translation.activate(user.reading_language)
            request.LANGUAGE_CODE = user.reading_language
        return self.get_response(request)


class NoNulMiddleware:
    """Takes NUL characters out of addresses: no page means one, and PostgreSQL has no text that holds one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        query = request.META.get("QUERY_STRING", "").replace("\0", "")
        while "%00" in query:  # what is left of «%0%000» is another one
            query = query.replace("%00", "")
        request.META["QUERY_STRING"] = query
        if "\0" in request.path_info:
            request.path_info = request.path_info.replace("\0", "")
        return self.get_response(request)


class RequestSizeMiddleware:
    """Refuses bodies that are too large before a byte of them is read: large ones are for uploads alone."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        limit = settings.SKILLNET_REQUEST_MAX_BYTES
        if ORGANIZATION_ADDRESS.match(request.path_info):
            limit = settings.SKILLNET_UPLOAD_REQUEST_MAX_BYTES
        if int(request.META.get("CONTENT_LENGTH") or 0) <= limit:
            return self.get_response(request)
        template = "skillnet/_too_large.html" if "HX-Request" in request.headers else "413.html"
        context = {"megabytes": limit // (1024 * 1024)}
        with translation.override(get_language_from_request(request)):  # nobody knows yet who asks
            page = render_to_string(template, context)
        return HttpResponse(page, status=413, headers={"Connection": "close"})


class OrganizationMiddleware:
    """Answers every address under /o/<slug>/ for members alone, inside the organization's scope.

    A person without a membership is told 404, as if the organization did not exist. The scope is one transaction: an
    exception or a server error rolls it back. Bodies that stream run after it and open their own. The platform's staff
    see, in their own pages, the organization they have chosen to work in.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.membership = None  # type: ignore[attr-defined]
        request.organization = None  # type: ignore[attr-defined]
        address = ORGANIZATION_ADDRESS.match(request.path_info)
        if address is None:
            if last_organization.is_asked_for(request):
                last_organization.put_around(request, memberships_of(request.user))
            chosen = staff.chosen_organization_id(request)
            if chosen is None:
                return self.get_response(request)
            return _in_scope(chosen, self.get_response, request)
        if not request.user.is_authenticated:
            return self._log_in(request)
        if request.method == "POST":
            request.POST  # noqa: B018 - a slow body is read before the transaction begins, not inside it
        memberships = memberships_of(request.user)
        membership = next((one for one in memberships if one.organization.slug == address["slug"]), None)
        if membership is None:
            raise Http404
        _note_visit(membership)
        if len(memberships) > 1:
            last_organization.remember(request, membership)
        seeing_as_employee.apply(request, membership)
        request.memberships = memberships  # type: ignore[attr-defined]  # the header offers the others
        request.membership = membership  # type: ignore[attr-defined]
        request.organization = membership.organization  # type: ignore[attr-defined]
        try:
            with turns.of(membership.organization_id, may_be_refused=True):
                return _led_back(request, _in_scope(membership.organization_id, self.get_response, request))
        except Crowded:
            return _in_scope(membership.organization_id, lambda asked: too_many(asked, CROWDED_SECONDS), request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> None:
        """Undo what a view wrote before it raised, even when the exception becomes a 404 page."""
        if current_organization_id() is not None:
            transaction.set_rollback(True)

    @staticmethod
    def _log_in(request: HttpRequest) -> HttpResponse:
        """Send a stranger to the log-in page and back to a page; a fragment's request moves the whole page there."""
        if request.htmx:  # type: ignore[attr-defined]
            if request.htmx.current_url_abs_path:  # type: ignore[attr-defined]  # None for another site's page
                _keep_text(request)
            back = redirect_to_login(request.htmx.current_url_abs_path or "/")  # type: ignore[attr-defined]
            return HttpResponseClientRedirect(back.url)
        if request.method == "GET":
            return redirect_to_login(request.get_full_path())
        # A form whose session has expired: its own address may not be one to open, the page it stood on is.
        page = request.headers.get("Referer", "")
        if not url_has_allowed_host_and_scheme(page, allowed_hosts={request.get_host()}):
            return redirect_to_login("/")
        if not _keep_text(request):
            lost = _("Tu sesión había caducado. Entra de nuevo: lo último que enviaste no se guardó.")
            messages.warning(request, lost)
        return redirect_to_login(urlsplit(page)._replace(scheme="", netloc="").geturl())

"""How often a person, and an organization as a whole, may do what is costly: ask, search, upload.

Counted by the library `limits` in Valkey, so that all web processes count together. While Valkey is away nothing is
counted and everything goes on: see docs/decisions/0027.
"""

import logging
import math
import time
from collections.abc import Callable
from functools import cache, wraps
from typing import Concatenate, ParamSpec, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from limits import RateLimitItem, parse_many
from limits.errors import StorageError
from limits.storage import Storage, storage_from_string
from limits.strategies import MovingWindowRateLimiter

from skillnet import metrics
from skillnet.access import OrganizationRequest

logger = logging.getLogger(__name__)
P = ParamSpec("P")

_SILENCE_SECONDS = 60.0  # between two words in the log about a store that is away
_WAIT_SECONDS = 0.5  # for the store: a page must not hang on a counter
_said_at = -math.inf


def seconds_to_wait(act: str, *, person: object, organization: object) -> int:
    """Count one `act` ("ask", "search", "upload") and say how long to wait before it may be done; 0 when it may be now.

    What is refused is not counted, so that a browser which keeps trying is let in in time.
    """
    rules = settings.SKILLNET_RATE_LIMITS[act]
    whose = (("person", f"{organization}:{person}"), ("organization", str(organization)))
    return _wait([(item, act, kind, key) for kind, key in whose for item in _rules(rules.get(kind, ""))])


def seconds_to_wait_from(act: str, address: str) -> int:
    """As `seconds_to_wait`, for a visitor known by network address alone."""
    rules = settings.SKILLNET_RATE_LIMITS[act]
    return _wait([(item, act, "address", address) for item in _rules(rules["address"])])


def _wait(counted: list[tuple[RateLimitItem, str, str, str]]) -> int:
    global _said_at
    try:
        limiter = MovingWindowRateLimiter(_storage(settings.SKILLNET_RATE_LIMIT_STORAGE))
        for item, *keys in counted:
            if not limiter.test(item, *keys):
                metrics.RATE_LIMITED.labels(keys[0], keys[1]).inc()
                return max(1, math.ceil(limiter.get_window_stats(item, *keys).reset_time - time.time()))
        for item, *keys in counted:
            limiter.hit(item, *keys)
    except StorageError as error:
        if time.monotonic() - _said_at > _SILENCE_SECONDS:
            _said_at = time.monotonic()
            logger.warning("requests are not counted: the store of rate limits does not answer: %s", error)
    return 0


@cache
def _rules(text: str) -> tuple[RateLimitItem, ...]:
    """The limits of a setting such as «20/minute;300/hour»; empty: none."""
    return tuple(parse_many(text)) if text else ()


@cache
def _storage(address: str) -> Storage:
    if address.startswith("memory"):
        return cast(Storage, storage_from_string(address))
    seconds = {"socket_timeout": _WAIT_SECONDS, "socket_connect_timeout": _WAIT_SECONDS}
    return cast(Storage, storage_from_string(address, wrap_exceptions=True, **seconds))


def rate_limited(
    act: str,
    *,
    counts: Callable[[HttpRequest], bool] = lambda request: True,
    refuse: "Callable[[OrganizationRequest, int], HttpResponse] | None" = None,
) -> Callable[
    [Callable[Concatenate[OrganizationRequest, P], HttpResponseBase]],
    Callable[..., HttpResponseBase],
]:
    """Tell who does `act` too often when to try again, with status 429. Stands below `organization_view`.

    `counts` says which requests are such an act; the others pass. `refuse` makes the answer to a page's request, where
    `too_many` would lose what was written.
    """

    def decorate(
        view: Callable[Concatenate[OrganizationRequest, P], HttpResponseBase],
    ) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def limited(request: OrganizationRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if counts(request):
                seconds = seconds_to_wait(act, person=request.user.pk, organization=request.organization.pk)
                if seconds:
                    return _refused(refuse or too_many, request, seconds)
            return view(request, *args, **kwargs)

        return limited

    return decorate


def _refused(
    refuse: Callable[[OrganizationRequest, int], HttpResponse], request: OrganizationRequest, seconds: int
) -> HttpResponse:
    response = (too_many if getattr(request, "htmx", False) else refuse)(request, seconds)
    response.status_code = 429
    response["Retry-After"] = str(seconds)
    return response


def too_many(request: HttpRequest, seconds: int) -> HttpResponse:
    """The page, or for htmx the fragment, that says when to try again."""
    is_fragment = getattr(request, "htmx", False)
    template = "skillnet/_too_many.html" if is_fragment else "skillnet/too_many.html"
    response = render(request, template, {"wait": in_words(seconds)}, status=429)
    response["Retry-After"] = str(seconds)
    return response


def in_words(seconds: int) -> str:
    """A wait as people say it: seconds up to a minute and a half, then minutes, rounded up."""
    if seconds <= 90:
        return ngettext("%(count)d segundo", "%(count)d segundos", seconds) % {"count": seconds}
    minutes = math.ceil(seconds / 60)
    if minutes <= 90:
        return ngettext("%(count)d minuto", "%(count)d minutos", minutes) % {"count": minutes}
    return _("%(count)d horas") % {"count": math.ceil(minutes / 60)}

"""Log-ins that fail again and again: who is counted, and what the person locked out is told."""

from datetime import datetime, timedelta
from math import ceil
from typing import Any

from allauth.account.adapter import get_adapter
from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone


def login_name(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    """The address that was tried, as accounts spell it."""
    known = credentials or {}
    name = known.get("email") or known.get("login") or request.POST.get("login") or ""
    return str(name).strip().lower()


def client_address(request: HttpRequest) -> str | None:
    """Where a request comes from, with the proxies counted that are told to be ours. None: code logs somebody in."""
    if "REMOTE_ADDR" not in request.META:
        return None
    return str(get_adapter(request).get_client_ip(request))


def locked_out(
    request: HttpRequest, response: HttpResponse | None, credentials: dict[str, Any] | None, *args: Any, **kwargs: Any
) -> HttpResponse:
    """The page for a log-in that is locked for a while, with status 429. It says until when."""
    now = timezone.now()
    until = max(_opens_at(request, credentials, now), now)
    minutes = ceil((until - now) / timedelta(minutes=1))
    return render(request, "account/locked.html", {"minutes": minutes, "until": until}, status=429)


def _opens_at(request: HttpRequest, credentials: dict[str, Any] | None, now: datetime) -> datetime:
    """When the latest of the failures that count is forgotten. Tries in between do not: they are not counted."""
    failures = AccessAttempt.objects.filter(
        username=login_name(request, credentials), ip_address=client_address(request)
    )
    latest = failures.aggregate(latest=Max("attempt_time"))["latest"] or now
    return latest + settings.AXES_COOLOFF_TIME


def is_last_try(request: HttpRequest | None) -> bool:
    """Whether one more log-in like the one that has just failed locks this person out here."""
    failures = getattr(request, "axes_failures_since_start", None)
    return failures is not None and failures == settings.AXES_FAILURE_LIMIT - 1

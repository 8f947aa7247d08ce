"""Log-ins that fail again and again: who is counted, and what the person locked out is told."""

from typing import Any

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


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
    """The page for a log-in that is locked for a while, with status 429."""
    minutes = int(settings.AXES_COOLOFF_TIME.total_seconds() // 60)
    return render(request, "account/locked.html", {"minutes": minutes}, status=429)

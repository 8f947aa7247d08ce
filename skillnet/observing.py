"""Every request gets a name, is counted and timed, and leaves one line in the log, without what it asked or sent."""

import logging
import re
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from typing import cast

from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse

from skillnet import metrics
from skillnet.log_context import request_named

logger = logging.getLogger("skillnet.requests")

HEADER = "X-Request-ID"
_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{8,64}")
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def _named_pieces(name: str, body: Iterable[bytes]) -> Iterator[bytes]:
    """A streamed body, each piece of it made under the request's name."""
    pieces = iter(body)
    while True:
        with request_named(name):
            try:
                piece = next(pieces)
            except StopIteration:
                return
        yield piece


class ObservingMiddleware:
    """Names the request (as a proxy named it, if that is well-formed), and counts, times and logs it.

    What is logged is the view, never the address: that may hold a question or an invitation's secret.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get(HEADER, "")
        name = given if _WELL_FORMED.fullmatch(given) else uuid.uuid4().hex
        started = time.perf_counter()
        with request_named(name):
            response = self.get_response(request)
            response.headers[HEADER] = name
            self._note(request, response, time.perf_counter() - started)
        if isinstance(response, StreamingHttpResponse) and not response.is_async:
            response.streaming_content = _named_pieces(name, cast(Iterable[bytes], response.streaming_content))
        return response

    @staticmethod
    def _note(request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
        match = request.resolver_match
        view = (match.view_name if match else "") or "none"
        method = request.method if request.method in _METHODS else "other"
        metrics.REQUESTS.labels(method, view, str(response.status_code)).inc()
        metrics.LATENCY.labels(view).observe(seconds)
        organization = getattr(request, "organization", None)
        logger.info(
            "%s %s %s",
            method,
            view,
            response.status_code,
            extra={
                "method": method,
                "view": view,
                "status": response.status_code,
                "milliseconds": round(seconds * 1000, 1),
                "organization": str(organization.pk) if organization is not None else "",
            },
        )

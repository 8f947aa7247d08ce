"""On whose behalf a line is written to the log: the request's name and the organization's id."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_current: ContextVar[str] = ContextVar("request_id", default="")


def current_request_id() -> str:
    """The name of the request, or of the request that queued the job, at work in this thread; empty outside."""
    return _current.get()


@contextmanager
def request_named(name: str) -> Iterator[None]:
    """Work inside on behalf of the request of that name."""
    token = _current.set(name)
    try:
        yield
    finally:
        _current.reset(token)


class ContextFilter(logging.Filter):
    """Puts the request's name and the organization of the open scope into every line."""

    def filter(self, record: logging.LogRecord) -> bool:
        if not hasattr(record, "request_id"):
            record.request_id = _current.get()
        if not hasattr(record, "organization"):
            from skillnet.tenancy import current_organization_id  # here: logging is set up before models can be

            record.organization = str(current_organization_id() or "")
        return True

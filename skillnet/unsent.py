"""Text that was sent after the session had expired: it waits in the anonymous session for who logs in next."""

import time
from typing import Any

from django.http import HttpRequest

KEY = "unsent_text"
FIELD = "keep_text"  # a form names in it the field that is worth keeping
KEPT_SECONDS = 600.0  # a shared computer must not show it to the next person hours later
MAX_CHARACTERS = 10_000


def keep(request: HttpRequest) -> bool:
    """Keep the text that a form sent without a session wants kept. False when there is none or it is too long.

    Only for requests from this site's own pages: another site could put words into a person's form.
    """
    name = request.POST.get(FIELD, "")
    text = request.POST.get(name, "") if name else ""
    if not text or len(text) > MAX_CHARACTERS:
        return False
    request.session[KEY] = {"field": name, "text": text, "at": time.time()}
    return True


def take(request: HttpRequest, field: str) -> str:
    """The text kept for the field of this name, once; empty when there is none or it is old."""
    kept: dict[str, Any] | None = request.session.get(KEY)
    if kept is None or kept["field"] != field:
        return ""
    del request.session[KEY]
    return str(kept["text"]) if time.time() - kept["at"] <= KEPT_SECONDS else ""

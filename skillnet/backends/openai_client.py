"""A client for any server that speaks OpenAI's protocol."""

from typing import Final

import openai

CONNECT_SECONDS: Final = 5.0


def openai_client(*, base_url: str, api_key: str, read_seconds: float, max_retries: int) -> openai.OpenAI:
    """A client safe to share between threads. An empty `base_url` is OpenAI itself.

    Servers at home often want no key, the library always does: an empty one is sent as "none".
    """
    return openai.OpenAI(
        base_url=base_url or None,
        api_key=api_key or "none",
        timeout=openai.Timeout(read_seconds, connect=CONNECT_SECONDS),
        max_retries=max_retries,
    )

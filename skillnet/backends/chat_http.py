"""The language model over HTTP: any server with OpenAI's /v1/chat/completions, streaming."""

import logging
import math
import re
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, Final

import openai
import pybreaker
import tenacity

from skillnet import metrics
from skillnet.backends.openai_client import openai_client
from skillnet.backends.protocols import ChatMessage
from skillnet.errors import BackendUnavailable

logger = logging.getLogger(__name__)

TRIES: Final = 3
FAILURES_TO_OPEN: Final = 3  # replies in a row that failed, each after all its tries
OPEN_SECONDS: Final = 30.0
QUIET_SECONDS: Final = 15.0  # a proxy takes a connection on which nothing is sent for a minute for dead

UNKNOWN_CONTEXT_TOKENS: Final = 16_000
_CONTEXT_TOKENS: Final = (
    (re.compile(r"deepseek[-_]?(?:v3|chat)", re.IGNORECASE), 64_000),
    (re.compile(r"gpt-4o", re.IGNORECASE), 128_000),
    (re.compile(r"claude", re.IGNORECASE), 200_000),
)


@dataclass(frozen=True, slots=True)
class _End:
    """The end of a reply that the server calls complete, and why it ended."""

    reason: str


_Piece = str | Exception | _End  # text, why it failed, or the end


class _CutOff(Exception):
    """The server stopped without saying that the reply was complete."""


class _Withheld(Exception):
    """The server's filter kept the reply, or the rest of it, back."""


class _Malformed(Exception):
    """The server sent an event that is JSON and no part of a reply."""


def context_tokens_of(model: str) -> int:
    """How many tokens, prompt and reply together, the model of this name takes."""
    return next((size for name, size in _CONTEXT_TOKENS if name.search(model)), UNKNOWN_CONTEXT_TOKENS)


class ChatModel:
    """Streams replies from a chat endpoint.

    `first_token_timeout` bounds the wait for the first piece, retries included; `timeout` bounds every later
    silence, and `reply_timeout` the whole reply from its first piece on, so that a trickle ends. Up to two retries,
    before the first piece only: after it, a retry would repeat what the reader has seen. After three failed replies in
    a row the endpoint is left alone for 30 seconds and asking fails at once.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        model: str,
        timeout: float = 60,
        first_token_timeout: float = 20,
        reply_timeout: float = 180,
        open_seconds: float = OPEN_SECONDS,
        retry_seconds: float = 0.5,
    ) -> None:
        self.model_id = model
        self.context_tokens = context_tokens_of(model)
        self._client = openai_client(base_url=base_url, api_key=api_key, read_seconds=timeout, max_retries=0)
        # OpenAI's newer models refuse the name that every other server knows.
        is_openai = self._client.base_url.host.endswith("openai.com")
        self._limit_name = "max_completion_tokens" if is_openai else "max_tokens"
        self._timeout = timeout
        self._first_token_timeout = first_token_timeout
        self._reply_timeout = reply_timeout
        self._retry_seconds = retry_seconds
        self._breaker = pybreaker.CircuitBreaker(
            fail_max=FAILURES_TO_OPEN,
            reset_timeout=open_seconds,
            exclude=[_is_no_failure],
            throw_new_error_on_trip=False,
        )

    def stream(
        self, messages: Sequence[ChatMessage], *, max_tokens: int, seconds: float | None = None
    ) -> Generator[str, None, bool]:
        """Yield the reply's pieces as they arrive. Closing the iterator ends the request at its next piece.

        Returns: whether it is but a beginning, cut off at `max_tokens`.
        Raises: BackendUnavailable, also when the server broke off, its filter kept the reply back or it took longer
            than `seconds`.
        """
        ends: list[_End] = []  # the breaker passes on what is yielded, not what is returned
        if seconds is None:
            yield from self._guarded(messages, max_tokens, ends)
        elif self._breaker.current_state == pybreaker.STATE_OPEN:
            raise BackendUnavailable(f"{self._client.base_url} failed repeatedly")
        else:
            # Whether it comes in a hurry says nothing of how the endpoint does otherwise: it counts neither way.
            yield from self._reply(messages, max_tokens, ends, seconds)
        return [end.reason for end in ends] == ["length"]

    def _guarded(self, messages: Sequence[ChatMessage], max_tokens: int, ends: list[_End]) -> Iterator[str]:
        try:
            yield from self._breaker.call(self._reply, messages, max_tokens, ends)
        except pybreaker.CircuitBreakerError as error:
            metrics.MODEL_FAILURES.labels("chat").inc()
            raise BackendUnavailable(f"{self._client.base_url} failed repeatedly: {error}") from error

    def _reply(
        self, messages: Sequence[ChatMessage], max_tokens: int, ends: list[_End], seconds: float = math.inf
    ) -> Iterator[str]:
        # A thread reads: only so does the wait for the first piece end on time whatever the server does, such
        # as sending empty events to keep the connection open.
        pieces: SimpleQueue[_Piece] = SimpleQueue()
        abandoned = threading.Event()
        threading.Thread(
            target=self._read,
            args=(messages, max_tokens, pieces, abandoned),
            name="language-model-reply",
            daemon=True,
        ).start()
        wait, deadline = min(self._first_token_timeout, seconds), time.monotonic() + seconds
        try:
            while not isinstance(piece := (yield from self._next(pieces, wait)), _End):
                deadline = min(deadline, time.monotonic() + self._reply_timeout)
                yield piece
                wait = max(0.0, min(self._timeout, deadline - time.monotonic()))
            ends.append(piece)
        finally:
            abandoned.set()

    def _next(self, pieces: "SimpleQueue[_Piece]", seconds: float) -> Generator[str, None, str | _End]:
        """The next piece, or the end; an empty one is yielded whenever the wait for it grows long."""
        ends = time.monotonic() + seconds
        while True:
            left = max(0.0, ends - time.monotonic())
            try:
                piece = pieces.get(timeout=min(left, QUIET_SECONDS))
                break
            except Empty:
                if left > QUIET_SECONDS:
                    yield ""
                    continue
            metrics.MODEL_FAILURES.labels("chat").inc()
            raise BackendUnavailable(f"{self._client.base_url} sent nothing for {seconds} s")
        if isinstance(piece, Exception):
            metrics.MODEL_FAILURES.labels("chat").inc()
            raise BackendUnavailable(f"{self._client.base_url}: {piece}") from piece
        return piece

    def _read(
        self,
        messages: Sequence[ChatMessage],
        max_tokens: int,
        pieces: "SimpleQueue[_Piece]",
        abandoned: threading.Event,
    ) -> None:
        has_started = False
        retrying = tenacity.Retrying(
            stop=tenacity.stop_after_attempt(TRIES) | tenacity.stop_when_event_set(abandoned),
            wait=tenacity.wait_exponential_jitter(multiplier=self._retry_seconds, max=4, jitter=self._retry_seconds),
            retry=tenacity.retry_if_exception(lambda error: not has_started and _may_pass(error)),
            sleep=tenacity.sleep_using_event(abandoned),
            reraise=True,
        )
        try:
            for attempt in retrying:
                with attempt:
                    for piece in self._pieces(messages, max_tokens):
                        if abandoned.is_set():
                            return
                        pieces.put(piece)
                        has_started = True
        except (openai.OpenAIError, _CutOff, _Withheld, _Malformed, ValueError) as error:  # ValueError: no JSON
            logger.warning("The language model at %s failed: %s", self._client.base_url, error)
            pieces.put(error)

    def _pieces(self, messages: Sequence[ChatMessage], max_tokens: int) -> Iterator[str | _End]:
        request: dict[str, Any] = {
            "model": self.model_id,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "temperature": 0,
            "stream": True,
            self._limit_name: max_tokens,
        }
        reason: str | None = None
        with self._client.chat.completions.create(**request) as stream:
            for event in stream:
                text, ends_for = _part_of(event)
                reason = reason if ends_for is None else ends_for
                if text:
                    yield text
        if reason is None:
            raise _CutOff("the reply was cut off")
        if reason == "content_filter":
            raise _Withheld("the reply was filtered")
        yield _End(reason)


def _part_of(event: Any) -> tuple[str, str | None]:
    """An event's piece of the reply, and why it ends with it; None when it goes on. The client takes whatever JSON a
    server sends for an event, so that every field may be missing or of another kind. Raises: _Malformed.
    """
    try:
        choices = event.choices[:1]  # a last event may hold usage and no choice
        parts = [(choice.delta.content or "", getattr(choice, "finish_reason", None)) for choice in choices]
    except (AttributeError, TypeError) as error:
        raise _Malformed("an event that is no part of a reply") from error
    text, reason = parts[0] if parts else ("", None)
    if not isinstance(text, str):
        raise _Malformed("a piece that is no text")
    return text, None if reason is None else str(reason)


def _may_pass(error: BaseException) -> bool:
    """Whether the same request may succeed when sent again."""
    if isinstance(error, openai.APIStatusError):
        return error.status_code in (408, 409, 429) or error.status_code >= 500
    return isinstance(error, openai.APIConnectionError | _CutOff | _Malformed)


def _is_no_failure(error: BaseException) -> bool:
    """Whether the endpoint lives all the same: the reader left, or it refused this one request or reply."""
    refused = (openai.BadRequestError, openai.UnprocessableEntityError, _Withheld)
    return isinstance(error, GeneratorExit) or isinstance(error.__cause__, refused)

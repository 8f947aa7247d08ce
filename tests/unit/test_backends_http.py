"""The backends over HTTP, against a server in a thread that answers as told."""

import json
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from skillnet.backends import chat_http
from skillnet.backends.api_embedder import ApiEmbedder
from skillnet.backends.chat_http import ChatModel, context_tokens_of
from skillnet.backends.protocols import ChatMessage
from skillnet.errors import BackendUnavailable, InvalidEmbedding
from tests.model_server import Handler, Reply, Script, event, fails, says, serving

QUESTION = [ChatMessage("system", "Responde."), ChatMessage("user", "¿Y el casco?")]


@pytest.fixture
def server() -> Iterator[Script]:
    with serving() as script:
        yield script


def embeds(*vectors: list[float]) -> Reply:
    """Vectors in an order of the server's own: the index says whose each is."""
    rows = [{"object": "embedding", "index": index, "embedding": vector} for index, vector in enumerate(vectors)]
    body = {
        "object": "list",
        "model": "m",
        "data": rows[::-1],
        "usage": {"prompt_tokens": 1, "total_tokens": 1},
    }
    return lambda handler: handler.send(200, json.dumps(body))


def api(server: Script, **options: Any) -> ApiEmbedder:
    return ApiEmbedder(**{"base_url": server.url, "api_key": "clave", "model": "m", "dimensions": 2, **options})


def chat(server: Script, **options: Any) -> ChatModel:
    defaults = {"model": "m", "api_key": "", "timeout": 60, "first_token_timeout": 60, "retry_seconds": 0.001}
    return ChatModel(**{"base_url": server.url, **defaults, **options})


# --- Embeddings.


def test_passages_are_sent_in_batches_and_come_back_in_order(server: Script) -> None:
    server.replies = [embeds([3.0, 4.0], [0.0, 2.0]), embeds([5.0, 0.0])]
    vectors = api(server, batch_size=2).embed_passages(["uno", "dos", "tres"])
    assert vectors == pytest.approx(np.array([[0.6, 0.8], [0.0, 1.0], [1.0, 0.0]]))
    assert [request["input"] for request in server.requests] == [["uno", "dos"], ["tres"]]
    assert server.requests[0]["path"] == "/v1/embeddings"
    assert server.requests[0]["key"] == "Bearer clave"


def test_an_e5_model_gets_its_prefixes(server: Script) -> None:
    server.replies = [embeds([1.0, 0.0])]
    embedder = api(server, model="intfloat/multilingual-e5-base")
    embedder.embed_query("casco")
    embedder.embed_passages(["casco"])
    assert [request["input"] for request in server.requests] == [["query: casco"], ["passage: casco"]]
    assert embedder.count_tokens("casco") > api(server).count_tokens("casco")


def test_a_server_without_token_vectors_says_so(server: Script) -> None:
    server.replies = [embeds([0.0, 1.0])]
    embedder = api(server)
    embedding = embedder.embed_passages_with_tokens(["casco"])[0]
    assert not embedder.supports_tokens
    assert embedding.vector.tolist() == [0.0, 1.0]
    assert embedding.tokens.shape == (0, 2)
    assert embedding.spans.shape == (0, 2)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_failure_that_passes_is_tried_again(server: Script, status: int) -> None:
    server.replies = [fails(status), fails(status), embeds([1.0, 0.0])]
    assert api(server).embed_query("casco").tolist() == [1.0, 0.0]
    assert len(server.requests) == 3


@pytest.mark.parametrize(("status", "tries"), [(500, 3), (429, 3), (401, 1), (400, 1)])
def test_a_failure_that_stays_is_an_unavailable_backend(server: Script, status: int, tries: int) -> None:
    server.replies = [fails(status)]
    with pytest.raises(BackendUnavailable):
        api(server).embed_query("casco")
    assert len(server.requests) == tries


def test_an_answer_that_is_no_json_is_an_unavailable_backend(server: Script) -> None:
    server.replies = [lambda handler: handler.send(200, "<html>", "application/json")]
    with pytest.raises(BackendUnavailable):
        api(server).embed_query("casco")


@pytest.mark.parametrize("answer", [{}, {"data": None}, {"data": []}, {"data": [{"index": 0}]}, {"data": [{}, {}]}])
def test_an_answer_without_embeddings_is_refused(server: Script, answer: dict[str, Any]) -> None:
    server.replies = [lambda handler: handler.send(200, json.dumps(answer))]
    with pytest.raises((BackendUnavailable, InvalidEmbedding)):
        api(server).embed_query("casco")


@pytest.mark.parametrize("vector", [[1.0, 0.0, 0.0], [float("nan"), 1.0], [0.0, 0.0]])
def test_a_wrong_vector_is_an_error_and_no_data(server: Script, vector: list[float]) -> None:
    server.replies = [embeds(vector)]
    with pytest.raises(InvalidEmbedding):
        api(server).embed_query("casco")
    assert len(server.requests) == 1


def test_too_few_vectors_are_an_error(server: Script) -> None:
    server.replies = [embeds([1.0, 0.0])]
    with pytest.raises(InvalidEmbedding):
        api(server).embed_passages(["uno", "dos"])


# --- Chat.


def test_a_reply_arrives_in_pieces(server: Script) -> None:
    server.replies = [says("El casco ", "es obligatorio.")]
    assert list(chat(server).stream(QUESTION, max_tokens=50)) == ["El casco ", "es obligatorio."]
    request = server.requests[0]
    assert request["path"] == "/v1/chat/completions"
    assert request["messages"] == [
        {"role": "system", "content": "Responde."},
        {"role": "user", "content": "¿Y el casco?"},
    ]
    assert request["max_tokens"] == 50
    assert request["stream"] is True


@pytest.mark.parametrize("first", [fails(429), fails(500), says(finish=False)])
def test_a_failure_before_the_first_piece_is_tried_again(server: Script, first: Reply) -> None:
    server.replies = [first, says("Sí.")]
    assert list(chat(server).stream(QUESTION, max_tokens=50)) == ["Sí."]


@pytest.mark.parametrize(("status", "tries"), [(500, 3), (401, 1)])
def test_a_failure_that_stays_ends_the_reply(server: Script, status: int, tries: int) -> None:
    server.replies = [fails(status)]
    with pytest.raises(BackendUnavailable):
        list(chat(server).stream(QUESTION, max_tokens=50))
    assert len(server.requests) == tries


def test_a_reply_cut_off_raises_after_its_pieces_and_is_not_repeated(server: Script) -> None:
    server.replies = [says("El casco ", finish=False)]
    received = []
    with pytest.raises(BackendUnavailable):
        for piece in chat(server).stream(QUESTION, max_tokens=50):
            received.append(piece)  # noqa: PERF402 - what came before the error is the point
    assert received == ["El casco "]
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "sent",
    [
        "data: {no es JSON\n\n",
        "data: []\n\n",
        "data: 7\n\n",
        'data: "hola"\n\n',
        "data: {}\n\n",
        'data: {"choices": null}\n\n',
        'data: {"choices": 3}\n\n',
        'data: {"choices": [null]}\n\n',
        'data: {"choices": [{}]}\n\n',
        'data: {"choices": [{"delta": null}]}\n\n',
        'data: {"choices": [{"delta": {"content": ["El"]}}]}\n\n',
        'data: {"error": {"message": "sin memoria"}}\n\n',
        "data: \xff\xfe\n\n",
        "<html><body>En obras</body></html>",
    ],
)
def test_an_event_that_makes_no_sense_ends_the_reply_at_once_and_not_when_time_is_up(server: Script, sent: str) -> None:
    server.replies = [lambda handler: handler.send(200, sent, "text/event-stream")]
    started = time.monotonic()
    with pytest.raises(BackendUnavailable) as raised:
        list(chat(server, first_token_timeout=30).stream(QUESTION, max_tokens=50))
    assert "sent nothing" not in str(raised.value)
    assert time.monotonic() - started < 20
    server.replies = [says("Sí.")]
    assert list(chat(server).stream(QUESTION, max_tokens=50)) == ["Sí."]


@pytest.mark.parametrize("seconds", [None, 10])
@pytest.mark.parametrize(("reason", "is_cut_off"), [("stop", False), ("length", True), ("tool_calls", False)])
def test_a_reply_says_whether_it_was_cut_off_at_its_longest(
    server: Script, reason: str, is_cut_off: bool, seconds: float | None
) -> None:
    server.replies = [says("El casco ", "es", reason=reason)]
    pieces = chat(server).stream(QUESTION, max_tokens=2, seconds=seconds)
    received = []
    while True:
        try:
            received.append(next(pieces))
        except StopIteration as end:
            assert end.value is is_cut_off
            break
    assert received == ["El casco ", "es"]


@pytest.mark.parametrize("pieces", [["El casco "], []])
def test_a_reply_that_the_server_filters_is_a_failure_but_closes_no_endpoint(server: Script, pieces: list[str]) -> None:
    model = chat(server)
    server.replies = [says(*pieces, reason="content_filter")]
    for _ in range(4):
        with pytest.raises(BackendUnavailable, match="filtered"):
            list(model.stream(QUESTION, max_tokens=50))
    assert len(server.requests) == 4  # none was sent again
    server.replies = [says("Sí.")]
    assert list(model.stream(QUESTION, max_tokens=50)) == ["Sí."]


def test_a_server_that_gives_every_event_an_empty_reason_is_understood(server: Script) -> None:
    body = event("Sí", "") + event(".", "") + event(None, "length")
    server.replies = [lambda handler: handler.send(200, body, "text/event-stream")]
    assert list(chat(server).stream(QUESTION, max_tokens=50)) == ["Sí", "."]


def test_an_event_without_text_among_others_is_passed_over(server: Script) -> None:
    def reply(handler: Handler) -> None:
        usage = 'data: {"id": "1", "choices": [], "usage": {"total_tokens": 9}}\n\n'
        body = ": sigo aquí\n\n" + event(None) + event("Sí.") + event(None, "stop") + usage + "data: [DONE]\n\n"
        handler.send(200, body, "text/event-stream")

    server.replies = [reply]
    assert list(chat(server).stream(QUESTION, max_tokens=50)) == ["Sí."]


def test_a_first_piece_that_is_late_ends_the_wait_on_time(server: Script) -> None:
    given_up: list[bool] = []

    def keeps_open(handler: Handler) -> None:
        handler.send(200, ": procesando\n\n", "text/event-stream")
        given_up.append(not handler.script.stop_waiting.wait(timeout=30))

    server.replies = [keeps_open]
    with pytest.raises(BackendUnavailable):
        list(chat(server, first_token_timeout=0.1).stream(QUESTION, max_tokens=50))
    assert given_up == []  # the server still kept it open


def test_a_long_wait_gives_signs_of_life_before_and_between_pieces(
    server: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat_http, "QUIET_SECONDS", 0.05)

    def thinks(handler: Handler) -> None:
        time.sleep(0.3)
        handler.send(200, event("Sí, "), "text/event-stream")
        time.sleep(0.3)
        handler.wfile.write((event("siempre.") + event(None, "stop") + "data: [DONE]\n\n").encode())

    server.replies = [thinks]
    pieces = list(chat(server, first_token_timeout=10, timeout=10).stream(QUESTION, max_tokens=50))
    assert "".join(pieces) == "Sí, siempre."
    first = pieces.index("Sí, ")
    assert pieces[:first].count("") >= 2 and pieces[first:].count("") >= 2


def test_signs_of_life_put_no_end_off(server: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat_http, "QUIET_SECONDS", 0.05)
    server.replies = [lambda handler: time.sleep(2)]
    started = time.monotonic()
    with pytest.raises(BackendUnavailable, match="sent nothing"):
        list(chat(server, first_token_timeout=0.3).stream(QUESTION, max_tokens=50))
    assert time.monotonic() - started < 1.5


def test_a_silence_between_pieces_ends_the_reply(server: Script) -> None:
    def falls_silent(handler: Handler) -> None:
        handler.send(200, event("El casco "), "text/event-stream")
        handler.script.stop_waiting.wait(timeout=5)

    server.replies = [falls_silent]
    stream = chat(server, timeout=0.1).stream(QUESTION, max_tokens=50)
    assert next(stream) == "El casco "
    with pytest.raises(BackendUnavailable):
        next(stream)


def test_a_reply_that_trickles_ends(server: Script) -> None:
    def trickles(handler: Handler) -> None:
        handler.send(200, event("El "), "text/event-stream")
        while not handler.script.stop_waiting.wait(timeout=0.02):
            handler.wfile.write(event("y ").encode())

    server.replies = [trickles]
    pieces = chat(server, timeout=5, reply_timeout=0.2).stream(QUESTION, max_tokens=50)
    with pytest.raises(BackendUnavailable):
        for _piece in pieces:
            continue


@pytest.mark.parametrize("is_silent", [True, False])
def test_a_reply_wanted_in_a_hurry_ends_on_time_and_speaks_neither_for_nor_against_the_endpoint(
    server: Script, is_silent: bool
) -> None:
    def dawdles(handler: Handler) -> None:
        handler.send(200, ": procesando\n\n", "text/event-stream")
        while not handler.script.stop_waiting.wait(timeout=0.02):
            handler.wfile.write((": ya\n\n" if is_silent else event("y ")).encode())

    model = chat(server)
    server.replies = [dawdles]
    for _ in range(4):
        began = time.monotonic()
        with pytest.raises(BackendUnavailable):
            list(model.stream(QUESTION, max_tokens=50, seconds=0.1))
        assert time.monotonic() - began < 2
    server.replies = [says("Sí.")]
    assert list(model.stream(QUESTION, max_tokens=50)) == ["Sí."]
    assert list(model.stream(QUESTION, max_tokens=50, seconds=10)) == ["Sí."]
    server.replies = [fails(401)]
    for _ in range(3):
        with pytest.raises(BackendUnavailable):
            list(model.stream(QUESTION, max_tokens=50))
    asked = len(server.requests)
    with pytest.raises(BackendUnavailable):
        list(model.stream(QUESTION, max_tokens=50, seconds=10))
    assert len(server.requests) == asked  # a dead endpoint is left alone


def test_a_dead_endpoint_is_left_alone_and_tried_again_later(server: Script) -> None:
    model = chat(server)
    server.replies = [fails(401)]
    for _ in range(5):
        with pytest.raises(BackendUnavailable):
            list(model.stream(QUESTION, max_tokens=50))
    assert len(server.requests) == 3  # the last two failed at once

    server.replies = [says("Sí.")]
    model._breaker.reset_timeout = 0  # it is later
    reply = list(model.stream(QUESTION, max_tokens=50))
    assert reply == ["Sí."]


def test_a_refused_prompt_and_a_reader_who_leaves_do_not_close_the_endpoint(server: Script) -> None:
    model = chat(server)
    server.replies = [fails(400)]
    for _ in range(4):
        with pytest.raises(BackendUnavailable):
            list(model.stream(QUESTION, max_tokens=50))
    server.replies = [says("Sí, ", "siempre.")]
    for _ in range(4):
        stream = model.stream(QUESTION, max_tokens=50)
        assert next(stream) == "Sí, "
        stream.close()  # type: ignore[attr-defined]
    assert list(model.stream(QUESTION, max_tokens=50)) == ["Sí, ", "siempre."]


def test_an_endpoint_that_nobody_serves_is_an_unavailable_backend() -> None:
    model = ChatModel(base_url="http://127.0.0.1:9/v1", api_key="", model="m", retry_seconds=0.001)
    with pytest.raises(BackendUnavailable):
        list(model.stream(QUESTION, max_tokens=50))


@pytest.mark.parametrize(
    ("model", "tokens"),
    [
        ("deepseek-chat", 64_000),
        ("deepseek-ai/DeepSeek-V3", 64_000),
        ("gpt-4o-mini", 128_000),
        ("anthropic/claude-sonnet", 200_000),
        ("llama3.1:8b", 16_000),
    ],
)
def test_context_is_known_by_the_models_name(model: str, tokens: int) -> None:
    assert context_tokens_of(model) == tokens

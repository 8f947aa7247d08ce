"""A server with OpenAI's protocol that answers as told, for tests of what talks to one over HTTP."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = Callable[["Handler"], None]


@dataclass
class Script:
    """What the server answers, request by request (the last reply repeats), and what it was asked."""

    url: str
    replies: list[Reply] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    stop_waiting: threading.Event = field(default_factory=threading.Event)


class Handler(BaseHTTPRequestHandler):
    script: Script

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.script.requests.append({"path": self.path, "key": self.headers["Authorization"], **body})
        replies = self.script.replies
        (replies.pop(0) if len(replies) > 1 else replies[0])(self)

    def log_message(self, *_arguments: object) -> None:
        """Keep the test's output clean."""

    def send(self, status: int, body: str, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Retry-After-Ms", "1")
        self.end_headers()
        self.wfile.write(body.encode())
        self.wfile.flush()


@contextmanager
def serving() -> Iterator[Script]:
    """A server on a free port until the end of the block."""
    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    script = Script(url=f"http://127.0.0.1:{http.server_port}/v1")
    http.RequestHandlerClass = type("ScriptedHandler", (Handler,), {"script": script})
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield script
    finally:
        script.stop_waiting.set()
        http.shutdown()
        thread.join()
        http.server_close()


def fails(status: int) -> Reply:
    return lambda handler: handler.send(status, json.dumps({"error": {"message": "no puedo"}}))


def says(*pieces: str, finish: bool = True, reason: str = "stop") -> Reply:
    """A stream of pieces that ends for `reason`; without `finish` the connection closes before it is complete."""

    def reply(handler: Handler) -> None:
        handler.send(200, "".join(event(piece) for piece in pieces), "text/event-stream")
        if finish:
            handler.wfile.write((event(None, reason) + "data: [DONE]\n\n").encode())

    return reply


def event(text: str | None, finish_reason: str | None = None) -> str:
    choice = {"index": 0, "delta": {"content": text} if text else {}, "finish_reason": finish_reason}
    chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return f"data: {json.dumps(chunk)}\n\n"

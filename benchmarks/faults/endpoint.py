"""A language model's endpoint that behaves as told: it takes its time, or never answers."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PIECES = (
    "El cliente ",
    "dispone ",
    "de 30 días ",
    "para ",
    "devolver ",
    "un producto ",
    "con su ",
    "tique. ",
    "[Fuente 1]",
)


class Endpoint:
    """`mode` is slow (a word every 0.15 s) or hanging (connects, then silence)."""

    def __init__(self) -> None:
        self.mode = "slow"
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                if endpoint.mode == "hanging":
                    time.sleep(600)
                    return
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                for text in PIECES:
                    piece = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "fake"}
                    piece["choices"] = [{"index": 0, "delta": {"content": text}, "finish_reason": None}]  # type: ignore[assignment]
                    try:
                        self.wfile.write(f"data: {json.dumps(piece)}\n\n".encode())
                        self.wfile.flush()
                    except OSError:  # who asked was killed
                        return
                    time.sleep(0.15)
                self.wfile.write(b"data: [DONE]\n\n")

            def log_message(self, *_arguments: Any) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()

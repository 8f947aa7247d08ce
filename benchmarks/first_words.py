"""How long a person waits for the first words of an answer, against a running server with the demo data.

    python benchmarks/first_words.py [ADDRESS]

Asks each question in a conversation of its own, through the pages and the event stream a browser uses. Prints the time
from sending the question to the first words and to the stored answer. The first question warms up and is not counted.
"""

import http.cookiejar
import json
import re
import statistics
import sys
import time
import urllib.parse
import urllib.request
import uuid
from pathlib import Path

QUESTIONS = Path(__file__).resolve().parent.parent / "courses/demo/questions.jsonl"
EMAIL, PASSWORD = "mateo@demo.example", "valdemirlo-demo"


class Browser:
    """Cookies, forms and event streams, no more."""

    def __init__(self, address: str) -> None:
        self.address = address.rstrip("/")
        jar = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))

    def get(self, path: str) -> str:
        with self._opener.open(self.address + path, timeout=60) as response:
            return str(response.read().decode())

    def post(self, path: str, page: str, fields: dict[str, str]) -> str:
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        assert token is not None
        data = urllib.parse.urlencode(fields | {"csrfmiddlewaretoken": token[1]}).encode()
        request = urllib.request.Request(self.address + path, data, {"Referer": self.address + path})
        with self._opener.open(request, timeout=60) as response:
            return str(response.read().decode())

    def events(self, path: str):
        """Event names as they arrive."""
        with self._opener.open(self.address + path, timeout=120) as response:
            for line in response:
                if line.startswith(b"event:"):
                    yield line.decode().split(":", 1)[1].strip()


def main() -> None:
    browser = Browser(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")
    browser.post("/cuenta/login/", browser.get("/cuenta/login/"), {"login": EMAIL, "password": PASSWORD})
    questions = [json.loads(line)["question"] for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    first, whole = [], []
    for question in questions[:1] + questions:
        page = browser.get("/o/demo/tutor/")
        fields = dict(re.findall(r'<input type="hidden" name="(?!csrf)([^"]+)" value="([^"]*)"', page))
        fields |= {"question": question, "submission": str(uuid.uuid4()), "fresh": "true"}  # nothing ready is wanted
        started = time.perf_counter()
        answer = browser.post("/o/demo/tutor/preguntar/", page, fields)
        stream = re.findall(r'(?:sse-connect|data-sse-connect)="([^"]+)"', answer)[-1]
        heard = None
        for name in browser.events(stream):
            heard = heard or (time.perf_counter() - started if name in ("answer", "final") else None)
            if name == "done":
                break
        first.append(heard or float("nan"))
        whole.append(time.perf_counter() - started)
    for name, values in (("first words", first[1:]), ("stored answer", whole[1:])):
        ordered = sorted(values)
        p95 = ordered[int(0.95 * (len(ordered) - 1))]
        print(f"{name}: p50 {statistics.median(values):.3f} s, p95 {p95:.3f} s ({len(values)} questions)")


if __name__ == "__main__":
    main()

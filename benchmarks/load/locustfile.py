"""Employees asking the tutor at once, against a running server with the demo data.

    locust -f benchmarks/load/locustfile.py --headless --users 50 --spawn-rate 10 --run-time 3m --host http://127.0.0.1:8000

`make load` runs this. Each employee opens the tutor, asks, hears the answer's event stream to its end, opens the
conversation again and reads for THINK seconds (shortest and longest, "8 16" unless set). With ANEW=1 nothing ready is
taken: every question is searched and answered from the passages. The first half minute warms up and is not counted.
At the end the targets are judged and the exit status says whether they were met: no error, first words within 3 s and
other pages within 500 ms at the 95th percentile, and, when the server runs on this machine, memory that grows by less
than a tenth over the second half.
"""

import json
import logging
import os
import random
import re
import statistics
import time
import uuid
from pathlib import Path
from urllib.parse import urlsplit

import gevent
import psutil
import requests
from locust import HttpUser, between, events, task
from locust.env import Environment

ROOT = Path(__file__).resolve().parent.parent.parent
QUESTIONS = [
    json.loads(line)["question"]
    for line in (ROOT / "courses/demo/questions.jsonl").read_text(encoding="utf-8").splitlines()
]
ACCOUNTS = (("mateo@demo.example", "valdemirlo-demo"), ("carmen@demo.example", "valdemirlo-demo"))
THINK = tuple(float(seconds) for seconds in os.environ.get("THINK", "8 16").split())
ANEW = os.environ.get("ANEW") == "1"  # no answer given before and no FAQ entry is taken: every question is searched
FIRST_WORDS, WHOLE = "first words", "whole answer"
PERCENTILE = 0.95
MAX_FIRST_WORDS_MS, MAX_PAGE_MS, MAX_GROWTH = 3_000, 500, 0.1
WARM_UP_SECONDS, SAMPLE_SECONDS = 30, 5

logger = logging.getLogger("load")
_sessions: list[requests.cookies.RequestsCookieJar] = []  # logging in is limited an address, so it is done once
_memory: list[int] = []


class Employee(HttpUser):
    """One person with a conversation of their own."""

    wait_time = between(*THINK)

    def on_start(self) -> None:
        self.client.cookies.update(random.choice(_sessions))

    @task
    def ask(self) -> None:
        page = self.client.get("/o/demo/tutor/", name="tutor").text
        fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page))
        fields |= {"question": random.choice(QUESTIONS), "submission": str(uuid.uuid4())}
        if ANEW:
            fields["fresh"] = "true"
        started = time.perf_counter()
        headers = {"Referer": f"{self.host}/o/demo/tutor/"}
        asked = self.client.post("/o/demo/tutor/preguntar/", fields, headers=headers, name="ask")
        streams = re.findall(r'sse-connect="([^"]+)"', asked.text)
        if streams:
            self._listen(streams[-1], started)
        self.client.get(urlsplit(asked.url).path, name="conversation")

    @task
    def look_around(self) -> None:
        self.client.get("/o/demo/cursos/", name="courses")

    def _listen(self, path: str, started: float) -> None:
        """Read the stream to its end. Time counts from sending the question."""
        heard = done = False
        with self.client.get(path, stream=True, name="stream opened", catch_response=True) as stream:
            for line in stream.iter_lines(chunk_size=1):
                if not heard and line in (b"event: answer", b"event: final"):
                    heard = True
                    _report(FIRST_WORDS, started)
                done = done or line == b"event: done"
            if not done:
                stream.failure("the stream ended without its closing event")
        _report(WHOLE, started)


def _report(name: str, started: float) -> None:
    events.request.fire(
        request_type="SSE",
        name=name,
        response_time=(time.perf_counter() - started) * 1000,
        response_length=0,
        exception=None,
        context={},
    )


def _log_in(host: str) -> None:
    for email, password in ACCOUNTS:
        with requests.Session() as session:
            page = session.get(f"{host}/cuenta/login/", timeout=120).text
            token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
            assert token is not None, "no log-in page"
            fields = {"csrfmiddlewaretoken": token[1], "login": email, "password": password}
            answer = session.post(
                f"{host}/cuenta/login/", fields, headers={"Referer": f"{host}/cuenta/login/"}, timeout=120
            )
            assert "/o/demo/" in answer.url, f"{email} could not log in"
            _sessions.append(session.cookies)


def _server_processes(host: str) -> list[psutil.Process]:
    """Who listens at the host's port, with its children; nobody when it is another machine."""
    port = urlsplit(host).port
    listening = {
        one.pid for one in psutil.net_connections("tcp") if one.status == psutil.CONN_LISTEN and one.laddr.port == port
    }
    found = [psutil.Process(pid) for pid in listening if pid]
    return list({one.pid: one for parent in found for one in (parent, *parent.children(recursive=True))}.values())


def _watch_memory(host: str) -> None:
    processes = _server_processes(host)
    while processes:
        _memory.append(sum(process.memory_info().rss for process in processes if process.is_running()))
        gevent.sleep(SAMPLE_SECONDS)


@events.test_start.add_listener
def begin(environment: Environment, **_others: object) -> None:
    host = (environment.host or "").rstrip("/")
    _log_in(host)
    gevent.spawn(_watch_memory, host)
    gevent.spawn_later(WARM_UP_SECONDS, environment.stats.reset_all)


@events.quitting.add_listener
def judge(environment: Environment, **_others: object) -> None:
    stats = environment.stats
    entries = {name: entry for (name, _method), entry in stats.entries.items()}
    first = entries.get(FIRST_WORDS)
    pages = [entry for name, entry in entries.items() if name not in (FIRST_WORDS, WHOLE, "stream opened")]
    slowest = max((entry.get_response_time_percentile(PERCENTILE) for entry in pages), default=0)
    words = first.get_response_time_percentile(PERCENTILE) if first else float("inf")
    growth = _growth()
    wrong = [
        message
        for is_wrong, message in (
            (stats.total.num_failures > 0, f"{stats.total.num_failures} requests failed"),
            (words > MAX_FIRST_WORDS_MS, f"first words p95 {words} ms"),
            (slowest > MAX_PAGE_MS, f"slowest page p95 {slowest} ms"),
            (growth > MAX_GROWTH, f"memory grew by {growth:.0%}"),
        )
        if is_wrong
    ]
    questions = first.num_requests if first else 0
    logger.info(
        "questions %d, first words p95 %.0f ms, slowest page p95 %.0f ms, memory %+.1f %%",
        *(questions, words, slowest, growth * 100),
    )
    for message in wrong:
        logger.error("Target missed: %s", message)
    environment.process_exit_code = 1 if wrong else 0


def _growth() -> float:
    """How much more memory the server held in the last quarter than in the second, as a share."""
    quarter = len(_memory) // 4
    if not quarter:
        return 0.0
    return statistics.median(_memory[-quarter:]) / statistics.median(_memory[quarter : 2 * quarter]) - 1

"""One organization floods the server; another's people must hardly notice.

    python manage.py create_organization tranquila --name Tranquila --admin-email t@t.example --admin-password PASSWORD
    python manage.py ingest --org tranquila FILE…
    export QUIET="tranquila t@t.example PASSWORD"
    locust -f benchmarks/load/flood.py --headless --run-time 4m --only-summary --host ADDRESS

In the first half ten people of the quiet organization ask; in the second half forty of the demo join them, who ask and
send files without a pause. The exit status says whether no quiet request failed and the 95th percentile of their first
words and pages stayed within twice what it was.
"""

import os
import random
import re
import statistics
import time
import uuid

import requests
from locust import HttpUser, LoadTestShape, between, constant, events, task
from locust.env import Environment

QUIET_USERS, FLOODERS = 10, 40
WARM_UP_SECONDS = 15
SLUG, EMAIL, PASSWORD = os.environ.get("QUIET", "tranquila t@t.example contraseña-larga-1").split()
ACCOUNTS = {SLUG: (EMAIL, PASSWORD), "demo": ("admin@demo.example", "valdemirlo-demo")}
QUESTIONS = ("¿Cuántos días hay para devolver un producto?", "¿Quién abre la tienda?", "¿Qué hago si falla la caja?")

_cookies: dict[str, requests.cookies.RequestsCookieJar] = {}
_times: dict[str, list[float]] = {"alone": [], "flooded": []}
_failed: list[str] = []
_phase = ["warming up"]


def _ask(user: HttpUser, slug: str) -> int:
    """Ask and hear the whole answer. Returns the status of the first request that was no success, else 200."""
    page = user.client.get(f"/o/{slug}/tutor/", name=f"{slug}: tutor")
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page.text))
    fields |= {"question": random.choice(QUESTIONS), "submission": str(uuid.uuid4())}
    headers = {"Referer": f"{user.host}/o/{slug}/tutor/"}
    with user.client.post(
        f"/o/{slug}/tutor/preguntar/", fields, headers=headers, name=f"{slug}: ask", catch_response=True
    ) as asked:
        if asked.status_code == 429:  # told to wait: that is what limits are for
            asked.success()
            return 429
    for path in re.findall(r'sse-connect="([^"]+)"', asked.text)[-1:]:
        with user.client.get(path, stream=True, name=f"{slug}: answer", catch_response=True) as stream:
            for _line in stream.iter_lines():
                continue
    return next((one.status_code for one in (page, asked) if one.status_code >= 400), 200)


class Quiet(HttpUser):
    fixed_count = QUIET_USERS  # else locust shares all users out between the two classes
    wait_time = between(2, 4)

    def on_start(self) -> None:
        self.client.cookies.update(_cookies[SLUG])

    @task
    def ask(self) -> None:
        phase, started = _phase[0], time.perf_counter()
        status = _ask(self, SLUG)
        if phase in _times:
            _times[phase].append(time.perf_counter() - started)
            if status >= 400:
                _failed.append(f"{phase}: {status}")


class Flooder(HttpUser):
    wait_time = constant(0)

    def on_start(self) -> None:
        self.client.cookies.update(_cookies["demo"])

    @task(9)
    def ask(self) -> None:
        if _ask(self, "demo") == 429:
            time.sleep(1)

    @task(1)
    def upload(self) -> None:
        page = self.client.get("/o/demo/documentos/", name="demo: documents").text
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        files = [
            ("uploads", (f"{uuid.uuid4()}.md", f"# Parte {uuid.uuid4()}\n\n{' '.join(QUESTIONS) * 40}".encode()))
            for _n in range(10)
        ]
        data = {"csrfmiddlewaretoken": token[1] if token else "", "classification": "2", "audience": "everyone"}
        headers = {"Referer": f"{self.host}/o/demo/documentos/"}
        with self.client.post(
            "/o/demo/documentos/subir/", data, files=files, headers=headers, name="demo: upload", catch_response=True
        ) as sent:
            if sent.status_code == 429:
                sent.success()
                time.sleep(1)


class QuietThenFlood(LoadTestShape):
    def tick(self) -> tuple[int, float, list[type[HttpUser]]] | None:
        assert self.runner is not None
        options = self.runner.environment.parsed_options
        half = ((options.run_time if options and options.run_time else 240) - WARM_UP_SECONDS) / 2
        now = self.get_run_time()
        if now < WARM_UP_SECONDS + half:
            _phase[0] = "alone" if now > WARM_UP_SECONDS else "warming up"
            return QUIET_USERS, 5, [Quiet]
        if now < WARM_UP_SECONDS + 2 * half:
            _phase[0] = "flooded"
            return QUIET_USERS + FLOODERS, 10, [Quiet, Flooder]
        return None


@events.test_start.add_listener
def begin(environment: Environment, **_others: object) -> None:
    host = (environment.host or "").rstrip("/")
    for slug, (email, password) in ACCOUNTS.items():
        session = requests.Session()
        page = session.get(f"{host}/cuenta/login/", timeout=120).text
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        assert token is not None, "no log-in page"
        fields = {"csrfmiddlewaretoken": token[1], "login": email, "password": password}
        answer = session.post(
            f"{host}/cuenta/login/", fields, headers={"Referer": f"{host}/cuenta/login/"}, timeout=120
        )
        assert f"/o/{slug}/" in answer.url, f"{email} could not log in"
        _cookies[slug] = session.cookies


@events.quitting.add_listener
def judge(environment: Environment, **_others: object) -> None:
    alone, flooded = (
        statistics.quantiles(times, n=20)[-1] if len(times) > 1 else float("inf") for times in _times.values()
    )
    print(
        f"quiet: p95 {alone:.2f} s alone ({len(_times['alone'])}), {flooded:.2f} s flooded ({len(_times['flooded'])})"
    )
    for phase, times in _times.items():
        print(f"{phase}: visits of {', '.join(f'{seconds:.1f}' for seconds in times)} s, in order")
    print(f"quiet requests that failed: {len(_failed)} {_failed[:3]}")
    environment.process_exit_code = 0 if not _failed and flooded <= 2 * alone else 1

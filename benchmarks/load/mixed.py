"""A working day of the demo: of ten things that people do, seven are questions, two are pages and one is a file.

    locust -f benchmarks/load/mixed.py --headless --users 100 --spawn-rate 10 --run-time 10m --host ADDRESS

Logging in, warming up, watching memory and judging are those of locustfile.py, which asks questions alone. One who
sends more than the server's limits allow is told so (429): that is an answer and no error, and is counted apart.
"""

import random
import re
import uuid
from urllib.parse import urlsplit

import locustfile
from locust import HttpUser, between, events, task
from locust.env import Environment
from locustfile import QUESTIONS, Employee

MANAGER = ("admin@demo.example", "valdemirlo-demo")
Employee.abstract = True  # its ways of asking are used here, it does not come itself
locustfile.ACCOUNTS = (*locustfile.ACCOUNTS, MANAGER)


class Person(HttpUser):
    """Somebody who asks, reads and, where allowed, sends a file now and then."""

    wait_time = between(*locustfile.THINK)
    _listen = Employee._listen

    def on_start(self) -> None:
        self.cookies = random.choice(locustfile._sessions)
        self.client.cookies.update(self.cookies)

    @task(7)
    def question(self) -> None:
        Employee.ask(self)  # type: ignore[arg-type]

    @task(2)
    def pages(self) -> None:
        self.client.get(random.choice(("/o/demo/cursos/", "/o/demo/tutor/")), name="pages")

    @task(1)
    def file(self) -> None:
        self.client.cookies.update(locustfile._sessions[-1])  # the one who may
        page = self.client.get("/o/demo/documentos/", name="documents").text
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        lines = [f"# Parte {uuid.uuid4()}", *random.sample(QUESTIONS, 8)]
        with self.client.post(
            "/o/demo/documentos/subir/",
            {"csrfmiddlewaretoken": token[1] if token else "", "classification": "2", "audience": "everyone"},
            files=[("uploads", (f"parte-{uuid.uuid4()}.md", "\n\n".join(lines).encode()))],
            headers={"Referer": f"{self.host}/o/demo/documentos/"},
            name="upload",
            catch_response=True,
        ) as sent:
            allow_limits(sent)
        self.client.cookies.update(self.cookies)


def allow_limits(response: object) -> None:
    """Count «too many» as an answer."""
    if response.status_code == 429:  # type: ignore[attr-defined]
        response.success()  # type: ignore[attr-defined]
        environment_limits[0] += 1


environment_limits = [0]


@events.quitting.add_listener
def tell(environment: Environment, **_others: object) -> None:
    locustfile.logger.info("told to wait: %d", environment_limits[0])
    locustfile.logger.info("host %s", urlsplit(environment.host or "").netloc)

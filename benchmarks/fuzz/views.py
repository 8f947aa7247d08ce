"""A fuzzer that knows forms, against a running product: no answer of 500 or more, none that takes too long.

    python benchmarks/fuzz/views.py ADDRESS --organization SLUG --email E --password P [--count 5000] [--seed 1]

It logs in, walks the pages it finds, and sends their forms and addresses with values that are too long, of another
kind, of nobody, or no text at all. It deletes and changes what it comes upon: give it an organization of its own, made
with `manage.py create_organization`, and a server without rate limits (RATE_ASK_PERSON= RATE_SEARCH_PERSON=
RATE_UPLOAD_PERSON=). Failures are printed so that they can be sent again; the exit status says whether there was one.
"""

import argparse
import contextlib
import random
import signal
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
from bs4 import BeautifulSoup, Tag

SLOW_SECONDS = 15.0
PAGES_KEPT = 400
VALUES = (
    "",
    " ",
    "0",
    "-1",
    "1",
    "99999999999999999999999",
    "9223372036854775808",
    "1e999",
    "NaN",
    "\0",
    "a\0b",
    "ñ" * 5000,
    "x" * 70_000,
    "'; DROP TABLE x; --",
    "<script>alert(1)</script>",
    "{{ 7*7 }}",
    "../../etc/passwd",
    "00000000-0000-0000-0000-000000000000",
    "no-uuid",
    "2026-02-30",
    "9999-12-31",
    "0000-00-00",
    "\u202e\u0000\ud7ff",
    "𝟜𝟚",
    "٣",
    "on",
    "[]",
    "{}",
    '{"a": 1}',
    "null",
    "%00",
    "%",
    "\\",
    '"',
    "a" * 300,
    "¿Cuándo se abre la caja?",
)
FILES = (
    b"",
    b"\0" * 100,
    b"nombre;correo;rol\nAna;ana@x.example;employee\n",
    b"{}",
    b"[1]",
    b"\xff\xfe\x00",
    b"%PDF-1.7\n",
)


@dataclass
class Fuzzer:
    """One session: what it knows of the product, and what it has seen go wrong."""

    address: str
    organization: str
    chance: random.Random
    session: requests.Session = field(default_factory=requests.Session)
    pages: list[str] = field(default_factory=list)
    forms: list[tuple[str, str, dict[str, list[str]], list[str]]] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    slowest: float = 0.0

    @property
    def home(self) -> str:
        return f"{self.address}/o/{self.organization}/"

    def log_in(self, email: str, password: str) -> None:
        """Raises: SystemExit, when the log-in is refused."""
        login = f"{self.address}/cuenta/login/"
        self.session.get(login, timeout=60)
        data = {"login": email, "password": password, "csrfmiddlewaretoken": self.session.cookies["csrftoken"]}
        self.session.post(login, data=data, headers={"Referer": login}, timeout=60)
        if self.session.get(self.home, timeout=60).status_code != 200:
            sys.exit("the log-in was refused")
        for part in (
            "",
            "documentos/",
            "cursos/",
            "buscar/",
            "tutor/",
            "personas/",
            "evaluacion/",
            "ajustes-de-busqueda/",
        ):
            self.pages.append(self.home + part)

    def step(self) -> None:
        """One request: a page as it is, a page with odd parameters, or a form with odd values."""
        dice = self.chance.random()
        if dice < 0.2 or not self.forms:
            self.send("GET", self.chance.choice(self.pages))
        elif dice < 0.4:
            self.send("GET", self._odd_address(self.chance.choice(self.pages)), params=self._odd_parameters())
        else:
            self._odd_form(*self.chance.choice(self.forms))

    def send(self, method: str, address: str, **options: Any) -> None:
        headers = {"Referer": self.home, "X-CSRFToken": self.session.cookies.get("csrftoken", "")}
        if self.chance.random() < 0.3:
            headers["HX-Request"] = "true"
        started = time.monotonic()
        try:
            response = self._answer(method, address, headers=headers, **options)
        except (requests.Timeout, requests.ConnectionError) as error:
            self.failures.append(f"{type(error).__name__}: {method} {address} {str(options)[:500]}")
            return
        except (requests.exceptions.InvalidURL, requests.exceptions.InvalidHeader, UnicodeError):
            return  # nothing that a client could send
        took = time.monotonic() - started
        self.slowest = max(self.slowest, took)
        self.statuses[response.status_code] += 1
        if response.status_code >= 500 or took > SLOW_SECONDS:
            self.failures.append(f"{response.status_code} in {took:.1f} s: {method} {address} {str(options)[:500]}")
        elif response.status_code in (200, 422) and "html" in response.headers.get("Content-Type", ""):
            self._learn(response.url, response.text)

    def _answer(self, method: str, address: str, **options: Any) -> requests.Response:
        """Ask, and once more on a new connection when the old one had been closed for standing idle."""
        try:
            return self.session.request(method, address, timeout=SLOW_SECONDS * 2, **options)
        except requests.ConnectionError as error:
            if isinstance(error, requests.Timeout):
                raise
            return self.session.request(method, address, timeout=SLOW_SECONDS * 2, **options)

    def _learn(self, address: str, text: str) -> None:
        page = BeautifulSoup(text, "lxml")
        for tag in page.find_all(["a", "form", "div", "tr", "li", "button"]):
            for name in ("href", "hx-get"):
                target = urljoin(address, str(tag.get(name) or ""))
                if self._is_ours(target) and target not in self.pages and len(self.pages) < PAGES_KEPT:
                    self.pages.append(target)
        for form in page.find_all("form"):
            self._learn_form(address, form)

    def _learn_form(self, address: str, form: Tag) -> None:
        target = urljoin(address, str(form.get("action") or form.get("hx-post") or address))
        if not self._is_ours(target) or len(self.forms) > 2 * PAGES_KEPT:
            return
        method = "POST" if form.has_attr("hx-post") else str(form.get("method") or "get").upper()
        fields: dict[str, list[str]] = {}
        files = []
        for tag in form.find_all(["input", "select", "textarea", "button"]):
            name = str(tag.get("name") or "")
            if not name or name == "csrfmiddlewaretoken":
                continue
            if tag.get("type") == "file":
                files.append(name)
            elif tag.name == "select":
                fields[name] = [str(option.get("value") or "") for option in tag.find_all("option")][-1:]
            else:
                fields.setdefault(name, []).append(str(tag.get("value") or tag.get_text() or ""))
        entry = (method, target, fields, files)
        if entry not in self.forms:
            self.forms.append(entry)

    def _is_ours(self, target: str) -> bool:
        # Its own membership, its session and the way it looks at the product are left as they are.
        path = urlsplit(target).path
        left_alone = ("/personas/1", "/quitar/", "/acceso/", "ver-como-empleado", "seguridad", "logout")
        return target.startswith(self.home) and not any(word in path for word in left_alone)

    def _odd_form(self, method: str, target: str, fields: dict[str, list[str]], files: list[str]) -> None:
        data = {name: list(values) for name, values in fields.items()}
        for name in self.chance.sample(list(data), min(len(data), self.chance.choice((0, 1, 1, 2, 5)))):
            dice = self.chance.random()
            if dice < 0.1:
                del data[name]
            elif dice < 0.2:
                data[name] = [*data[name], self.chance.choice(VALUES)]
            else:
                data[name] = [self.chance.choice(VALUES)]
        if method == "GET":
            self.send("GET", target.split("?")[0], params=data)
            return
        sent = [(name, ("á/../x.csv", self.chance.choice(FILES))) for name in files if self.chance.random() < 0.8]
        self.send("POST", target, data=data, files=sent or None)

    def _odd_address(self, address: str) -> str:
        pieces = urlsplit(address)
        parts = pieces.path.split("/")
        places = [place for place, part in enumerate(parts) if part and place > 2]
        if places and self.chance.random() < 0.5:
            parts[self.chance.choice(places)] = self.chance.choice(("0", "1", "9" * 25, "-1", "x", "%00", "ñ", "."))
        return pieces._replace(path="/".join(parts), query="").geturl()

    def _odd_parameters(self) -> dict[str, str]:
        names = (
            "q",
            "pagina",
            "curso",
            "leccion",
            "documento",
            "coleccion",
            "version",
            "desde",
            "hasta",
            "estado",
            "orden",
        )
        names += (
            "tipo",
            "etiqueta",
            "idioma",
            "fecha_desde",
            "fecha_hasta",
            "parte",
            "fila",
            "formato",
            "turnos",
            "pregunta",
        )
        return {
            name: self.chance.choice(VALUES) for name in self.chance.sample(names, self.chance.choice((1, 1, 2, 4)))
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", help="of the running product, such as http://127.0.0.1:8000")
    parser.add_argument("--organization", required=True)
    parser.add_argument("--email", required=True)
    parser.add_argument("--password", required=True)
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    fuzzer = Fuzzer(options.address.rstrip("/"), options.organization, random.Random(options.seed))
    fuzzer.log_in(options.email, options.password)
    started = time.monotonic()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt):  # what was seen until then is told all the same
        for _ in range(options.count):
            fuzzer.step()
    took = time.monotonic() - started
    print(f"{sum(fuzzer.statuses.values())} answers in {took:.0f} s, slowest {fuzzer.slowest:.1f} s")
    print(f"{len(fuzzer.pages)} pages and {len(fuzzer.forms)} forms found")
    print(f"by status: {dict(fuzzer.statuses.most_common())}")
    for failure in dict.fromkeys(fuzzer.failures):
        print(failure)
    sys.exit(1 if fuzzer.failures else 0)


if __name__ == "__main__":
    main()

"""How long the server takes for each page of a large organization, and how many queries.

    python benchmarks/pages/run.py [--rounds 20] [--first] [--json FILE]

Makes an organization of 1,000 documents, 200 courses, 300 people and 5,000 conversations in a database of its own in
the embedded PostgreSQL, and keeps it; later runs find it there. Pages are asked for through Django's own test client:
what is measured is the server's work from the request to the last byte of the answer, without the network.
"""

import argparse
import json
import os
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "skillnet.settings.development")
os.environ.setdefault("LOG_LEVEL", "ERROR")
PROJECT = Path(__file__).resolve().parent.parent.parent
os.chdir(PROJECT)
sys.path.insert(0, str(PROJECT))
from skillnet.embedded.bootstrap import prepare as prepare_services  # noqa: E402 - the path has to be set first

prepare_services(["worker"])
if os.environ.get("DATABASE_URL"):
    sys.exit("DATABASE_URL names a server: this benchmark only writes to the embedded one.")
import django  # noqa: E402

django.setup()

import large_organization as large  # noqa: E402 - Django has to be set up first
from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402

from skillnet.warming import keep_what_is_loaded, read_pages  # noqa: E402

NO_QUERIES = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "SELECT set_config", "FETCH", "CLOSE")
ADMIN_PAGES = (
    "inicio/", "notificaciones/", "documentos/", "documentos/?q=manual+7", "documentos/?estado=problemas",
    "documentos/?pagina=30", "documentos/colecciones/", "documentos/manuales/", "documentos/{document}/",
    "documentos/{document}/fragmentos/", "cursos/", "cursos/?pagina=5", "cursos/nuevo/", "cursos/{course}/",
    "cursos/{course}/personas/", "cursos/{course}/editor/", "cursos/avisos/", "cursos/certificados/", "tutor/",
    "tutor/conversaciones/{conversation}/", "tutor/conversaciones/", "tutor/registro/", "tutor/registro/?q=vacaciones",
    "tutor/registro/?pagina=100", "tutor/avisos/", "tutor/faq/", "tutor/faq/sugeridas/", "personas/",
    "personas/invitaciones/", "personas/grupos/", "personas/registro/", "ajustes-de-busqueda/", "evaluacion/",
    "buscar/glosario/",
)  # fmt: skip
EMPLOYEE_PAGES = (
    "cursos/", "cursos/{course}/", "cursos/lecciones/{lesson}/", "documentos/manuales/", "documentos/{document}/",
    "buscar/", "tutor/", "notificaciones/",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Measured:
    """One page: milliseconds of the server's work, queries without those that open and close the scope, bytes."""

    who: str
    page: str
    p50: float
    p95: float
    cpu: float  # of p50, this process's own: the rest is the database's, or the machine was busy
    queries: int
    bytes: int


def measure(client: Client, who: str, page: str, address: str, rounds: int) -> Measured:
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address)
        asked = sum(not query["sql"].startswith(NO_QUERIES) for query in queries)
    assert answer.status_code == 200, f"{address}: {answer.status_code}"
    times, own = [], []
    for _round in range(rounds):
        started, busy = time.perf_counter(), time.process_time()
        answer = client.get(address)
        times.append(1000 * (time.perf_counter() - started))
        own.append(1000 * (time.process_time() - busy))
    times.sort()
    return Measured(
        who, page, median(times), times[round(0.95 * (rounds - 1))], median(own), asked, len(answer.content)
    )


def go_first() -> None:
    """Put this process and its server before whatever else the machine does, as on a machine that only serves pages."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        server = cursor.fetchone()[0]
    for pid in (os.getpid(), server):
        os.sched_setscheduler(pid, os.SCHED_RR, os.sched_param(1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--first", action="store_true", help="before all other processes; wants root's rights")
    parser.add_argument("--only", default="", help="pages whose address holds this")
    arguments = parser.parse_args()
    settings.ALLOWED_HOSTS = ["*"]
    made = large.prepare()
    read_pages()
    keep_what_is_loaded()  # as a process of the web server does
    if arguments.first:
        go_first()
    measured = []
    print(f"{'p50 ms':>8} {'p95 ms':>8} {'cpu ms':>7} {'queries':>8} {'kB':>6}  page")
    for who, user, pages in (("admin", made.admin, ADMIN_PAGES), ("employee", made.employee, EMPLOYEE_PAGES)):
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        client.get(f"/o/{large.SLUG}/notificaciones/")  # the first visit is noted
        for page in pages:
            if arguments.only not in page:
                continue
            one = measure(client, who, page, f"/o/{large.SLUG}/{page.format(**made.ids)}", arguments.rounds)
            print(
                f"{one.p50:8.0f} {one.p95:8.0f} {one.cpu:7.0f} {one.queries:8d} {one.bytes / 1000:6.0f}  {who} {page}",
                flush=True,
            )
            measured.append(one)
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(one) for one in measured], indent=1))


if __name__ == "__main__":
    main()

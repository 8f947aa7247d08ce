"""How `manage.py run` starts the web server."""

import os
from itertools import pairwise
from pathlib import Path

import pytest

from documents.management.commands import worker
from skillnet.management.commands.run import Service, web_command, web_environment

PROJECT = Path(__file__).parents[2]


def test_the_web_server_gets_its_processes_and_threads() -> None:
    command = web_command("127.0.0.1:8000", 2, 48)
    given = dict(pairwise(command))
    assert (given["--workers"], given["--threads"], given["--bind"]) == ("2", "48", "127.0.0.1:8000")
    assert int(given["--keep-alive"]) > 60  # proxies keep an idle connection for a minute


@pytest.mark.parametrize("started_by", ["Dockerfile", "compose.yaml"])
def test_addresses_may_be_as_long_in_containers(started_by: str) -> None:
    longest = dict(pairwise(web_command("127.0.0.1:8000", 2, 48)))["--limit-request-line"]
    assert f'"--limit-request-line", "{longest}"' in (PROJECT / started_by).read_text()


@pytest.mark.parametrize(("processes", "cores", "threads"), [(1, 4, None), (2, 2, "1"), (2, 8, "4"), (4, 2, "1")])
def test_processes_share_the_cores_out(
    monkeypatch: pytest.MonkeyPatch, processes: int, cores: int, threads: str | None
) -> None:
    monkeypatch.delenv("EMBEDDING_THREADS", raising=False)
    assert web_environment(processes, cores).get("EMBEDDING_THREADS") == threads
    monkeypatch.setenv("EMBEDDING_THREADS", "3")
    assert web_environment(processes, cores) == {}


def test_a_service_has_its_own_environment_beside_ours(tmp_path: Path) -> None:
    told = tmp_path / "told"
    service = Service("one", ["sh", "-c", f'echo "$OURS $PATH" > {told}'], {"OURS": "yes"})
    service.keep_running()
    assert service.process is not None
    assert service.process.wait(30) == 0
    assert told.read_text().startswith("yes /")
    assert "OURS" not in os.environ


@pytest.mark.parametrize(("leads_the_session", "written"), [(True, str(worker.NICENESS)), (False, "")])
def test_the_worker_gives_way_to_pages(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, leads_the_session: bool, written: str
) -> None:
    ranks: list[int] = []
    autogroup = tmp_path / "autogroup"
    autogroup.touch()
    monkeypatch.setattr(os, "nice", ranks.append)
    monkeypatch.setattr(os, "getsid", lambda _pid: os.getpid() if leads_the_session else 1)
    monkeypatch.setattr(worker, "AUTOGROUP", autogroup)
    worker.give_way()
    assert ranks == [worker.NICENESS]
    assert autogroup.read_text() == written  # the whole session of a terminal is not the worker's to put behind


def test_a_worker_starts_where_a_session_has_no_rank(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "nice", lambda rank: rank)
    monkeypatch.setattr(os, "getsid", lambda _pid: os.getpid())
    monkeypatch.setattr(worker, "AUTOGROUP", tmp_path / "none" / "autogroup")
    worker.give_way()

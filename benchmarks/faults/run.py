"""Parts of a running installation are killed, filled up, emptied or misled: nothing may be lost, doubled or left open.

    python benchmarks/faults/run.py [--times 1] [--only worker/upload,disk-full] [--seed N] [--seconds 180]

Each round notes what there is, begins an activity, does the harm at a random moment, waits until everything is back and
compares. An installation of its own is made for it and removed. Needs Linux; as root also the rounds with a full disk
(a file system in memory) and, with libfaketime installed, those with a wrong clock. The machine's own clock and
services are left alone.
"""

import argparse
import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from activities import ACTIVITIES, MANUAL, Activity, Answer, Ingestion, Upload
from endpoint import Endpoint
from stack import Person, Stack, until

PARTS = ("web", "worker", "postgres", "valkey")
STATED_SECONDS = 180.0  # within which everything is in a final state; an answer that was cut off alone takes 120
FAKETIME = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)


@dataclass(frozen=True, slots=True)
class Place:
    """Where the rounds happen."""

    stack: Stack
    person: Person
    organization: Any
    endpoint: Endpoint
    chance: random.Random
    seconds: float

    def activity(self, kind: type[Activity]) -> Any:
        return kind(self.stack, self.person, self.organization, self.chance, self.seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=1, help="rounds of each kind")
    parser.add_argument("--only", default="", help="names of rounds, or beginnings of them, with commas between")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument(
        "--seconds", type=float, default=STATED_SECONDS, help="to be in a final state; more on a machine in other hands"
    )
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what was begun is stopped then, too
    wanted = tuple(filter(None, options.only.split(",")))
    rounds = {name: act for name, act in _rounds().items() if not wanted or name.startswith(wanted)}
    chance = random.Random(options.seed)
    print(f"seed {options.seed}, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    print(f"{'round':<22} {'#':>2} {'s to ready':>10} {'s to final':>10}  result", flush=True)
    wrong = 0
    normal = {name: act for name, act in rounds.items() if name != "disk-full"}
    if normal:
        with _Installation(chance, options.seconds) as place:
            for name, act in normal.items():
                wrong += sum(_round(place, name, number + 1, act) for number in range(options.times))
    if "disk-full" in rounds and normal:  # Django keeps to the first installation's servers and folder
        same = ["--times", str(options.times), "--seed", str(options.seed), "--seconds", str(options.seconds)]
        with subprocess.Popen([sys.executable, __file__, "--only", "disk-full", *same]) as itself:  # it stops its own
            wrong += itself.wait()
    elif "disk-full" in rounds:
        with _Installation(chance, options.seconds, megabytes=400) as place:
            wrong += sum(_round(place, "disk-full", number + 1, _disk_full) for number in range(options.times))
    print(f"{wrong} rounds wrong, load {os.getloadavg()[0]:.1f}")
    sys.exit(1 if wrong else 0)


class _Installation:
    def __init__(self, chance: random.Random, seconds: float, *, megabytes: int = 0) -> None:
        self._chance, self._seconds = chance, seconds
        self._endpoint = Endpoint()
        self._stack = Stack(
            megabytes=megabytes,
            LLM_BASE_URL=self._endpoint.address,
            LLM_MODEL="fake",
            LLM_API_KEY="none",
            LLM_FIRST_TOKEN_TIMEOUT="5",  # noqa: S106 - seconds
        )

    def __enter__(self) -> Place:
        try:
            return self._begin()
        except BaseException:  # an interrupt, too, must leave nothing running
            self.__exit__()
            raise

    def _begin(self) -> Place:
        sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
        import django

        from skillnet.embedded.bootstrap import prepare

        prepare(["worker"])
        django.setup()
        self._stack.start()
        from skillnet.models import Role
        from skillnet.services import add_member, create_organization

        organization = create_organization(slug="fallos", name="Fallos")
        member = add_member(organization=organization, email="a@fallos.example", password="x" * 12, role=Role.ADMIN)
        person = Person(self._stack, member.user)
        place = Place(self._stack, person, organization, self._endpoint, self._chance, self._seconds)
        for contents in (None, [MANUAL.encode()]):
            corpus = place.activity(Ingestion)
            corpus.begin(contents)
            corpus.finish()
        return place

    def __exit__(self, *_error: object) -> None:
        from django.db import connections

        connections.close_all()
        self._endpoint.stop()
        self._stack.stop()


def _rounds() -> dict[str, Callable[[Place], list[str]]]:
    def killed(part: str, kind: type[Activity]) -> Callable[[Place], list[str]]:
        def act(place: Place) -> list[str]:
            activity = place.activity(kind)
            activity.begin()
            time.sleep(place.chance.uniform(0.05, activity.spread))
            if part == "command":
                activity.process.kill()
            else:
                place.stack.kill(part)
            return _back(place) + activity.finish()

        return act

    rounds = {f"{part}/{name}": killed(part, kind) for part in PARTS for name, kind in ACTIVITIES.items()}
    rounds |= {f"command/{name}": killed("command", ACTIVITIES[name]) for name in ("reindex", "backup")}
    rounds |= {"valkey-emptied": _valkey_emptied, "model-hangs": _model_hangs, "two-workers": _two_workers}
    if FAKETIME is not None:
        rounds["clock-jumps"] = _clock_jumps
    if os.geteuid() == 0:
        rounds["disk-full"] = _disk_full
    return rounds


def _round(place: Place, name: str, number: int, act: Callable[[Place], list[str]]) -> bool:
    """Do one round and print its line. Returns whether something was wrong."""
    import checker
    from django.db import connections

    connections.close_all()
    before = checker.facts(place.organization.pk)
    started = time.monotonic()
    found = act(place)
    ready = time.monotonic() - started
    connections.close_all()
    if not until(checker.is_settled, place.seconds, every=0.3):
        found.append(f"unfinished: {checker.unfinished()[:3]}")
    final = time.monotonic() - started
    found += checker.problems(before, place.organization.pk)
    print(f"{name:<22} {number:>2} {ready:>10.1f} {final:>10.1f}  {'; '.join(found) or 'right'}", flush=True)
    return bool(found)


def _back(place: Place) -> list[str]:
    from django.db import connections

    connections.close_all()
    return [] if place.stack.is_ready_within(place.seconds) else ["not ready again"]


def _valkey_emptied(place: Place) -> list[str]:
    import redis
    from django.conf import settings

    upload, ingestion = place.activity(Upload), place.activity(Ingestion)
    upload.begin()
    ingestion.begin()
    time.sleep(place.chance.uniform(0, 1))
    redis.Redis.from_url(settings.REDIS_URL).flushall()
    return _back(place) + upload.finish() + ingestion.finish()


def _model_hangs(place: Place) -> list[str]:
    place.endpoint.mode = "hanging"
    try:
        answer = place.activity(Answer)
        answer.begin()
        found = answer.finish()
        return found or ([] if answer.origin == "extractive" else [f"answered by {answer.origin}"])
    finally:
        place.endpoint.mode = "slow"


def _clock_jumps(place: Place) -> list[str]:
    """Two workers whose clocks are two days ahead and a day behind help the one whose clock is right."""
    others = [
        place.stack.worker(LD_PRELOAD=str(FAKETIME), FAKETIME=jump, FAKETIME_DONT_FAKE_MONOTONIC="1")
        for jump in ("+2d", "-1d")
    ]
    try:
        time.sleep(5)
        activities = [place.activity(Ingestion), place.activity(Upload), place.activity(Ingestion)]
        for activity in activities:
            activity.begin()
        return [fault for activity in activities for fault in activity.finish()]
    finally:
        for other in others:
            other.terminate()
        for other in others:
            other.wait(60)


def _two_workers(place: Place) -> list[str]:
    """Three workers and two commands that all want the same document."""
    from documents.models import DocumentVersion
    from skillnet.tenancy import organization_scope

    others = [place.stack.worker(), place.stack.worker()]
    try:
        time.sleep(5)
        ingestion = place.activity(Ingestion)
        ingestion.begin()
        with organization_scope(place.organization.pk):
            document = str(DocumentVersion.objects.latest("pk").document_id)
        commands = [
            place.stack.command("reingest", "--org", place.organization.slug, "--document", document) for _n in range(2)
        ]
        statuses = [command.wait(place.seconds) for command in commands]
        return ingestion.finish() + ([] if statuses == [0, 0] else [f"commands ended with {statuses}"])
    finally:
        for other in others:
            other.terminate()
        for other in others:
            other.wait(60)


def _disk_full(place: Place) -> list[str]:
    """The whole data folder, database included, has no byte left for some seconds."""
    upload = place.activity(Upload)
    filler = place.stack.home / "filler"
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"\0" * 2**16)
    upload.begin()
    time.sleep(place.chance.uniform(3, 8))
    filler.unlink()
    return _back(place) + upload.finish()


if __name__ == "__main__":
    main()

"""Production refuses to start with values that are missing, weak, or left as an example shows them."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from skillnet.settings.safety import weaknesses

STRONG = "k7Qw-2mXz_9rTb.4vLn8sHd6pYc3fGj5uWe1aRo0iZtBqMxNv"
GOOD: dict[str, Any] = {
    "SECRET_KEY": STRONG + "7Lk2",
    "DEBUG": False,
    "ALLOWED_HOSTS": ["cursos.empresa.es"],
    "CSRF_TRUSTED_ORIGINS": ["https://cursos.empresa.es"],
    "SESSION_COOKIE_SECURE": True,
    "CSRF_COOKIE_SECURE": True,
    "SESSION_COOKIE_HTTPONLY": True,
    "SESSION_COOKIE_SAMESITE": "Lax",
    "SKILLNET_METRICS_TOKEN": "",
    "EMBEDDED_POSTGRES": False,
    "DATABASES": {"default": {"USER": "skillnet_app", "HOST": "postgres", "PASSWORD": STRONG}},
    "EMBEDDED_VALKEY": False,
    "REDIS_URL": f"redis://:{STRONG}@valkey:6379/0",
    "STORAGES": {"default": {"BACKEND": "a folder"}},
}


def database(**values: str) -> dict[str, Any]:
    return {"DATABASES": {"default": {**GOOD["DATABASES"]["default"], **values}}}


def bucket(secret: str | None) -> dict[str, Any]:
    return {"STORAGES": {"default": {"OPTIONS": {"secret_key": secret}}}}


def owner(password: str) -> dict[str, Any]:
    role = {"USER": "skillnet_maintenance", "HOST": "postgres", "PASSWORD": password}
    return {"DATABASES": {**GOOD["DATABASES"], "owner": role}}


def test_good_values_pass():
    assert weaknesses(GOOD) == []


@pytest.mark.parametrize(
    "good",
    [
        {"SKILLNET_METRICS_TOKEN": STRONG},
        {"REDIS_URL": "redis://localhost:6379/0"},
        {"REDIS_URL": "unix:///run/valkey.sock"},
        {"EMBEDDED_POSTGRES": True, "DATABASES": {"default": {}}},
        {"ALLOWED_HOSTS": [".empresa.es", "web"]},
        {"CSRF_TRUSTED_ORIGINS": []},
        {"SESSION_COOKIE_SAMESITE": "Strict"},
        database(HOST="", PASSWORD=""),
        owner(STRONG),
        bucket(STRONG),
        bucket(None),  # the machine's own role
    ],
)
def test_other_good_values_pass(good: dict[str, Any]):
    assert weaknesses({**GOOD, **good}) == []


@pytest.mark.parametrize(
    ("weak", "named"),
    [
        ({"SECRET_KEY": ""}, "SECRET_KEY"),
        ({"SECRET_KEY": "corta"}, "SECRET_KEY"),
        ({"SECRET_KEY": "a" * 80}, "SECRET_KEY"),
        ({"SECRET_KEY": "abab" * 20}, "SECRET_KEY"),
        ({"SECRET_KEY": f"django-insecure-{STRONG}"}, "SECRET_KEY"),
        ({"SECRET_KEY": f"change-me-{STRONG}"}, "SECRET_KEY"),
        ({"SECRET_KEY": f"cambiame{STRONG}"}, "SECRET_KEY"),
        ({"DEBUG": True}, "DEBUG"),
        ({"ALLOWED_HOSTS": []}, "ALLOWED_HOSTS"),
        ({"ALLOWED_HOSTS": ["*"]}, "ALLOWED_HOSTS"),
        ({"ALLOWED_HOSTS": ["cursos.empresa.es", "."]}, "ALLOWED_HOSTS"),
        ({"CSRF_TRUSTED_ORIGINS": ["http://cursos.empresa.es"]}, "CSRF_TRUSTED_ORIGINS"),
        ({"CSRF_TRUSTED_ORIGINS": ["https://*.empresa.es"]}, "CSRF_TRUSTED_ORIGINS"),
        ({"SESSION_COOKIE_SECURE": False}, "SESSION_COOKIE_SECURE"),
        ({"CSRF_COOKIE_SECURE": False}, "CSRF_COOKIE_SECURE"),
        ({"SESSION_COOKIE_HTTPONLY": False}, "SESSION_COOKIE_HTTPONLY"),
        ({"SESSION_COOKIE_SAMESITE": "None"}, "SESSION_COOKIE_SAMESITE"),
        ({"SKILLNET_METRICS_TOKEN": "token"}, "METRICS_TOKEN"),
        ({"SKILLNET_METRICS_TOKEN": f"change-me-{STRONG}"}, "METRICS_TOKEN"),
        (database(PASSWORD=""), "DATABASE_URL"),
        (database(PASSWORD="skillnet"), "DATABASE_URL"),
        (database(PASSWORD=f"password{STRONG}"), "DATABASE_URL"),
        (database(USER="postgres"), "DATABASE_URL"),
        (owner("maintenance"), "DATABASE_OWNER_URL"),
        (bucket("minioadmin"), "S3_SECRET_KEY"),
        (database(USER="skillnet_maintenance"), "DATABASE_URL"),
        ({"REDIS_URL": "redis://valkey:6379/0"}, "REDIS_URL"),
        ({"REDIS_URL": "redis://:valkey@valkey:6379/0"}, "REDIS_URL"),
    ],
)
def test_a_weak_value_is_named(weak: dict[str, Any], named: str):
    (said,) = weaknesses({**GOOD, **weak})
    assert named in said


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"SECRET_KEY": "corta"}, "SECRET_KEY must be set"),
        ({"DEBUG": "1"}, "DEBUG must be off"),
        ({"SESSION_COOKIE_SECURE": "0"}, "SESSION_COOKIE_SECURE must be on"),
        ({}, ""),
    ],
)
def test_the_settings_themselves_refuse(environment: dict[str, str], said: str):
    done = run_with(environment, "import skillnet.settings.production")
    assert (done.returncode == 0) == (said == "")
    assert said in done.stderr


@pytest.mark.parametrize("address", [GOOD["REDIS_URL"], f"rediss://:{STRONG}@valkey/0", "unix:///run/valkey.sock?db=1"])
def test_every_service_is_given_an_address_of_valkey_that_it_understands(address: str):
    done = run_with(
        {"REDIS_URL": address},
        "from limits.storage import storage_from_string\n"
        "from redis import Redis\n"
        "from skillnet.settings import production\n"
        "storage_from_string(production.SKILLNET_RATE_LIMIT_STORAGE)\n"
        "Redis.from_url(production.CACHES['default']['LOCATION'])\n"
        "Redis.from_url(production.RQ_QUEUES['mail']['URL'])\n",
    )
    assert done.stderr == ""


def run_with(environment: dict[str, str], code: str) -> subprocess.CompletedProcess[str]:
    """Run `code` in a new interpreter with good values in its environment, and these instead of some."""
    given = {
        "PATH": os.environ["PATH"],
        "SECRET_KEY": GOOD["SECRET_KEY"],
        "ALLOWED_HOSTS": "cursos.empresa.es",
        "DATABASE_URL": f"postgres://skillnet_app:{STRONG}@postgres:5432/skillnet",
        "REDIS_URL": GOOD["REDIS_URL"],
        **environment,
    }
    return subprocess.run(
        [sys.executable, "-c", code],
        env=given,
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )

"""A private instance of the embedded services: it always comes back, and its roles may do little."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import psycopg
import pytest
import redis

from skillnet import embedded
from skillnet.embedded.processes import read_pid
from skillnet.embedded.state import State

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def instance():
    """A running instance of its own. The folder is one that root's services can reach, unlike pytest's."""
    parent = Path(tempfile.mkdtemp(prefix="skillnet-"))
    parent.chmod(0o711)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SKILLNET_HOME", str(parent / "casa"))
        patch.setenv("SKILLNET_SHARED_BUFFERS", "64MB")
        embedded.ensure_started()
        with connect("owner") as connection:
            connection.execute("CREATE TABLE note (id int, organization text)")
            connection.execute("ALTER TABLE note ENABLE ROW LEVEL SECURITY")
            connection.execute("CREATE POLICY own ON note USING (organization = current_setting('app.org', true))")
            connection.execute("INSERT INTO note SELECT n, 'acme' FROM generate_series(1, 1000) AS n")
        try:
            yield parent / "casa"
        finally:
            embedded.stop()
            shutil.rmtree(parent)


@pytest.fixture
def running(instance):
    embedded.ensure_started()
    return instance


def connect(role, name="skillnet"):
    entry = embedded.database_url(role, name)
    return psycopg.connect(
        host=entry["HOST"],
        port=entry["PORT"],
        user=entry["USER"],
        password=entry["PASSWORD"],
        dbname=entry["NAME"],
        autocommit=True,
        **entry["OPTIONS"],
    )


def note_count():
    with connect("owner") as connection:
        return connection.execute("SELECT count(*) FROM note").fetchone()[0]


def kill(pid_file):
    os.kill(read_pid(pid_file), signal.SIGKILL)


RUNNING = embedded.Status("running", "running")


def test_a_killed_server_comes_back_with_every_row(running):
    kill(running / "postgres/data/postmaster.pid")
    assert embedded.ensure_started() == RUNNING
    assert note_count() == 1000


def test_a_killed_valkey_comes_back_with_its_keys(running):
    with redis.Redis.from_url(embedded.redis_url()) as client:
        client.config_set("appendfsync", "always")
        client.set("job", "1")
    kill(running / "valkey/valkey.pid")
    assert embedded.ensure_started() == RUNNING
    with redis.Redis.from_url(embedded.redis_url()) as client:
        assert client.get("job") == b"1"


def test_a_pid_file_of_another_program_does_not_stop_the_start(running):
    assert embedded.stop() == embedded.Status("stopped", "stopped")
    (running / "postgres/data/postmaster.pid").write_text(f"{os.getpid()}\n{running}/postgres/data\n1\n5432\n")
    assert embedded.status().postgres == "stopped"
    assert embedded.ensure_started() == RUNNING
    assert note_count() == 1000


def test_two_processes_may_start_it_at_once(running):
    embedded.stop()
    code = "from skillnet import embedded; print(embedded.ensure_started().postgres)"
    starters = [
        subprocess.Popen([sys.executable, "-c", code], cwd=CHECKOUT, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    assert [starter.communicate(timeout=300)[0].strip() for starter in starters] == ["running", "running"]
    assert embedded.status() == RUNNING  # it outlived both


def test_a_port_taken_meanwhile_is_given_up(running):
    embedded.stop()
    taken = State.load().postgres_port
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", taken))
        other.listen()
        assert embedded.ensure_started() == RUNNING
    assert State.load().postgres_port != taken
    assert note_count() == 1000


def test_a_lost_state_finds_the_running_server_again(running):
    port = State.load().postgres_port
    (running / "state.json").unlink()
    assert embedded.ensure_started() == RUNNING
    assert State.load().postgres_port == port
    assert note_count() == 1000


def test_a_removed_socket_folder_comes_back(running):
    shutil.rmtree(embedded.database_url("superuser")["HOST"])
    assert embedded.ensure_started() == RUNNING
    assert note_count() == 1000


def test_only_the_superuser_is_more_than_a_plain_role(running):
    with connect("superuser") as connection:
        roles = connection.execute(
            "SELECT rolname, rolcanlogin, rolsuper OR rolbypassrls OR rolcreatedb OR rolcreaterole"
            " OR rolreplication FROM pg_roles WHERE rolname LIKE 'skillnet%' ORDER BY rolname"
        ).fetchall()
    assert roles == [
        ("skillnet_app", True, False),
        ("skillnet_maintenance", True, False),
        ("skillnet_owner", False, False),
    ]


def test_the_application_sees_only_rows_of_its_scope(running):
    with connect("app") as connection:
        assert connection.execute("SELECT count(*) FROM note").fetchone() == (0,)
        connection.execute("SET app.org = 'acme'")
        assert connection.execute("SELECT count(*) FROM note").fetchone() == (1000,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("INSERT INTO note VALUES (1, 'otra')")


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE mine (id int)",
        "CREATE SCHEMA mine",
        "ALTER TABLE note DISABLE ROW LEVEL SECURITY",
        "TRUNCATE note",
        "DROP TABLE note",
        "SET ROLE skillnet_owner",
        "SET ROLE postgres",
        "ALTER ROLE skillnet_app BYPASSRLS",
        "CREATE DATABASE mine",
    ],
)
def test_the_application_may_not(running, statement):
    with connect("app") as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute(statement)


def test_the_application_needs_its_password(running):
    entry = embedded.database_url("app")
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(
            host=entry["HOST"], port=entry["PORT"], user=entry["USER"], password="otra", dbname=entry["NAME"]
        )


def test_the_superuser_does_not_come_in_over_the_network(running):
    port = embedded.database_url("superuser")["PORT"]
    with pytest.raises(psycopg.OperationalError, match=r"no pg_hba\.conf entry"):
        psycopg.connect(host="127.0.0.1", port=port, user="postgres", dbname="skillnet")


def test_searches_of_the_application_use_the_vector_index_thoroughly(running):
    with connect("app") as connection:
        assert connection.execute("SHOW hnsw.iterative_scan").fetchone() == ("relaxed_order",)
        assert connection.execute("SHOW hnsw.ef_search").fetchone() == ("100",)
        assert connection.execute("SELECT '[1,2]'::vector <=> '[1,2]'::vector").fetchone() == (0.0,)


@pytest.mark.parametrize("database", ["skillnet", "template1"])
def test_full_text_matching_is_leakproof(running, database):
    with connect("superuser", database) as connection:
        leakproof = connection.execute(
            "SELECT proleakproof FROM pg_proc WHERE oid = 'ts_match_vq(tsvector, tsquery)'::regprocedure"
        ).fetchone()
    assert leakproof == (True,)


def test_punctuation_of_spanish_is_no_letter(running):
    with connect("app") as connection:
        assert connection.execute("SELECT to_tsvector('simple', '¿Cómo? «ÁRBOL»')::text").fetchone() == (
            "'cómo':1 'árbol':2",
        )


def test_a_database_is_made_provisioned_again_and_dropped(running):
    embedded.create_database("otra")
    with pytest.raises(embedded.EmbeddedError, match="Ya existe"):
        embedded.create_database("otra")
    embedded.provision_database("otra")
    with connect("owner", "otra") as connection:
        connection.execute("CREATE TABLE note (id int GENERATED ALWAYS AS IDENTITY, body text)")
    with connect("app", "otra") as connection:
        connection.execute("INSERT INTO note (body) VALUES ('hola')")
    embedded.drop_database("otra")
    embedded.drop_database("otra")
    with pytest.raises(psycopg.OperationalError, match="does not exist"):
        connect("app", "otra")

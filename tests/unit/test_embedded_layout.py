"""Where the embedded services live, decided without starting any."""

import json
import os
import stat
import threading
from pathlib import Path

import pytest

from skillnet.embedded import EmbeddedError, layout, processes, state
from skillnet.embedded.locks import exclusive
from skillnet.embedded.postgres import shared_buffers


@pytest.fixture
def empty_home(tmp_path, monkeypatch):
    folder = tmp_path / "casa"
    monkeypatch.setenv("SKILLNET_HOME", str(folder))
    # Whoever runs the tests, nothing is put into the system's folder.
    monkeypatch.setattr(layout, "SYSTEM_FOLDER", tmp_path / "sistema")
    return folder


def as_user(monkeypatch, uid):
    monkeypatch.setattr(os, "geteuid", lambda: uid)


def test_home_is_where_the_environment_says(monkeypatch):
    monkeypatch.setenv("SKILLNET_HOME", "/datos/skillnet")
    assert layout.home() == Path("/datos/skillnet")


def test_home_of_root_is_the_systems_folder(monkeypatch):
    monkeypatch.delenv("SKILLNET_HOME", raising=False)
    as_user(monkeypatch, 0)
    assert layout.home().parent == Path("/var/lib/skillnet")


@pytest.mark.parametrize(
    ("data_home", "parent"),
    [
        ("/ana/datos", "/ana/datos/skillnet"),
        ("", "/ana/.local/share/skillnet"),
        ("relativa", "/ana/.local/share/skillnet"),
    ],
)
def test_home_of_a_person_is_in_their_data_folder(monkeypatch, data_home, parent):
    monkeypatch.delenv("SKILLNET_HOME", raising=False)
    monkeypatch.setenv("HOME", "/ana")
    monkeypatch.setenv("XDG_DATA_HOME", data_home)
    as_user(monkeypatch, 1000)
    assert layout.home().parent == Path(parent)


def test_two_checkouts_of_one_name_have_different_keys():
    assert layout.key_of(Path("/a/skillnet")) != layout.key_of(Path("/b/skillnet"))
    assert layout.key_of(Path("/a/skillnet")) == layout.key_of(Path("/a/skillnet"))


def test_a_home_that_cannot_be_made_says_what_to_do(tmp_path, monkeypatch):
    (tmp_path / "archivo").write_text("")
    monkeypatch.setenv("SKILLNET_HOME", str(tmp_path / "archivo" / "casa"))
    with pytest.raises(EmbeddedError, match="SKILLNET_HOME"):
        layout.make_home()


def test_folders_above_home_keep_their_permissions(empty_home):
    empty_home.parent.chmod(0o700)
    layout.make_home()
    assert stat.S_IMODE(empty_home.parent.stat().st_mode) == 0o700


def test_a_long_path_moves_the_socket_to_a_short_folder(tmp_path):
    short, long = Path("/srv/skillnet"), Path("/srv") / ("x" * 120)
    assert layout.socket_folder(short) == short / "run"
    assert len(str(layout.socket_folder(long) / layout.LONGEST_SOCKET_NAME)) <= layout.LONGEST_SOCKET_PATH


def test_a_private_folder_is_closed_even_if_it_was_open(tmp_path):
    folder = tmp_path / "run"
    folder.mkdir(mode=0o755)
    layout.make_private_folder(folder, None)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_private_folder_is_never_a_link(tmp_path):
    (tmp_path / "ajena").mkdir()
    (tmp_path / "run").symlink_to(tmp_path / "ajena")
    with pytest.raises(EmbeddedError, match="no es una carpeta nuestra"):
        layout.make_private_folder(tmp_path / "run", None)


def test_a_settings_file_is_not_written_through_a_link(tmp_path):
    target = tmp_path / "ajeno"
    target.write_text("intacto")
    (tmp_path / "postgres.conf").symlink_to(target)
    with pytest.raises(OSError, match="symbolic links"):
        layout.write_for(None, tmp_path / "postgres.conf", "x")
    assert target.read_text() == "intacto"


def test_ports_and_secrets_stay_and_only_the_owner_reads_them(empty_home):
    first = state.State.load()
    assert state.State.load() == first
    assert len({first.app_password, first.maintenance_password, first.valkey_password}) == 3
    assert stat.S_IMODE((empty_home / "state.json").stat().st_mode) == 0o600


def test_a_damaged_state_says_what_to_do(empty_home):
    state.State.load()
    (empty_home / "state.json").write_text(json.dumps({"puerto": 1}))
    with pytest.raises(EmbeddedError, match="Bórralo"):
        state.State.load()


def test_a_taken_port_is_not_free():
    port = state.free_port()
    assert state.is_free(port)
    with state.socket.socket() as other:
        other.bind(("127.0.0.1", port))
        other.listen()
        assert not state.is_free(port)


def test_a_pid_file_is_believed_only_for_its_program(tmp_path):
    file = tmp_path / "postmaster.pid"
    file.write_text(f"{os.getpid()}\n/datos\n")
    assert processes.read_pid(file) == os.getpid()
    assert not processes.is_alive(os.getpid(), "postgres")
    assert processes.read_pid(tmp_path / "ninguno") is None
    assert not processes.is_alive(None, "postgres")


def test_one_holder_at_a_time(tmp_path):
    entered = threading.Event()

    def enter():
        with exclusive(tmp_path / "lock"):
            entered.set()

    with exclusive(tmp_path / "lock"):
        second = threading.Thread(target=enter)
        second.start()
        assert not entered.wait(0.05)
    second.join(60)
    assert entered.is_set()


def test_memory_is_a_quarter_at_most_a_gigabyte_or_what_the_environment_says(monkeypatch):
    monkeypatch.delenv("SKILLNET_SHARED_BUFFERS", raising=False)
    assert 32 <= int(shared_buffers().removesuffix("MB")) <= 1024
    monkeypatch.setenv("SKILLNET_SHARED_BUFFERS", "4GB")
    assert shared_buffers() == "4GB"
    monkeypatch.setenv("SKILLNET_SHARED_BUFFERS", "mucha")
    with pytest.raises(EmbeddedError, match="512MB"):
        shared_buffers()

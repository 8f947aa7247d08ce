import threading

from django.db import DatabaseError

from documents import vector_indexes
from documents.maintenance import Maintenance


def test_it_looks_at_once_and_again_after_an_error_until_it_is_stopped(monkeypatch, settings):
    settings.SKILLNET_MAINTENANCE_SECONDS = 0.001
    rounds, enough = [], threading.Event()

    def tend():
        rounds.append(True)
        if len(rounds) == 3:
            enough.set()
        if len(rounds) == 1:
            raise DatabaseError("the server restarts")

    monkeypatch.setattr(vector_indexes, "tend", tend)
    maintenance = Maintenance()
    maintenance.start()
    assert enough.wait(timeout=60)
    maintenance.stop()
    maintenance.join(timeout=60)
    assert not maintenance.is_alive()


def test_without_the_owners_connection_it_ends_at_once(monkeypatch):
    monkeypatch.setattr(vector_indexes, "can_tend", lambda: False)
    maintenance = Maintenance()
    maintenance.start()
    maintenance.join(timeout=60)
    assert not maintenance.is_alive()

"""Entries that speak of several notifications end with them, whatever becomes of each."""

import contextlib
import threading
from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from skillnet import notifications
from skillnet.models import Membership, Notification
from skillnet.notification_kinds import Kind, text_of
from skillnet.tenancy import organization_scope
from tests.factories import make_member


def under_the_bell(membership: Membership) -> list[str]:
    with organization_scope(membership.organization_id):
        return [text_of(one) for one in notifications.shown_to(membership).unread()]


def history(membership: Membership) -> list[str]:
    with organization_scope(membership.organization_id):
        return [text_of(one) for one in notifications.shown_to(membership)]


def tell(*members: Membership, at: int, kind: Kind = Kind.COURSE_ASSIGNED) -> None:
    with organization_scope(members[0].organization_id):
        notifications.tell(
            organization_id=members[0].organization_id,
            user_ids=[member.user_id for member in members],
            kind=kind,
            matter=f"course:{at}",
            subject=f"Curso {at}",
            address=f"/o/acme/cursos/{at}/",
            address_of_all="/o/acme/cursos/",
        )


def settle(membership: Membership, *courses: int) -> None:
    with organization_scope(membership.organization_id):
        for at in courses:
            notifications.settle(membership.organization_id, f"course:{at}")


def remove(membership: Membership, *courses: int) -> None:
    with organization_scope(membership.organization_id):
        notifications.remove(membership.organization_id, [f"course:{at}" for at in courses])


def test_what_is_told_anew_as_something_else_leaves_its_entry(employee_membership):
    for at in range(3):
        tell(employee_membership, at=at)
    tell(employee_membership, at=0, kind=Kind.REREAD_ASKED)
    assert under_the_bell(employee_membership) == [
        "Tienes lecciones por releer en «Curso 0».",
        "Tienes 2 cursos nuevos.",
    ]
    settle(employee_membership, 0, 1, 2)
    assert under_the_bell(employee_membership) == []


def test_an_entry_of_which_all_is_told_anew_as_something_else_is_gone(employee_membership):
    for at in range(3):
        tell(employee_membership, at=at)
    for at in range(3):
        tell(employee_membership, at=at, kind=Kind.REREAD_ASKED)
    assert history(employee_membership) == [f"Tienes lecciones por releer en «Curso {at}»." for at in (2, 1, 0)]


def test_what_is_told_anew_of_the_same_kind_stays_in_its_entry(employee_membership):
    for at in range(3):
        tell(employee_membership, at=at)
    tell(employee_membership, at=0)
    assert under_the_bell(employee_membership) == ["Tienes 3 cursos nuevos."]


def test_an_entry_goes_with_the_last_of_what_is_removed(employee_membership):
    for at in range(3):
        tell(employee_membership, at=at)
    remove(employee_membership, 0)
    assert under_the_bell(employee_membership) == ["Tienes 2 cursos nuevos."]
    remove(employee_membership, 1, 2)
    assert history(employee_membership) == []


def test_an_entry_is_read_when_the_last_unread_of_it_is_removed(employee_membership):
    for at in range(3):
        tell(employee_membership, at=at)
    settle(employee_membership, 0, 1)
    remove(employee_membership, 2)
    assert under_the_bell(employee_membership) == []


def test_an_entry_is_read_when_the_last_unread_of_it_is_too_old_to_be_kept(employee_membership):
    for at in range(3):
        tell(employee_membership, at=at)
    settle(employee_membership, 1, 2)
    with organization_scope(employee_membership.organization_id):
        Notification.objects.filter(matter="course:0").update(created_at=timezone.now() - timedelta(days=370))
        assert notifications.remove_old(employee_membership.organization_id) == 1
    assert under_the_bell(employee_membership) == []
    assert history(employee_membership) == ["Tienes 2 cursos nuevos."]


def test_an_entry_dealt_with_one_by_one_says_how_many_there_were(employee_membership):
    for at in range(3):
        tell(employee_membership, at=at)
    settle(employee_membership, 0, 1)
    assert under_the_bell(employee_membership) == ["Tienes 1 curso nuevo."]
    settle(employee_membership, 2)
    assert under_the_bell(employee_membership) == []
    assert history(employee_membership) == ["Tienes 3 cursos nuevos."]


def test_many_people_are_told_with_as_many_queries_as_few(organization):
    people = [make_member(organization, f"p{at}@acme.example") for at in range(12)]
    taken = []
    for told in (people[:2], people[2:]):
        for at in range(4):
            with CaptureQueriesContext(connection) as queries:
                tell(*told, at=at)
        taken.append(len(queries))
    assert taken[0] == taken[1]
    assert {tuple(under_the_bell(one)) for one in people} == {("Tienes 4 cursos nuevos.",)}


@pytest.mark.django_db(transaction=True, databases=["default", "owner"])  # tables are emptied as the owner
def test_two_who_tell_a_person_anew_at_once_do_not_stop_each_other(employee_membership, transactional_db):
    for at in range(2):
        tell(employee_membership, at=at)
    both_wrote, failed = threading.Barrier(2), []

    def meet(execute, sql, params, many, context):
        result = execute(sql, params, many, context)
        if sql.startswith("INSERT"):
            with contextlib.suppress(threading.BrokenBarrierError):  # the other waits for its turn
                both_wrote.wait(1)
        return result

    def tell_anew(at: int) -> None:
        try:
            with connection.execute_wrapper(meet):
                tell(employee_membership, at=at)
        except OperationalError as error:
            failed.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=tell_anew, args=(at,)) for at in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failed == []
    assert len(under_the_bell(employee_membership)) == 2

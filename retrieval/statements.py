"""How a search runs its SQL."""

from collections.abc import Iterable, Sequence
from typing import Any

import psycopg
from django.db import connection
from django.db.backends.utils import CursorWrapper

Row = tuple[Any, ...]


def rows(sql: str, parameters: Sequence[Any]) -> list[Row]:
    """The rows of a statement, planned for just these parameters."""
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return list(cursor.fetchall())


def rows_of_prepared(sql: str, parameters: Sequence[Any]) -> list[Row]:
    """The rows of a statement that a connection plans once, for any parameters (see decision 0028).

    For statements whose best plan is the same for every organization. How many runs come before it is kept is the
    database's option `prepare_threshold`; with None it never is. A cast of a parameter is made anew for each row: give
    arrays as `array` makes them, constants in the statement itself.
    """
    if connection.queries_logged:  # a log shows statements with their parameters in place
        return rows(sql, parameters)
    connection.ensure_connection()
    with CursorWrapper(psycopg.Cursor(connection.connection), connection) as cursor:
        cursor.execute(sql, parameters)
        return list(cursor.fetchall())


def array(numbers: Iterable[float]) -> str:
    """Numbers as PostgreSQL reads an array: one parameter, however many they are."""
    return "{" + ",".join(map(str, numbers)) + "}"

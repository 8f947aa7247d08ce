"""What rests on a group: the apps above register their answers when they are ready."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise

from skillnet.models import Group


@dataclass(frozen=True, slots=True)
class GroupUse:
    """Something that names a group: what it is («Curso»), its title, and what the group's deletion does to it."""

    kind: str | Promise
    title: str
    consequence: str | Promise


_answers: list[Callable[[Group], list[GroupUse]]] = []


def register(answer: Callable[[Group], list[GroupUse]]) -> None:
    """Tell how to find what names a group. Called inside the organization's scope."""
    _answers.append(answer)


def uses_of(group: Group) -> list[GroupUse]:
    """Everything that names a group, as the apps above know it."""
    return [use for answer in _answers for use in answer(group)]

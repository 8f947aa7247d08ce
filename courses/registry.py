"""What courses must ask of apps above them: they register their answers when they are ready."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from uuid import UUID

HeadingPath = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dependant:
    """Something else that rests on a document's sections: what it is, its name, and where it is edited."""

    kind: str
    label: str
    address: str


Answer = Callable[[UUID, int, Collection[HeadingPath]], list[Dependant]]

_answers: list[Answer] = []


def register_dependants(answer: Answer) -> None:
    """Tell notices what else rests on sections: called with organization, document and the changed headings' paths."""
    _answers.append(answer)


def dependants_of(organization_id: UUID, document_id: int, paths: Collection[HeadingPath]) -> list[Dependant]:
    """What rests on any of these sections of a document, as the apps above know it."""
    return [dependant for answer in _answers for dependant in answer(organization_id, document_id, paths)]

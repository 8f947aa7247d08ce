"""What courses must ask of apps above them: they register their answers when they are ready."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from uuid import UUID

from skillnet.backends.metering import Tokens
from skillnet.models import Membership

HeadingPath = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dependant:
    """Something else that rests on a document's sections: what it is, its name, and where it is edited."""

    kind: str
    label: str
    address: str


Dependants = Callable[[Membership, int, Collection[HeadingPath]], list[Dependant]]
Dropped = Callable[[UUID, int, Collection[HeadingPath]], list[str]]

CountTokens = Callable[[UUID, Tokens], None]

_count_tokens: list[CountTokens] = []
_dependants: list[Dependants] = []
_dropped: list[Dropped] = []


def register_dependants(answer: Dependants) -> None:
    """Tell notices what else rests on sections: called with who asks, the document and the changed headings' paths."""
    _dependants.append(answer)


def dependants_of(membership: Membership, document_id: int, paths: Collection[HeadingPath]) -> list[Dependant]:
    """What rests on any of these sections of a document and `membership` may know of, as the apps above know it."""
    return [dependant for answer in _dependants for dependant in answer(membership, document_id, paths)]


def register_dropped(answer: Dropped) -> None:
    """Tell notices the questions whose answers go with a version: called with organization, document and paths.

    It is asked while that version gives way to the next, before what rests on it is dropped.
    """
    _dropped.append(answer)


def dropped_with(organization_id: UUID, document_id: int, paths: Collection[HeadingPath]) -> list[str]:
    """The questions whose stored answers rest on these sections and go with the version that has them."""
    return [question for answer in _dropped for question in answer(organization_id, document_id, paths)]


def register_token_count(count: CountTokens) -> None:
    """Have what a language model took for courses counted, by organization, in its scope."""
    _count_tokens.append(count)


def count_tokens(organization_id: UUID, tokens: Tokens) -> None:
    """Count what a language model took to write for an organization's courses. Call inside its scope."""
    for count in _count_tokens:
        count(organization_id, tokens)

"""Quiz items on the order of numbered steps. Pure functions."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from courses.drafting.items import MARKER, DraftedItem, section_name
from courses.drafting.titles import Casing, lowered
from documents.parsing.types import Block, BlockKind

STEPS = (3, 7)
MAX_STEP_WORDS = 30

_STEP = re.compile(r"^\s*(\d{1,2})[.)]\s+(?=\S)")
_ACTION = re.compile(r"^(?:no\s+)?[a-záéíóúñ]{2,}(?:ar|er|ir|ír)(?:se|lo|la|los|las|le|les)?\b", re.IGNORECASE)
_STEPS_OF = re.compile(r"pasos (?:para|de)\b", re.IGNORECASE)
_PROCEDURE = re.compile(
    r"\b(?:pasos?|procedimientos?|c[oó]mo|instrucciones|proceso|operativa|secuencia|siguiente orden|protocolo)\b",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Step:
    """A numbered item, and what stands between it and the next one."""

    block: Block
    under: list[Block] = field(default_factory=list)

    @property
    def own(self) -> str:
        return _STEP.sub("", " ".join(self.block.text.split()))

    @property
    def text(self) -> str:
        """The step in one line; one that only leads in a list is told with that list."""
        told = self.own
        if not told.endswith(":"):
            return told
        parts = (" ".join(MARKER.sub("", block.text).split()).rstrip(" .;,") for block in self.under)
        listed = "; ".join(lowered(part) for part in parts if part)
        return f"{told} {listed}." if listed else told


def step_items(blocks: Sequence[Block], casing: Casing) -> Iterator[DraftedItem]:
    """Items that ask to put the steps of a procedure in order, none of its steps left out."""
    for lead, run in _numbered_runs(blocks):
        steps = [step.text for step in run]
        first = run[0].block
        if not STEPS[0] <= len(steps) <= STEPS[1] or len(set(steps)) < len(steps):
            continue
        if any(len(step.split()) > MAX_STEP_WORDS or step.endswith(":") for step in steps):
            continue
        if any(casing.spelling.is_doubtful(step) for step in steps):
            continue
        acting = sum(bool(_ACTION.match(step)) for step in steps)
        heading = first.heading_path[-1] if first.heading_path else ""
        if acting < 0.6 * len(steps) or not _PROCEDURE.search(f"{heading} {lead}"):
            continue
        about = section_name(first, casing) or lead.rstrip(":")
        named = casing.running(lowered(about))
        question = f"Ordena los {named}." if _STEPS_OF.match(about) else f"Ordena los pasos de «{about}»."
        yield DraftedItem("order", question, tuple(steps), (), first.heading_path, first.page, run[0].own)


def _numbered_runs(blocks: Sequence[Block]) -> Iterator[tuple[str, list[_Step]]]:
    """Runs of items numbered 1, 2, 3… under one heading, whole, each with the text before it.

    What stands between two of them, a paragraph or a list of its own, is part of the first. What comes after the last
    cannot be told from what follows the list, so that a last one that only leads in another list ends in its colon.
    """
    lead, run = "", list[_Step]()
    last = ""  # the text before what is read
    for block in blocks:
        step = _STEP.match(block.text) if block.kind is BlockKind.LIST_ITEM else None
        is_below = bool(run) and (block.level or 1) > (run[0].block.level or 1)
        if step and not is_below and int(step[1]) == len(run) + 1 and run:
            run.append(_Step(block))
        elif block.kind is BlockKind.HEADING or (step and not is_below):
            is_first = step is not None and int(step[1]) == 1
            if run and (is_first or step is None):  # else a step is lost
                yield lead, _closed(run)
            lead, run = last, [_Step(block)] if is_first else []
        elif run:
            run[-1].under.append(block)
        last = block.text
    if run:
        yield lead, _closed(run)


def _closed(run: list[_Step]) -> list[_Step]:
    return [*run[:-1], _Step(run[-1].block)]

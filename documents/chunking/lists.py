"""List items as parts of chunks: nested ones stand deeper, and every piece repeats the items that rule its own."""

from collections.abc import Sequence
from dataclasses import replace

from documents.chunking.markdown import INDENT, Layout
from documents.chunking.pieces import Atom, Group, Meter, block_atom
from documents.parsing.types import Block
from documents.sentences import sentence_spans

_LONGEST_LEAD = 300  # characters of a sentence that is worth repeating


def lead_in(text: str) -> str | None:
    """The sentence that introduces what follows `text`: its last one, if that ends with a colon; "" if it is too long
    to be repeated.
    """
    text = text.rstrip()
    if not text.endswith(":"):
        return None
    start, end = sentence_spans(text)[-1]
    return text[start:end] if end - start <= _LONGEST_LEAD else ""


def list_group(
    blocks: Sequence[Block], layout: Layout, indexes: Sequence[int], meter: Meter, lead: Atom | None, said: str
) -> Group:
    """A list with the paragraph before it that introduces it, in the words `said`.

    An item that ends with a colon rules the deeper ones behind it: without it they may say the contrary.
    """
    levels = [max(1, blocks[index].level or 1) for index in indexes]
    first = min(levels)
    members: list[Atom | Group] = [] if lead is None else [lead]
    context = (said,) if said else ()
    above: list[tuple[int, str]] = []  # the items that the next one may stand under: level, line to be repeated
    ruling: list[Atom] = []
    head = len(members)
    for level, below, index in zip(levels, [*levels[1:], 0], indexes, strict=True):
        while above and above[-1][0] >= level:
            above.pop()
        atom = replace(
            block_atom(blocks, layout, index, meter),
            glue="\n" if members or ruling else "\n\n",
            indent=INDENT * (level - first),
            context=(*context, *(line for _, line in above if line)),
        )
        repeated = _ruling_line(atom)
        above.append((level, repeated))
        if repeated and below > level:
            ruling.append(atom)
            continue
        if ruling:
            if len(members) == (lead is not None):
                head += len(ruling)
            members.append(Group((*ruling, atom), head=len(ruling)))
            ruling = []
        else:
            members.append(atom)
    return Group(tuple(members), head=head)


def _ruling_line(item: Atom) -> str:
    """What a piece repeats that begins with an item under this one; empty when it only names what follows."""
    said = lead_in(item.text)
    if said is None:
        return ""
    whole = item.text if len(item.text) <= _LONGEST_LEAD else said
    return item.indent + whole if whole else ""

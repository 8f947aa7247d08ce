"""An edited line of two versions as one text, for where two do not fit beside each other."""

from collections.abc import Iterator, Sequence

from documents.diffing import LineChange, Span

Woven = tuple[tuple[str, str], ...]


def woven(line: LineChange) -> tuple[Woven, ...]:
    """The line's cells, each as runs of words with what became of them: «del», «ins», or nothing where they stayed.

    Empty where there is nothing to weave, or so much differs that two texts are easier to read.
    """
    before, after = line.before, line.after
    if before is None or after is None or before == after or len(before) != len(after):
        return ()
    cells = tuple(_woven(old, new) for old, new in zip(before, after, strict=True))
    kept = sum(len(text) for cell in cells for became, text in cell if not became)
    longest = max(sum(len(span.text) for cell in side for span in cell) for side in (before, after))
    return cells if 4 * kept >= 3 * longest else ()


def _woven(before: Sequence[Span], after: Sequence[Span]) -> Woven:
    runs = list(_runs(before, after))
    whole: list[tuple[str, str]] = []
    old = new = ""
    for at, (became, text) in enumerate(runs):
        is_within = 0 < at < len(runs) - 1 and (old or new) and not any(map(str.isspace, text))
        if became != "ins" and (became or is_within):
            old += text
        if became != "del" and (became or is_within):
            new += text  # the comma of 18,50 and 19,80: figures are exchanged whole
        if not became and not is_within:
            whole += _exchanged(old, new)
            whole.append(("", text))
            old = new = ""
    return (*whole, *_exchanged(old, new))


def _exchanged(old: str, new: str) -> list[tuple[str, str]]:
    return [(became, text) for became, text in (("del", old), ("ins", new)) if text]


def _runs(before: Sequence[Span], after: Sequence[Span]) -> Iterator[tuple[str, str]]:
    newer = iter(after)
    for span in before:
        if span.is_changed:
            yield "del", span.text
            continue
        for new in newer:  # up to the same words in the newer text
            yield "ins" if new.is_changed else "", new.text
            if not new.is_changed:
                break
    yield from (("ins", new.text) for new in newer)

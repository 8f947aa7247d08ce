"""What of a language model's reply is meant for the reader. Pure."""

import re

from documents.sentences import sentence_spans

# Local models think aloud between these marks. Some servers leave the opening one out: it stands in their template.
_THOUGHT = re.compile(r"<(think|thinking)>.*?</\1>\s*", re.IGNORECASE | re.DOTALL)
_THOUGHT_BEFORE = re.compile(r"\A.*</(?:think|thinking)>\s*", re.IGNORECASE | re.DOTALL)
_UNFINISHED_THOUGHT = re.compile(r"<(?:think|thinking)>.*\Z", re.IGNORECASE | re.DOTALL)
_BEGUN_MARK = re.compile(r"</?[a-z]{0,8}\Z", re.IGNORECASE)

_FINISHED = re.compile(r"[.!?…][)\]»”\"'*_]*(?:\s*[\[【][^\[\]【】\n]+[\]】])*\s*\Z")
_CLOSE_MARKER = re.compile(r"(?<=[.!?…])(?=[\[【])")
_MARKERS_FIRST = re.compile(r"(?:\s*[\[【][^\[\]【】\n]+[\]】])+")


def without_thoughts(reply: str, *, is_whole: bool = True) -> str:
    """A reply without what the model thought aloud; of one still in the making what may be shown already.

    A mark in the midst that nothing closes may yet begin a thought while the reply comes; of a whole one it is text.
    """
    text = _THOUGHT_BEFORE.sub("", _THOUGHT.sub("", reply)).lstrip()
    if is_whole:
        return "" if _UNFINISHED_THOUGHT.match(text) else text
    return _BEGUN_MARK.sub("", _UNFINISHED_THOUGHT.sub("", text))


def without_unfinished_end(reply: str) -> str:
    """A reply that was cut off, up to the last sentence that is whole; empty when none is."""
    reply = _CLOSE_MARKER.sub(" ", reply)
    spans = sentence_spans(reply)
    if not spans or _FINISHED.search(reply):
        return reply
    start = spans[-1][0]
    markers = _MARKERS_FIRST.match(reply, start) if _FINISHED.search(reply[:start]) else None
    return reply[: markers.end() if markers else start].rstrip()

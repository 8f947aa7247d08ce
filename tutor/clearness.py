"""When an answer is called clear. Pure."""

from tutor.asking import asks_several
from tutor.emergencies import emergency_in

# On the benchmark's two halves one in eighty and one in twenty-four of the answers that reach it have no source that
# says it, see benchmarks/README.md.
CLEAR_CONFIDENCE = 0.9


def is_clear(question: str, confidence: float | None) -> bool:
    """Whether an answer from the documents is shown as one with a clear source. In an emergency nobody is told that all
    is clear: whether the section speaks of what has happened is for the reader to see. Nor who put several questions at
    once.
    """
    is_sure = confidence is not None and confidence >= CLEAR_CONFIDENCE
    return is_sure and emergency_in(question) is None and not asks_several(question)

"""How alike two long texts are, told from a small signature of each. Pure functions.

The signature is a bottom-k sketch (Broder, "On the resemblance and containment of documents", 1997): of the hashes of
all runs of three words, the smallest. How many of the smallest of both stand in both estimates the share of runs that
the texts have in common (Jaccard), here to within about 0.1.
"""

import hashlib
import re
from collections.abc import Sequence
from heapq import nsmallest

SIGNATURE_LENGTH = 128
RUN_LENGTH = 3  # words

_WORDS = re.compile(r"\w+")


def signature(text: str) -> list[int]:
    """Up to SIGNATURE_LENGTH hashes, rising, each within a signed 64-bit number; empty for a text without words."""
    words = _WORDS.findall(text.lower())
    runs = {" ".join(words[at : at + RUN_LENGTH]) for at in range(max(1, len(words) - RUN_LENGTH + 1))} - {""}
    return nsmallest(SIGNATURE_LENGTH, map(_hash, runs))


def likeness(one: Sequence[int], other: Sequence[int]) -> float:
    """The estimated share of runs of words that two texts have in common, 0 to 1, from their signatures."""
    if not one or not other:
        return 0.0
    both = set(one) & set(other)
    smallest = sorted(set(one) | set(other))[: min(SIGNATURE_LENGTH, max(len(one), len(other)))]
    if len(one) < SIGNATURE_LENGTH and len(other) < SIGNATURE_LENGTH:  # every run is there: no estimate needed
        smallest = sorted(set(one) | set(other))
    return sum(number in both for number in smallest) / len(smallest)


def _hash(run: str) -> int:
    return int.from_bytes(hashlib.blake2b(run.encode(), digest_size=8).digest(), "big") >> 1

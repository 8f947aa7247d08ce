"""How far numbers lie apart (pure)."""

import math
from collections.abc import Sequence
from statistics import fmean


def mean_and_deviation(values: Sequence[float]) -> tuple[float, float]:
    """The mean of some numbers and their standard deviation, which is 1 where they are equal: both divide safely."""
    mean = fmean(values)
    return mean, math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values)) or 1.0

"""How sure a mean over questions is: seeded bootstrap intervals (pure)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import bootstrap

SEED = 20_240_601
RESAMPLES = 5_000
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """Where a mean lies in 95 of 100 samples of as many questions; both ends included."""

    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Whether a difference with this interval is more than chance."""
        return self.low > 0 or self.high < 0


def mean_interval(values: Sequence[float]) -> Interval:
    """The 95 % bootstrap interval of the mean of `values`, one a question. The same values give the same interval.

    Of the differences between two runs over the same questions this is the paired bootstrap.
    Source: Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, percentile intervals.
    """
    if len(values) < 2 or len(set(values)) == 1:  # nothing to resample
        mean = float(np.mean(values)) if values else 0.0
        return Interval(mean, mean)
    found = bootstrap(
        (np.asarray(values, float),),
        np.mean,
        n_resamples=RESAMPLES,
        confidence_level=CONFIDENCE,
        method="percentile",
        batch=500,
        rng=np.random.default_rng(SEED),
    ).confidence_interval
    return Interval(float(found.low), float(found.high))

"""How sure a search is: a small logistic regression over its signals, with coefficients learned from data.

`make calibrate` learns them and writes calibration.json. They belong to one embedding model each; where one that has
none is in use, or no model at all, the coefficients for words alone apply.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("calibration.json")


@dataclass(frozen=True, slots=True)
class Calibration:
    """Coefficients of named signals, and from which confidence on an answer is worth giving."""

    coefficients: Mapping[str, float]
    intercept: float
    threshold: float

    def confidence(self, signals: Mapping[str, float]) -> float:
        """The probability that what was found answers the question. Signals that are missing count as 0."""
        total = self.intercept + sum(weight * signals.get(name, 0.0) for name, weight in self.coefficients.items())
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, total))))


@cache
def _file() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return content


def calibration_for(model_id: str | None, kind: str) -> Calibration:
    """The calibration for what a search had to go on.

    That is late_interaction (of the whole head), else hybrid, vector or keyword; or meaning, across languages. The kind
    answer is for what was read closely and rests on token vectors, too.
    """
    content = _file()
    of_model = content["models"].get(model_id, {})
    known = of_model.get(kind, content["keyword"])
    return Calibration(known["coefficients"], known["intercept"], known["threshold"])


def write_calibrations(model_id: str, calibrations: Mapping[str, object]) -> None:
    """Put what was learned for a model in place of what stood for it, kind by kind; "keyword" is of no model."""
    content = json.loads(FILE.read_text(encoding="utf-8"))
    of_model = content["models"].setdefault(model_id, {})
    for kind, learned in calibrations.items():
        (content if kind == "keyword" else of_model)[kind] = learned
    FILE.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    _file.cache_clear()

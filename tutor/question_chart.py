"""Questions per day as a chart: where its bars stand, in whole units of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

STEP = 100  # from one day to the next
BAR = 64  # how wide a day's bar is
HEIGHT = 1000
GAP = 8  # between what was answered and what was not


@dataclass(frozen=True, slots=True)
class DayOfQuestions:
    day: date
    answered: int = 0
    unanswered: int = 0
    with_source: int = 0  # of those answered

    @property
    def total(self) -> int:
        return self.answered + self.unanswered


@dataclass(frozen=True, slots=True)
class Bar:
    """A day's bar: what was answered stands at the foot, what was not on top of it. `top` is measured from above."""

    day: DayOfQuestions
    left: int
    answered_top: int
    answered_height: int
    unanswered_top: int
    unanswered_height: int


@dataclass(frozen=True, slots=True)
class Chart:
    bars: tuple[Bar, ...]
    highest: int  # questions; what the whole height stands for
    width: int
    height: int = HEIGHT
    bar_width: int = BAR

    @property
    def total(self) -> int:
        return sum(bar.day.total for bar in self.bars)


def chart_of(days: Sequence[DayOfQuestions]) -> Chart:
    """The bars of some days in their order. Any question can be seen: no part of a bar is lower than 1 in 100."""
    highest = _round_number(max((day.total for day in days), default=0))
    return Chart(tuple(_bar(index, day, highest) for index, day in enumerate(days)), highest, STEP * len(days))


def _bar(index: int, day: DayOfQuestions, highest: int) -> Bar:
    answered, unanswered = (_height(count, highest) for count in (day.answered, day.unanswered))
    gap = GAP if answered and unanswered else 0
    return Bar(
        day,
        left=STEP * index + (STEP - BAR) // 2,
        answered_top=HEIGHT - answered,
        answered_height=answered,
        unanswered_top=max(0, HEIGHT - answered - unanswered),
        unanswered_height=max(0, unanswered - gap),
    )


def _height(count: int, highest: int) -> int:
    return max(HEIGHT // 100, HEIGHT * count // highest) if count else 0


def _round_number(count: int) -> int:
    """The lowest of 4, 10, 20, 40, 100, 200, 400 and so on that is not less."""
    if count <= 4:
        return 4
    power = int("1" + "0" * (len(str(count)) - 1))
    return next(step * power for step in (1, 2, 4, 10) if step * power >= count)

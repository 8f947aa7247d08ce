"""Where the bars of the chart of questions stand."""

from datetime import date, timedelta

from tutor.question_chart import BAR, GAP, HEIGHT, STEP, DayOfQuestions, chart_of

TODAY = date(2026, 3, 2)


def days(*counts: tuple[int, int]) -> list[DayOfQuestions]:
    return [DayOfQuestions(TODAY + timedelta(days=place), *pair) for place, pair in enumerate(counts)]


def test_a_day_of_all_that_the_chart_shows_fills_its_height():
    bar = chart_of(days((3, 1))).bars[0]
    assert (bar.answered_height, bar.answered_top) == (750, 250)
    assert (bar.unanswered_top, bar.unanswered_height) == (0, 250 - GAP)


def test_bars_stand_beside_each_other_inside_the_chart():
    chart = chart_of(days((1, 0), (2, 0), (3, 0)))
    lefts = [bar.left for bar in chart.bars]
    assert lefts == [18, 18 + STEP, 18 + 2 * STEP]
    assert lefts[-1] + BAR <= chart.width


def test_the_scale_ends_at_a_round_number():
    assert [chart_of(days((count, 0))).highest for count in (0, 4, 5, 11, 21, 40, 41, 399)] == [
        4, 4, 10, 20, 40, 40, 100, 400,
    ]  # fmt: skip


def test_one_question_among_thousands_can_be_seen():
    assert chart_of(days((4000, 0), (1, 0))).bars[1].answered_height == HEIGHT // 100


def test_a_day_without_questions_has_no_bar():
    bar = chart_of(days((0, 0), (4, 0))).bars[0]
    assert (bar.answered_height, bar.unanswered_height) == (0, 0)


def test_what_stands_in_a_bar_never_leaves_the_chart():
    bar = chart_of(days((3999, 1))).bars[0]
    assert bar.unanswered_top == 0
    assert bar.answered_top + bar.answered_height == HEIGHT

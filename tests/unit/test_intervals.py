from retrieval.evaluation.intervals import mean_interval

VALUES = [1.0] * 80 + [0.0] * 20


def test_the_same_values_give_the_same_interval():
    assert mean_interval(VALUES) == mean_interval(list(VALUES))


def test_an_interval_holds_the_mean_and_narrows_with_more_questions():
    few, many = mean_interval(VALUES), mean_interval(VALUES * 9)
    assert few.low < 0.8 < few.high
    assert many.high - many.low < (few.high - few.low) / 2


def test_a_difference_in_most_questions_is_more_than_chance_and_one_in_few_is_not():
    assert mean_interval([1.0] * 30 + [0.0] * 70).excludes_zero
    assert mean_interval([-1.0] * 30 + [0.0] * 70).excludes_zero
    assert not mean_interval([1.0, -1.0] * 3 + [1.0] + [0.0] * 93).excludes_zero


def test_without_anything_to_resample_the_interval_is_the_mean():
    assert (mean_interval([]).low, mean_interval([0.5]).high, mean_interval([1.0, 1.0]).low) == (0.0, 0.5, 1.0)

import numpy as np

from tutor.topics import grouped


def around(*angles: float) -> np.ndarray:
    return np.array([(np.cos(angle), np.sin(angle)) for angle in angles], np.float32)


def test_near_vectors_are_one_group_whose_middle_comes_first():
    assert grouped(around(0.0, 1.5, 0.2, 0.09), 0.05) == [[3, 0, 2], [1]]


def test_one_vector_or_none_needs_no_grouping():
    assert grouped(around(0.3), 0.05) == [[0]]
    assert grouped(np.empty((0, 2), np.float32), 0.05) == []

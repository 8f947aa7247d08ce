"""A proposed outline changed by hand."""

import pytest

from courses.drafting import editing


def outlined(*modules: str) -> editing.Outline:
    """Modules of one-letter lessons of 100 words: `outlined("ab", "c")`."""
    return {
        "modules": [
            {
                "title": f"Módulo {letters}",
                "goals": [],
                "lessons": [
                    {"title": letter, "words": 100, "sources": [letter], "ranges": [[1, 1, 0, 1]]} for letter in letters
                ],
            }
            for letters in modules
        ]
    }


def letters(outline: editing.Outline) -> list[str]:
    return ["".join(lesson["title"] for lesson in module["lessons"]) for module in outline["modules"]]


@pytest.mark.parametrize(
    ("change", "place", "result"),
    [
        (editing.moved_up, (0, 1), ["ba", "cd"]),
        (editing.moved_up, (1, 0), ["abc", "d"]),
        (editing.moved_down, (0, 0), ["ba", "cd"]),
        (editing.moved_down, (0, 1), ["a", "bcd"]),
        (editing.moved_up, (1,), ["cd", "ab"]),
        (editing.moved_down, (0,), ["cd", "ab"]),
        (editing.removed, (0, 0), ["b", "cd"]),
        (editing.removed, (0,), ["cd"]),
        (editing.joined, (1,), ["abcd"]),
        (editing.parted, (1, 1), ["ab", "c", "d"]),
    ],
)
def test_a_change_does_what_its_button_says(change, place, result):
    before = outlined("ab", "cd")
    assert letters(change(before, place)) == result
    assert letters(before) == ["ab", "cd"]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (editing.moved_up, (0, 0)),
        (editing.moved_down, (1, 1)),
        (editing.moved_up, (0,)),
        (editing.moved_down, (1,)),
        (editing.joined, (0, 0)),
        (editing.joined, (0,)),
        (editing.parted, (0, 0)),
        (editing.removed, (7, 0)),
        (editing.removed, (0, 7)),
    ],
)
def test_what_makes_no_sense_there_is_refused(change, place):
    with pytest.raises(editing.NoSuchPlace):
        change(outlined("ab", "cd"), place)


@pytest.mark.parametrize(
    ("place", "on", "after", "result"),
    [
        ((0, 0), (1, 0), False, ["b", "acd"]),
        ((0, 0), (1, 1), True, ["b", "cda"]),
        ((0, 0), (0, 1), True, ["ba", "cd"]),
        ((1, 1), (0,), False, ["abd", "c"]),
        ((0,), (1,), True, ["cd", "ab"]),
    ],
)
def test_what_is_dragged_lands_where_it_was_dropped(place, on, after, result):
    assert letters(editing.dropped(outlined("ab", "cd"), place, on, after=after)) == result


def test_joined_lessons_keep_the_sources_of_both_and_stay_readable_in_one_sitting():
    joined = editing.joined(outlined("ab"), (0, 1))
    assert joined["modules"][0]["lessons"][0]["sources"] == ["a", "b"]
    assert joined["modules"][0]["lessons"][0]["words"] == 200
    long = outlined("ab")
    long["modules"][0]["lessons"][0]["words"] = editing.JOINED_WORDS
    with pytest.raises(editing.TooLong):
        editing.joined(long, (0, 1))


def test_a_blank_title_leaves_the_old_one():
    changed = editing.renamed(outlined("a"), {(0,): "Tienda", (0, 0): ""})
    assert changed["modules"][0]["title"] == "Tienda"
    assert letters(changed) == ["a"]


def test_every_change_makes_another_edition():
    assert editing.edition(outlined("ab")) == editing.edition(outlined("ab"))
    assert editing.edition(outlined("ab")) != editing.edition(outlined("ba"))

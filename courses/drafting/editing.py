"""A stored outline changed by hand: named anew, put in another order, joined, parted, shortened. Pure functions.

Outlines are those of `outline.as_json`; modules and lessons are named by their places, counted from 0. Each function
returns a changed copy. Those that put in order look at nothing but `modules` and `lessons`.
"""

import json
from collections.abc import Callable, Sequence
from copy import deepcopy
from hashlib import sha256
from typing import Any

from courses.drafting.titles import MAX_TITLE_CHARS, joint_title, shortened

JOINED_WORDS = 1_200  # of source text: with what is added around it a lesson stays under 1,500

Outline = dict[str, Any]
Place = tuple[int, ...]  # (module,) or (module, lesson)


class TooLong(ValueError):
    """Two lessons together would be more than people read in one sitting."""


class NoSuchPlace(LookupError):
    """The outline has nothing there, or the change makes no sense there."""


def edition(outline: Outline) -> str:
    """A name for how an outline is now: another one after every change."""
    return sha256(json.dumps(outline, sort_keys=True).encode()).hexdigest()[:16]


def renamed(outline: Outline, titles: dict[Place, str]) -> Outline:
    """With other titles; blank ones and places that are not there are passed over."""
    changed = deepcopy(outline)
    for at_module, module in enumerate(changed["modules"]):
        module["title"] = titles.get((at_module,), "") or module["title"]
        for at_lesson, lesson in enumerate(module["lessons"]):
            lesson["title"] = titles.get((at_module, at_lesson), "") or lesson["title"]
    return changed


def moved_up(outline: Outline, place: Place) -> Outline:
    """One place earlier; the first lesson of a module becomes the last of the one before."""
    if len(place) == 1:
        return _swapped(outline, place[0] - 1)
    module, lesson = place
    if lesson > 0:
        return moved(outline, place, (module, lesson - 1))
    if module == 0:
        raise NoSuchPlace(place)
    return moved(outline, place, (module - 1, len(outline["modules"][module - 1]["lessons"])))


def moved_down(outline: Outline, place: Place) -> Outline:
    """One place later; the last lesson of a module becomes the first of the next."""
    if len(place) == 1:
        return _swapped(outline, place[0])
    module, lesson = place
    if lesson + 1 < len(outline["modules"][module]["lessons"]):
        return moved(outline, place, (module, lesson + 2))
    if module + 1 >= len(outline["modules"]):
        raise NoSuchPlace(place)
    return moved(outline, place, (module + 1, 0))


def moved(outline: Outline, place: Place, before: Place) -> Outline:
    """A lesson put before another, or at the end where `before` counts one past the last; or a module likewise."""
    if len(place) != len(before):
        raise NoSuchPlace(before)
    changed = deepcopy(outline)
    siblings, at = _siblings(changed, place)
    goal, to = _siblings(changed, before, is_goal=True)
    one = siblings.pop(at)
    goal.insert(to - (goal is siblings and at < to), one)
    return changed


def dropped(outline: Outline, place: Place, on: Place, *, after: bool) -> Outline:
    """What was dragged, put before or after what it was dropped on. A lesson dropped on a module becomes its last."""
    if len(place) == 1:
        return moved(outline, place, (on[0] + after,))
    if len(on) == 1:
        siblings, at = _siblings(outline, on)
        return moved(outline, place, (at, len(siblings[at]["lessons"])))
    return moved(outline, place, (on[0], on[1] + after))


def removed(outline: Outline, place: Place) -> Outline:
    """Without a lesson, or without a module and its lessons."""
    changed = deepcopy(outline)
    siblings, at = _siblings(changed, place)
    del siblings[at]
    return changed


def joined(outline: Outline, place: Place) -> Outline:
    """Made one with the lesson, or module, before it. Raises: NoSuchPlace, where there is none; TooLong."""
    changed = deepcopy(outline)
    siblings, at = _siblings(changed, place)
    if at == 0:
        raise NoSuchPlace(place)
    first, second = siblings[at - 1], siblings.pop(at)
    if len(place) == 1:
        first["lessons"] += second["lessons"]
        first["goals"] = list(dict.fromkeys([*first.get("goals", []), *second.get("goals", [])]))[:6]
        return changed
    first["words"] = first.get("words", 0) + second.get("words", 0)
    if first["words"] > JOINED_WORDS:
        raise TooLong
    first["title"] = joint_title([first["title"], second["title"]])
    first["sources"] += second["sources"]
    first["ranges"] += second["ranges"]
    return changed


def parted(outline: Outline, place: Place) -> Outline:
    """With a module that begins at this lesson and holds the rest of its module."""
    changed = deepcopy(outline)
    siblings, at = _siblings(changed, place)
    if len(place) != 2 or at == 0:
        raise NoSuchPlace(place)
    rest = siblings[at:]
    del siblings[at:]
    goals = [lesson["title"] for lesson in rest][:6]
    title = shortened(rest[0]["title"], MAX_TITLE_CHARS)
    changed["modules"].insert(place[0] + 1, {"title": title, "goals": goals, "lessons": rest})
    return changed


def without_empty(outline: Outline) -> Outline:
    """Without the modules that have no lessons left."""
    return {**outline, "modules": [module for module in outline["modules"] if module["lessons"]]}


CHANGES: dict[str, Callable[[Outline, Place], Outline]] = {
    "subir": moved_up,
    "bajar": moved_down,
    "quitar": removed,
    "unir": joined,
    "partir": parted,
}


def _swapped(outline: Outline, first: int) -> Outline:
    if not 0 <= first < len(outline["modules"]) - 1:
        raise NoSuchPlace((first,))
    changed = deepcopy(outline)
    modules = changed["modules"]
    modules[first], modules[first + 1] = modules[first + 1], modules[first]
    return changed


def _siblings(outline: Outline, place: Sequence[int], *, is_goal: bool = False) -> tuple[list[Any], int]:
    """The list that a place is in, and where."""
    siblings: list[Any] = outline["modules"]
    if len(place) == 2:
        if not 0 <= place[0] < len(siblings):
            raise NoSuchPlace(place)
        siblings = siblings[place[0]]["lessons"]
    if not 0 <= place[-1] < len(siblings) + is_goal:
        raise NoSuchPlace(place)
    return siblings, place[-1]

"""The modules and lessons of a course put in another order."""

from collections.abc import Callable
from typing import Any

from django.db import transaction

from courses.drafting.editing import NoSuchPlace, Outline, Place
from courses.models import Course, Lesson, Module


def place_of(outline: Outline, key: str) -> Place:
    """Where the module «m12» or the lesson «l34» stands. Raises: NoSuchPlace."""
    for at_module, module in enumerate(outline["modules"]):
        if key == f"m{module['id']}":
            return (at_module,)
        for at_lesson, lesson in enumerate(module["lessons"]):
            if key == f"l{lesson['id']}":
                return (at_module, at_lesson)
    raise NoSuchPlace(key)


@transaction.atomic
def reorder(course: Course, change: Callable[[Outline], Outline]) -> None:
    """Store the order that `change` makes of the present one: modules and lessons with their `id`s, as an outline."""
    Course.objects.select_for_update(no_key=True).get(pk=course.pk)
    modules = {module.pk: module for module in course.modules.order_by("position", "pk")}
    lessons = {
        lesson.pk: lesson
        for lesson in Lesson.objects.filter(module__course=course)
        .defer("content", "composed")
        .order_by("position", "pk")
    }
    outline = change(_outline(list(modules.values()), list(lessons.values())))
    for at_module, module in enumerate(outline["modules"]):
        modules[module["id"]].position = at_module
        for at_lesson, lesson in enumerate(module["lessons"]):
            lessons[lesson["id"]].position = at_lesson
            lessons[lesson["id"]].module_id = module["id"]
    Module.objects.bulk_update(modules.values(), ["position"])
    Lesson.objects.bulk_update(lessons.values(), ["position", "module"])


def _outline(modules: list[Module], lessons: list[Lesson]) -> Outline:
    under: dict[int, list[dict[str, Any]]] = {module.pk: [] for module in modules}
    for lesson in lessons:
        under[lesson.module_id].append({"id": lesson.pk})
    return {"modules": [{"id": module.pk, "lessons": under[module.pk]} for module in modules]}

"""What course pages look up."""

from django import template

from courses.models import Lesson
from courses.overview import StudiedLesson, Study

register = template.Library()


@register.filter
def lesson_of(study: Study, lesson: Lesson) -> StudiedLesson | None:
    """How far someone is with a lesson of their course."""
    return next((one for one in study.lessons if one.lesson.pk == lesson.pk), None)

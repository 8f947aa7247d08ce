"""Staff pages for courses of the chosen organization."""

from django.contrib import admin

from courses.models import Course, Enrolment
from skillnet.admin import ReadOnlyAdmin


@admin.register(Course)
class CourseAdmin(ReadOnlyAdmin):
    list_display = ("title", "status", "created_at")
    list_filter = ("status",)
    search_fields = ("title",)


@admin.register(Enrolment)
class EnrolmentAdmin(ReadOnlyAdmin):
    list_display = ("user", "course", "created_at")
    list_filter = ("course",)
    search_fields = ("user__email", "course__title")
    list_select_related = ("user", "course")

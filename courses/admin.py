"""Staff pages for courses of the chosen organization."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from courses.models import Course, Enrolment
from skillnet.admin import CREATED, ReadOnlyAdmin, column


@admin.register(Course)
class CourseAdmin(ReadOnlyAdmin):
    list_display = ("title", "status", CREATED)
    list_filter = ("status",)
    search_fields = ("title",)


@admin.register(Enrolment)
class EnrolmentAdmin(ReadOnlyAdmin):
    list_display = (column("user", _("persona")), column("course", _("curso")), CREATED)
    list_filter = ("course",)
    search_fields = ("user__email", "course__title")
    list_select_related = ("user", "course")

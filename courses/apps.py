from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CoursesConfig(AppConfig):
    name = "courses"
    verbose_name = _("Cursos")

    def ready(self) -> None:
        from courses import (  # noqa: F401  receivers connect themselves
            documents_in_use,
            jobs,
            navigation,
            receivers,
            registrations,
        )
        from documents.access import register_course_documents
        from documents.sweeper import register_chore
        from retrieval.registry import CourseScope, register_course_scope, register_navigation
        from skillnet import erasing, group_uses, personal_data

        group_uses.register(registrations.uses_of_group)
        erasing.register(registrations.erase_learning)
        personal_data.register("learning", registrations.learning_of)
        register_course_documents(documents_in_use.of_reader)
        register_course_scope(
            CourseScope(documents_in_use.course_named, documents_in_use.of_course, documents_in_use.title_of)
        )
        register_navigation(navigation.navigate)
        register_chore(jobs.requeue_lost)
        register_chore(jobs.remind_due)

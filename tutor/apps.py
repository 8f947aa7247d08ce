from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TutorConfig(AppConfig):
    name = "tutor"
    verbose_name = _("Tutor")

    def ready(self) -> None:
        from retrieval.registry import register_recent_questions
        from tutor import recent_questions
        from tutor.prepared import receivers

        receivers.connect()
        register_recent_questions(recent_questions.of_organization)

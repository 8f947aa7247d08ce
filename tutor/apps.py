from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TutorConfig(AppConfig):
    name = "tutor"
    verbose_name = _("Tutor")

    def ready(self) -> None:
        from courses.registry import register_dependants, register_dropped
        from retrieval.registry import register_recent_questions
        from skillnet import personal_data
        from tutor import dependants, recent_questions, registrations
        from tutor.prepared import receivers

        register_dependants(dependants.faq_on)
        register_dropped(dependants.cached_on)
        personal_data.register("conversations", registrations.conversations_of)
        receivers.connect()
        register_recent_questions(recent_questions.of_organization)

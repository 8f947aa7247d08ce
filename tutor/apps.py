from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TutorConfig(AppConfig):
    name = "tutor"
    verbose_name = _("Tutor")

    def ready(self) -> None:
        from courses.registry import register_dependants, register_dropped, register_token_count
        from documents.sweeper import register_chore
        from retrieval.registry import register_answering, register_recent_questions
        from skillnet import erasing, personal_data
        from tutor import dependants, recent_questions, registrations, retention, usage
        from tutor.measuring import MeasuredAnswers
        from tutor.prepared import receivers

        register_dependants(dependants.faq_on)
        register_dropped(dependants.cached_on)
        register_token_count(usage.record_beside_answers)
        personal_data.register("conversations", registrations.conversations_of)
        erasing.register(registrations.erase_conversations)
        register_chore(retention.remove_old)
        receivers.connect()
        register_recent_questions(recent_questions.of_organization)
        register_answering(MeasuredAnswers())

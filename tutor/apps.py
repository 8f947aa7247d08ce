from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TutorConfig(AppConfig):
    name = "tutor"
    verbose_name = _("Tutor")

    def ready(self) -> None:
        from tutor.prepared import receivers

        receivers.connect()

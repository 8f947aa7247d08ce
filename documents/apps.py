from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DocumentsConfig(AppConfig):
    name = "documents"
    verbose_name = _("Documentos")

    def ready(self) -> None:
        from documents import (
            checks,  # noqa: F401 - registers the start-up check
            registrations,
            serving,
        )
        from skillnet import backends, group_uses, personal_data

        backends.register_choice(serving.chosen_model)
        group_uses.register(registrations.uses_of_group)
        personal_data.register("uploads", registrations.uploads_of)

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RetrievalConfig(AppConfig):
    name = "retrieval"
    verbose_name = _("Búsqueda")

    def ready(self) -> None:
        from documents.chunk_settings import register_chunk_settings
        from retrieval.configuration import chunk_settings_for

        register_chunk_settings(chunk_settings_for)

"""Addresses under /o/<slug>/tutor/."""

from django.urls import path

from tutor import source_views, views
from tutor.prepared import views as faq_views

app_name = "tutor"

urlpatterns = [
    path("", views.home, name="home"),
    path("preguntar/", views.ask, name="ask"),
    path("conversaciones/<uuid:conversation_id>/", views.conversation, name="conversation"),
    path("preguntas/<uuid:turn_id>/respuesta/", views.stream, name="stream"),
    path("preguntas/<uuid:turn_id>/ver/", views.answer, name="answer"),
    path("fuentes/<int:citation_id>/", source_views.source, name="source"),
    path("fuentes/<int:citation_id>/pagina.png", source_views.source_image, name="source_image"),
    path("faq/", faq_views.entry_list, name="faq"),
    path("faq/nueva/", faq_views.create, name="faq_create"),
    path("faq/<int:entry_id>/", faq_views.edit, name="faq_edit"),
    path("faq/<int:entry_id>/borrar/", faq_views.delete, name="faq_delete"),
    path("faq/sugeridas/", faq_views.suggestion_list, name="faq_suggested"),
    path("faq/sugeridas/descartar/", faq_views.dismiss, name="faq_dismiss"),
    path("faq/importar/", faq_views.import_file, name="faq_import"),
    path("faq/exportar/", faq_views.export_file, name="faq_export"),
]

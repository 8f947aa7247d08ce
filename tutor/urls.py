"""Addresses under /o/<slug>/tutor/."""

from django.urls import path

from tutor import conversation_views, feedback_views, gap_views, log_views, source_views, views
from tutor.prepared import views as faq_views

app_name = "tutor"

urlpatterns = [
    path("", views.home, name="home"),
    path("preguntar/", views.ask, name="ask"),
    path("conversaciones/", conversation_views.conversations, name="conversations"),
    path("conversaciones/<uuid:conversation_id>/", views.conversation, name="conversation"),
    path("conversaciones/<uuid:conversation_id>/nombre/", conversation_views.rename, name="rename_conversation"),
    path("conversaciones/<uuid:conversation_id>/borrar/", conversation_views.delete, name="delete_conversation"),
    path("preguntas/<uuid:turn_id>/respuesta/", views.stream, name="stream"),
    path("preguntas/<uuid:turn_id>/ver/", views.answer, name="answer"),
    path("preguntas/<uuid:turn_id>/valorar/", feedback_views.feedback, name="feedback"),
    path("preguntas/<uuid:turn_id>/avisar/", feedback_views.escalate, name="escalate"),
    path("fuentes/<int:citation_id>/", source_views.source, name="source"),
    path("fuentes/<int:citation_id>/pagina.png", source_views.source_image, name="source_image"),
    path("registro/", log_views.questions, name="questions"),
    path("registro/exportar.csv", log_views.export, name="questions_export"),
    path("registro/<uuid:turn_id>/", log_views.question, name="question"),
    path("registro/<uuid:turn_id>/pedir/", gap_views.ask_owner, name="ask_owner"),
    path("huecos/", gap_views.gaps, name="gaps"),
    path("huecos/descartar/", gap_views.dismiss_gap, name="dismiss_gap"),
    path("huecos/descartadas/", gap_views.dismissed, name="dismissed_gaps"),
    path("huecos/recuperar/", gap_views.restore_gap, name="restore_gap"),
    path("avisos/", log_views.inbox, name="inbox"),
    path("avisos/<int:escalation_id>/cerrar/", log_views.close_escalation, name="close_escalation"),
    path("avisos/<int:escalation_id>/responder/", log_views.reply, name="reply"),
    path("valoraciones/<int:feedback_id>/cerrar/", log_views.close_feedback, name="close_feedback"),
    path("ajustes/", log_views.policy, name="policy"),
    path("faq/", faq_views.entry_list, name="faq"),
    path("faq/nueva/", faq_views.create, name="faq_create"),
    path("faq/<int:entry_id>/", faq_views.edit, name="faq_edit"),
    path("faq/<int:entry_id>/borrar/", faq_views.delete, name="faq_delete"),
    path("faq/sugeridas/", faq_views.suggestion_list, name="faq_suggested"),
    path("faq/sugeridas/<uuid:turn_id>/propuesta/", faq_views.proposal, name="faq_proposal"),
    path("faq/sugeridas/descartar/", faq_views.dismiss, name="faq_dismiss"),
    path("faq/importar/", faq_views.import_file, name="faq_import"),
    path("faq/exportar/", faq_views.export_file, name="faq_export"),
]

"""Addresses under /o/<slug>/tutor/."""

from django.urls import path

from tutor import source_views, views

app_name = "tutor"

urlpatterns = [
    path("", views.home, name="home"),
    path("preguntar/", views.ask, name="ask"),
    path("conversaciones/<uuid:conversation_id>/", views.conversation, name="conversation"),
    path("preguntas/<uuid:turn_id>/respuesta/", views.stream, name="stream"),
    path("preguntas/<uuid:turn_id>/ver/", views.answer, name="answer"),
    path("fuentes/<int:citation_id>/", source_views.source, name="source"),
    path("fuentes/<int:citation_id>/pagina.png", source_views.source_image, name="source_image"),
]

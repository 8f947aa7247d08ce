"""Addresses under /o/<slug>/ajustes-de-busqueda/."""

from django.urls import path

from retrieval import settings_views as views

app_name = "search_settings"

urlpatterns = [
    path("", views.organization_settings, name="organization"),
    path("restaurar/", views.restore_organization, name="restore_organization"),
    path("volver-a-procesar/", views.cut_organization_again, name="cut_organization_again"),
    path("colecciones/<int:collection_id>/", views.collection_settings, name="collection"),
    path("colecciones/<int:collection_id>/restaurar/", views.restore_collection, name="restore_collection"),
    path("colecciones/<int:collection_id>/volver-a-procesar/", views.cut_collection_again, name="cut_collection_again"),
    path("cursos/<int:course_id>/", views.course_settings, name="course"),
    path("cursos/<int:course_id>/restaurar/", views.restore_course, name="restore_course"),
]

"""Addresses under /o/<slug>/cursos/."""

from django.urls import path

from courses import editing_views, views

app_name = "courses"

urlpatterns = [
    path("", views.course_list, name="list"),
    path("<int:course_id>/", views.detail, name="detail"),
    path("lecciones/<int:lesson_id>/", views.lesson, name="lesson"),
    path("nuevo/", editing_views.create, name="create"),
    path("<int:course_id>/editar/", editing_views.edit, name="edit"),
    path("<int:course_id>/borrar/", editing_views.delete, name="delete"),
    path("<int:course_id>/modulos/nuevo/", editing_views.create_module, name="create_module"),
    path("modulos/<int:module_id>/editar/", editing_views.edit_module, name="edit_module"),
    path("modulos/<int:module_id>/borrar/", editing_views.delete_module, name="delete_module"),
    path("modulos/<int:module_id>/lecciones/nueva/", editing_views.create_lesson, name="create_lesson"),
    path("lecciones/<int:lesson_id>/editar/", editing_views.edit_lesson, name="edit_lesson"),
    path("lecciones/<int:lesson_id>/borrar/", editing_views.delete_lesson, name="delete_lesson"),
]

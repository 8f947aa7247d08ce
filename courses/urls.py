"""Addresses under /o/<slug>/cursos/."""

from django.urls import path

from courses import editing_views, notice_views, views

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
    path("avisos/", notice_views.notice_list, name="notices"),
    path("avisos/<int:notice_id>/", notice_views.notice, name="notice"),
    path("avisos/<int:notice_id>/cerrar/", notice_views.close, name="close_notice"),
    path("avisos/lecciones/<int:touched_id>/no-hace-falta/", notice_views.dismiss, name="dismiss"),
    path("avisos/lecciones/<int:touched_id>/regenerar/", notice_views.regenerate, name="regenerate"),
    path("avisos/lecciones/<int:touched_id>/releer/", notice_views.ask_to_reread, name="ask_to_reread"),
    path("propuestas/<int:proposal_id>/", notice_views.proposal, name="proposal"),
    path("propuestas/<int:proposal_id>/aceptar/", notice_views.accept, name="accept_proposal"),
    path("propuestas/<int:proposal_id>/descartar/", notice_views.discard, name="discard_proposal"),
]

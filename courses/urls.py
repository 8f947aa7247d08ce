"""Addresses under /o/<slug>/cursos/."""

from django.urls import path

from courses import assigning_views, certificate_views, editing_views, notice_views, study_views, views

app_name = "courses"

urlpatterns = [
    path("", views.course_list, name="list"),
    path("<int:course_id>/", views.detail, name="detail"),
    path("lecciones/<int:lesson_id>/", views.lesson, name="lesson"),
    path("mios/", views.my_courses, name="my_courses"),
    path("lecciones/<int:lesson_id>/hecha/", study_views.mark_done, name="mark_done"),
    path("lecciones/<int:lesson_id>/cuestionario/", study_views.quiz, name="quiz"),
    path("intentos/<int:attempt_id>/", study_views.attempt, name="attempt"),
    path("fuentes/<int:source_id>/", study_views.open_source, name="source"),
    path("preguntas/<int:item_id>/pasaje/", study_views.open_passage, name="passage"),
    path("<int:course_id>/repetir/", study_views.restart, name="restart"),
    path("certificados/", certificate_views.completions, name="completions"),
    path("certificados/exportar/", certificate_views.export_completions, name="export_completions"),
    path("certificados/<uuid:completion_id>/", certificate_views.certificate, name="certificate"),
    path("<int:course_id>/personas/", assigning_views.people, name="people"),
    path("<int:course_id>/personas/exportar/", assigning_views.export_progress, name="export_progress"),
    path("<int:course_id>/personas/asignar/", assigning_views.assign_people, name="assign_people"),
    path("<int:course_id>/personas/asignar-grupo/", assigning_views.assign_group, name="assign_group"),
    path("<int:course_id>/personas/recordar/", assigning_views.remind, name="remind"),
    path("inscripciones/<int:enrolment_id>/quitar/", assigning_views.withdraw, name="withdraw"),
    path("inscripciones/<int:enrolment_id>/plazo/", assigning_views.due, name="due"),
    path("asignaciones/<int:assignment_id>/quitar/", assigning_views.withdraw_group, name="withdraw_group"),
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

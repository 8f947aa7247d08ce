"""Addresses under /o/<slug>/cursos/."""

from django.urls import path

from courses import (
    draft_views,
    editing_views,
    exchange_views,
    lesson_editing_views,
    notice_views,
    quiz_editing_views,
    views,
)

app_name = "courses"

urlpatterns = [
    path("", views.course_list, name="list"),
    path("<int:course_id>/", views.detail, name="detail"),
    path("lecciones/<int:lesson_id>/", views.lesson, name="lesson"),
    path("nuevo/", draft_views.choose, name="choose"),
    path("nuevo/vacio/", editing_views.create, name="create"),
    path("borradores/<uuid:draft_id>/", draft_views.draft, name="draft"),
    path("borradores/<uuid:draft_id>/progreso/", draft_views.progress, name="draft_progress"),
    path("borradores/<uuid:draft_id>/cambiar/", draft_views.change, name="change_outline"),
    path("borradores/<uuid:draft_id>/reintentar/", draft_views.retry, name="retry_draft"),
    path("importar/", exchange_views.import_course, name="import_course"),
    path("<int:course_id>/editor/", editing_views.editor, name="editor"),
    path("<int:course_id>/ordenar/", editing_views.reorder, name="reorder"),
    path("<int:course_id>/publicar/", editing_views.publish, name="publish"),
    path("<int:course_id>/exportar/", exchange_views.export_course, name="export_course"),
    path("<int:course_id>/imprimir/", exchange_views.print_course, name="print_course"),
    path("<int:course_id>/editar/", editing_views.edit, name="edit"),
    path("<int:course_id>/borrar/", editing_views.delete, name="delete"),
    path("<int:course_id>/modulos/nuevo/", editing_views.create_module, name="create_module"),
    path("modulos/<int:module_id>/editar/", editing_views.edit_module, name="edit_module"),
    path("modulos/<int:module_id>/borrar/", editing_views.delete_module, name="delete_module"),
    path("modulos/<int:module_id>/lecciones/nueva/", lesson_editing_views.create_lesson, name="create_lesson"),
    path("lecciones/<int:lesson_id>/editar/", lesson_editing_views.edit_lesson, name="edit_lesson"),
    path("lecciones/<int:lesson_id>/borrar/", editing_views.delete_lesson, name="delete_lesson"),
    path("vista-previa/", lesson_editing_views.preview, name="preview"),
    path("fuentes/apartados/", lesson_editing_views.sections, name="sections"),
    path("lecciones/<int:lesson_id>/preguntas/", quiz_editing_views.quiz, name="edit_quiz"),
    path("lecciones/<int:lesson_id>/preguntas/aprobar/", quiz_editing_views.approve_all, name="approve_all"),
    path(
        "lecciones/<int:lesson_id>/preguntas/nueva/<slug:kind>/", quiz_editing_views.create_item, name="create_question"
    ),
    path("preguntas/<int:item_id>/editar/", quiz_editing_views.edit_item, name="edit_question"),
    path("preguntas/<int:item_id>/aprobar/", quiz_editing_views.approve_item, name="approve_question"),
    path("preguntas/<int:item_id>/borrar/", quiz_editing_views.delete_item, name="delete_question"),
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

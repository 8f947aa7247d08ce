"""Addresses under /o/<slug>/evaluacion/."""

from django.urls import path

from retrieval.evaluation import question_views, views

app_name = "evaluation"

urlpatterns = [
    path("", views.overview, name="overview"),
    path("medir/", views.start, name="start"),
    path("<int:evaluation_id>/", views.state, name="state"),
    path("<int:evaluation_id>/seguir/", views.restart, name="restart"),
    path("comparar/", views.compare_runs, name="compare"),
    path("preguntas/", question_views.questions, name="questions"),
    path("preguntas/nueva/", question_views.judge, name="judge"),
    path("preguntas/<int:question_id>/borrar/", question_views.delete, name="delete_question"),
]

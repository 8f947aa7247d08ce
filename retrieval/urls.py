"""Addresses under /o/<slug>/buscar/."""

from django.urls import path

from retrieval import glossary_views, views

app_name = "retrieval"

urlpatterns = [
    path("", views.search, name="search"),
    path("glosario/", glossary_views.glossary, name="glossary"),
    path("glosario/<int:glossary_id>/", glossary_views.edit, name="edit_entry"),
    path("glosario/<int:glossary_id>/borrar/", glossary_views.delete, name="delete_entry"),
]

"""Addresses under /o/<slug>/documentos/."""

from django.urls import path

from documents import (
    bulk_views,
    collection_views,
    correction_views,
    library_views,
    reading_views,
    reindexing_views,
    version_views,
    views,
)

app_name = "documents"

urlpatterns = [
    path("", views.document_list, name="list"),
    path("manuales/", library_views.library, name="library"),
    path("subir/", views.upload, name="upload"),
    path("colecciones/", collection_views.collections, name="collections"),
    path("colecciones/<int:collection_id>/", collection_views.rename, name="rename_collection"),
    path("colecciones/<int:collection_id>/borrar/", collection_views.delete, name="delete_collection"),
    path("preparar-busqueda/", reindexing_views.reindex, name="reindex"),
    path("acciones/", bulk_views.act, name="bulk"),
    path("versiones/<int:version_id>/fila/", views.row, name="row"),
    path("versiones/<int:version_id>/reintentar/", views.retry, name="retry"),
    path("versiones/<int:version_id>/cancelar/", views.cancel, name="cancel"),
    path("<int:document_id>/", reading_views.detail, name="detail"),
    path("<int:document_id>/cobertura/", reading_views.coverage, name="coverage"),
    path("<int:document_id>/fragmentos/", reading_views.fragments, name="fragments"),
    path("<int:document_id>/versiones/", reading_views.versions, name="versions"),
    path("<int:document_id>/versiones/comparar/", version_views.compare, name="compare"),
    path("<int:document_id>/v<int:number>/restaurar/", version_views.restore, name="restore"),
    path("<int:document_id>/correcciones/", correction_views.corrections, name="corrections"),
    path("<int:document_id>/v<int:number>/correcciones/aplicar/", correction_views.apply, name="apply_corrections"),
    path("<int:document_id>/v<int:number>/bloques/<int:block>/", correction_views.correct, name="correct"),
    path("<int:document_id>/v<int:number>/texto.md", correction_views.export_markdown, name="export_markdown"),
    path("<int:document_id>/v<int:number>/texto.json", correction_views.export_json, name="export_json"),
    path("<int:document_id>/estado/", reading_views.state, name="state"),
    path("<int:document_id>/datos/", views.edit, name="edit"),
    path("<int:document_id>/version-nueva/", views.upload_version, name="upload_version"),
    path("<int:document_id>/borrar/", views.delete, name="delete"),
    path("<int:document_id>/v<int:number>/original/", reading_views.download, name="download"),
    path("<int:document_id>/v<int:number>/paginas/<int:page>/", reading_views.page, name="page"),
    path(
        "<int:document_id>/v<int:number>/paginas/<int:page>.png",
        reading_views.page_image,
        name="page_image",
    ),
]

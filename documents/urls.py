"""Addresses under /o/<slug>/documentos/."""

from django.urls import path

from documents import reading_views, views

app_name = "documents"

urlpatterns = [
    path("", views.document_list, name="list"),
    path("subir/", views.upload, name="upload"),
    path("versiones/<int:version_id>/fila/", views.row, name="row"),
    path("versiones/<int:version_id>/reintentar/", views.retry, name="retry"),
    path("versiones/<int:version_id>/cancelar/", views.cancel, name="cancel"),
    path("<int:document_id>/", reading_views.detail, name="detail"),
    path("<int:document_id>/cobertura/", reading_views.coverage, name="coverage"),
    path("<int:document_id>/fragmentos/", reading_views.fragments, name="fragments"),
    path("<int:document_id>/versiones/", reading_views.versions, name="versions"),
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

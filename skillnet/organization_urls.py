"""Every address of an organization."""

from django.urls import include, path

from skillnet import organization_views, views

urlpatterns = [
    path("", views.organization_home, name="organization_home"),
    path("ajustes/", organization_views.settings, name="organization_settings"),
    path("logo/<uuid:logo_id>/", organization_views.logo, name="organization_logo"),
    path("inicio/", include("tutor.dashboard_urls")),
    path("notificaciones/", include("skillnet.notification_urls")),
    path("documentos/", include("documents.urls")),
    path("cursos/", include("courses.urls")),
    path("buscar/", include("retrieval.urls")),
    path("tutor/", include("tutor.urls")),
    path("ajustes-de-busqueda/", include("retrieval.settings_urls")),
    path("evaluacion/", include("retrieval.evaluation.urls")),
    path("personas/", include("skillnet.people_urls")),
]

"""Addresses under /o/<slug>/notificaciones/."""

from django.urls import path

from skillnet import notification_views

app_name = "notifications"

urlpatterns = [
    path("", notification_views.notification_list, name="list"),
    path("<int:notification_id>/", notification_views.follow, name="follow"),
    path("leidos/", notification_views.read_all, name="read_all"),
]

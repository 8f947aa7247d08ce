"""Addresses under /o/<slug>/inicio/."""

from django.urls import path

from tutor import dashboard_views

app_name = "dashboard"

urlpatterns = [path("", dashboard_views.home, name="home")]

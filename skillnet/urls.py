"""Where the apps are joined. Nothing imports this module."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from skillnet import views

# One log-in with one throttle, for staff too.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

handler404 = "skillnet.views.page_not_found"
handler500 = "skillnet.views.server_error"

urlpatterns = [
    path("", views.home, name="home"),
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path("cuenta/", include("allauth.account.urls")),
    path("staff/", admin.site.urls),
    path("staff/colas/", include("django_rq.urls")),
    path("o/<slug:slug>/", include("skillnet.organization_urls")),
]

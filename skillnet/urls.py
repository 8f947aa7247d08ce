"""Where the apps are joined. Nothing imports this module."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView
from django.views.i18n import set_language

from skillnet import accepting_views, account_views, operation_views, views

# One log-in with one throttle, for staff too.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

handler404 = "skillnet.views.page_not_found"
handler500 = "skillnet.views.server_error"

urlpatterns = [
    path("", views.home, name="home"),
    path("idioma/", set_language, name="set_language"),
    path("healthz", operation_views.healthz, name="healthz"),
    path("readyz", operation_views.readyz, name="readyz"),
    path("metrics", operation_views.metrics_page, name="metrics"),
    path("csp/", operation_views.csp_report, name="csp_report"),
    path("cuenta/", account_views.account, name="account"),
    path("cuenta/email/", RedirectView.as_view(pattern_name="account")),  # one's address is the organization's to say
    path("cuenta/mis-datos.json", account_views.my_data, name="my_data"),
    path("cuenta/borrar/", account_views.erase, name="erase_account"),
    path("cuenta/dos-pasos/necesaria/", account_views.second_factor_needed, name="second_factor_needed"),
    path("cuenta/dos-pasos/", include("allauth.mfa.urls")),
    path("cuenta/sesiones/", include("allauth.usersessions.urls")),
    path("cuenta/proveedor/", include("allauth.socialaccount.urls")),
    path("cuenta/proveedor/", include("allauth.socialaccount.providers.openid_connect.urls")),
    path("cuenta/", include("allauth.account.urls")),
    path("invitacion/<str:token>/", accepting_views.accept, name="invitation"),
    path("staff/r/<path:rest>", views.nowhere),  # the admin's redirects to pages that our rows do not have
    path("staff/", admin.site.urls),
    path("staff/colas/", include("django_rq.urls")),
    path("o/<slug:slug>/", include("skillnet.organization_urls")),
]

"""Addresses under /o/<slug>/personas/."""

from django.urls import path

from skillnet import audit_views, group_views, invitation_views, people_views

app_name = "people"

urlpatterns = [
    path("", people_views.members, name="members"),
    path("<int:member_id>/", people_views.member, name="member"),
    path("<int:member_id>/acceso/", people_views.set_active, name="set_active"),
    path("<int:member_id>/quitar/", people_views.remove, name="remove"),
    path("invitaciones/", invitation_views.invitation_list, name="invitations"),
    path("invitaciones/nueva/", invitation_views.invite, name="invite"),
    path("invitaciones/archivo/", invitation_views.table, name="table"),
    path("invitaciones/archivo/enviar/", invitation_views.send_table, name="send_table"),
    path("invitaciones/<int:invitation_id>/reenviar/", invitation_views.resend, name="resend"),
    path("invitaciones/<int:invitation_id>/retirar/", invitation_views.withdraw, name="withdraw"),
    path("grupos/", group_views.groups, name="groups"),
    path("grupos/<int:group_id>/", group_views.group, name="group"),
    path("grupos/<int:group_id>/nombre/", group_views.rename, name="rename_group"),
    path("grupos/<int:group_id>/borrar/", group_views.delete, name="delete_group"),
    path("grupos/<int:group_id>/personas/<int:place_id>/quitar/", group_views.take_out, name="take_out"),
    path("seguridad/", people_views.security, name="security"),
    path("registro/", audit_views.log, name="audit"),
    path("ver-como-empleado/", people_views.see_as_employee, name="see_as_employee"),
    path("volver/", people_views.see_as_oneself, name="see_as_oneself"),
]

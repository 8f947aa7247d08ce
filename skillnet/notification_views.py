"""What is under the bell."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from skillnet import notifications
from skillnet.access import OrganizationRequest, organization_view
from skillnet.models import Notification, NotificationQuerySet

ROWS_A_PAGE = 30


def _own(request: OrganizationRequest) -> NotificationQuerySet:
    found: NotificationQuerySet = Notification.objects.for_organization(request.organization).of_user(request.user.pk)
    return found


@require_GET
@organization_view()
def notification_list(request: OrganizationRequest) -> HttpResponse:
    """What one was told, latest first, and which of it one has not read."""
    page = Paginator(notifications.shown_to(request.membership), ROWS_A_PAGE).get_page(request.GET.get("pagina"))
    return render(request, "notifications/list.html", {"page": page})


@require_GET
@organization_view()
def follow(request: OrganizationRequest, notification_id: int) -> HttpResponse:
    """To where it is dealt with. Having followed it is having read it, as with any message that one opens."""
    notification = get_object_or_404(_own(request), pk=notification_id)
    notifications.read(notification)
    return redirect(notification.address)


@require_POST
@organization_view()
def read_all(request: OrganizationRequest) -> HttpResponse:
    """Nothing is unread any more."""
    notifications.read_all(request.membership)
    return redirect("notifications:list", request.organization.slug)

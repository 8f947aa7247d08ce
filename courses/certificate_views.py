"""Certificates: one's own as a PDF, and the list in which those who manage courses check them."""

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from courses import certificates
from courses.exports import csv_file
from courses.models import Completion
from skillnet import audit
from skillnet.access import OrganizationRequest, organization_view
from skillnet.models import MANAGERS

COMPLETIONS_A_PAGE = 50
NUMBER_DIGITS = 12


@require_GET
@organization_view()
def certificate(request: OrganizationRequest, completion_id: object) -> HttpResponse:
    """A certificate as a PDF, for the person it names and for those who manage courses."""
    found = get_object_or_404(
        Completion.objects.for_organization(request.organization).select_related("organization", "user"),
        pk=completion_id,
    )
    if found.user_id != request.membership.user_id and not request.membership.manages:
        raise Http404
    name = slugify(f"certificado {found.course_title} {found.number}")
    return HttpResponse(
        certificates.as_pdf(certificates.certificate_of(found)),
        content_type="application/pdf",
        headers={"Content-Disposition": f'inline; filename="{name}.pdf"'},
    )


def _found(request: OrganizationRequest) -> QuerySet[Completion]:
    completions: QuerySet[Completion] = Completion.objects.for_organization(request.organization)
    words = request.GET.get("q", "").strip()[:200]
    if words:
        wanted = (
            Q(course_title__icontains=words)
            | Q(user__email__icontains=words)
            | Q(user__first_name__icontains=words)
            | Q(user__last_name__icontains=words)
        )
        digits = words.replace("-", "").replace(" ", "").lower()
        if len(digits) == NUMBER_DIGITS and set(digits) <= set("0123456789abcdef"):
            first, last = (digits + fill * (32 - NUMBER_DIGITS) for fill in ("0", "f"))
            wanted |= Q(pk__gte=first, pk__lte=last)
        completions = completions.filter(wanted)
    return completions.select_related("user").order_by("-completed_at", "pk")


@require_GET
@organization_view(*MANAGERS)
def completions(request: OrganizationRequest) -> HttpResponse:
    """Who finished which course, found by person, course or the number on a certificate."""
    page = Paginator(_found(request), COMPLETIONS_A_PAGE).get_page(request.GET.get("pagina"))
    context = {"page": page, "words": request.GET.get("q", "").strip()[:200], "today": timezone.localdate()}
    return render(request, "courses/completions.html", context)


@require_GET
@organization_view(*MANAGERS)
def export_completions(request: OrganizationRequest) -> HttpResponse:
    """The same list as a CSV file."""
    audit.note(request, audit.Action.EXPORTED, _("Certificados"))
    header = [_("número"), _("persona"), _("correo"), _("curso"), _("terminado"), _("válido hasta"), _("aciertos (%)")]
    header.append(_("documentos"))
    rows = (
        [
            one.number,
            one.user.get_full_name(),
            one.user.email,
            one.course_title,
            timezone.localtime(one.completed_at).date().isoformat(),
            one.expires_on and one.expires_on.isoformat(),
            one.percent,
            ", ".join(f"{document['title']} (v{document['version']})" for document in one.documents),
        ]
        for one in _found(request)
    )
    return csv_file("certificados", header, rows)

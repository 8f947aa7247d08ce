"""A document's versions side by side, and going back to an earlier one."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from documents import services
from documents.diffing import compare as compare_blocks
from documents.models import DocumentVersion, ParsedContent
from documents.parsing.types import Block
from documents.reading_views import document_or_404, header, version_or_404
from skillnet import audit
from skillnet.access import OrganizationRequest, organization_view
from skillnet.errors import SkillNetError
from skillnet.models import MANAGERS

SECTIONS_A_PAGE = 40


def _chosen(request: OrganizationRequest, versions: list[DocumentVersion]) -> tuple[DocumentVersion, DocumentVersion]:
    """The versions named by ?desde= and ?hasta=, else the last two. Raises: Http404 for one that is not there."""
    numbers = {str(version.number): version for version in versions}
    later = numbers.get(request.GET.get("hasta", str(versions[0].number)))
    earlier = numbers.get(request.GET.get("desde", str(versions[min(1, len(versions) - 1)].number)))
    if earlier is None or later is None:
        raise Http404
    return earlier, later


@require_GET
@organization_view(*MANAGERS)
def compare(request: OrganizationRequest, document_id: int) -> HttpResponse:
    """What changed between two versions, by section."""
    document = document_or_404(request, document_id)
    context = header(request, document, "versions")
    versions = list(document.versions.filter(parsed__isnull=False).order_by("-number"))
    context["versions"] = versions
    if versions:
        earlier, later = _chosen(request, versions)
        parsed = {
            content.version_id: [Block.from_json(data) for data in content.blocks]
            for content in ParsedContent.objects.filter(version__in=[earlier, later]).only("version_id", "blocks")
        }
        changes = compare_blocks(parsed[earlier.pk], parsed[later.pk])
        page = Paginator(changes, SECTIONS_A_PAGE).get_page(request.GET.get("pagina"))
        context |= {"earlier": earlier, "later": later, "page": page}
    return render(request, "documents/compare.html", context)


@require_POST
@organization_view(*MANAGERS)
def restore(request: OrganizationRequest, document_id: int, number: int) -> HttpResponse:
    """Serve an earlier version again."""
    version = version_or_404(request, document_id, number)
    try:
        services.restore_version(version)
    except SkillNetError as error:
        messages.error(request, str(error.user_message))
    else:
        detail = _("versión %(number)d") % {"number": number}
        audit.note(request, audit.Action.DOCUMENT_RESTORED, version.document.title, detail=detail)
        text = _("Estamos restaurando la versión %(number)d. La de ahora sigue en uso hasta que esté lista.")
        messages.success(request, text % {"number": number})
    return redirect("documents:versions", request.organization.slug, document_id)

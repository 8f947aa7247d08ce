"""A citation's source: the page as an image, or the section, with the quoted words marked."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from documents.models import Document, ParsedContent
from documents.page_images import has_page_images, page_image_response
from skillnet.access import OrganizationRequest, organization_view
from tutor.marking import mark_section
from tutor.models import Citation, Conversation


@require_GET
@organization_view()
def source(request: OrganizationRequest, citation_id: int) -> HttpResponse:
    """Where an answer's words come from. ?pagina= turns the pages of a PDF."""
    citation = _citation(request, citation_id)
    version = citation.version
    context: dict[str, Any] = {
        "citation": citation,
        "document": citation.document,
        "version": version,
        "active_version": citation.document.active_version,
        "conversation": citation.turn.conversation,
        "has_image": citation.page is not None and has_page_images(version),
    }
    if context["has_image"]:
        page = _page(request, citation)
        context |= {
            "page": page,
            "is_cited_page": page == citation.page,
            "previous_page": page - 1,
            "next_page": page + 1 if page < version.page_count else 0,
        }
    else:
        context["blocks"] = _section(citation)
    return render(request, "tutor/source.html", context)


@require_GET
@organization_view()
def source_image(request: OrganizationRequest, citation_id: int) -> HttpResponse:
    """A page of the cited PDF as PNG; on the cited one the quoted words are marked."""
    citation = _citation(request, citation_id)
    page = _page(request, citation)
    rects = citation.locator.get("rects", []) if page == citation.page else []
    return page_image_response(request, citation.version, page, rects, citation.quote)


def _citation(request: OrganizationRequest, citation_id: int) -> Citation:
    """A citation of the person's own whose document they may still read."""
    conversations = Conversation.objects.for_organization(request.organization).of_user(request.user.pk)
    documents = Document.objects.open_to(request.membership)
    citations = Citation.objects.select_related("document__active_version", "version", "turn__conversation__course")
    citation: Citation = get_object_or_404(
        citations, pk=citation_id, turn__conversation__in=conversations, document__in=documents
    )
    return citation


def _page(request: OrganizationRequest, citation: Citation) -> int:
    """The page asked for, else the cited one. 404 for a page that the document does not have."""
    wanted = request.GET.get("pagina", "")
    page = int(wanted[:10]) if wanted.isdecimal() else citation.page
    if page is None or not 1 <= page <= max(citation.version.page_count, citation.page or 0):
        raise Http404
    return page


def _section(citation: Citation) -> Any:
    parsed = ParsedContent.objects.filter(version_id=citation.version_id).only("blocks").first()
    if parsed is None:
        return ()
    return mark_section(parsed.blocks, heading_path=citation.heading_path, quote=citation.quote)

"""A document to read: its text, its pages, and how it was taken in."""

from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import F, Q, QuerySet, Value
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_GET

from documents import finding, near_duplicates, reading, telling
from documents.cleaning import clean_line
from documents.corrections import offers
from documents.folding import folded
from documents.models import Document, DocumentVersion, ParsedContent
from documents.page_images import has_page_images, page_image_response
from documents.parsing import media_types
from documents.views import readable_documents
from skillnet.access import OrganizationRequest, organization_view
from skillnet.models import MANAGERS
from skillnet.rate_limits import rate_limited

FRAGMENTS_A_PAGE = 20
SHOWN_FINDS = 40
MAX_WORDS = 200  # characters
MAX_NUMBER = 1_000_000  # of a page or version in an address; what is larger finds nothing anyway


def document_or_404(request: OrganizationRequest, document_id: int) -> Document:
    """A document that the person asking may read. Raises: Http404."""
    documents = readable_documents(request).select_related("collection", "active_version", "created_by")
    found: Document = get_object_or_404(documents, pk=document_id)
    return found


def _shown_version(request: OrganizationRequest, document: Document) -> DocumentVersion:
    """The version named by ?version=, else the one served, else the newest. Employees see the one served."""
    versions: QuerySet[DocumentVersion] = document.versions.select_related("uploaded_by").order_by("-number")
    served = versions.filter(document_where_active=document)
    number = request.GET.get("version", "")
    if not request.membership.manages:
        found = served.first()
    elif number.isdecimal():
        found = versions.filter(number=int(number[:9])).first()
    else:
        found = served.first() or versions.first()
    if found is None:
        raise Http404
    return found


def version_or_404(request: OrganizationRequest, document_id: int, number: int) -> DocumentVersion:
    """A version by its number. Raises: Http404, also to employees who ask for one that is not served."""
    document = document_or_404(request, document_id)
    versions = document.versions.select_related("document")
    if not request.membership.manages:
        versions = versions.filter(pk=document.active_version_id)
    found: DocumentVersion = get_object_or_404(versions, number=number)
    return found


def header(request: OrganizationRequest, document: Document, tab: str) -> dict[str, Any]:
    """What every tab of a document shows above its own content."""
    version = _shown_version(request, document)
    newest = document.versions.order_by("-serving_order").first()
    if request.membership.manages:
        telling.settle(version, user_id=request.user.pk)
    return {
        "document": document,
        "version": version,
        "newest": newest,
        "tab": tab,
        "similar": _similar(request, version),
        "has_page_images": has_page_images(version),
    }


def _similar(request: OrganizationRequest, version: DocumentVersion) -> list[Document]:
    """Documents nearly the same as this version, as far as the person asking may know of them."""
    if not request.membership.manages:
        return []
    return near_duplicates.known_to_reader([version], readable_documents(request))[version.pk]


def blocks_of(version: DocumentVersion) -> list[dict[str, Any]]:
    """What was read in a version, as stored; nothing before it was read."""
    parsed = ParsedContent.objects.filter(version=version).only("blocks").first()
    return parsed.blocks if parsed is not None else []


def _number(value: str | None, *, highest: int) -> int | None:
    """A whole number from an address, at most `highest`; None for anything else."""
    if value is None or not value.isdecimal() or not (number := int(value[:9])):
        return None
    return min(number, highest)


def _looks_for_words(request: HttpRequest) -> bool:
    return bool(request.GET.get("q"))


@require_GET
@organization_view()
@rate_limited("search", counts=_looks_for_words)
def detail(request: OrganizationRequest, document_id: int) -> HttpResponse:
    """Outline and text, in parts. ?pagina= opens the part with that page; ?ir= leads to the page's own place in it."""
    context = header(request, document_or_404(request, document_id), "content")
    blocks = blocks_of(context["version"])
    if "ir" in request.GET:
        return _at_page(request, blocks)
    parts = reading.part_count(blocks)
    page = _number(request.GET.get("pagina"), highest=MAX_NUMBER)
    wanted = reading.part_of_page(blocks, page) if page else _number(request.GET.get("parte"), highest=parts)
    part = wanted or 1
    is_correcting = request.membership.manages and "corregir" in request.GET
    words = clean_line(request.GET.get("q", ""))[:MAX_WORDS]
    found = finding.find(blocks, words) if words else []
    context |= {
        "words": words,
        "found": found[:SHOWN_FINDS],
        "found_count": len(found),
        "is_correcting": is_correcting,
        "has_pages": reading.page_with_text(blocks, 1) is not None,
        "offer_count": len(offers(context["version"])) if request.membership.manages else 0,
        "outline": reading.outline(blocks),
        "is_at_place": wanted is not None,
        "pieces": finding.with_marks(reading.pieces(blocks, part, are_single=is_correcting), found),
        "part": part,
        "parts": parts,
        "previous_part": part - 1,
        "next_part": part + 1 if part < parts else 0,
    }
    return render(request, "documents/detail.html", context)


def _at_page(request: OrganizationRequest, blocks: list[dict[str, Any]]) -> HttpResponse:
    """To the page that a form asks for: only an address can say which part and where in it."""
    asked = _number(request.GET["ir"].strip(), highest=MAX_NUMBER)
    page = reading.page_with_text(blocks, asked or 1)
    kept = {name: value for name in ("version", "q") if (value := request.GET.get(name))}
    query = {**kept, **({"pagina": page} if page else {})}
    return redirect(f"{request.path}?{urlencode(query)}" + (f"#pagina-{page}" if page else ""))


@require_GET
@organization_view(*MANAGERS)
def coverage(request: OrganizationRequest, document_id: int) -> HttpResponse:
    """Which pages could be read, and what to know about them."""
    context = header(request, document_or_404(request, document_id), "coverage")
    version = context["version"]
    context["warnings"] = near_duplicates.others(version.warnings)
    context["has_pages"] = version.media_type == media_types.PDF
    context["pages_with_text"] = version.page_count - len(version.pages_without_text)
    return render(request, "documents/coverage.html", context)


@require_GET
@organization_view(*MANAGERS)
@rate_limited("search", counts=_looks_for_words)
def fragments(request: OrganizationRequest, document_id: int) -> HttpResponse:
    """How the served version was cut for searching, with a search inside."""
    context = header(request, document_or_404(request, document_id), "fragments")
    chunks = context["version"].chunks.order_by("position")
    words = request.GET.get("q", "").strip()[:200]
    if words:
        chunks = chunks.annotate(folded_text=folded(F("text")), folded_heading=folded(F("heading")))
        for word in dict.fromkeys(clean_line(words).split()):
            wanted = folded(Value(word))
            chunks = chunks.filter(Q(folded_text__contains=wanted) | Q(folded_heading__contains=wanted))
    context["page"] = Paginator(chunks, FRAGMENTS_A_PAGE).get_page(request.GET.get("pagina"))
    context["words"] = words
    return render(request, "documents/fragments.html", context)


@require_GET
@organization_view(*MANAGERS)
def versions(request: OrganizationRequest, document_id: int) -> HttpResponse:
    """Every version with its state; for htmx the table alone, which asks for itself again until the newest is final."""
    document = document_or_404(request, document_id)
    context = header(request, document, "versions")
    context["versions"] = document.versions.select_related("uploaded_by").order_by("-number")
    is_part = request.htmx.target == "version-list"  # type: ignore[attr-defined]
    return render(request, "documents/_versions.html" if is_part else "documents/versions.html", context)


@require_GET
@organization_view(*MANAGERS)
def state(request: OrganizationRequest, document_id: int) -> HttpResponse:
    """The notice about the newest version's ingestion; an unfinished one asks for itself again."""
    document = document_or_404(request, document_id)
    newest = document.versions.order_by("-serving_order").first()
    just_finished = newest is not None and newest.is_ready
    context = {
        "document": document,
        "newest": newest,
        "just_finished": just_finished,
        "offer_count": len(offers(newest)) if newest is not None and just_finished else 0,
    }
    return render(request, "documents/_state.html", context)


@require_GET
@organization_view()
def page(request: OrganizationRequest, document_id: int, number: int, page: int) -> HttpResponse:
    """One page: its image, or what was read on it."""
    version = version_or_404(request, document_id, number)
    if not 1 <= page <= version.page_count:
        raise Http404
    context = {
        "document": version.document,
        "version": version,
        "page": page,
        "previous_page": page - 1,
        "next_page": page + 1 if page < version.page_count else 0,
        "has_page_images": has_page_images(version),
        "pieces": reading.page_text(blocks_of(version), page),
    }
    return render(request, "documents/page.html", context)


@require_GET
@organization_view()
def page_image(request: OrganizationRequest, document_id: int, number: int, page: int) -> HttpResponse:
    """A page of a PDF as PNG."""
    return page_image_response(request, version_or_404(request, document_id, number), page)


@require_GET
@organization_view()
def download(request: OrganizationRequest, document_id: int, number: int) -> HttpResponseBase:
    """The original file, to save: never shown by the browser as a page of ours."""
    version = version_or_404(request, document_id, number)
    try:
        file = version.file.open("rb")
    except FileNotFoundError as error:
        raise Http404 from error
    response = FileResponse(
        file, as_attachment=True, filename=version.file_name, content_type="application/octet-stream"
    )
    response.headers["X-Content-Type-Options"] = "nosniff"
    patch_cache_control(response, private=True, no_store=True)
    return response

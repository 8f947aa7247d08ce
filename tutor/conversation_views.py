"""A person's own conversations: all of them, found again by their name, renamed, deleted."""

import uuid
from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import F, QuerySet, Value
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from documents.cleaning import clean_line
from documents.folding import folded
from skillnet.access import OrganizationRequest, organization_view
from tutor.forgetting import forget
from tutor.forms import ConversationForm
from tutor.models import Conversation

ROWS_A_PAGE = 30
MAX_WORDS = 200  # characters
DELETED = "deleted_conversations"  # in the session: what the person has just deleted
KEPT_DELETED = 20


def own_conversations(request: OrganizationRequest) -> QuerySet[Conversation]:
    """The person's own, latest first."""
    own: QuerySet[Conversation] = Conversation.objects.for_organization(request.organization).of_user(request.user.pk)
    return own


def _own_or_404(request: OrganizationRequest, conversation_id: uuid.UUID) -> Conversation:
    conversation: Conversation = get_object_or_404(own_conversations(request), pk=conversation_id)
    return conversation


def to_list_once_deleted(
    view: Callable[[OrganizationRequest, uuid.UUID], HttpResponse],
) -> Callable[[OrganizationRequest, uuid.UUID], HttpResponse]:
    """Leads who goes back to a conversation that they deleted to the list of those left. Only the session in which it
    was done knows of it: any other conversation that is not there answers 404, whoever had it.
    """

    @wraps(view)
    def led(request: OrganizationRequest, conversation_id: uuid.UUID) -> HttpResponse:
        if str(conversation_id) in request.session.get(DELETED, ()):
            messages.info(request, _("Has borrado esa conversación. Aquí están las demás."))
            return redirect("tutor:conversations", request.organization.slug)
        return view(request, conversation_id)

    return led


@require_GET
@organization_view()
def conversations(request: OrganizationRequest) -> HttpResponse:
    """All conversations; ?q= leaves those whose name holds every word."""
    words = clean_line(request.GET.get("q", ""))[:MAX_WORDS]
    found = own_conversations(request).select_related("course")
    for word in words.split():
        found = found.annotate(folded_title=folded(F("title"))).filter(folded_title__contains=folded(Value(word)))
    page = Paginator(found, ROWS_A_PAGE).get_page(request.GET.get("pagina"))
    return render(request, "tutor/conversations.html", {"page": page, "words": words})


@never_cache
@require_http_methods(["GET", "POST"])
@organization_view()
@to_list_once_deleted
def rename(request: OrganizationRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Give a conversation another name."""
    conversation = _own_or_404(request, conversation_id)
    form = ConversationForm(request.POST or None, instance=conversation)
    if request.method == "POST" and form.is_valid():
        conversation.save(update_fields=["title"])  # its place in the list stays: nothing was asked
        messages.success(request, _("Guardado."))
        return redirect("tutor:conversation", request.organization.slug, conversation.pk)
    context = {"form": form, "conversation": conversation}
    return render(request, "tutor/rename_conversation.html", context, status=422 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "POST"])
@organization_view()
@to_list_once_deleted
def delete(request: OrganizationRequest, conversation_id: uuid.UUID) -> HttpResponse:
    """Delete a conversation, once the person has seen what goes with it."""
    conversation = _own_or_404(request, conversation_id)
    if request.method == "POST":
        forget(Conversation.objects.filter(pk=conversation.pk))
        request.session[DELETED] = [*request.session.get(DELETED, ()), str(conversation_id)][-KEPT_DELETED:]
        messages.success(request, _("Conversación borrada."))
        return redirect("tutor:conversations", request.organization.slug)
    context = {"conversation": conversation, "question_count": conversation.turns.count()}
    return render(request, "tutor/delete_conversation.html", context)

"""Having the search by meaning prepared anew, by an administrator."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from documents import jobs, reindexing
from skillnet import audit
from skillnet.access import OrganizationRequest, organization_view
from skillnet.backends import configured_model
from skillnet.errors import SkillNetError
from skillnet.models import Role


@require_POST
@organization_view(Role.ADMIN)
def reindex(request: OrganizationRequest) -> HttpResponse:
    """Let workers make the vectors of everything served with the configured model."""
    try:
        reindexing.begin(request.organization.pk, configured_model())
    except SkillNetError as error:
        messages.error(request, str(error.user_message))
    else:
        audit.note(
            request, audit.Action.SETTINGS_CHANGED, _("Búsqueda por significado"), detail=_("se prepara de nuevo")
        )
        jobs.enqueue_on_commit()
        messages.success(request, _("En marcha. Mientras tanto se puede seguir buscando."))
    return redirect("documents:list", request.organization.slug)

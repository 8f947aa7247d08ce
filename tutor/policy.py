"""What an organization allows its tutor to do."""

from dataclasses import asdict, dataclass, fields
from uuid import UUID

from django.conf import settings

from skillnet.models import Organization

KEY = "tutor"  # of Organization.settings


@dataclass(frozen=True, slots=True)
class TutorPolicy:
    """An organization's choices; the defaults hold where it made none."""

    general_knowledge: bool = False  # the language model may answer what no document answers, and it is marked
    monthly_answers: int | None = None  # by the language model; None: the installation's number
    passes_on_doubts: bool = False  # questions answered with little confidence go to the document's owner
    conversation_days: int | None = None  # after the last question a conversation is deleted; None: never
    hides_names: bool = False  # the log of questions does not tell who asked

    @property
    def quota(self) -> int | None:
        """Answers a month that the language model may write; None: no limit."""
        if self.monthly_answers is not None:
            return self.monthly_answers
        default: int | None = settings.SKILLNET_LLM_MONTHLY_ANSWERS
        return default


def policy_of(organization: Organization) -> TutorPolicy:
    stored = organization.settings.get(KEY) or {}
    known = {field.name for field in fields(TutorPolicy)}
    return TutorPolicy(**{name: value for name, value in stored.items() if name in known})


def policy_of_id(organization_id: UUID) -> TutorPolicy:
    return policy_of(Organization.objects.only("settings").get(pk=organization_id))


def store_policy(organization: Organization, policy: TutorPolicy) -> None:
    """Keep an organization's choices; its other settings stay as they are."""
    locked = Organization.objects.select_for_update(no_key=True).get(pk=organization.pk)
    locked.settings = {**locked.settings, KEY: asdict(policy)}
    locked.save(update_fields=["settings"])
    organization.settings = locked.settings

from django.apps import AppConfig


class SkillnetConfig(AppConfig):
    name = "skillnet"
    verbose_name = "SkillNet"

    def ready(self) -> None:
        from skillnet import account_audit, checks  # noqa: F401 - register receivers and start-up checks

from django.apps import AppConfig


class SkillnetConfig(AppConfig):
    name = "skillnet"
    verbose_name = "SkillNet"

    def ready(self) -> None:
        from skillnet import checks  # noqa: F401 - registers the start-up checks

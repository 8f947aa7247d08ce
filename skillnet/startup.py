"""What a serving process makes sure of before it serves anybody."""

from django.core.checks import ERROR, run_checks


def refuse_if_unsafe() -> None:
    """Raises: SystemExit, when isolation is not in force (see skillnet.checks)."""
    errors = [check for check in run_checks(tags=["database"], databases=["default"]) if check.level >= ERROR]
    if errors:
        raise SystemExit("\n".join(f"{check.id}: {check.msg} {check.hint or ''}".strip() for check in errors))

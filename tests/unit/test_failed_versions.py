"""What is offered for a version that could not be read."""

import pytest

from documents.models import DocumentVersion, Status


@pytest.mark.parametrize("code", ["encrypted", "damaged", "unsupported", "empty", "too_large", "no_text"])
def test_a_file_that_fails_for_what_it_is_needs_another(code: str) -> None:
    assert DocumentVersion(status=Status.FAILED, error_code=code).needs_other_file


@pytest.mark.parametrize("code", ["backend_unavailable", "crashed", "limit_exceeded", "error", "invalid_embedding"])
def test_what_may_go_well_later_can_be_tried_again(code: str) -> None:
    assert not DocumentVersion(status=Status.FAILED, error_code=code).needs_other_file


def test_a_cancelled_version_can_be_tried_again() -> None:
    assert not DocumentVersion(status=Status.CANCELLED).needs_other_file

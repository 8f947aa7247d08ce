"""The whole text of a version. Call inside the organization's scope."""

from documents.models import DocumentVersion, ParsedContent


def full_text_of(version: DocumentVersion) -> str:
    """What was read in a version, corrections included, as Markdown; empty before it was read."""
    return ParsedContent.objects.filter(version=version).values_list("markdown", flat=True).first() or ""

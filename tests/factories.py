"""Things for tests, made as the product makes them. Call inside the organization's scope where rows are its own."""

import hashlib
from collections.abc import Sequence
from typing import Any

from django.core.files.base import ContentFile
from django.utils.text import slugify

from courses.models import Course, CourseStatus, Lesson, Module, QuizItem, QuizKind
from documents import ingestion
from documents.models import Document, DocumentVersion, Status
from documents.parsing.types import Block, BlockKind, ParsedDocument
from skillnet.models import Membership, Organization, Role, User
from skillnet.tenancy import organization_scope


def make_organization(slug: str, name: str = "") -> Organization:
    return Organization.objects.create(slug=slug, name=name or slug.capitalize())


def make_member(organization: Organization, email: str, role: Role = Role.EMPLOYEE, **fields: int) -> Membership:
    user = User.objects.create_user(email, "contraseña-larga-1")
    return Membership.objects.create(organization=organization, user=user, role=role, **fields)


def make_blocks(text: str) -> list[Block]:
    """Blocks from short lines: `# Título`, `## Sección`, anything else a paragraph; `[p2]` starts page 2."""
    blocks: list[Block] = []
    path: list[str] = []
    page = 1
    for line in filter(None, (line.strip() for line in text.splitlines())):
        if line.startswith("[p") and line.endswith("]"):
            page = int(line[2:-1])
        elif line.startswith("#"):
            level = len(line) - len(line.lstrip("#"))
            path = [*path[: level - 1], line.lstrip("# ")]
            blocks.append(Block(BlockKind.HEADING, path[-1], level=level, page=page, heading_path=tuple(path)))
        else:
            blocks.append(Block(BlockKind.PARAGRAPH, line, page=page, heading_path=tuple(path)))
    return blocks


def make_version(document: Document, content: bytes = b"texto", status: str = Status.PENDING) -> DocumentVersion:
    """A stored version in any status, without queueing its ingestion."""
    version = DocumentVersion(
        organization_id=document.organization_id,
        document=document,
        number=document.versions.count() + 1,
        file_name="manual.txt",
        sha256=hashlib.sha256(content).hexdigest(),
        size=len(content),
        status=status,
    )
    version.file.save("manual.txt", ContentFile(content), save=False)
    version.save()
    return version


def make_document(
    organization: Organization,
    title: str = "Manual",
    text: str = "",
    *,
    version_of: Document | None = None,
    **fields: Any,
) -> Document:
    """A document whose newest version has been read from `text` (see make_blocks) and is ready to be searched."""
    with organization_scope(organization.pk):
        document = version_of or Document.objects.create(
            organization=organization, title=title, title_is_given=True, **fields
        )
        blocks = make_blocks(text or f"# {title}\n{title} en pocas palabras.")
        version = make_version(document, text.encode() or title.encode(), status=Status.CHUNKING)
        pages = max((block.page or 1 for block in blocks), default=1)
        ingestion.store_parsed(version, ParsedDocument("text/plain", tuple(blocks), page_count=pages))
        version.save()
        ingestion.run(organization.pk, version.pk)
        document.refresh_from_db()
        return document


def make_course(organization: Organization, title: str, *, lessons: Sequence[str] = (), **fields: Any) -> Course:
    """A published course of one module; call inside the organization's scope."""
    owned = {"organization": organization}
    slug = f"{slugify(title)}-{Course.objects.count()}"
    course = Course.objects.create(title=title, slug=slug, status=CourseStatus.PUBLISHED, **owned, **fields)
    module = Module.objects.create(course=course, title="Todo", position=0, **owned)
    for position, name in enumerate(lessons):
        Lesson.objects.create(
            module=module, title=name, content=f"{name} en pocas palabras.", position=position, **owned
        )
    return course


def make_question(lesson: Lesson, **fields: Any) -> QuizItem:
    """A checked question with one right answer, «150 €»; call inside the organization's scope."""
    given = {"kind": QuizKind.SINGLE_CHOICE, "options": ["100 €", "150 €"], "answer": [1], **fields}
    return QuizItem.objects.create(
        organization_id=lesson.organization_id,
        lesson=lesson,
        question="¿Cuánto fondo hay?",
        explanation="Lo dice el manual.",
        is_reviewed=True,
        position=lesson.quiz_items.count(),
        **given,
    )

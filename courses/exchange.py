"""A course as a file, out and in: JSON that names its documents by title and content, never by their ids here."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Prefetch
from django.utils.translation import gettext as _

from courses.models import Course, CourseDocument, CourseStatus, Lesson, LessonSource, Module, QuizItem, QuizKind
from courses.quiz_editing import UnsoundQuestion, check_answer
from courses.slugs import free_slug
from documents.cleaning import clean_characters
from documents.models import Document, DocumentQuerySet
from skillnet.errors import SkillNetError
from skillnet.models import Organization, User

FORMAT = "skillnet-course"
VERSION = 1
MAX_BYTES = 10_000_000
MAX_TITLE = 200

Json = dict[str, Any]


class UnreadableCourse(SkillNetError):
    """A file that is no exported course. The message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A course made from a file, and the titles of the documents that were not found here."""

    course: Course
    missing: list[str] = field(default_factory=list)


# --- out


def as_json(course: Course, documents: DocumentQuerySet) -> Json:
    """A course with its modules, lessons, sources and questions. Of its documents, only those given are named."""
    readable = {one.pk: one for one in documents.select_related("active_version")}
    lessons = Lesson.objects.order_by("position", "pk").prefetch_related("sources", "quiz_items")
    modules = course.modules.order_by("position", "pk").prefetch_related(Prefetch("lessons", lessons))
    used = course.course_documents.filter(document__in=readable).order_by("pk")
    return {
        "format": FORMAT,
        "version": VERSION,
        "title": course.title,
        "summary": course.summary,
        "pass_percent": course.pass_percent,
        "recertify_months": course.recertify_months,
        "recertify_on_change": course.recertify_on_change,
        "documents": [_document(readable[one.document_id]) for one in used],
        "modules": [
            {
                "title": module.title,
                "summary": module.summary,
                "goals": module.goals,
                "lessons": [_lesson(lesson, readable) for lesson in module.lessons.all()],
            }
            for module in modules
        ],
    }


def _document(document: Document) -> Json:
    version = document.active_version
    return {"title": document.title, "sha256": version.sha256 if version else ""}


def _lesson(lesson: Lesson, readable: dict[int, Document]) -> Json:
    return {
        "title": lesson.title,
        "summary": lesson.summary,
        "content": lesson.content,
        "sources": [
            {
                "document": _document(readable[source.document_id]),
                "heading_path": source.heading_path,
                "page": source.page,
                "with_subsections": source.with_subsections,
                "part": source.part,
                "part_count": source.part_count,
            }
            for source in lesson.sources.all()
            if source.document_id in readable
        ],
        "quiz_items": [
            {
                "kind": item.kind,
                "question": item.question,
                "options": item.options,
                "answer": item.answer,
                "explanation": item.explanation,
                "document": _document(readable[item.document_id]) if item.document_id else None,
                "heading_path": item.heading_path,
                "page": item.page,
                "quote": item.quote,
            }
            for item in lesson.quiz_items.all()
            if item.document_id is None or item.document_id in readable
        ],
    }


# --- in


def read(data: bytes) -> Json:
    """An exported course, checked. Raises: UnreadableCourse."""
    if len(data) > MAX_BYTES:
        raise UnreadableCourse(user_message=_("El archivo es demasiado grande para ser un curso exportado."))
    try:
        course = json.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise UnreadableCourse(
            str(error), user_message=_("Este archivo no es un curso exportado: no se puede leer. Expórtalo de nuevo.")
        ) from error
    if not isinstance(course, dict) or course.get("format") != FORMAT:
        raise UnreadableCourse(user_message=_("Este archivo no es un curso exportado desde SkillNet."))
    if course.get("version") != VERSION:
        raise UnreadableCourse(
            user_message=_("Este curso se exportó con otra versión del formato, que aquí no se puede leer.")
        )
    return _Reader().course(course)


class _Reader:
    """Takes what belongs in a course and refuses what has another type, saying where."""

    def __init__(self) -> None:
        self._where: list[str] = []

    def course(self, given: Json) -> Json:
        months = given.get("recertify_months")
        return {
            "title": self._title(given),
            "summary": self._text(given, "summary"),
            "pass_percent": self._number(given, "pass_percent", 1, 100) or 80,
            "recertify_months": None if months is None else self._number(given, "recertify_months", 1, 120),
            "recertify_on_change": given.get("recertify_on_change") is True,
            "documents": [self._document(one) for one in self._list(given, "documents", dict)],
            "modules": [self._module(one) for one in self._inside(_("módulo"), self._list(given, "modules", dict))],
        }

    def _module(self, given: Json) -> Json:
        return {
            "title": self._title(given),
            "summary": self._text(given, "summary"),
            "goals": [_clean(goal) for goal in self._list(given, "goals", str)],
            "lessons": [self._lesson(one) for one in self._inside(_("lección"), self._list(given, "lessons", dict))],
        }

    def _lesson(self, given: Json) -> Json:
        return {
            "title": self._title(given),
            "summary": self._text(given, "summary"),
            "content": self._text(given, "content"),
            "sources": [self._place(one) for one in self._inside(_("fuente"), self._list(given, "sources", dict))],
            "quiz_items": [
                self._item(one) for one in self._inside(_("pregunta"), self._list(given, "quiz_items", dict))
            ],
        }

    def _place(self, given: Json) -> Json:
        return {
            "document": self._document(given.get("document")),
            "heading_path": [_clean(heading) for heading in self._list(given, "heading_path", str)],
            "page": self._number(given, "page", 1, 1_000_000),
            "with_subsections": given.get("with_subsections") is not False,
            "part": self._number(given, "part", 1, 10_000) or 1,
            "part_count": self._number(given, "part_count", 1, 10_000) or 1,
        }

    def _item(self, given: Json) -> Json:
        kind = given.get("kind")
        if kind not in QuizKind.values:
            self._refuse("kind")
        options = [_clean(option) for option in self._list(given, "options", str)]
        answer = self._list(given, "answer", int if kind == QuizKind.SINGLE_CHOICE else str)
        answer = [_clean(one) if isinstance(one, str) else one for one in answer]
        try:
            check_answer(QuizItem(kind=str(kind), options=options, answer=answer))
        except UnsoundQuestion as error:
            self._refuse("answer", str(error.user_message))
        return {
            "kind": kind,
            "question": self._title(given, "question", limit=5_000),
            "options": options,
            "answer": answer,
            "explanation": self._text(given, "explanation"),
            "document": None if given.get("document") is None else self._document(given.get("document")),
            "heading_path": [_clean(heading) for heading in self._list(given, "heading_path", str)],
            "page": self._number(given, "page", 1, 1_000_000),
            "quote": self._text(given, "quote"),
        }

    def _document(self, given: Any) -> Json:
        if not isinstance(given, dict):
            self._refuse("document")
        return {"title": self._title(given), "sha256": self._text(given, "sha256")}

    def _inside(self, name: str, items: Sequence[Json]) -> Any:
        for number, item in enumerate(items, start=1):
            self._where.append(f"{name} {number}")
            yield item
            self._where.pop()

    def _title(self, given: Json, name: str = "title", limit: int = MAX_TITLE) -> str:
        text = " ".join(self._text(given, name).split())
        if not text:
            self._refuse(name)
        return text[:limit]

    def _text(self, given: Json, name: str) -> str:
        value = given.get(name, "")
        if not isinstance(value, str):
            self._refuse(name)
        return _clean(value)

    def _number(self, given: Json, name: str, least: int, most: int) -> int | None:
        value = given.get(name)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            self._refuse(name)
        return int(value)

    def _list(self, given: Json, name: str, kind: type) -> list[Any]:
        value = given.get(name, [])
        if not isinstance(value, list) or not all(isinstance(one, kind) for one in value):
            self._refuse(name)
        return list(value)

    def _refuse(self, name: str, why: str = "") -> None:
        place = ", ".join([*self._where, f"«{name}»"])
        message = _("El archivo está dañado o se ha cambiado a mano (%(place)s). Expórtalo de nuevo.") % {
            "place": place
        }
        raise UnreadableCourse(user_message=f"{message} {why}".strip())


def _clean(text: str) -> str:
    """Text that can be stored: what JSON may hold and a database may not is left out."""
    return clean_characters(text.encode("utf-8", "ignore").decode())


@transaction.atomic
def create(*, data: Json, organization: Organization, documents: DocumentQuerySet, created_by: User | None) -> Imported:
    """A new course, still a draft, from what `read` returned.

    Its documents are looked for among those given: by content, then by title. Sources in documents that are not here
    are left out, and every question waits for review.
    """
    found = _Documents(documents)
    course = Course.objects.create(
        organization=organization,
        title=data["title"],
        slug=free_slug(organization, data["title"]),
        summary=data["summary"],
        status=CourseStatus.DRAFT,
        pass_percent=data["pass_percent"],
        recertify_months=data["recertify_months"],
        recertify_on_change=data["recertify_on_change"],
        created_by=created_by,
    )
    owned = {"organization": organization}
    for module_at, module in enumerate(data["modules"]):
        made = Module.objects.create(
            course=course,
            position=module_at,
            title=module["title"],
            summary=module["summary"],
            goals=module["goals"],
            **owned,
        )
        for lesson_at, lesson in enumerate(module["lessons"]):
            _create_lesson(made, lesson_at, lesson, found)
    linked = [document for one in data["documents"] if (document := found.get(one)) is not None]
    linked += found.used.values()
    CourseDocument.objects.bulk_create(
        [
            CourseDocument(course=course, document=document, **owned)
            for document in {one.pk: one for one in linked}.values()
        ]
    )
    return Imported(course, sorted(found.missing))


def _create_lesson(module: Module, position: int, data: Json, found: "_Documents") -> None:
    owned = {"organization_id": module.organization_id}
    lesson = Lesson.objects.create(
        module=module,
        position=position,
        title=data["title"],
        summary=data["summary"],
        content=data["content"],
        **owned,
    )
    sources = []
    for place in data["sources"]:
        document = found.get(place["document"])
        if document is not None:
            fields = {name: value for name, value in place.items() if name != "document"}
            version = document.active_version_id
            sources.append(LessonSource(lesson=lesson, document=document, version_id=version, **fields, **owned))
    LessonSource.objects.bulk_create(sources)
    QuizItem.objects.bulk_create(
        [
            QuizItem(
                lesson=lesson,
                position=at,
                **owned,
                **{**item, "document": found.get(item["document"]) if item["document"] else None},
            )
            for at, item in enumerate(data["quiz_items"])
        ]
    )


class _Documents:
    """Documents found by content, then by title; remembers which were used and which are missing."""

    def __init__(self, documents: DocumentQuerySet) -> None:
        self._by_content: dict[str, Document] = {}
        self._by_title: dict[str, Document] = {}
        for document in documents.select_related("active_version").order_by("-pk"):
            self._by_title[document.title.casefold()] = document
            if document.active_version is not None:
                self._by_content[document.active_version.sha256] = document
        self.used: dict[int, Document] = {}
        self.missing: set[str] = set()

    def get(self, named: Json) -> Document | None:
        document = self._by_content.get(named["sha256"]) or self._by_title.get(named["title"].casefold())
        if document is None:
            self.missing.add(named["title"])
        else:
            self.used[document.pk] = document
        return document

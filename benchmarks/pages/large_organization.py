"""An organization as large as pages are promised for, in a database of its own."""

import random
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any

import psycopg
from django.core.management import call_command
from django.db import connections
from django.utils import timezone

from courses.models import (
    Course,
    CourseDocument,
    CourseStatus,
    Enrolment,
    Lesson,
    LessonProgress,
    LessonSource,
    Module,
    UpdateNotice,
)
from documents.models import Chunk, Collection, Document, DocumentVersion, ParsedContent, Status
from skillnet import embedded, notifications
from skillnet.models import Group, GroupMember, Membership, Organization, Role, User
from skillnet.notification_kinds import Kind
from skillnet.tenancy import organization_scope
from tutor.models import Citation, Conversation, Feedback, Turn, TurnStatus

DATABASE = "skillnet_pages_1"  # another number makes it anew
SLUG = "grande"
DOCUMENTS, COURSES, PEOPLE, CONVERSATIONS = 1_000, 200, 300, 5_000
LESSONS_A_COURSE, BLOCKS_A_DOCUMENT, CHUNKS_A_DOCUMENT = 6, 120, 12
WORDS = (
    "caja", "turno", "pedido", "llave", "tique", "cliente", "horario", "vacaciones", "nómina", "alérgeno", "cámara",
    "albarán", "descanso", "uniforme",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Made:
    admin: User
    employee: User
    ids: dict[str, Any]


def prepare() -> Made:
    """Let Django work in the benchmark's database, made and filled where no earlier run has."""
    if _databases() & {DATABASE}:
        _use(DATABASE)
        call_command("migrate", database="owner", interactive=False, verbosity=0)
    else:
        making = f"{DATABASE}_making"
        embedded.drop_database(making)
        embedded.create_database(making)
        _use(making)
        call_command("migrate", database="owner", interactive=False, verbosity=0)
        embedded.provision_database(making)
        _fill()
        _use("postgres")
        with _connect() as server:
            server.execute(f'ALTER DATABASE "{making}" RENAME TO "{DATABASE}"')
        _use(DATABASE)
        with _connect(DATABASE) as server:
            server.execute("VACUUM ANALYZE")
    return _made()


def _connect(name: str = "postgres") -> psycopg.Connection[Any]:
    url = embedded.database_url("superuser", name)
    return psycopg.connect(
        host=url["HOST"], port=url["PORT"], user=url["USER"], password=url["PASSWORD"] or None, dbname=name,
        autocommit=True, **url["OPTIONS"],
    )  # fmt: skip


def _databases() -> set[str]:
    with _connect() as server:
        return {row[0] for row in server.execute("SELECT datname FROM pg_database").fetchall()}


def _use(name: str) -> None:
    for alias in ("default", "owner"):
        connections[alias].close()
        connections[alias].settings_dict["NAME"] = name


def _made() -> Made:
    organization = Organization.objects.get(slug=SLUG)
    admin = User.objects.get(email="admin@grande.example")
    employee = User.objects.get(email="persona1@grande.example")
    with organization_scope(organization.pk):
        enrolment = Enrolment.objects.filter(user=employee).order_by("pk")[0]
        ids = {
            "document": Document.objects.filter(active_version__isnull=False).order_by("pk")[0].pk,
            "course": enrolment.course_id,
            "lesson": Lesson.objects.filter(module__course=enrolment.course_id).order_by("pk")[0].pk,
            "conversation": Conversation.objects.filter(user=admin).order_by("created_at")[0].pk,
        }
    return Made(admin, employee, ids)


def _fill() -> None:
    chance = random.Random(5)
    organization = Organization.objects.create(slug=SLUG, name="Grupo Grande")
    owned = {"organization": organization}
    users = _people(organization)
    admin = users[0]
    with organization_scope(organization.pk):
        versions = _documents(organization, admin, chance)
        courses, lessons = _courses(organization, versions, chance)
        _enrolments(organization, courses, lessons, users[1:], chance)
        _conversations(organization, courses, users, versions, chance)
        groups = Group.objects.bulk_create(Group(name=f"Tienda {number}", **owned) for number in range(20))
        GroupMember.objects.bulk_create(
            GroupMember(group=groups[number % 20], user=user, **owned) for number, user in enumerate(users)
        )
        for number in range(200):
            notifications.tell(
                organization_id=organization.pk,
                user_ids=[admin.pk, users[1].pk],
                kind=Kind.SOURCE_UPDATED,
                matter=f"notice:{number}",
                subject=f"Curso {number}",
                address=f"/o/{SLUG}/cursos/",
            )


def _people(organization: Organization) -> list[User]:
    users = User.objects.bulk_create(
        User(
            email=f"persona{number}@grande.example" if number else "admin@grande.example",
            first_name=f"Persona {number}",
        )
        for number in range(PEOPLE)
    )
    Membership.objects.bulk_create(
        Membership(organization=organization, user=user, role=Role.EMPLOYEE if number else Role.ADMIN)
        for number, user in enumerate(users)
    )
    return list(users)


def _sentence(chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=14)).capitalize() + "."


def _documents(organization: Organization, admin: User, chance: random.Random) -> list[DocumentVersion]:
    owned = {"organization": organization}
    collections = Collection.objects.bulk_create(
        Collection(name=f"Colección {number}", **owned) for number in range(12)
    )
    documents = Document.objects.bulk_create(
        Document(
            title=f"Manual {number} de {chance.choice(WORDS)}",
            collection=chance.choice(collections),
            tags=chance.sample(WORDS, 2),
            created_by=admin,
            **owned,
        )
        for number in range(DOCUMENTS)
    )
    states = [Status.READY] * 17 + [Status.READY_WITH_WARNINGS, Status.FAILED, Status.EMBEDDING]
    versions = DocumentVersion.objects.bulk_create(
        DocumentVersion(
            document=document,
            number=1,
            serving_order=1,
            file=f"{organization.pk}/none",
            file_name=f"manual-{number}.pdf",
            sha256=sha256(str(number).encode()).hexdigest(),
            size=100_000,
            media_type="text/plain",
            page_count=30,
            status=states[number % len(states)],
            uploaded_by=admin,
            **owned,
        )
        for number, document in enumerate(documents)
    )
    for version in versions:
        if version.is_ready:
            version.document.active_version = version
    Document.objects.bulk_update(documents, ["active_version"], batch_size=500)
    for start in range(0, DOCUMENTS, 100):
        _texts(organization, versions[start : start + 100], chance)
    return list(versions)


def _texts(organization: Organization, versions: list[DocumentVersion], chance: random.Random) -> None:
    parsed, chunks = [], []
    for version in versions:
        blocks = []
        for index in range(BLOCKS_A_DOCUMENT):
            path = [f"{index // 10 + 1}. {chance.choice(WORDS).capitalize()} y {chance.choice(WORDS)}"]
            kind, text = ("heading", path[0]) if index % 10 == 0 else ("paragraph", _sentence(chance))
            level = 1 if kind == "heading" else None
            blocks.append(
                {
                    "kind": kind,
                    "text": text,
                    "level": level,
                    "page": index // 4 + 1,
                    "heading_path": path,
                    "locator": {},
                }
            )
        text = "\n\n".join(str(block["text"]) for block in blocks)
        parsed.append(ParsedContent(organization=organization, version=version, blocks=blocks, markdown=text))
        chunks += [
            Chunk(
                organization=organization,
                version=version,
                position=position,
                kind="paragraph",
                text=_sentence(chance) * 4,
                meaning_text="",
                heading=f"{position}. Apartado de {chance.choice(WORDS)}",
                heading_path=[f"{position}. Apartado de {chance.choice(WORDS)}"],
                level=1,
                char_start=0,
                char_end=1,
                token_count=80,
                content_hash="",
            )
            for position in range(CHUNKS_A_DOCUMENT)
        ]
    ParsedContent.objects.bulk_create(parsed)
    Chunk.objects.bulk_create(chunks, batch_size=500)


def _courses(
    organization: Organization, versions: list[DocumentVersion], chance: random.Random
) -> tuple[list[Course], dict[int, list[Lesson]]]:
    owned = {"organization": organization}
    courses = Course.objects.bulk_create(
        Course(
            title=f"Curso {number} de {chance.choice(WORDS)}",
            slug=f"curso-{number}",
            status=CourseStatus.PUBLISHED,
            **owned,
        )
        for number in range(COURSES)
    )
    modules = Module.objects.bulk_create(
        Module(course=course, title=f"Parte {place + 1}", position=place, **owned)
        for course in courses
        for place in range(2)
    )
    lessons = Lesson.objects.bulk_create(
        Lesson(module=module, title=f"Lección {place}", content=_sentence(chance) * 20, position=place, **owned)
        for module in modules
        for place in range(LESSONS_A_COURSE // 2)
    )
    CourseDocument.objects.bulk_create(
        CourseDocument(course=course, document=versions[5 * number + place].document, **owned)
        for number, course in enumerate(courses)
        for place in range(3)
    )
    LessonSource.objects.bulk_create(
        LessonSource(lesson=lesson, document=chance.choice(versions).document, heading_path=[], **owned)
        for lesson in lessons
    )
    UpdateNotice.objects.bulk_create(
        UpdateNotice(
            course=course,
            document=versions[5 * number].document,
            from_version=versions[5 * number],
            to_version=versions[5 * number],
            **owned,
        )
        for number, course in enumerate(courses[:60])
    )
    by_course: dict[int, list[Lesson]] = {}
    for lesson in lessons:
        by_course.setdefault(lesson.module.course_id, []).append(lesson)
    return list(courses), by_course


def _enrolments(
    organization: Organization,
    courses: list[Course],
    lessons: dict[int, list[Lesson]],
    users: list[User],
    chance: random.Random,
) -> None:
    owned = {"organization": organization}
    enrolments = Enrolment.objects.bulk_create(
        Enrolment(course=course, user=user, due_on=timezone.localdate() + timedelta(days=chance.randrange(60)), **owned)
        for user in users
        for course in chance.sample(courses, 20)
    )
    LessonProgress.objects.bulk_create(
        (
            LessonProgress(enrolment=enrolment, lesson=lesson, done_at=timezone.now(), **owned)
            for enrolment in enrolments
            for lesson in lessons[enrolment.course_id][: chance.randrange(LESSONS_A_COURSE)]
        ),
        batch_size=2000,
    )


def _conversations(
    organization: Organization,
    courses: list[Course],
    users: list[User],
    versions: list[DocumentVersion],
    chance: random.Random,
) -> None:
    owned = {"organization": organization}
    conversations = Conversation.objects.bulk_create(
        Conversation(
            user=users[number % len(users)],
            course=chance.choice(courses) if number % 2 else None,
            title=_sentence(chance)[:60],
            **owned,
        )
        for number in range(CONVERSATIONS)
    )
    turns = Turn.objects.bulk_create(
        (
            Turn(
                conversation=conversation,
                question=f"¿{_sentence(chance)[:50]}?",
                answer=_sentence(chance) * 3,
                status=TurnStatus.DONE,
                evidence=chance.random() < 0.75,
                confidence=0.8,
                origin="extractive",
                **owned,
            )
            for conversation in conversations
            for _turn in range(3)
        ),
        batch_size=2000,
    )
    now = timezone.now()
    for turn in turns:
        turn.asked_at = now - timedelta(minutes=chance.randrange(60 * 24 * 60))
    Turn.objects.bulk_update(turns, ["asked_at"], batch_size=2000)
    answered = [turn for turn in turns if turn.evidence]
    Citation.objects.bulk_create(
        (
            Citation(
                turn=turn,
                number=1,
                document=version.document,
                version=version,
                page=3,
                quote=_sentence(chance),
                passage=_sentence(chance),
                relevance=0.9,
                **owned,
            )
            for turn in answered
            for version in [chance.choice(versions)]
        ),
        batch_size=2000,
    )
    Feedback.objects.bulk_create(
        (Feedback(turn=turn, is_useful=chance.random() < 0.8, **owned) for turn in answered[::3]), batch_size=2000
    )

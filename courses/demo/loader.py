"""The demo's plain data made into rows, as the product's own services make them."""

from django.core.files import File

from courses.demo import content, question_set
from courses.models import Course, CourseDocument, CourseStatus, Enrolment, Lesson, LessonSource, Module, QuizItem
from documents.models import Collection, Document, DocumentVersion
from documents.services import upload_document
from skillnet.models import Membership, Organization, Role
from skillnet.services import add_member, create_organization
from skillnet.tenancy import organization_scope


def load() -> tuple[Organization, list[DocumentVersion]]:
    """Make what is missing of the demo. Returns the organization and its manuals' versions, queued for ingestion."""
    organization = create_organization(slug=content.ORGANIZATION.slug, name=content.ORGANIZATION.name)
    members = [
        add_member(
            organization=organization,
            email=user.email,
            password=content.PASSWORD,
            role=user.role,
            first_name=user.first_name,
            last_name=user.last_name,
        )
        for user in content.USERS
    ]
    with organization_scope(organization.pk):
        versions = {manual.file: _upload(organization, manual, members[0]) for manual in content.MANUALS}
        documents = {file: version.document for file, version in versions.items()}
        question_set.load(organization, documents)
        course = Course.objects.for_organization(organization).filter(slug=content.COURSE.slug).first()
        if course is None:
            course = _make_course(organization, documents)
        for member in members:
            if member.role == Role.EMPLOYEE:
                Enrolment.objects.get_or_create(organization=organization, course=course, user=member.user)
    return organization, list(versions.values())


def _upload(organization: Organization, manual: content.DemoManual, admin: Membership) -> DocumentVersion:
    collection, _ = Collection.objects.get_or_create(organization=organization, name=manual.collection)
    with (content.MANUALS_FOLDER / manual.file).open("rb") as handle:
        return upload_document(
            organization=organization,
            uploaded_by=admin.user,
            file=File(handle, name=manual.file),
            name=manual.file,
            title=manual.title,
            collection=collection,
        ).version


def _make_course(organization: Organization, documents: dict[str, Document]) -> Course:
    plan = content.COURSE
    course = Course.objects.create(
        organization=organization,
        title=plan.title,
        slug=plan.slug,
        summary=plan.summary,
        status=CourseStatus.PUBLISHED,
    )
    for file in plan.manuals:
        CourseDocument.objects.create(organization=organization, course=course, document=documents[file])
    for module_position, module_plan in enumerate(plan.modules):
        module = Module.objects.create(
            organization=organization,
            course=course,
            title=module_plan.title,
            summary=module_plan.summary,
            position=module_position,
        )
        for lesson_position, lesson_plan in enumerate(module_plan.lessons):
            lesson = Lesson.objects.create(
                organization=organization,
                module=module,
                title=lesson_plan.title,
                content=lesson_plan.body,
                position=lesson_position,
            )
            QuizItem.objects.bulk_create(
                QuizItem(
                    organization=organization,
                    lesson=lesson,
                    kind=item.kind,
                    question=item.question,
                    options=list(item.options),
                    answer=list(item.answer),
                    explanation=item.explanation,
                    document=documents[item.source.manual],
                    heading_path=list(item.source.heading_path),
                    page=item.source.page,
                    quote=item.quote,
                    is_reviewed=True,
                    position=position,
                )
                for position, item in enumerate(lesson_plan.quiz)
            )
            LessonSource.objects.bulk_create(
                LessonSource(
                    organization=organization,
                    lesson=lesson,
                    document=documents[source.manual],
                    heading_path=list(source.heading_path),
                    page=source.page,
                )
                for source in lesson_plan.sources
            )
    return course

"""What people do with their courses: lessons done, quizzes taken, courses repeated."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST, require_safe

from courses import notices, studying
from courses.access import enrolment_in, open_courses, open_lesson
from courses.answer_forms import QuizForm
from courses.models import Course, Enrolment, Lesson, LessonSource, QuizAttempt, QuizItem
from courses.overview import studies_of
from courses.places import place_of
from documents.models import Document, ParsedContent
from skillnet.access import OrganizationRequest, organization_view
from skillnet.errors import SkillNetError


def _own_enrolment(request: OrganizationRequest, course: Course) -> Enrolment:
    """The asking person's enrolment. Raises: Http404, when they do not take the course."""
    enrolment = enrolment_in(request, course)
    if enrolment is None:
        raise Http404
    return enrolment


@require_POST
@organization_view()
def mark_done(request: OrganizationRequest, lesson_id: int) -> HttpResponse:
    """A lesson is done: on to the next one that is not, or to the course when it was the last."""
    lesson = open_lesson(request, lesson_id)
    enrolment = _own_enrolment(request, lesson.module.course)
    was_complete = enrolment.completed_at is not None
    try:
        studying.mark_done(enrolment=enrolment, lesson=lesson)
    except SkillNetError as error:
        messages.error(request, str(error.user_message))
        return redirect(reverse("courses:lesson", args=[request.organization.slug, lesson.pk]) + "#cuestionario")
    enrolment.refresh_from_db()
    if enrolment.completed_at is not None and not was_complete:
        messages.success(request, _("¡Enhorabuena! Has terminado el curso. Tu certificado está listo."))
        return redirect("courses:detail", request.organization.slug, lesson.module.course_id)
    messages.success(request, _("Lección hecha."))
    return _onwards(request, enrolment, lesson)


def _onwards(request: OrganizationRequest, enrolment: Enrolment, lesson: Lesson) -> HttpResponse:
    [study] = studies_of([enrolment])
    order = [one.lesson.pk for one in study.lessons]
    place = order.index(lesson.pk)
    left = [one.lesson.pk for one in (*study.lessons[place + 1 :], *study.lessons[:place]) if not one.is_done]
    if not left:
        return redirect("courses:detail", request.organization.slug, enrolment.course_id)
    return redirect("courses:lesson", request.organization.slug, left[0])


@organization_view()
def quiz(request: OrganizationRequest, lesson_id: int) -> HttpResponse:
    """A lesson's questions; answered, they are kept as an attempt. Who does not take the course only looks."""
    lesson = open_lesson(request, lesson_id)
    items = list(lesson.quiz_items.asked().order_by("position", "pk"))
    if not items:
        raise Http404
    enrolment = enrolment_in(request, lesson.module.course)
    number = QuizAttempt.objects.filter(lesson=lesson, user=request.membership.user_id).count() + 1
    if request.method != "POST":
        return _quiz_page(request, lesson, QuizForm(items=items, user_id=request.membership.user_id, number=number))
    if enrolment is None:
        raise Http404
    form = QuizForm(request.POST, items=items, user_id=request.membership.user_id, number=number)
    if not form.is_valid():
        return _quiz_page(request, lesson, form, status=422)
    attempt = studying.take_quiz(lesson=lesson, user=request.membership.user, given=form.given())
    return redirect("courses:attempt", request.organization.slug, attempt.pk)


def _quiz_page(request: OrganizationRequest, lesson: Lesson, form: QuizForm, *, status: int = 200) -> HttpResponse:
    context = {
        "lesson": lesson,
        "course": lesson.module.course,
        "module": lesson.module,
        "form": form,
        "awaits_review": notices.awaits_review(lesson),
        "may_answer": enrolment_in(request, lesson.module.course) is not None,
    }
    return render(request, "courses/take_quiz.html", context, status=status)


@require_GET
@organization_view()
def attempt(request: OrganizationRequest, attempt_id: int) -> HttpResponse:
    """What was right and wrong in one's own try, why, and where it is written."""
    found = get_object_or_404(
        QuizAttempt.objects.for_organization(request.organization).select_related("lesson__module__course"),
        pk=attempt_id,
        user=request.membership.user_id,
        lesson__module__course__in=open_courses(request),
    )
    lesson, course = found.lesson, found.lesson.module.course
    enrolment = enrolment_in(request, course)
    context = {
        "attempt": found,
        "lesson": lesson,
        "course": course,
        "module": lesson.module,
        "answers": _explained(request, found),
        "awaits_review": notices.awaits_review(lesson),
        "right_count": sum(bool(one["is_right"]) for one in found.answers),
        "may_finish": enrolment is not None and studying.has_passed(lesson, enrolment),
        "is_done": enrolment is not None
        and enrolment.progress.filter(lesson=lesson, reread_asked_at__isnull=True).exists(),
        "earlier": QuizAttempt.objects.filter(lesson=lesson, user=request.membership.user_id).exclude(pk=found.pk)[:10],
    }
    return render(request, "courses/attempt.html", context)


def _explained(request: OrganizationRequest, found: QuizAttempt) -> list[dict[str, Any]]:
    items = QuizItem.objects.filter(pk__in=[one["item"] for one in found.answers]).select_related("document")
    known = {item.pk: item for item in items}
    readable = set(
        Document.objects.open_to(request.membership)
        .filter(pk__in={item.document_id for item in known.values()})
        .values_list("pk", flat=True)
    )
    answers = []
    for one in found.answers:
        item = known.get(one["item"])
        is_shown = item is not None and item.document_id in readable
        answers.append({**one, "of": item, "source": item if is_shown else None})
    return answers


@require_POST
@organization_view()
def restart(request: OrganizationRequest, course_id: int) -> HttpResponse:
    """Take a course again, once its certificate has expired."""
    course = get_object_or_404(open_courses(request), pk=course_id)
    enrolment = _own_enrolment(request, course)
    if studying.is_expired(enrolment):
        studying.restart(enrolment)
        messages.success(request, _("Empiezas el curso de nuevo. Tus certificados anteriores se conservan."))
    return redirect("courses:detail", request.organization.slug, course.pk)


@require_safe
@organization_view()
def open_source(request: OrganizationRequest, source_id: int) -> HttpResponse:
    """The place in its document that a lesson rests on."""
    source = get_object_or_404(
        LessonSource.objects.for_organization(request.organization).select_related("document"),
        pk=source_id,
        lesson__module__course__in=open_courses(request),
        document__in=Document.objects.open_to(request.membership),
    )
    return _to_place(request, source.document, source)


@require_safe
@organization_view()
def open_passage(request: OrganizationRequest, item_id: int) -> HttpResponse:
    """The place in its document that answers a question."""
    item = get_object_or_404(
        QuizItem.objects.for_organization(request.organization).asked().select_related("document"),
        pk=item_id,
        lesson__module__course__in=open_courses(request),
        document__in=Document.objects.open_to(request.membership),
    )
    return _to_place(request, item.document, item)


def _to_place(request: OrganizationRequest, document: Document, rests_on: LessonSource | QuizItem) -> HttpResponse:
    address = reverse("documents:detail", args=[request.organization.slug, document.pk])
    content = ParsedContent.objects.filter(version=document.active_version_id).first()
    blocks = content.blocks if content is not None else []
    quote = rests_on.quote if isinstance(rests_on, QuizItem) else ""
    return redirect(address + place_of(blocks, rests_on.heading_path, page=rests_on.page, quote=quote))

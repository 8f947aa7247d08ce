"""What people study: courses of modules of lessons that rest on sections of documents, who takes them, and what to
review when those documents change.
"""

from courses.models.drafts import CourseDraft, DraftStatus, LessonProposal, ProposalStatus
from courses.models.notices import NoticeStatus, Resolution, TouchedLesson, UpdateNotice, UpdateNoticeQuerySet
from courses.models.quizzes import QuizAttempt, QuizItem, QuizKind
from courses.models.structure import (
    Course,
    CourseDocument,
    CourseQuerySet,
    CourseStatus,
    Lesson,
    LessonSource,
    Module,
)
from courses.models.study import Completion, Enrolment, GroupAssignment, LessonProgress

__all__ = [
    "Completion",
    "Course",
    "CourseDocument",
    "CourseDraft",
    "CourseQuerySet",
    "CourseStatus",
    "DraftStatus",
    "Enrolment",
    "GroupAssignment",
    "Lesson",
    "LessonProgress",
    "LessonProposal",
    "LessonSource",
    "Module",
    "NoticeStatus",
    "ProposalStatus",
    "QuizAttempt",
    "QuizItem",
    "QuizKind",
    "Resolution",
    "TouchedLesson",
    "UpdateNotice",
    "UpdateNoticeQuerySet",
]

"""Taking a course in a browser, for flows that need somebody who does."""

from playwright.sync_api import Page, expect

from courses.demo.content import DemoLesson, DemoQuizItem
from tests.e2e.browsing import snap


def do_lesson_and_quiz(page: Page, lesson: DemoLesson, *, snap_as: str = "") -> None:
    """From a lesson's page: take its quiz, if it has one, with all answers right, and mark the lesson as done.

    `snap_as` begins the names of pictures on the way; none are taken without it.
    """
    expect(page.get_by_role("heading", name=lesson.title, level=1)).to_be_visible()
    if not lesson.quiz:
        page.get_by_role("button", name="Marcar como hecha").click()
        return
    expect(page.get_by_role("button", name="Marcar como hecha")).to_have_count(0)
    page.get_by_role("link", name="Hacer el cuestionario").click()
    for item in lesson.quiz:
        answer(page, item)
    if snap_as:
        snap(page, f"{snap_as}-cuestionario", dark=True)
    page.get_by_role("button", name="Comprobar respuestas").click()
    expect(page.get_by_role("heading", name="Cuestionario aprobado")).to_be_visible()
    if snap_as:
        snap(page, f"{snap_as}-resultado", dark=True)
    page.get_by_role("button", name="Marcar como hecha y seguir").click()


def answer(page: Page, item: DemoQuizItem) -> None:
    """Give a question of the quiz at hand its right answer."""
    question = page.get_by_role("group", name=item.question)
    if item.kind == "single_choice":
        question.get_by_label(item.options[int(item.answer[0])], exact=True).check()
    elif item.kind == "fill":
        question.get_by_label("Tu respuesta").fill(str(item.answer[0]))
    else:
        for number, step in enumerate(item.options, start=1):
            question.get_by_label(step, exact=True).select_option(str(number))

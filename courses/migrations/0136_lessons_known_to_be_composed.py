from typing import ClassVar

from django.db import migrations

# Of earlier lessons it is known where a draft was accepted last, or nobody has edited them since the course was written.
# Of the others it stays empty: what they say is looked for in their documents.
FILL = """
    UPDATE courses_lesson AS lesson
    SET composed = lesson.content
    FROM courses_module AS module, courses_coursedraft AS draft
    WHERE module.id = lesson.module_id
      AND draft.course_id = module.course_id
      AND lesson.changed_at <= draft.step_at;

    UPDATE courses_lesson AS lesson
    SET composed = accepted.content
    FROM (
        SELECT DISTINCT ON (lesson_id) lesson_id, content
        FROM courses_lessonproposal
        WHERE status = 'accepted'
        ORDER BY lesson_id, decided_at DESC
    ) AS accepted
    WHERE accepted.lesson_id = lesson.id;
"""


class Migration(migrations.Migration):
    dependencies: ClassVar = [("courses", "0135_composed_lessons")]
    operations: ClassVar = [migrations.RunSQL(FILL, migrations.RunSQL.noop)]

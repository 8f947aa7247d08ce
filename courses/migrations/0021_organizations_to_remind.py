from django.db import migrations

# Organizations in which a reminder is due: 3 days and 1 day before a course has to be finished, and once a certificate
# has expired. Their ids alone; who is reminded is found in the organization's own scope (courses.reminders). pg_temp
# stands last in the path: else a temporary object of the caller would be found first, and run as the owner.
FORWARD = """
    CREATE FUNCTION courses_organizations_to_remind(today date)
        RETURNS TABLE (organization_id uuid)
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
    AS $$
        SELECT DISTINCT e.organization_id
        FROM public.courses_enrolment e
        JOIN public.courses_course c ON c.id = e.course_id AND c.status = 'published'
        JOIN public.skillnet_membership m ON m.organization_id = e.organization_id AND m.user_id = e.user_id
        JOIN public.skillnet_user u ON u.id = e.user_id AND u.is_active
        WHERE e.completed_at IS NULL AND (
                e.due_on BETWEEN today AND today + 3 AND e.due_reminder_days IS NULL
                OR e.due_on BETWEEN today AND today + 1 AND e.due_reminder_days > 1
            )
            OR e.completed_at IS NOT NULL AND e.expires_on <= today AND e.expiry_reminded_at IS NULL
    $$;
"""
BACKWARD = """
    DROP FUNCTION courses_organizations_to_remind(date);
"""


class Migration(migrations.Migration):
    dependencies = [("courses", "0020_reminders")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]

"""What stands under people's bells, and when it goes."""

from datetime import timedelta
from io import BytesIO

import pytest
from django.core import mail
from django.core.files import File
from django.utils import timezone

from courses import enrolling, notices, publishing, reminders, studying, telling
from courses.models import CourseDraft, LessonProgress, UpdateNotice
from documents import closing, ingestion, services
from documents.models import DocumentVersion
from skillnet import mail_jobs, notifications
from skillnet.models import Group, GroupMember, Membership, Notification, Role
from skillnet.notification_kinds import Kind, text_of
from skillnet.tenancy import organization_scope
from tests.factories import make_course, make_document, make_member, make_version
from tutor import reactions, retention
from tutor.models import Conversation, Turn, TurnStatus


@pytest.fixture(autouse=True)
def _jobs_share_the_tests_connection(monkeypatch):
    monkeypatch.setattr(mail_jobs, "close_old_connections", lambda: None)


def under_the_bell(membership) -> list[str]:
    with organization_scope(membership.organization_id):
        found = notifications.shown_to(membership).unread()
        return [text_of(one) for one in found]


def tell(membership, matter="notice:1", subject="Alquiler", **fields):
    with organization_scope(membership.organization_id):
        notifications.tell(
            organization_id=membership.organization_id,
            user_ids=[membership.user_id],
            kind=Kind.SOURCE_UPDATED,
            matter=matter,
            subject=subject,
            address="/o/acme/cursos/",
            **fields,
        )


def fail(version):
    with organization_scope(version.organization_id):
        DocumentVersion.objects.filter(pk=version.pk).update(attempt_count=3)
        assert closing.close_crashed(version.pk)


def test_a_matter_told_again_is_new_again_and_stands_once(client_for, admin_membership):
    tell(admin_membership)
    client_for(admin_membership).post("/o/acme/notificaciones/leidos/")
    assert under_the_bell(admin_membership) == []
    tell(admin_membership, subject="Alquiler y venta")
    assert under_the_bell(admin_membership) == ["Fuente actualizada: revisa el curso «Alquiler y venta»."]


def test_following_one_leads_to_its_page_and_reads_it(client_for, admin_membership):
    tell(admin_membership)
    client = client_for(admin_membership)
    with organization_scope(admin_membership.organization_id):
        told = Notification.objects.get()
    assert "Notificaciones: 1 sin leer" in client.get("/o/acme/notificaciones/").content.decode()
    assert client.get(f"/o/acme/notificaciones/{told.pk}/")["Location"] == "/o/acme/cursos/"
    page = client.get("/o/acme/notificaciones/").content.decode()
    assert "sin leer" not in page
    assert "Alquiler" in page


def test_nobody_reads_what_somebody_else_was_told(client_for, admin_membership, employee_membership):
    tell(admin_membership)
    with organization_scope(admin_membership.organization_id):
        told = Notification.objects.get()
    client = client_for(employee_membership)
    assert "Alquiler" not in client.get("/o/acme/notificaciones/").content.decode()
    assert client.get(f"/o/acme/notificaciones/{told.pk}/").status_code == 404
    client.post("/o/acme/notificaciones/leidos/")
    assert len(under_the_bell(admin_membership)) == 1


def test_the_next_file_that_fails_is_no_further_email_until_the_first_was_read(
    admin_membership, organization, django_capture_on_commit_callbacks, monkeypatch
):
    queued = []
    monkeypatch.setattr(mail_jobs, "send_notification_on_commit", lambda *ids: queued.append(ids))
    editor = make_member(organization, "eva@acme.example", Role.EDITOR)
    first, second = make_document(organization, "Uno"), make_document(organization, "Dos")
    with organization_scope(organization.pk):
        versions = [make_version(document, document.title.encode() * 2) for document in (first, second)]
        DocumentVersion.objects.update(uploaded_by=editor.user)
    for version in versions:
        fail(version)
    assert under_the_bell(editor) == ["No hemos podido leer «Dos».", "No hemos podido leer «Uno»."]
    assert under_the_bell(admin_membership) == []
    assert [ids[1:] for ids in queued] == [(editor.user_id, f"version:{versions[0].pk}")]
    mail_jobs.send_notification(*queued[0])
    assert mail.outbox[0].to == ["eva@acme.example"]
    assert f"/documentos/{first.pk}/" in mail.outbox[0].body
    assert mail.outbox[0].alternatives[0].mimetype == "text/html"


def test_a_file_that_is_read_again_is_no_longer_under_the_bell(admin_membership, organization):
    document = make_document(organization, "Uno")
    with organization_scope(organization.pk):
        version = make_version(document, b"otro")
    fail(version)
    assert len(under_the_bell(admin_membership)) == 1  # nobody uploaded it: the administrators are told
    with organization_scope(organization.pk):
        services.retry_version(version)
    assert under_the_bell(admin_membership) == []


def test_who_uploaded_a_file_hears_that_it_is_ready_and_not_that_it_was_cut_anew(client_for, organization):
    editor = make_member(organization, "eva@acme.example", Role.EDITOR)
    with organization_scope(organization.pk):
        file = File(BytesIO(b"# Casco\n\nHay que llevar casco en toda la nave."), name="casco.md")
        uploaded = services.upload_document(
            organization=organization, uploaded_by=editor.user, file=file, name="casco.md"
        )
    ingestion.run(organization.pk, uploaded.version.pk)
    assert under_the_bell(editor) == ["«Casco» ya está listo."]
    client_for(editor).get(f"/o/acme/documentos/{uploaded.document.pk}/")
    assert under_the_bell(editor) == []  # who has seen its page knows
    with organization_scope(organization.pk):
        services.reingest_version(uploaded.version)
    ingestion.run(organization.pk, uploaded.version.pk)
    assert under_the_bell(editor) == []


def test_old_ones_go_with_the_daily_chore(admin_membership, monkeypatch):
    monkeypatch.setattr(retention, "_last", [])
    ages = {"read long ago": (100, 95), "read lately": (100, 5), "unread": (100, None), "forgotten": (370, None)}
    for matter in ages:
        tell(admin_membership, matter=matter)
    now = timezone.now()
    with organization_scope(admin_membership.organization_id):
        for matter, (told, read) in ages.items():
            Notification.objects.filter(matter=matter).update(
                created_at=now - timedelta(days=told), read_at=None if read is None else now - timedelta(days=read)
            )
    retention.remove_old()
    with organization_scope(admin_membership.organization_id):
        assert set(Notification.objects.values_list("matter", flat=True)) == {"read lately", "unread"}


def test_an_email_is_not_sent_to_who_has_read_or_left_meanwhile(admin_membership):
    tell(admin_membership)
    arguments = (admin_membership.organization_id, admin_membership.user_id, "notice:1")
    admin_membership.is_active = False
    admin_membership.save()
    mail_jobs.send_notification(*arguments)
    admin_membership.is_active = True
    admin_membership.save()
    with organization_scope(admin_membership.organization_id):
        notifications.settle(admin_membership.organization_id, "notice:1")
    mail_jobs.send_notification(*arguments)
    assert mail.outbox == []


def test_a_changed_source_is_under_the_managers_bells_until_its_notice_is_closed(
    organization, admin_membership, employee_membership
):
    document = make_document(organization, "Alquiler", "# Fianza\nSon 35 euros.")
    with organization_scope(organization.pk):
        course = make_course(organization, "Alquiler")
        course.course_documents.create(organization=organization, document=document)
    make_document(organization, text="# Fianza\nSon 40 euros.", version_of=document)
    assert under_the_bell(admin_membership) == ["Fuente actualizada: revisa el curso «Alquiler»."]
    assert under_the_bell(employee_membership) == []
    with organization_scope(organization.pk):
        notices.close(notice=UpdateNotice.objects.get(), closed_by=admin_membership.user)
    assert under_the_bell(admin_membership) == []


def test_a_question_passed_on_is_under_the_bell_until_it_is_dealt_with(
    organization, admin_membership, employee_membership
):
    with organization_scope(organization.pk):
        conversation = Conversation.objects.create(organization=organization, user=employee_membership.user)
        turn = Turn.objects.create(
            organization=organization, conversation=conversation, question="¿Y el casco?", status=TurnStatus.DONE
        )
        escalation = reactions.escalate(turn)
    assert under_the_bell(admin_membership) == ["Una pregunta espera tu respuesta: «¿Y el casco?»"]
    with organization_scope(organization.pk):
        reactions.close_escalation(escalation)
    assert under_the_bell(admin_membership) == []


def test_a_due_date_is_under_the_bell_until_the_course_is_finished(organization, employee_membership):
    with organization_scope(organization.pk):
        course = make_course(organization, "Alquiler", lessons=["Casco"])
        enrolling.enrol(course=course, user_ids=[employee_membership.user_id])
        enrolment = course.enrolments.get()
        enrolment.due_on = timezone.localdate() + timedelta(days=2)
        enrolment.save()
        assert reminders.send_pending(enrolment.pk)
    assert under_the_bell(employee_membership) == ["Se acerca la fecha límite de «Alquiler»."]
    with organization_scope(organization.pk):
        studying.mark_done(enrolment=enrolment, lesson=course.modules.get().lessons.get())
    assert under_the_bell(employee_membership) == []


def test_rereading_is_asked_of_those_who_did_the_lesson(organization, employee_membership, admin_membership):
    with organization_scope(organization.pk):
        course = make_course(organization, "Alquiler", lessons=["Casco", "Luces"])
        enrolling.enrol(course=course, user_ids=[employee_membership.user_id, admin_membership.user_id])
        done, _other = course.modules.get().lessons.order_by("position")
        studying.mark_done(enrolment=course.enrolments.get(user=employee_membership.user), lesson=done)
        studying.ask_to_reread(done)
        telling.tell_to_reread(done)
        assert LessonProgress.objects.filter(reread_asked_at__isnull=False).count() == 1
    assert under_the_bell(employee_membership) == ["Tienes lecciones por releer en «Alquiler»."]
    assert under_the_bell(admin_membership) == []


@pytest.mark.parametrize(("days_late", "recertify"), [(0, False), (0, True), (2, True)])
def test_a_reminder_of_lessons_to_reread_says_so_as_its_email_does(
    organization, employee_membership, days_late, recertify
):
    with organization_scope(organization.pk):
        course = make_course(organization, "Alquiler", lessons=["Casco"])
        course.recertify_on_change = recertify
        course.save()
        enrolling.enrol(course=course, user_ids=[employee_membership.user_id])
        enrolment, lesson = course.enrolments.get(), course.modules.get().lessons.get()
        studying.mark_done(enrolment=enrolment, lesson=lesson)
        asked = studying.ask_to_reread(lesson)
        course.enrolments.update(due_on=timezone.localdate() - timedelta(days=days_late) if days_late else None)
    reminders.send_all_asked(organization.pk, asked, timezone.now())
    [message] = mail.outbox
    assert message.subject == "Tienes lecciones por releer en «Alquiler»"
    assert under_the_bell(employee_membership) == ["Tienes lecciones por releer en «Alquiler»."]


def test_a_restored_version_is_no_news_to_who_uploaded_it_long_ago(client_for, organization):
    editor = make_member(organization, "eva@acme.example", Role.EDITOR)
    document = make_document(organization, "Casco", "# Casco\nHay que llevar casco.")
    make_document(organization, text="# Casco\nHay que llevar casco y botas.", version_of=document)
    with organization_scope(organization.pk):
        first = document.versions.get(number=1)
        DocumentVersion.objects.filter(pk=first.pk).update(uploaded_by=editor.user)
        services.restore_version(first)
    ingestion.run(organization.pk, first.pk)
    with organization_scope(organization.pk):
        document.refresh_from_db()
    assert document.active_version_id == first.pk
    assert under_the_bell(editor) == []


def test_a_course_published_again_is_new_to_those_alone_who_were_not_told(organization, employee_membership):
    told, begun = employee_membership, make_member(organization, "empezada@acme.example")
    with organization_scope(organization.pk):
        course = make_course(organization, "Alquiler", lessons=["Casco", "Luces"])
        enrolling.enrol(course=course, user_ids=[told.user_id, begun.user_id])
        studying.mark_done(
            enrolment=course.enrolments.get(user=begun.user),
            lesson=course.modules.get().lessons.order_by("position")[0],
        )
        assert publishing.publish(course) == 1
        publishing.take_back(course)
        late = make_member(organization, "nueva@acme.example")
        enrolling.enrol(course=course, user_ids=[late.user_id])
        assert publishing.outlook(course, employee_membership).told == 1
        assert publishing.publish(course) == 1
    assert under_the_bell(late) == ["Tienes un curso nuevo: «Alquiler»."]
    assert under_the_bell(told) == under_the_bell(begun) == []


def test_a_group_assigned_again_with_other_days_is_told_nothing(client_for, admin_membership, employee_membership):
    organization = admin_membership.organization
    with organization_scope(organization.pk):
        course = make_course(organization, "Alquiler", lessons=["Casco"])
        publishing.publish(course)
        group = Group.objects.create(organization=organization, name="Tarde")
        GroupMember.objects.create(organization=organization, group=group, user=employee_membership.user)
    client, address = client_for(admin_membership), f"/o/acme/cursos/{course.pk}/personas/asignar-grupo/"
    client.post(address, {"grupo-group": group.pk, "grupo-due_days": 14})
    assert under_the_bell(employee_membership) == ["Tienes un curso nuevo: «Alquiler»."]
    with organization_scope(organization.pk):
        notifications.settle(organization.pk, f"course:{course.pk}")
    client.post(address, {"grupo-group": group.pk, "grupo-due_days": 30})
    assert under_the_bell(employee_membership) == []


def test_that_a_date_has_passed_is_not_hidden_by_a_course_being_assigned(organization, employee_membership):
    with organization_scope(organization.pk):
        course = make_course(organization, "Alquiler", lessons=["Casco"])
        publishing.publish(course)
        telling.tell_learners(course, [employee_membership.user_id], Kind.COURSE_OVERDUE)
        telling.tell_assigned(course, [employee_membership.user_id])
    assert under_the_bell(employee_membership) == ["El plazo de «Alquiler» ya ha pasado."]


@pytest.mark.parametrize("change", [{"is_active": False}, {"role": Role.EMPLOYEE}])
def test_who_manages_no_more_hears_nothing_of_the_lessons_they_asked_for(organization, change):
    editor = make_member(organization, "eva@acme.example", Role.EDITOR)
    with organization_scope(organization.pk):
        course = make_course(organization, "Alquiler")
        draft = CourseDraft.objects.create(organization=organization, course=course, created_by=editor.user)
        telling.tell_of_draft(draft)
        assert len(under_the_bell(editor)) == 1
        Notification.objects.all().delete()
        Membership.objects.filter(pk=editor.pk).update(**change)
        telling.tell_of_draft(draft)
    assert under_the_bell(editor) == []


def test_many_of_a_kind_are_one_entry_that_leads_where_they_are_dealt_with(client_for, admin_membership):
    for at in range(1, 6):
        tell(admin_membership, matter=f"notice:{at}", subject=f"Curso {at}", address_of_all="/o/acme/cursos/avisos/")
        if at == 2:
            assert len(under_the_bell(admin_membership)) == 2
    assert under_the_bell(admin_membership) == ["5 avisos de fuente actualizada: revisa los cursos."]
    with organization_scope(admin_membership.organization_id):
        assert notifications.unread_count(admin_membership) == 1
        notifications.settle(admin_membership.organization_id, "notice:2")
        [entry] = notifications.shown_to(admin_membership).unread()
    assert under_the_bell(admin_membership) == ["4 avisos de fuente actualizada: revisa los cursos."]
    client = client_for(admin_membership)
    assert client.get(f"/o/acme/notificaciones/{entry.pk}/")["Location"] == "/o/acme/cursos/avisos/"
    assert under_the_bell(admin_membership) == []
    page = client.get("/o/acme/notificaciones/").content.decode()
    assert "4 avisos de fuente actualizada" in page
    assert "Curso 3" not in page


def test_an_entry_for_several_is_read_once_each_of_them_is_dealt_with(admin_membership):
    for at in range(3):
        tell(admin_membership, matter=f"notice:{at}", address_of_all="/o/acme/cursos/avisos/")
    with organization_scope(admin_membership.organization_id):
        for at in range(3):
            notifications.settle(admin_membership.organization_id, f"notice:{at}")
    assert under_the_bell(admin_membership) == []
    tell(admin_membership, matter="notice:1", subject="Venta", address_of_all="/o/acme/cursos/avisos/")
    assert under_the_bell(admin_membership) == ["Fuente actualizada: revisa el curso «Venta»."]


def test_one_of_several_can_still_be_followed_by_a_page_opened_before(client_for, admin_membership):
    tell(admin_membership, matter="notice:0")
    with organization_scope(admin_membership.organization_id):
        first = Notification.objects.get()
    for at in range(1, 4):
        tell(admin_membership, matter=f"notice:{at}", address_of_all="/o/acme/cursos/avisos/")
    answer = client_for(admin_membership).get(f"/o/acme/notificaciones/{first.pk}/")
    assert answer["Location"] == "/o/acme/cursos/"
    assert under_the_bell(admin_membership) == ["3 avisos de fuente actualizada: revisa los cursos."]


def test_files_uploaded_together_are_one_entry_and_one_email_says_so(organization):
    editor = make_member(organization, "eva@acme.example", Role.EDITOR)
    with organization_scope(organization.pk):
        versions = [make_version(make_document(organization, f"M{at}"), f"{at}".encode()) for at in range(4)]
        DocumentVersion.objects.filter(pk__in=[one.pk for one in versions]).update(uploaded_by=editor.user)
    for version in versions:
        fail(version)
    assert under_the_bell(editor) == ["No hemos podido leer 4 archivos."]
    mail_jobs.send_notification(organization.pk, editor.user_id, f"version:{versions[0].pk}")
    assert mail.outbox[0].subject == "No hemos podido leer 4 archivos."
    assert "/o/acme/documentos/?estado=problemas" in mail.outbox[0].body

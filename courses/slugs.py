"""Identifiers of courses in addresses and commands."""

from django.utils.text import slugify

from courses.models import Course
from skillnet.models import Organization


def free_slug(organization: Organization, title: str) -> str:
    """An identifier made from `title` that no course of the organization has yet."""
    base = slugify(title)[:70] or "curso"
    courses = Course.objects.for_organization(organization).filter(slug__startswith=base)
    taken = set(courses.values_list("slug", flat=True))
    slug, number = base, 2
    while slug in taken:
        slug, number = f"{base}-{number}", number + 1
    return slug

"""Text without case and accents, in the database."""

from django.db.models import F, Func, TextField, Value
from django.db.models.functions import Lower


def folded(text: F | Value) -> Func:
    """In lower case and without accents, by the function that full-text search folds words with."""
    return Func(Lower(text), function="skillnet_fold", output_field=TextField())

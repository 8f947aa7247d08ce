"""What people may say about how search works. Every field may be left empty: then the level above decides."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from retrieval.configuration import CHUNK_LIMITS, CHUNK_NAMES, SEARCH_LIMITS, chunk_settings_of, defaults
from skillnet.backends.rerankers import get_passage_scorer

RERANKERS = {
    "late_interaction": gettext_lazy("Palabra por palabra (recomendado)"),
    "none": gettext_lazy("Sin segunda revisión"),
    "cross_encoder": gettext_lazy("Con otro modelo de este servidor"),
    "api": gettext_lazy("Con un servicio externo"),
}
CAUTION = {
    "-0.1": gettext_lazy("Responde más a menudo, aunque falle alguna vez"),
    "0.0": gettext_lazy("Equilibrado (recomendado)"),
    "0.15": gettext_lazy("Responde solo cuando está muy seguro"),
}
YES_NO = {"True": gettext_lazy("Sí"), "False": gettext_lazy("No")}
STRATEGIES = {
    "section": gettext_lazy("Por apartados del documento (recomendado)"),
    "fixed": gettext_lazy("Todos del mismo tamaño"),
    "recursive": gettext_lazy("Por párrafos y frases, sin mirar los apartados"),
    "markdown": gettext_lazy("Por apartados, más largos"),
}
CHOICES: Mapping[str, Mapping[str, Any]] = {
    "rerank": RERANKERS,
    "confidence_offset": CAUTION,
    "diversity": YES_NO,
    "chunk_strategy": STRATEGIES,
}
_PERCENT = {"alpha"}  # shown from 0 to 100, stored from 0 to 1


def _number(name: str, label: Any, help_text: Any) -> forms.IntegerField:
    low, high = {**SEARCH_LIMITS, **CHUNK_LIMITS}[name]
    scale = 100 if name in _PERCENT else 1
    return forms.IntegerField(
        label=label, help_text=help_text, required=False, min_value=int(low * scale), max_value=int(high * scale)
    )


def _choice(name: str, label: Any, help_text: Any) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label, help_text=help_text, required=False, choices=[("", "-"), *CHOICES[name].items()]
    )


class SearchSettingsForm(forms.Form):
    """Settings of one level. `values` is what to store; fields left empty are not in it."""

    alpha = _number(
        "alpha",
        gettext_lazy("Cuánto pesa el significado, de 0 a 100"),
        gettext_lazy(
            "Con 0 solo cuentan las palabras escritas; con 100, solo lo que quieren decir. "
            "Baja este número si se buscan sobre todo códigos y nombres."
        ),
    )
    candidates = _number(
        "candidates",
        gettext_lazy("Resultados que se miran de cada manera"),
        gettext_lazy("Cuántos fragmentos se traen por palabras y cuántos por significado. Con más, tarda algo más."),
    )
    rerank = _choice(
        "rerank",
        gettext_lazy("Segunda revisión de los mejores"),
        gettext_lazy("Compara la pregunta con los mejores fragmentos otra vez, con más detalle, y los reordena."),
    )
    reranked = _number(
        "reranked",
        gettext_lazy("Cuántos pasan la segunda revisión"),
        gettext_lazy("Los primeros de la lista. Más de 30 apenas cambia el orden y tarda más."),
    )
    top_k = _number(
        "top_k",
        gettext_lazy("Resultados que se muestran"),
        gettext_lazy("También son los fragmentos con los que el tutor prepara su respuesta."),
    )
    diversity = _choice(
        "diversity",
        gettext_lazy("Evitar resultados repetidos"),
        gettext_lazy("Quita textos casi iguales y reparte los resultados entre varios documentos."),
    )
    confidence_offset = _choice(
        "confidence_offset",
        gettext_lazy("Prudencia del tutor"),
        gettext_lazy("Qué hace cuando no está del todo seguro de que los documentos contesten a la pregunta."),
    )
    minimum_sources = _number(
        "minimum_sources",
        gettext_lazy("Fuentes que hacen falta para responder"),
        gettext_lazy("Con menos fragmentos que lo digan, el tutor contesta que no tiene información."),
    )
    cache_days = _number(
        "cache_days",
        gettext_lazy("Días que vale una respuesta ya dada"),
        gettext_lazy("La misma pregunta se contesta al momento con la respuesta guardada. 0 la prepara cada vez."),
    )
    chunk_strategy = _choice(
        "chunk_strategy",
        gettext_lazy("Cómo se dividen los documentos"),
        gettext_lazy("La búsqueda encuentra fragmentos, no documentos enteros. Aquí eliges por dónde se cortan."),
    )
    chunk_max_tokens = _number(
        "chunk_max_tokens",
        gettext_lazy("Tamaño máximo de un fragmento"),
        gettext_lazy("En trozos de palabra: 500 son unas 350 palabras. El modelo de búsqueda puede admitir menos."),
    )
    chunk_min_tokens = _number(
        "chunk_min_tokens",
        gettext_lazy("Tamaño mínimo de un fragmento"),
        gettext_lazy("En trozos de palabra. Los apartados más cortos se unen con sus vecinos."),
    )
    chunk_overlap_sentences = _number(
        "chunk_overlap_sentences",
        gettext_lazy("Frases que se repiten al cortar un apartado largo"),
        gettext_lazy("El fragmento siguiente empieza con ellas, para que no se pierda el hilo."),
    )
    chunk_size = _number(
        "chunk_size",
        gettext_lazy("Tamaño al dividir de otra manera"),
        gettext_lazy(
            "Cuenta cuando no se divide por apartados. En trozos de palabra; por párrafos y frases, en letras."
        ),
    )
    chunk_overlap = _number(
        "chunk_overlap",
        gettext_lazy("Parte que se repite al dividir de otra manera"),
        gettext_lazy("Con la misma medida. Tiene que ser menor que el tamaño."),
    )

    def __init__(self, *args: Any, inherited: Mapping[str, Any], level: str, **kwargs: Any) -> None:
        """`inherited`: what applies where a field is left empty. `level`: organization, collection or course."""
        super().__init__(*args, **kwargs)
        self._inherited = {**defaults(), **inherited}
        for name in list(self.fields):
            if level == "course" and name in CHUNK_NAMES:
                del self.fields[name]
            else:
                self._show_inherited(name)

    def _show_inherited(self, name: str) -> None:
        field: Any = self.fields[name]
        value = shown(name, self._inherited.get(name))
        if isinstance(field, forms.ChoiceField):
            field.choices = [("", _("Sin cambiar: %(value)s") % {"value": value}), *CHOICES[name].items()]
        else:
            field.widget.attrs["placeholder"] = _("Sin cambiar: %(value)s") % {"value": value}

    @staticmethod
    def initial_of(stored: Mapping[str, Any]) -> dict[str, Any]:
        """Stored values as the fields show them."""
        initial: dict[str, Any] = {}
        for name, value in stored.items():
            if name in _PERCENT:
                initial[name] = round(value * 100)
            else:
                initial[name] = str(value) if name in CHOICES else value
        return initial

    def search_fields(self) -> Iterator[forms.BoundField]:
        return (field for field in self if not field.name.startswith("chunk_"))

    def cutting_fields(self) -> Iterator[forms.BoundField]:
        return (field for field in self if field.name.startswith("chunk_"))

    @property
    def values(self) -> dict[str, Any]:
        """What was filled in, as it is stored."""
        given = {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}
        return {name: _stored(name, value) for name, value in given.items()}

    def clean_rerank(self) -> str:
        kind = str(self.cleaned_data["rerank"])
        if kind in ("cross_encoder", "api"):
            try:
                get_passage_scorer(kind)
            except ImproperlyConfigured:
                message = _("Esta opción no está configurada en el servidor. Elige otra o avisa a quien lo administra.")
                raise forms.ValidationError(message, code="not_configured") from None
        return kind

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors and "chunk_strategy" in self.fields:
            self._check_cutting({**self._inherited_cutting(), **self.values})
        return cleaned

    def _inherited_cutting(self) -> dict[str, Any]:
        # A strategy of one's own brings its own size and overlap along.
        product = defaults()
        kept = {name: value for name, value in self._inherited.items() if name in CHUNK_NAMES}
        return {name: value for name, value in kept.items() if value != product[name]}

    def _check_cutting(self, values: Mapping[str, Any]) -> None:
        cut = {**defaults(), **values}
        if cut["chunk_min_tokens"] >= cut["chunk_max_tokens"]:
            self.add_error("chunk_min_tokens", _("El mínimo tiene que ser menor que el máximo."))
        try:
            chunk_settings_of(values)
        except ValueError:
            if "chunk_min_tokens" not in self.errors:
                message = _("Lo que se repite tiene que ser menor que el tamaño. Redúcelo o aumenta el tamaño.")
                self.add_error("chunk_overlap", message)


def shown(name: str, value: Any) -> str:
    """A value as people read it."""
    if value is None:
        return _("según la división")
    if name in CHOICES:
        return str(CHOICES[name].get(str(value), value))
    return str(round(value * 100) if name in _PERCENT else value)


def _stored(name: str, value: Any) -> Any:
    if name in _PERCENT:
        return value / 100
    if name == "diversity":
        return value == "True"
    return float(value) if name == "confidence_offset" else value

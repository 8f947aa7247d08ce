"""Fields that Django or browsers draw otherwise than we want."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms.renderers import BaseRenderer
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

_CHECKED = SafeString(" checked")


class ManyCheckboxes(forms.CheckboxSelectMultiple):
    """The same as its parent for choices in no groups, without three templates each: a quarter of the time."""

    def render(
        self, name: str, value: Any, attrs: Mapping[str, Any] | None = None, renderer: BaseRenderer | None = None
    ) -> SafeString:
        given = self.build_attrs(self.attrs, dict(attrs or {}))
        own_id = given.pop("id", None)
        chosen = {str(one) for one in self.format_value(value)}
        same = flatatt(given)
        boxes = format_html_join(
            "",
            '<div><label{}><input type="checkbox" name="{}" value="{}"{}{}{}> {}</label></div>',
            (
                (
                    _attribute("for", own_id and f"{own_id}_{index}"),
                    name,
                    str(one),
                    _attribute("id", own_id and f"{own_id}_{index}"),
                    _CHECKED if str(one) in chosen else "",
                    same,
                    label,
                )
                for index, (one, label) in enumerate(self.choices)
            ),
        )
        return format_html("<div{}>{}</div>", _attribute("id", own_id), boxes)


class FileChooser(forms.FileInput):
    """A file field in the page's language: browsers write their own on theirs. Without scripts it is the browser's."""

    allow_multiple_selected = False

    def render(
        self, name: str, value: Any, attrs: Mapping[str, Any] | None = None, renderer: BaseRenderer | None = None
    ) -> SafeString:
        several = self.allow_multiple_selected
        none = _("Ningún archivo elegido")
        return format_html(
            '<div class="file-field" data-file-field data-several="{}">{}'
            '<div class="file-field__look needs-script" aria-hidden="true"><span class="button">{}</span>'
            '<span class="file-field__names" data-file-names data-none="{}">{}</span></div></div>',
            _("{count} archivos: {names}"),
            super().render(name, value, dict(attrs or {}), renderer),
            _("Elegir archivos") if several else _("Elegir archivo"),
            none,
            none,
        )


class SeveralFilesChooser(FileChooser):
    """The same for several files at once."""

    allow_multiple_selected = True


def _attribute(name: str, value: str | None) -> SafeString:
    return format_html(' {}="{}"', name, value) if value else SafeString()

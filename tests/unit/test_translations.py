"""English and Portuguese are complete, and nothing that people read bypasses them."""

import gettext
import re

import polib
import pytest
from django.conf import settings

from tests.unit.source_texts import (
    ROOT,
    Found,
    Message,
    is_spanish,
    name_of,
    python_files,
    python_messages,
    template_files,
    template_messages,
    unwrapped_in_python,
    unwrapped_in_template,
)

TRANSLATED = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
REFRESH = "run `make messages`, translate what is new, and run it again"
PLACEHOLDER = re.compile(r"%\(\w+\)[-.\d]*[sdf]|%[sd%]|</?\w+[^>]*>")

PATTERNS = "words looked for in documents and questions"
PROMPTS = "what a language model is told"
TERMINAL = "what whoever operates the installation reads in its terminal, in Spanish like the documentation of commands"
CONTENT = "text that becomes part of documents or courses, in their own language"
WITHOUT_GETTEXT = {
    "courses/composing.py": PROMPTS,
    "courses/demo/content.py": CONTENT,
    "courses/drafting/definitions.py": PATTERNS,
    "courses/drafting/legibility.py": CONTENT,
    "courses/drafting/outline.py": CONTENT,
    "courses/drafting/figure_items.py": PATTERNS,
    "courses/drafting/items.py": PATTERNS,
    "courses/drafting/quizzes.py": PATTERNS,
    "courses/drafting/step_items.py": PATTERNS,
    "courses/drafting/table_items.py": PATTERNS,
    "courses/drafting/rewriting.py": PROMPTS,
    "courses/drafting/standing.py": PATTERNS,
    "courses/drafting/titles.py": PATTERNS,
    "courses/drafting/tree.py": PATTERNS,
    "courses/drafting/writing.py": PATTERNS,
    "courses/navigation.py": PROMPTS,
    "documents/chunking/rendering.py": CONTENT,
    "documents/chunking/sections.py": PATTERNS,
    "documents/chunking/types.py": PATTERNS,
    "documents/cleaning.py": PATTERNS,
    "documents/parsing/docx_styles.py": PATTERNS,
    "documents/parsing/number_formats.py": CONTENT,
    "documents/parsing/pdf_contents.py": PATTERNS,
    "documents/parsing/pdf_furniture.py": PATTERNS,
    "documents/parsing/pdf_lines.py": PATTERNS,
    "documents/parsing/pdf_ocr.py": PATTERNS,
    "documents/parsing/pdf_items.py": PATTERNS,
    "documents/parsing/pdf_paragraphs.py": PATTERNS,
    "documents/parsing/wording.py": PATTERNS,
    "documents/sentences.py": PATTERNS,
    "documents/titles.py": PATTERNS,
    "retrieval/followups.py": PATTERNS,
    "retrieval/question.py": PATTERNS,
    "retrieval/rephrasing.py": PATTERNS,
    "skillnet/backends/precision.py": CONTENT,
    "skillnet/commands.py": TERMINAL,
    "skillnet/decoding.py": PATTERNS,
    "skillnet/embedded/adapter.py": TERMINAL,
    "skillnet/embedded/binaries.py": TERMINAL,
    "skillnet/embedded/layout.py": TERMINAL,
    "skillnet/embedded/postgres.py": TERMINAL,
    "skillnet/embedded/processes.py": TERMINAL,
    "skillnet/embedded/provisioning.py": TERMINAL,
    "skillnet/embedded/state.py": TERMINAL,
    "skillnet/embedded/supervisor.py": TERMINAL,
    "skillnet/embedded/valkey.py": TERMINAL,
    "skillnet/embedded/weights.py": TERMINAL,
    "skillnet/settings/safety.py": "words that weak secrets are made of",
    "skillnet/settings/base.py": "languages by their own names",
    "tutor/no_questions.py": PATTERNS,
    "tutor/allergen_cells.py": PATTERNS,
    "tutor/allergen_phrases.py": PATTERNS,
    "tutor/allergens.py": PATTERNS,
    "tutor/amounts.py": PATTERNS,
    "tutor/announced_lines.py": PATTERNS,
    "tutor/announcing.py": PATTERNS,
    "tutor/asking.py": PATTERNS,
    "tutor/cell_lookups.py": PATTERNS,
    "tutor/contradictions.py": PATTERNS,
    "tutor/courtesy.py": PATTERNS,
    "tutor/diet_words.py": PATTERNS,
    "tutor/diets.py": PATTERNS,
    "tutor/dish_answers.py": PATTERNS,
    "tutor/emergencies.py": PATTERNS,
    "tutor/emergency_dangers.py": PATTERNS,
    "tutor/emergency_parts.py": PATTERNS,
    "tutor/emergency_signs.py": PATTERNS,
    "tutor/emergency_words.py": PATTERNS,
    "tutor/evidence.py": PATTERNS,
    "tutor/grounding.py": PATTERNS,
    "tutor/injections.py": PATTERNS,
    "tutor/labels.py": PATTERNS,
    "tutor/leaning.py": PATTERNS,
    "tutor/lookups.py": PATTERNS,
    "tutor/nothing_found.py": PATTERNS,
    "tutor/prepared/agreement.py": PATTERNS,
    "tutor/prepared/doing.py": PATTERNS,
    "tutor/prepared/lexicon.py": PATTERNS,
    "tutor/prompts.py": PROMPTS,
    "tutor/range_columns.py": PATTERNS,
    "tutor/ruling_headings.py": PATTERNS,
    "tutor/selecting.py": PATTERNS,
    "tutor/signs.py": PATTERNS,
    "tutor/subjects.py": PATTERNS,
    "tutor/suggestions.py": PATTERNS,
    "tutor/text_blocks.py": PATTERNS,
    "tutor/things.py": PATTERNS,
    "tutor/timetables.py": PATTERNS,
    "tutor/vocabulary.py": PATTERNS,
    "tutor/whole_documents.py": PATTERNS,
    "tutor/wording.py": PATTERNS,
}
# The same in every language: names, and the person who is invited as an example.
SAME_EVERYWHERE = {"SkillNet", "SkillNet ·", "· SkillNet", "Markdown", "JSON", "Ana", "ana@empresa.es"}


@pytest.fixture(scope="module")
def sources() -> set[Message]:
    messages: set[Message] = set()
    for path in python_files():
        messages |= python_messages(path.read_text())
    for path in template_files():
        messages |= template_messages(path.read_text())
    return messages


def catalogue(language: str) -> polib.POFile:
    return polib.pofile(str(ROOT / "locale" / language / "LC_MESSAGES" / "django.po"))


def message_of(entry: polib.POEntry) -> Message:
    return Message(entry.msgid, entry.msgid_plural)


def forms_of(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_holds_what_the_sources_say_and_nothing_else(language, sources):
    held = {message_of(entry) for entry in catalogue(language) if not entry.obsolete}
    assert not sources - held, REFRESH
    assert not held - sources, REFRESH


@pytest.mark.parametrize("language", TRANSLATED)
def test_everything_is_translated_and_nothing_is_a_guess(language):
    entries = catalogue(language)
    assert [entry.msgid for entry in entries.untranslated_entries()] == []
    assert [entry.msgid for entry in entries.fuzzy_entries()] == []
    assert [entry.msgid for entry in entries if entry.msgid_plural and len(entry.msgstr_plural) != 2] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_placeholders_and_tags_of_a_translation_are_those_of_its_source(language):
    for entry in catalogue(language):
        originals = [entry.msgid, entry.msgid_plural] if entry.msgid_plural else [entry.msgid]
        for original, translation in zip(originals, forms_of(entry), strict=True):
            assert sorted(PLACEHOLDER.findall(translation)) == sorted(PLACEHOLDER.findall(original)), translation


@pytest.mark.parametrize("language", TRANSLATED)
def test_compiled_catalogues_say_what_the_written_ones_say(language):
    written = {}
    for entry in catalogue(language):
        if entry.msgid_plural:
            written |= {(entry.msgid, number): text for number, text in entry.msgstr_plural.items()}
        else:
            written[entry.msgid] = entry.msgstr
    compiled = gettext.translation("django", ROOT / "locale", [language])._catalog  # type: ignore[attr-defined]
    assert {key: text for key, text in compiled.items() if key} == written, "run `make messages`"


def test_english_keeps_no_spanish():
    left = [entry.msgid for entry in catalogue("en") for text in forms_of(entry) if is_spanish(text)]
    # The marker of a source is written the same everywhere; the columns of a file are, too; a text may be its title.
    assert [text for text in left if "[Fuente 1]" not in text and "clasificacion" not in text] == []


def test_portuguese_uses_its_own_quotes_and_words():
    mixed = [text for entry in catalogue("pt") for text in forms_of(entry) if re.search("[“”¿¡ñ]", text)]
    assert mixed == []


def test_what_python_shows_to_people_goes_through_gettext():
    found = [
        text
        for path in python_files()
        if name_of(path) not in WITHOUT_GETTEXT and "management" not in path.parts  # commands: see TERMINAL
        for text in unwrapped_in_python(path)
    ]
    assert [str(text) for text in found] == []


@pytest.mark.parametrize("name", WITHOUT_GETTEXT)
def test_a_file_is_exempt_only_while_it_has_a_reason(name):
    assert list(unwrapped_in_python(ROOT / name)), f"take {name} off the list"


def test_what_templates_show_goes_through_gettext():
    found = [text for path in template_files() for text in unwrapped_in_template(path)]
    assert [str(text) for text in found if text.text not in SAME_EVERYWHERE] == []


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>Guardar</p>", "Guardar"),
        ('<button aria-label="Cerrar">{% icon "close" %}</button>', "Cerrar"),
        ('<img alt="{% if big %}Plano{% endif %}">', "Plano"),
        ('{{ name|default:"sin título" }}', '"sin título"'),
        ('{% include "a.html" with label="Añadir otro" %}', '"Añadir otro"'),
    ],
)
def test_words_outside_gettext_in_a_template_are_seen(source, text, tmp_path, monkeypatch):
    assert [found.text for found in _in_file(tmp_path, monkeypatch, "page.html", source)] == [text]


@pytest.mark.parametrize(
    "source",
    [
        '<p>{% translate "Guardar" %} {{ count }} %</p>',
        "<p>{% blocktranslate count n=3 %}Una{% plural %}{{ n }} páginas{% endblocktranslate %}</p>",
        '{# por qué #}<a href="{% url \'home\' %}" class="button">{{ name }}</a>',
        "{% include 'a.html' with label=_('Añadir otro') %}",
    ],
)
def test_a_template_that_translates_all_is_left_alone(source, tmp_path, monkeypatch):
    assert _in_file(tmp_path, monkeypatch, "page.html", source) == []


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ('TEXT = "Añadida"', "Añadida"),
        ('raise Refused(f"No hay sitio para {name} en la sala")', "No hay sitio para"),
        ('messages.success(request, "Guardado.")', "Guardado."),
        ('field = forms.CharField(label="Nombre")', "Nombre"),
        ('name = models.CharField("nombre")', "nombre"),
    ],
)
def test_words_outside_gettext_in_python_are_seen(source, text, tmp_path, monkeypatch):
    assert [found.text for found in _in_file(tmp_path, monkeypatch, "views.py", source)] == [text]


@pytest.mark.parametrize(
    "source",
    [
        '"""Qué hace."""',
        'TEXT = _("Añadida")',
        'ngettext("%(n)d página", "%(n)d páginas", n)',
        'logger.info("It is ready")',
    ],
)
def test_python_that_translates_all_is_left_alone(source, tmp_path, monkeypatch):
    assert _in_file(tmp_path, monkeypatch, "views.py", source) == []


def _in_file(folder, monkeypatch, name: str, source: str) -> list[Found]:
    monkeypatch.setattr("tests.unit.source_texts.ROOT", folder)
    (folder / name).write_text(source)
    return list((unwrapped_in_python if name.endswith(".py") else unwrapped_in_template)(folder / name))

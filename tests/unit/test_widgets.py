"""Fields that speak the page's language."""

from django.utils import translation

from skillnet.widgets import FileChooser, SeveralFilesChooser


def test_a_file_field_says_in_the_pages_language_what_is_chosen_and_stays_a_field_without_scripts():
    with translation.override("es"):
        drawn = FileChooser().render("file", None, {"id": "id_file", "accept": ".csv"})
    assert '<input type="file" name="file" id="id_file" accept=".csv">' in drawn
    assert "Elegir archivo</span>" in drawn
    assert 'data-none="Ningún archivo elegido"' in drawn
    assert "needs-script" in drawn.split("<input")[1]  # the field itself is always there, what lies under it is not


def test_a_field_for_several_files_takes_several():
    with translation.override("es"):
        drawn = SeveralFilesChooser().render("uploads", None, {"id": "id_uploads"})
    assert " multiple" in drawn.split(">")[1]
    assert "Elegir archivos</span>" in drawn


def test_a_name_is_written_as_text():
    drawn = FileChooser(attrs={"title": '"><script>'}).render("file", None)
    assert "<script>" not in drawn

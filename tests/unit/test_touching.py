"""Which sources a change of a document touches, on small documents."""

from courses.sources import Source, ranges_of
from courses.touching import VersionComparison, summary
from documents.diffing import Change
from tests.factories import make_blocks

MANUAL = """# Devoluciones
El cliente trae el ticket.
## Plazo
Se admite la devolución hasta 30 días después de la compra.
## Dinero
Se devuelve por el mismo medio de pago.
# Garantías
Las garantías duran tres años.
[p2]
# Caja
Cuenta el efectivo al cerrar.
"""
PLAZO, DINERO = ("Devoluciones", "Plazo"), ("Devoluciones", "Dinero")


def compared(after: str, before: str = MANUAL) -> VersionComparison:
    return VersionComparison(make_blocks(before), make_blocks(after))


def kinds(comparison: VersionComparison, source: Source) -> list[Change]:
    return [kind for change in comparison.touch(source).changes for kind in change.changes]


def test_only_the_section_that_changed_is_touched():
    comparison = compared(MANUAL.replace("30 días", "15 días"))
    assert kinds(comparison, Source(PLAZO)) == [Change.EDITED]
    assert kinds(comparison, Source(DINERO)) == []
    assert kinds(comparison, Source(("Caja",))) == []


def test_a_source_with_subsections_is_touched_from_below_and_one_without_is_not():
    comparison = compared(MANUAL.replace("30 días", "15 días"))
    assert kinds(comparison, Source(("Devoluciones",))) == [Change.EDITED]
    assert kinds(comparison, Source(("Devoluciones",), with_subsections=False)) == []


def test_the_same_words_in_another_layout_touch_nothing():
    broken = MANUAL.replace("Se admite la devolución hasta", "Se admite la devolución\nhasta").replace("[p2]", "[p3]")
    comparison = compared(broken)
    assert comparison.changes == []
    assert kinds(comparison, Source(())) == []


def test_a_source_follows_its_heading_to_a_new_name():
    touch = compared(MANUAL.replace("## Plazo", "## Cuántos días hay")).touch(Source(PLAZO))
    assert touch.path == ("Devoluciones", "Cuántos días hay")
    assert [change.changes for change in touch.changes] == [(Change.RENAMED,)]


def test_a_renamed_chapter_carries_the_sources_below_it_without_touching_them():
    comparison = compared(MANUAL.replace("# Devoluciones", "# Cambios y devoluciones"))
    touch = comparison.touch(Source(PLAZO))
    assert touch.path == ("Cambios y devoluciones", "Plazo")
    assert touch.changes == ()
    assert kinds(comparison, Source(("Devoluciones",))) == [Change.RENAMED]


def test_a_source_whose_heading_vanished_is_orphaned():
    gone = MANUAL.replace("## Plazo\nSe admite la devolución hasta 30 días después de la compra.\n", "")
    touch = compared(gone).touch(Source(PLAZO))
    assert touch.is_orphaned
    assert [change.changes for change in touch.changes] == [(Change.REMOVED,)]
    assert not compared(gone).touch(Source(DINERO)).is_orphaned


def test_an_added_section_touches_who_rests_on_what_stands_before_it():
    added = MANUAL.replace("# Garantías", "## Excepciones\nLos productos abiertos no se devuelven.\n# Garantías")
    comparison = compared(added)
    assert kinds(comparison, Source(DINERO, with_subsections=False)) == [Change.ADDED]
    assert kinds(comparison, Source(("Garantías",))) == []


def test_a_source_known_by_its_page_alone_rests_on_the_sections_there():
    comparison = compared(MANUAL.replace("al cerrar", "dos veces al cerrar"))
    assert kinds(comparison, Source((), page=2)) == [Change.EDITED]
    assert kinds(comparison, Source((), page=1)) == []


def test_the_whole_document_as_a_source_is_touched_by_any_change():
    assert kinds(compared(MANUAL.replace("tres años", "dos años")), Source(())) == [Change.EDITED]


def test_a_summary_names_the_change_that_weighs_most():
    after = MANUAL.replace("## Plazo", "## Cuántos días hay").replace("30 días", "15 días")
    [change] = compared(after).changes
    assert summary(change) == {
        "heading_path": ["Devoluciones", "Cuántos días hay"],
        "before_path": ["Devoluciones", "Plazo"],
        "change": "edited",
        "page": 1,
    }


def test_of_a_long_section_cut_in_parts_only_the_changed_part_is_touched():
    text = "# Ley\n" + "\n".join(f"Párrafo {number} de la ley con unas cuantas palabras más." for number in range(12))
    comparison = compared(text.replace("Párrafo 2 ", "Párrafo dos "), before=text)
    parts = [Source(("Ley",), part=part, part_count=3) for part in (1, 2, 3)]
    assert [bool(comparison.touch(part).changes) for part in parts] == [True, False, False]
    blocks = make_blocks(text)
    assert [ranges_of(blocks, part) for part in parts] == [[(0, 5)], [(5, 9)], [(9, 13)]]


def test_a_source_stands_for_the_runs_of_blocks_under_its_headings():
    blocks = make_blocks(MANUAL)
    assert ranges_of(blocks, Source(("Devoluciones",))) == [(0, 6)]
    assert ranges_of(blocks, Source(("Devoluciones",), with_subsections=False)) == [(0, 2)]
    assert ranges_of(blocks, Source((), page=2)) == [(8, 10)]
    assert ranges_of(blocks, Source(("Nada",))) == []


def test_a_chapter_that_moved_takes_the_lessons_below_it_along():
    first, second = MANUAL.split("# Garantías")
    comparison = compared("# Garantías" + second + first)
    assert kinds(comparison, Source(("Devoluciones",), with_subsections=False)) == [Change.MOVED]
    assert kinds(comparison, Source(PLAZO)) == [Change.MOVED]
    assert kinds(comparison, Source(("Garantías",))) == []

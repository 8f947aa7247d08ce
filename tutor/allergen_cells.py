"""What the cells of a menu's tables say of an allergen. Pure.

A wrong word here may hurt somebody: what cannot be read for certain says nothing, and traces count as having it.
"""

import re
from collections.abc import Sequence

from tutor.allergen_phrases import LEAVES_OPEN, QUALIFIED, SAYS_UNFIT, said_of_each
from tutor.allergens import allergens_in, lists_only_allergens, parts_of, with_wholes
from tutor.wording import compact, stems

_TRACES = re.compile(r"(?<!\bsin )(?<!\bno contiene )(?<!\bni )\b(?:trazas|puede[n]? (?:contener|llevar|tener))\b")
_SAYS_FIT = re.compile(
    r"\b(?:sin|libres?|free|exent[oa]s?|apt[oa]s?|recomendad[oa]s?|adecuad[oa]s?|indicad[oa]s?|segur[oa]s?|opcion(?:es)?"
    r"|no (?:contienen?|llevan?|tienen?))\b"
)
_NAMES_PEOPLE = re.compile(r"\b(?:para|celia[ck][oa]s?|intolerantes?|alergic[oa]s?)\b")
_NAMES_COMPLAINT = re.compile(r"\b(?:alergias?|intolerancias?|celiaqu\w+)\b")
_LISTS_WHAT_IT_HAS = re.compile(r"\W*(?:alergenos?|alergias?|contiene|lleva|trazas|puede contener|ingredientes)\b")
_LISTS_WHAT_IT_LACKS = re.compile(r"\W*(?:apt[oa]s?|sin|libre|exento|adecuado|no contiene|no lleva)\b")
_LISTS_THEM = re.compile(r"(?:alergenos?|contiene)\b")
_HAS = re.compile(r"\W*(?:contienen?|llevan?|tienen?|incluye|con|presente|alto)\b")
_LACKS = re.compile(r"\W*no (?:contienen?|llevan?|tienen?|incluye|hay)\b|\W*ausente\b")
_MARK = re.compile(r"[x×✓✔☑✅●•■]")
_CROSSED = re.compile(r"[x×]")
_IS_YES = re.compile(r"[✓✔☑✅●•■]|(?:si|s|yes|y|ok|verdadero|true|v)\b")
_IS_NO = re.compile(r"[✗✘❌☒○]|[-–—−0]+$|(?:no|n|ningun[oa]?|nada|nunca|falso|false|f)\b")
_OWN_YES = re.compile(r"\W*(?:si|yes|contienen?|llevan?|tienen?)\b(?! (?:se|no)\b)")


def has_allergen(
    allergen: str, header: Sequence[str], cells: Sequence[str], others: Sequence[Sequence[str]]
) -> bool | None:
    """Whether a row says that something has an allergen, or may have: True; that it has none: False; None where it
    does not say so for certain. `others` are the cells of all rows of its table, which tell what a cross means. The
    first column names what its rows are about, be it allergens.
    """
    said = [
        says_of(allergen, column if at else "", cell, [row[at] for row in others if at < len(row)])
        for at, (column, cell) in enumerate(zip(header, cells, strict=False))
    ]
    return True if True in said else False if False in said else None


def says_of(allergen: str, column: str, cell: str, of_column: Sequence[str] = ()) -> bool | None:
    """What one cell says of an allergen, see `has_allergen`."""
    name, said = compact(column), compact(cell)
    named, wholes, parts = allergens_in(column), with_wholes(allergen), parts_of(allergen)
    is_own = not named.isdisjoint({*wholes, *(parts - {"lactosa"})})  # without lactose is not without milk
    if is_own and _OWN_YES.match(said) and not _is_of_people(name):
        return True  # «Sí (hay opción sin gluten)»
    listed = said_of_each(said, default=_default(name))
    if any(listed.get(key) is True for key in (*wholes, *parts)):
        return True
    if any(listed.get(key) is False for key in wholes):
        return False
    if lists_allergens(column, cell) and listed.keys().isdisjoint({*wholes, *parts}):
        return False
    if listed or not is_own:
        return None
    decided = _decided(name, said, [compact(other) for other in of_column])
    return decided if not named.isdisjoint(wholes) else decided or None


def lists_allergens(column: str, cell: str) -> bool:
    """Whether a cell names the allergens that something has, or says that it has none: those not named it lacks. What
    is put in signs or other words («G, H», «trigo») does not.
    """
    if not _LISTS_THEM.match(compact(column)) or allergens_in(column):
        return False
    said = compact(cell)
    if not stems(cell) or _IS_NO.fullmatch(said):
        return _IS_NO.match(said) is not None
    return lists_only_allergens(cell)


def _decided(column: str, cell: str, of_column: Sequence[str]) -> bool | None:
    """What a cell says of the allergens that its column names, or of those who must avoid them."""
    if not cell:
        return False if _is_marked(column, of_column) else None
    if _TRACES.search(cell) or SAYS_UNFIT.search(cell) or _HAS.match(cell):
        return True
    if LEAVES_OPEN.search(cell):
        return None
    if _LACKS.match(cell) or _SAYS_FIT.match(cell):
        return None if QUALIFIED.search(cell) else False
    is_unfit = SAYS_UNFIT.search(column) is not None
    is_fit = not is_unfit and any(one.search(column) for one in (_SAYS_FIT, _NAMES_PEOPLE))
    if not is_unfit and not is_fit and _NAMES_COMPLAINT.search(column):
        return None
    yes = _yes_or_no(cell, of_column, is_mark=not is_fit)
    if yes is None:  # of a column that is named by the allergen, whatever else stands in it is where it is
        return None if is_fit or is_unfit else True
    has = yes is not is_fit
    return None if not has and ("trazas" in column or QUALIFIED.search(cell)) else has


def _is_marked(column: str, of_column: Sequence[str]) -> bool:
    """Whether a column is named by an allergen, and nothing but marks say what has it: what has none has not."""
    said = [cell for cell in of_column if cell]
    return bool(said) and not _is_of_people(column) and all(_MARK.fullmatch(cell) for cell in said)


def _is_of_people(column: str) -> bool:
    """Whether a column says who may eat something, or what it lacks, and not what it has."""
    return any(one.search(column) for one in (SAYS_UNFIT, _SAYS_FIT, _NAMES_PEOPLE, _NAMES_COMPLAINT))


def _yes_or_no(cell: str, of_column: Sequence[str], *, is_mark: bool) -> bool | None:
    """What a cell says. A cross says no beside ticks; alone it marks where something is, or nobody knows what it says
    of who may eat it.
    """
    if _CROSSED.fullmatch(cell):
        if any(_IS_YES.match(other) for other in of_column):
            return False
        if any(_IS_NO.match(other) for other in of_column):
            return True
        return True if is_mark else None
    if _IS_YES.match(cell):
        return True
    return False if _IS_NO.match(cell) else None


def _default(column: str) -> bool | None:
    """What it says of an allergen that a cell below a column names it, where the cell does not say."""
    if SAYS_UNFIT.search(column):
        return True
    if _LISTS_WHAT_IT_LACKS.match(column):
        return False
    return True if _LISTS_WHAT_IT_HAS.match(column) else None

"""Parts that the signs of emergencies are made of: who, to what part of him, with what. Pure.

Patterns, as `tutor.wording.asked` writes words. What they list stands in `tutor.emergency_words`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tutor import emergency_words as words
from tutor.patterns import any_of

SOMEBODY = (
    rf"(?:{any_of(words.PEOPLE_IN_S)}s?|{any_of(words.PEOPLE_IN_ES)}(?:es)?"
    r"|alguien|aprendi(?:z|ces)|huesped(?:es)?|joven(?:es)?)"
)
BODY = any_of(words.BODY)
THING = any_of(f"{words.THINGS} {words.FOOD}")
FOOD = any_of(words.FOOD)
LAMP = any_of(words.LAMPS)
SWELLS = any_of(f"{words.FOOD} {words.SWELLING_THINGS}")
CHEMICAL = any_of(words.CHEMICALS)
ALLERGIC = r"(?:alergic[oa]s?|celiac[oa]s?)"
# What stands between somebody and what happens to him, but no other subject: «una señora de la mesa 4 dice que»,
# and not «un cliente dice que el pedido».
_ASIDE = r"(?:del?|en|con|por|al?) (?:(?:el|la|los|las|un|una|mi|su) )?\w+|(?!(?:el|la|los|las|un|una|sus?|mis?)\b)\w+"
WITH_ASIDES = rf"{SOMEBODY} (?:(?:{_ASIDE}) ){{0,6}}?"
# Whom nobody names, or only by name: «no reacciona», «si se encuentra mal», «Ana no reacciona».
ANYBODY = rf"(?:(?<!\w )|(?<=\bsi ))(?:(?!(?:todo|algo|nada|{THING})\b)\w+ )?"
# The subject stands behind the verb as well: «no reacciona el datáfono», unlike «no reacciona, la ambulancia no llega».
NO_THING_BEHIND = (
    r"(?! (?:el|la|los|las|un|una|mis?|tus?|sus?|nuestr[oa]s?|est[ea]|es[ea]) "
    rf"(?!(?:\w+ )?(?:{SOMEBODY}|conductor(?:es)?|victimas?|herid[oa]s?|accidentad[oa]s?|viej[oa]s?|pobre|guardias?"
    r"|gente|suegr[oa]s?|cunad[oa]s?|otr[oa]s?|que|pelo|apice|musculo|milimetro|dedo)\b)"
    r"\w+(?: \w+)?(?:[^\w ].*| (?:del?|en|con|por|al?|ni|cuando|y) .*)?$)"
)
HAS = r"(?:esta |estan |a |e |ha |he |han |an )?"
SPLASHED = r"(?:salpic|salt[aoe]|ca[iye]|entr[aoe]|met|ech[aoe]|derram|teng[oa]|tiene)\w*"
IN_THE_EYE = r"(?:(?:en|a) (?:el|los|un|mi|mis|su|sus|ambos)|al) ojos?"
DRUNK = r"(?:tragad[oa]|trago|bebid[oa]|bebio|se (?:(?:a|ha) tomado|tomo)|ingerid[oa]|ingirio)"
WEAPON = r"(?:pistolas?|navajas?|armas?)\b(?! (?:del?|para|el|la|term\w+|etiquetadora)\b)"
# A cook has a knife as well; whoever comes in with one, or is nobody in particular, is told of as an attacker.
BLADE = r"(?:un|el) (?:cuchillo|machete|hacha|destornillador)\b(?! (?:suci|rot|mal|sin|de|del|que|para)\w*)"
HURT = r"(?:cortad[oa]|clavad[oa]|pinchad[oa])"
FELL = r"(?:(?:a|ha) (?:caido|resbalado)|cayo|resbalo)"
FALLS = r"(?:caen?|resbalan?|tropiezan?|tropezo|(?:a|ha|han|an) tropezado|acaban? de (?:caer|resbalar))"
OFF_A_LIST = (
    r"(?! (?:en la cuenta|de(?: la| el|l)? (?:lista|programa|grupo|plan|sistema|cita|llamada|reserva|red|wifi|correo"
    r"|web)))"
)
BROKE = r"(?:(?:a|ha) (?:roto|partido|quebrado|fracturado)|rompio|partio|quebro|fracturo)"
INJURED = r"(?:(?:a|ha) (?:lastimado|lesionado|fracturado|accidentado)|lastimo|lesiono|fracturo|accidento)"
HOT = r"(?:(?:agua|caldo|sopa|cafe|te|leche|salsa|liquido) (?:hirviendo|ardiendo|(?:muy )?caliente))"
NOT_ON_A_THING = (
    r"(?! (?:\w+ ){0,2}(?:al?|en|por|sobre) (?:(?:el|la|los|las|un|una) )?"
    r"(?:suelo|piso|pared(?:es)?|mesas?|encimera|mantel|fogones)\b)"
)
FIRST_AID = "primeros auxilios|botiquin"
NEVER = "(?!)"
# Who is badly served is not ill, nor is food that is badly kept.
NOT_SERVED = rf"(?! (?:\w+(?:ad|id)[oa]s?|de (?:dinero|humor|tiempo)|(?:el|la|los|las) (?!(?:\w+ )?{SOMEBODY}\b)\w+)\b)"
# Nobody is ill whom a word has hurt.
NOT_HURT = (
    r"(?!(?: \w+){0,5} (?:con|por) (?:(?:el|la|los|las|lo|su|mi|un|una) )?"
    r"(?:trat|preci|servici|atencion|jef|coment|bronc|horari|salari|sueld|retras|esper|error|turn|compan|equip"
    r"|dich|insult|quej|resen)\w*)"
)
# Who falls ill at home wants to know about leave.
AT_HOME = r"(?!.*\b(?:bajas?|turnos?|cubr\w+|sustitu\w+|vacaciones|trabajar|venir|faltar|medico|teletrabaj\w+)\b)"


@dataclass(frozen=True, slots=True)
class Emergency:
    """`names` is matched with a document's folded text, the rest with a question."""

    signs: re.Pattern[str]  # that it happens: by a verb, or to somebody
    shared_signs: re.Pattern[str]  # signs unless a thing shows them: engines choke and steaks bleed as well
    mishaps: re.Pattern[str]  # its name, which also stands in «seguro de robo» and «detector de humo»
    names: re.Pattern[str]
    wording: str  # how one would look for what to do


def emergency(
    *, wording: str, signs: Sequence[str], shared_signs: Sequence[str] = (NEVER,), mishaps: str, names: str
) -> Emergency:
    return Emergency(
        re.compile(rf"\b(?:{'|'.join(signs)})"),
        re.compile(rf"\b(?:{'|'.join(shared_signs)})"),
        re.compile(rf"\b(?:{mishaps})\b"),
        re.compile(rf"\b(?:{names})"),
        wording,
    )

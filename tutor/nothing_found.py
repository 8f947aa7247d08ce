"""Whether a model's reply is that it found nothing. Pure.

It is told to say so in one Spanish sentence, and to answer in the question's language: many models then say the same in
that language, or in words of their own. A mark that belongs to no language would be no surer, for they translate and
paraphrase that as well. What counts is the whole reply: one that answers a part, or says of something else that it is
not there, is an answer.
"""

import re

from tutor.grounding import without_markers
from tutor.wording import fold

MOST_WORDS = 60

_SENTENCE = re.compile(r"[^.!?…\n]+")
_TRIMMED = " \t,;«»“”\"'*_>-"
# Up to the sentence's end, without a word that begins an answer after all: «salvo para becarios, que tienen diez días».
_REST = (
    r"(?:(?!\b(?:pero|sino|aunque|salvo|excepto|unicamente|solamente|sin embargo|no obstante|si bien|mientras que"
    r"|but|however|although|though|only|except|unless|whereas|porem|embora|exceto|apenas|somente|contudo"
    r"|cependant|toutefois|sauf|seulement|uniquement|hormis|tuttavia|tranne|eccetto|soltanto|sebbene"
    r"|aber|jedoch|obwohl|sondern|nur|ausser|allerdings|nomes|excepte|llevat|tot i|encara que)\b"
    r"|, (?:mas|mais|ma|solo)\b"
    r"|\b(?:asi que|por lo que)\b(?! (?:te |le |os )?(?:consult|pregunt|contact|recomiend|sugier|habl|no (?:puedo|es)"
    r"|no (?:lo )?se(?=[ ,]*$| (?:decir|responder|contestar|si |que |cuant|cual|cuand|como |donde|quien))))"
    r")[^:;–—]){0,160}"
)
_WORDS = r"(?:[\w']+ ){0,3}"
_SORRY = (
    r"(?:(?:lo (?:siento|lamento)|lamentablemente|(?:i'm |i am )?sorry|unfortunately|desculpe|lamento|infelizmente"
    r"|(?:je suis )?desolee?|malheureusement|mi dispiace|purtroppo|ho sento|malauradament|es tut mir leid|leider)"
    r",?(?: (?:pero|but|mas|mais|ma|aber))?(?: |$))"
)
# The model's own sources, by the names that its instructions give them.
_IN_SOURCES = (
    r"(?:(?:en|in|nos|nas|dans|nei|nelle|als|a) (?:(?:los|las|el|the|les|le|els|l'|den|dem) ?)?"
    r"(?:(?:(?:available|provided|given|verfugbaren|bereitgestellten) )?"
    r"(?:documentos|fuentes|contexto|documents|sources|context|fontes|contexte|documenti|fonti|fonts|dokumenten|quellen))"
    r"(?: (?:disponibles|proporcionad[oa]s|facilitad[oa]s|disponiveis|fornecid[oa]s|fournis|disponibili|forniti|fornite"
    r"|proporcionats))?)"
)
_THE_SOURCES = (
    r"(?:(?:los documentos|la documentacion) (?:disponibles?|proporcionad[oa]s?|facilitad[oa]s?)"
    r"|las fuentes(?: \w+d[oa]s| disponibles)?|el contexto(?: \w+do)?"
    r"|the (?:available|provided|given) documents|the (?:(?:available|provided|given) )?(?:sources|context)"
    r"|(?:os documentos|as fontes) (?:disponiveis|fornecid[oa]s)"
    r"|les (?:documents|sources) (?:disponibles|fourni(?:e?s))|(?:i documenti|le fonti) (?:disponibili|forniti|fornite)"
    r"|(?:els documents|les fonts) (?:disponibles|proporcionats)"
    r"|die (?:verfugbaren|bereitgestellten) (?:dokumente|quellen))"
)
# What sources do that say nothing; what else they do not («permiten fumar») is a ruling, and an answer.
_SAY = (
    r"(?:(?:l[oae]s?|me|nos|se|[oa]|actually|explicitly|directly|specifically|clearly) ){0,2}(?:"
    r"(?:dic|diz|menci|mencz|menz|indic|indiq|contien|contem|contenen|conteng"
    r"|inclu(?!\w+ al? (?!que\b))|especific|specific|especifiq"
    r"|aclar|esclarec|precis|detall|detalh|recog|recull|descri|explic|expliq|habl|falam?\b|parl|trat|refier|refer"
    r"|proporcion|facilit|ofrec|oferec|aport|fornec|fornis|establec|estabelec|respond|rispond|contest|concret|senal"
    r"|esment|diuen|dicon|riport|abord|tract|disent|dit\b|comport|fourni"
    r"|say|state|mention|contain|specify|indicate|provide|give|cover|describe|explain|answer|address|discuss|tell"
    r"|list|offer|detail|clarify|refer)\w*"
    # to have, to give and to allow say it only with what is had, given or allowed
    r"|(?:tienen?|dan?|hacen?|ha[vn]e?|make|tem|dao|fazem|donn\w+|ont|hanno|donen|tenen|fan) (?:[\w']+ ){0,3}?"
    r"(?:[dl]')?(?:informac\w+|informat\w+|informazion\w+|datos|detalles|respuesta|indicaci\w+|referencia|mencion"
    r"|mention|reference|details?|answer)"
    r"|(?:permiten?|permitem?|permett\w+|permeten|allow|let)(?: (?:me|us|one))?(?: to)?"
    r" (?:responder|contestar|saber|conocer|determinar|confirmar|answer|know|tell|determine|say|repondre|rispondere"
    r"|respondre))\b"
)
_NOTHING = re.compile(
    rf"{_SORRY}?(?:{_IN_SOURCES},? )?(?:"
    # I have, or found, no information
    rf"no (?:tengo|dispongo|encuentro|encontre|he (?:podido encontrar|encontrado)) {_WORDS}informacion\b{_REST}"
    rf"|i (?:(?:do not|don't|cannot|can't|could not|couldn't) (?:have|find)|have no|found no) {_WORDS}"
    rf"information\b{_REST}"
    rf"|nao (?:tenho|disponho|encontrei|consegui encontrar) {_WORDS}informac(?:ao|oes)\b{_REST}"
    rf"|je n(?:'|e )[\w']+ {_WORDS}(?:[dl]')?informations?\b{_REST}"
    rf"|non (?:ho|dispongo) {_WORDS}informazion[ei]\b{_REST}"
    rf"|no (?:tinc|disposo|he trobat) {_WORDS}(?:d')?informacio\b{_REST}"
    rf"|(?:ich habe|(?:\w+ )?habe ich|(?:\w+ )?liegen mir|mir liegen|(?:\w+ )?gibt es)(?: \w+){{0,6}} "
    rf"keine informationen\b{_REST}"
    # there is none in the documents, what was asked does not stand there, they do not say
    rf"|no (?:hay|existe) {_WORDS}?informacion (?:sobre|acerca|al respecto){_REST}"
    rf"|there is no (?:\w+ )?information (?:about|on|regarding|available){_REST}"
    rf"|nao ha informac(?:ao|oes) (?:sobre|acerca){_REST}"
    rf"|il n'y a (?:pas |aucune )(?:d')?informations? (?:sur|a ce sujet){_REST}"
    rf"|non ci sono informazioni (?:su|al riguardo){_REST}"
    rf"|no hi ha (?:cap )?informacio (?:sobre|al respecte){_REST}"
    rf"|{_THE_SOURCES} (?:n'|(?:no|do not|don't|does not|doesn't|nao|ne|non) ){_SAY}{_REST}"
    rf"|{_THE_SOURCES} (?:enthalten keine|erwahnen) {_REST}"
    rf"|(?:[\w ]{{0,80}} )?no (?:aparece|figura|consta|se (?:menciona|indica|especifica))n? {_REST}{_IN_SOURCES}"
    rf"|this information is not (?:available|included|mentioned|provided) {_IN_SOURCES}"
    # I do not know
    r"|no lo se|i (?:do not|don't) know|nao sei|je ne sais pas|non lo so|no ho se|ich weiss (?:es|das) nicht"
    r"|das weiss ich nicht)"
)
_MENTIONED = re.compile(rf"{_IN_SOURCES} no (?:aparece|figura|consta|se (?:menciona|indica|especifica))n?\b{_REST}")
# Who cites what the sources do not include says what they rule: «las fuentes no incluyen becas para hijos [Fuente 1]»;
# but no ruling is of information, a term or a price.
_RULES = re.compile(
    rf"{_SORRY}?{_THE_SOURCES} (?:n'|(?:no|do not|don't|does not|doesn't|nao|ne|non) )"
    r"(?:inclu|contien|contem|conten|contain|cubr|cover|ofrec|oferec|offer|proporcion|facilit|aport|fornec|fornis|provid"
    r"|give)\w* "
    r"(?!(?:(?:ningun[oa]?|el|la|los|las|un|una|est[ea]|es[ea]|dicha|mas|any|an?|the|this|that|cette|cap|aquesta)"
    r" |d'|l'|d'aquesta )*"
    r"(?:(?:inform|detall|detail|detalh|plazo|preci|price|fecha|horari|cuantia|importe|respuesta|answer|referenci"
    r"|reference|menci|mention|indicaci|cuant|cuand|cual)\w*|dat(?:os?|a|e)|nada|nothing|anything|al? (?:que|quien)|que"
    r"|como|donde|quien|si|esto|eso|how|when|where|whether|who)\b)"
)
# Whom to ask instead.
_ADVICE = re.compile(
    r"(?!.*\d).*\b(?:consult\w*|pregunt\w*|contact\w*|contatt\w*|ask|check with|rivolg\w*|demande\w*|adressez|wende\w*"
    r"|frage\w*)\b.*"
)


def says_nothing_found(reply: str) -> bool:
    """Whether the whole reply, its markers as usual, is that it found nothing, perhaps with an excuse and advice whom
    to ask.
    """
    unmarked = without_markers(reply)
    text = fold(unmarked).replace("’", "'")
    if len(text.split()) > MOST_WORDS:
        return False
    sentences = [trimmed for sentence in _SENTENCE.findall(text) if (trimmed := sentence.strip(_TRIMMED))]
    if unmarked != reply and any(map(_RULES.match, sentences)):
        return False
    return any(map(_finds_nothing, sentences)) and all(
        _finds_nothing(one) or re.fullmatch(_SORRY, one) or _ADVICE.fullmatch(one) for one in sentences
    )


def _finds_nothing(sentence: str) -> bool:
    return bool(_NOTHING.fullmatch(sentence) or _MENTIONED.fullmatch(sentence))

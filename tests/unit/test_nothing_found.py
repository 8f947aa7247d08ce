"""Whether a model's whole reply is that it found nothing, in the languages it answers in."""

from pathlib import Path

import pytest

from tutor import answering
from tutor.nothing_found import says_nothing_found
from tutor.prompts import NO_EVIDENCE


@pytest.mark.parametrize(
    "reply",
    [
        f" «{NO_EVIDENCE}» ",
        f"**{NO_EVIDENCE}**",
        f"{NO_EVIDENCE} [Fuente 1]",
        f"{NO_EVIDENCE}\n\nConsulta con tu responsable o con recursos humanos.",
        "Lo siento, pero no tengo información sobre esto en los documentos disponibles.",
        "No dispongo de información sobre los horarios del gimnasio.",
        "No he encontrado información al respecto en las fuentes.",
        "No hay información sobre el menú, los postres y las bebidas en los documentos disponibles.",
        "En las fuentes proporcionadas no hay información sobre esto.",
        "En los documentos disponibles no se menciona el precio del parking.",
        "Los documentos disponibles no mencionan el precio del parking.",
        "Las fuentes no indican cuántos días son.",
        "Las fuentes no lo dicen.",
        "Las fuentes disponibles no hacen referencia al parking.",
        "Las fuentes proporcionadas no tienen información sobre esto.",
        "El contexto no permite responder a la pregunta.",
        "El contexto proporcionado no establece ningún plazo.",
        "El contexto no incluye detalles sobre el parking.",
        "Los documentos disponibles no hablan de esto.",
        "Los documentos disponibles no dan información sobre el parking.",
        "Los documentos proporcionados no me permiten saber cuál es el plazo.",
        "The context does not say anything about parking.",
        "The context does not explicitly specify the price.",
        "The sources do not have any information about that.",
        "El precio del parking no aparece en los documentos disponibles.",
        "No lo sé.",
        "I have no information about this in the available documents.",
        "I'm sorry, but I don't have any information about the gym in the provided documents.",
        "I couldn’t find information on this in the sources.",
        "There is no information about this in the documents. Please ask your manager.",
        "The available documents do not mention the price of parking.",
        "The provided sources don't contain information about that.",
        "This information is not available in the documents.",
        "I don't know.",
        "Não tenho informação sobre isto nos documentos disponíveis.",
        "Não tenho informações sobre isso nos documentos disponíveis.",
        "Desculpe, não encontrei informações sobre o horário nas fontes.",
        "Os documentos disponíveis não mencionam o preço.",
        "Não sei.",
        "Je n'ai pas d'information à ce sujet dans les documents disponibles.",
        "Je n’ai aucune information sur ce sujet dans les documents disponibles.",
        "Désolé, je ne dispose pas d'informations sur les horaires.",
        "Les documents disponibles ne contiennent pas cette information.",
        "Je ne sais pas.",
        "Non ho informazioni su questo nei documenti disponibili.",
        "Mi dispiace, non dispongo di informazioni sul parcheggio.",
        "I documenti disponibili non menzionano il prezzo.",
        "Non lo so.",
        "No tinc informació sobre això als documents disponibles.",
        "Ho sento, no disposo d'informació sobre l'horari.",
        "Els documents disponibles no esmenten el preu.",
        "No ho sé.",
        "Ich habe dazu keine Informationen in den verfügbaren Dokumenten.",
        "Ich habe keine Informationen darüber in den verfügbaren Dokumenten.",
        "Dazu habe ich keine Informationen in den verfügbaren Dokumenten.",
        "Dazu liegen mir in den verfügbaren Dokumenten keine Informationen vor.",
        "Die verfügbaren Dokumente enthalten keine Informationen zu diesem Thema.",
        "In den verfügbaren Dokumenten gibt es dazu keine Informationen.",
        "Das weiß ich nicht.",
    ],
)
def test_the_reply_that_nothing_was_found_is_recognized(reply: str):
    assert says_nothing_found(reply)


def test_the_reader_is_told_what_the_model_is_told_to_say():
    """The sentence stands twice: the one to be translated must be a literal."""
    assert repr(NO_EVIDENCE).replace("'", '"') in Path(answering.__file__).read_text()


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Son 30 días [Fuente 1].",
        f"Son 30 días [Fuente 1]. {NO_EVIDENCE}",
        f"{NO_EVIDENCE} En general, París es la capital de Francia.",
        "No tengo información sobre los gastos de envío. El plazo es de 30 días [Fuente 1].",
        "No tengo información sobre el precio exacto, pero suele rondar los 20 euros.",
        "No tengo información sobre esto en los documentos disponibles, aunque hay un plazo de 30 días [Fuente 1].",
        "No tengo información sobre esto. Puedes pedir tres días libres.",
        "No tengo información sobre esto. Consulta el artículo 37, que da 15 días.",
        "No hay información confidencial en el tablón [Fuente 2].",
        "No hay datos personales en el recibo [Fuente 1].",
        "No se menciona el nombre del cliente por megafonía [Fuente 1].",
        "No aparece en la nómina hasta el mes siguiente [Fuente 1].",
        "Si no encuentras información en los documentos, avisa a tu responsable [Fuente 1].",
        "No, no se puede [Fuente 1].",
        "Los documentos no se sacan del archivo [Fuente 1].",
        "Los documentos no contienen grapas al escanearse [Fuente 1].",
        "El manual no menciona guantes [Fuente 2].",
        "Las fuentes no permiten fumar en la terraza.",
        "Los documentos disponibles no permiten devolver vinos abiertos [Fuente 1].",
        "El contexto no obliga a llevar guantes [Fuente 1].",
        "Las fuentes no dan derecho a más días [Fuente 1].",
        "The sources do not allow smoking on the terrace [Fuente 1].",
        "The available documents do not require a helmet [Fuente 1].",
        "Os documentos disponíveis não permitem fumar [Fuente 1].",
        "Les documents fournis n'autorisent pas à fumer [Fuente 1].",
        "I documenti disponibili non permettono di fumare [Fuente 1].",
        "Els documents disponibles no permeten fumar [Fuente 1].",
        "I have no information about the price, but it is usually 20 euros.",
        "No information may be given to third parties [Fuente 1].",
        "I don't know the exact date, however it is in May.",
        "The documents do not leave the office [Fuente 1].",
        "Je ne sais pas pour le prix, mais il est souvent de 20 euros.",
        "Keine Informationen dürfen an Dritte gegeben werden [Fuente 1].",
    ],
)
def test_an_answer_that_merely_says_so_of_a_part_or_of_something_else_is_one(reply: str):
    assert not says_nothing_found(reply)

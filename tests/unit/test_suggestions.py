"""Questions made of headings."""

import pytest

from tutor.suggestions import question_about


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("¿Qué hago si falla el TPV?", "¿Qué hago si falla el TPV?"),
        ("3.2 Cómo se abre la caja", "¿Cómo se abre la caja?"),
        ("1. ¿QUÉ SON LOS DATOS ABIERTOS?", "¿Qué son los datos abiertos?"),
        ("¿DESEA CONOCER MÁS DE NUESTRO PRODUCTO?", ""),
        ("¿Dudas durante la operación?", ""),
        ("Abrir datos, un proceso constante", ""),
        ("Cómo opera la tienda hoy · antes de la reforma", ""),
        ("Crear un usuario nuevo", "¿Cómo puedo crear un usuario nuevo?"),
        ("CAMBIAR LA CONTRASEÑA DE LA RED", "¿Cómo puedo cambiar la contraseña de la red?"),
        ("1.1 Horario al público", "¿Cuál es el horario al público?"),
        ("Artículo 7 Plazos de entrega", "¿Cuáles son los plazos de entrega?"),
        ("5.1 Corte de luz", "¿Qué hago si hay un corte de luz?"),
        ("8. Si alguien sufre una reacción", "¿Qué hago si alguien sufre una reacción?"),
        ("Si los clientes se quejan", "¿Qué hago si los clientes se quejan?"),
        ("Si sospechas un fraude", ""),
        ("Cuando llegues tarde", ""),
        ("Si te pones enfermo", ""),
        ("Si se te pierde la llave", ""),
        ("Si no llegas a tiempo", ""),
        ("Si no arranca el ordenador", "¿Qué hago si no arranca el ordenador?"),
        ("Si tu ordenador no arranca", "¿Qué hago si mi ordenador no arranca?"),
        ("Cambiar tu contraseña", "¿Cómo puedo cambiar mi contraseña?"),
        ("Tarifa de mecanizado 2026 (sin IVA)", "¿Cuál es la tarifa de mecanizado 2026?"),
        ("Tarifas de la clínica (IVA exento).", "¿Cuáles son las tarifas de la clínica?"),
        ("(Horario de verano)", "¿Cuál es el horario de verano?"),
        ("Horario de verano (julio", ""),
        ("Pedir vacaciones", "¿Cómo puedo pedir vacaciones?"),
        ("Abrir y cerrar la tienda", "¿Cómo puedo abrir y cerrar la tienda?"),
        ("Acceder al sistema", "¿Cómo puedo acceder al sistema?"),
        ("Lavarse las manos", ""),
        ("Taller de reparaciones", ""),
        ("Celular de empresa", ""),
        ("Ayer y hoy", ""),
        ("Militar en prácticas", ""),
        ("Popular entre clientes", ""),
        ("Azar y probabilidad", ""),
        ("Placer y salud", ""),
        ("Primer mes", ""),
        ("TPV y caja", ""),
        ("Artículo 1°.- (Objeto)", ""),
        ("1°.- (Infraestructura segura)", ""),
        ("UNIVERSIDAD DE MAGALLANES", ""),
        ("8.1 Cómo reconocerla", ""),
        ("8.2 Qué hacer en los primeros minutos", ""),
        ("5. Cuando algo falla", ""),
        ("Cómo hablar", ""),
        ("¿Hacen falta avisos? En tal caso, ¿para qué alérgenos?", ""),
        ("Índice", ""),
        ("Medallones de lomito grillado 20 $", ""),
        ("Por qué existe esta guía", ""),
    ],
)
def test_a_heading_becomes_a_question_that_its_section_answers(heading: str, question: str):
    assert question_about(heading) == question

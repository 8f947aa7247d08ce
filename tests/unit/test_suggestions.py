"""Questions made of headings."""

import pytest

from tutor.suggestions import question_about


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("¿Qué hago si falla el TPV?", "¿Qué hago si falla el TPV?"),
        ("3.2 Cómo se abre la caja", "¿Cómo se abre la caja?"),
        ("Crear un usuario nuevo", "¿Cómo puedo crear un usuario nuevo?"),
        ("CAMBIAR LA CONTRASEÑA DE LA RED", "¿Cómo puedo cambiar la contraseña de la red?"),
        ("Taller de reparaciones", "¿Qué debo saber sobre taller de reparaciones?"),
        ("Artículo 7 Plazos de entrega", "¿Qué debo saber sobre plazos de entrega?"),
        ("TPV y caja", "¿Qué debo saber sobre TPV y caja?"),
        ("La hora del cierre", "¿Qué debo saber sobre la hora del cierre?"),
        ("Índice", ""),
        ("Medallones de lomito grillado 20 $", ""),
        ("Por qué existe esta guía", ""),
    ],
)
def test_a_heading_becomes_a_question_that_its_section_answers(heading: str, question: str):
    assert question_about(heading) == question

"""Numbers below zero, however they are written."""

import pytest

from tutor.signs import with_signs


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a -18 °C", "a −18 °C"),
        ("a −18 °C", "a −18 °C"),
        ("a − 18 °C", "a −18 °C"),
        ("a - 18 ºC", "a −18 ºC"),
        ("a –18ºC", "a −18ºC"),
        ("Congelador: -18 ºC", "Congelador: −18 ºC"),
        ("| Congelador | - 18 ºC |", "| Congelador | −18 ºC |"),
        ("(-18 °C)", "(−18 °C)"),
        ("≤-18 °C", "≤−18 °C"),
        ("entre -22 y -18 grados", "entre −22 y −18 grados"),
        ("-18/-22 °C", "−18/−22 °C"),
        ("¿Se guarda a -18?", "¿Se guarda a −18?"),
        ("a menos 18 grados", "a −18 grados"),
        ("de menos 22 a menos 18 grados", "de −22 a −18 grados"),
        ("a menos dieciocho grados", "a −dieciocho grados"),
        ("a 18 grados bajo cero", "a −18 grados"),
        ("a 18 °C bajo cero", "a −18 °C"),
        ("dieciocho grados bajo cero", "−dieciocho grados"),
        ("de 18 a 22 °C bajo cero", "de −18 a −22 °C"),
        ("la planta -1", "la planta −1"),
        (
            "Producto | Temperatura en °C\nHelado | -18\nCarne | 4",
            "Producto | Temperatura en °C\nHelado | −18\nCarne | 4",
        ),
        ("| Helado | -18 | -22 |", "| Helado | −18 | −22 |"),
        ("Helado | -18 a -22 | 4", "Helado | −18 a −22 | 4"),
        ("Congela temperatura máxima: -18", "Congela temperatura máxima: −18"),
        ("T.ª -18", "T.ª −18"),
        ("temperatura mínima -22,5.", "temperatura mínima −22,5."),
        ("entre -18 °C/-22 °C", "entre −18 °C/−22 °C"),
        ("18 grados negativos", "−18 grados"),
        ("se guarda a 18 negativos", "se guarda a −18"),
        ("entre 18 y 22 °C negativos", "entre −18 y −22 °C"),
    ],
)
def test_a_number_below_zero_has_the_sign_before_it(text: str, expected: str):
    assert with_signs(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "2-4 °C",
        "2 - 4 °C",
        "2 -4 °C",
        "de 2 °C - 4 °C",
        "de 2 °C -4 °C",
        "el 12-05-2024",
        "el error E-21",
        "- 18 cajas",
        "-18 cajas",
        "- 4 °C en la nevera",
        "de 9:00-14:00",
        "Lunes -9:00 a 14:00",
        "el plazo -30 días- no cambia",
        "Descuento -15 %",
        "al menos 18 grados",
        "por lo menos 18 grados",
        "más o menos 18 grados",
        "menos de 18 grados",
        "todos menos dos",
        "± 2 °C",
        "+/-2 °C",
        "temperaturas bajo cero",
        "RD 1021-2022",
        "Ley 31/1995 -art. 5-",
        "Plazo: -18 cajas",
        "Teléfonos | -600 11 22 33",
        "Productos: -2 llaves -3 paños",
        "Descuento máximo | -15 %",
        "Lunes | -9:00 a 14:00",
        "Fecha: -12-05-2024",
        "Temperatura -4 neveras-",
        "Llame a uno de estos:\n-112\n-091",
        "Temperaturas:\n- 4 °C en la nevera\n- 18 °C en la sala",
        "los saldos negativos",
        "3 resultados negativos",
        "los estados bajo cero",
        "de 5 análisis, 2 negativos",
        "los dos negativos",
    ],
)
def test_what_parts_or_begins_is_no_sign(text: str):
    assert with_signs(text) == text

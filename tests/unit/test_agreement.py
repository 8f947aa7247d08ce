"""Which questions ask the same, by their words alone."""

import csv
from pathlib import Path

import pytest

from tutor.prepared.agreement import agree
from tutor.prepared.matching import question_key

PAIRS = Path(__file__).resolve().parent.parent.parent / "benchmarks/data/faq_pairs.tsv"


@pytest.mark.parametrize(
    ("one", "other", "conflict"),
    [
        ("¿Puedo faltar 1 día?", "¿Puedo faltar 10 días?", "numbers"),
        ("¿Cuánto cuesta para 1.000 personas?", "¿Cuánto cuesta para 100 personas?", "numbers"),
        ("¿Se puede guardar el pescado a -18 grados?", "¿Se puede guardar el pescado a 18 grados?", "numbers"),
        ("¿Qué hago con dos avisos?", "¿Qué hago con tres avisos?", "numbers"),
        ("¿Se puede fumar en el patio?", "¿No se puede fumar en el patio?", "negation"),
        ("¿Quién sustituye a Marta?", "¿Quién sustituye a Lucía?", "names"),
        ("¿Qué es el error E-21?", "¿Qué es el error E-12?", "codes"),
        ("¿Cuántos días dura el curso?", "¿Cuántas horas dura el curso?", "units"),
        ("¿Cómo abro la caja?", "¿Cómo cierro la caja?", "opposites"),
        ("¿Se devuelve con tique?", "¿Se devuelve sin tique?", "opposites"),
        ("¿Cómo se monta la terraza?", "¿Cómo se desmonta la terraza?", "opposites"),
        ("¿Dónde está el extintor?", "¿Cuándo se revisa el extintor?", "intent"),
        ("¿Quién avisa al proveedor?", "¿A quién avisa el proveedor?", "intent"),
        ("¿Cuándo paga el cliente?", "¿Cuándo se paga al cliente?", "persons"),
        ("¿Qué garantía tiene la reparación?", "¿Qué reparación tiene garantía?", "focus"),
        ("¿Qué postres llevan gluten?", "¿Qué postres hay sin gluten?", "negation"),
        ("¿Puedo cambiar la prenda que trae tique?", "¿Puedo cambiar la prenda sin tique?", "negation"),
        ("¿Se puede fumar en el patio?", "¿No se puede fumar nunca en el patio?", "negation"),
        ("¿Qué postres sin gluten llevan lactosa?", "¿Qué postres sin lactosa llevan gluten?", "without"),
        ("¿Se cambia con tique y sin caja?", "¿Se cambia sin tique y sin caja?", "without"),
        ("¿Es obligatorio llevar casco?", "¿Está permitido llevar casco?", "obligation"),
        ("¿Puedo usar lejía?", "¿Debo usar lejía?", "obligation"),
        ("¿Tengo que fichar al salir?", "¿Se puede fichar al salir?", "obligation"),
        ("¿Cuántas horas puedo trabajar?", "¿Cuántas horas hay que trabajar?", "obligation"),
        ("¿Quién puede firmar el parte?", "¿Quién debe firmar el parte?", "obligation"),
        ("¿Dónde tiro el aceite?", "¿Dónde guardo el aceite?", "verbs"),
        ("¿Dónde se echan las cápsulas de café?", "¿Dónde se dejan las cápsulas de café?", "verbs"),
        ("¿Cuándo pido las vacaciones?", "¿Cuándo cobro las vacaciones?", "verbs"),
        ("¿A qué hora llega el camión?", "¿A qué hora sale el camión?", "verbs"),
        ("¿Dónde dejo las llaves al llegar?", "¿Dónde dejo las llaves al salir?", "verbs"),
        ("¿Cuándo doy el uniforme?", "¿Cuándo recibo el uniforme?", "verbs"),
        ("¿Puedo dar propinas?", "¿Puedo recibir propinas?", "opposites"),
        ("¿Puedo dar propinas?", "¿Puedo aceptar propinas?", "verbs"),
        ("¿Cuándo pido el uniforme?", "¿Cuándo me dan el uniforme?", "verbs"),
        ("¿Se puede tirar la comida?", "¿Se puede dejar la comida?", "verbs"),
    ],
)
def test_what_must_agree_is_seen_to_differ_in_either_order(one, other, conflict):
    assert conflict in agree(one, other).conflicts
    assert conflict in agree(other, one).conflicts


def test_relatives_of_one_family_leave_words_over():
    agreement = agree("¿Cuánto dura el permiso de paternidad?", "¿Cuánto dura el permiso de maternidad?")
    assert agreement.missing == (1, 1)
    assert not agreement.is_full


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("¿Cada cuánto se hace inventario?", "¿Con qué frecuencia hacemos inventario?"),
        ("¿Cómo aviso si estoy enfermo?", "Estoy enferma, ¿cómo aviso?"),
        ("¿Puedo faltar un día?", "¿Puedo faltar 1 día?"),
        ("¿Se guarda el pescado a -18 grados?", "¿Se guarda el pescado a 18 grados bajo cero?"),
        ("¿Qué significa el error E-21?", "que significa el error e21"),
        ("¿Qué precio tiene el menú del día?", "¿Cuánto cuesta el menú del día?"),
        ("¿Qué postres no llevan gluten?", "¿Qué postres hay sin gluten?"),
        ("¿Qué postres no llevan gluten ni lactosa?", "¿Qué postres hay sin gluten y sin lactosa?"),
        ("¿Qué postres hay sin gluten ni lactosa?", "¿Qué postres hay sin lactosa ni gluten?"),
        ("¿Qué hago si una prenda no tiene etiqueta?", "¿Qué hago si una prenda viene sin etiqueta?"),
        ("¿Es obligatorio llevar casco?", "¿Hace falta llevar casco?"),
        ("¿Se puede fumar en la terraza?", "¿Está permitido fumar en la terraza?"),
        ("¿Qué no debo llevar en la cocina?", "¿Qué no puedo llevar en la cocina?"),
        ("¿Cómo puedo pedir un anticipo?", "¿Cómo tengo que pedir un anticipo?"),
        ("¿Dónde puedo aparcar la furgoneta?", "¿Dónde debo aparcar la furgoneta?"),
        ("¿Dónde tiro el aceite?", "¿Dónde se echa el aceite?"),
        ("¿Cuándo llega el pan?", "¿Cuándo traen el pan?"),
        ("¿Cómo cojo las vacaciones?", "¿Cómo pido las vacaciones?"),
        ("¿Se admiten perros?", "¿Se aceptan perros?"),
        ("¿Dónde puedo ver mi nómina?", "¿Dónde puedo encontrar mi nómina?"),
        ("¿Cuándo me dan la nómina?", "¿Cuándo recibo la nómina?"),
        ("¿Cuándo me dan la nómina?", "¿Cuándo cobro la nómina?"),
        ("¿Cuándo me dan la nómina?", "¿Cuándo llega la nómina?"),
        ("¿Cuándo me dan el uniforme?", "¿Cuándo recibo el uniforme?"),
        ("¿Me van a dar el uniforme?", "¿Recibo el uniforme?"),
        ("¿Dónde me dan el uniforme?", "¿Dónde recojo el uniforme?"),
        ("¿Cuándo nos dan vacaciones?", "¿Cuándo cojo vacaciones?"),
        ("¿Se dan facturas?", "¿Damos facturas?"),
        ("¿Cuándo recibo la nómina?", "¿Cuándo cobro la nómina?"),
        ("¿Puedo aceptar propinas?", "¿Puedo recibir propinas?"),
        ("¿Dónde se tiran las pilas?", "¿Dónde se dejan las pilas?"),
        ("¿A quién le doy las llaves?", "¿A quién le dejo las llaves?"),
        ("¿Qué hago si falto sin avisar?", "¿Qué hago si falto y no aviso?"),
        ("¿Se puede pagar sin falta el lunes?", "¿Se puede pagar el lunes?"),
    ],
)
def test_other_words_for_the_same_question_agree(one, other):
    assert agree(one, other).is_full
    assert agree(other, one).is_full


@pytest.mark.parametrize("text", ["", "???", "¿Qué hago?", "¿Y cómo se hace eso?"])
def test_a_question_about_nothing_agrees_with_nothing(text):
    assert not agree(text, text).is_full


def test_the_written_pairs_are_told_apart():
    with PAIRS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    agreed = {row["question"] + row["other"]: agree(row["question"], row["other"]).is_full for row in rows}
    same = [agreed[row["question"] + row["other"]] for row in rows if row["kind"] == "paraphrase"]
    other = [agreed[row["question"] + row["other"]] for row in rows if row["kind"] != "paraphrase"]
    assert len(same) >= 260 and len(other) >= 260
    assert sum(other) / len(other) <= 0.005
    assert sum(same) / len(same) >= 0.6


def test_a_number_below_zero_has_its_own_key():
    assert question_key("¿Se guarda a -18 °C?") != question_key("¿Se guarda a 18 °C?")
    assert question_key("¿Se guarda a −18 grados?") == question_key("se guarda a menos 18 grados")
    assert question_key("¿Abre de 9-14 el 12-05?") == "abre de 9 14 el 12 05"

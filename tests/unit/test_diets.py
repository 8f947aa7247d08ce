"""What a question wants dishes without, or with."""

import pytest

from tutor.diets import Diet, diet_of


@pytest.mark.parametrize(
    ("question", "avoided"),
    [
        ("¿Qué platos son aptos para celíacos?", "gluten"),
        ("teneis algo sin gluten", "gluten"),
        ("¿No tenéis nada para celíacos?", "gluten"),
        ("¿Qué puede comer un celíaco?", "gluten"),
        ("Soy celíaca, ¿qué puedo comer?", "gluten"),
        ("¿Qué platos no llevan gluten?", "gluten"),
        ("¿En qué platos no hay gluten?", "gluten"),
        ("platos celiacos", "gluten"),
        ("¿Qué tartas no llevan ni huevo ni leche?", "huevo,leche"),
        ("¿Qué platos no contienen trazas de gluten?", "gluten"),
        ("¿Qué postres están libres de lactosa?", "lactosa"),
        ("¿hay algo sin lactosa?", "lactosa"),
        ("¿Qué postres hay para intolerantes a la lactosa?", "lactosa"),
        ("¿Qué postres hay para alérgicos al huevo?", "huevo"),
        ("¿Qué postres hay sin huevos?", "huevo"),
        ("¿Qué platos hay sin frutos secos?", "frutos secos"),
        ("¿Qué platos hay sin frutos de cáscara?", "frutos de cascara"),
        ("¿Qué platos hay sin cacahuetes?", "cacahuete"),
        ("¿Qué puede tomar un alérgico a los cacahuetes?", "cacahuete"),
        ("platos para alérgicos a la soja", "soja"),
        ("¿Qué platos hay sin crustáceos ni moluscos?", "crustaceos,moluscos"),
        ("¿Qué le puedo ofrecer a un alérgico al marisco?", "marisco"),
        ("¿Hay vinos sin sulfitos?", "sulfitos"),
        ("¿Qué panes hay sin altramuces?", "altramuces"),
        ("¿Qué hay para alérgicos a las nueces?", "nueces"),
        ("¿Qué platos hay sin apio?", "apio"),
        ("¿Qué salsas hay sin mostaza?", "mostaza"),
        ("opciones sin sésamo", "sesamo"),
        ("Un cliente tiene alergia al pescado, ¿qué platos hay?", "pescado"),
        ("Una clienta no puede tomar leche, ¿qué postres hay?", "leche"),
        ("¿Qué platos hay sin gluten, lactosa ni huevo?", "gluten,huevo,lactosa"),
        ("¿Qué platos no llevan gluten y son aptos para alérgicos al huevo?", "gluten,huevo"),
        ("¿Hay algún plato que no lleve gluten?", "gluten"),
        ("¿Qué platos hay que no lleven gluten?", "gluten"),
        ("Dime si hay postres sin huevo", "huevo"),
        ("¿Qué salsas puedo servir a un celíaco si el plato lleva salsa?", "gluten"),
        ("los postres sin huevo", "huevo"),
        ("¿Qué le pongo a un celíaco?", "gluten"),
        ("¿Qué salsa uso con un celíaco?", "gluten"),
        ("¿Qué hay en el menú para celíacos?", "gluten"),
        ("platos que no lleven gluten cuando viene un celíaco", "gluten"),
    ],
)
def test_what_dishes_are_wanted_without(question, avoided):
    assert diet_of(question) == Diet(avoided=frozenset(avoided.split(",")))


@pytest.mark.parametrize(
    ("question", "held"),
    [
        ("¿Qué platos llevan lactosa?", "lactosa"),
        ("¿Qué platos contienen frutos secos?", "frutos secos"),
        ("¿qué lleva gluten?", "gluten"),
        ("¿En qué platos hay gluten?", "gluten"),
        ("¿Qué postres tienen huevo?", "huevo"),
        ("platos con marisco", "marisco"),
        ("¿Qué platos tienen trazas de cacahuetes?", "cacahuete"),
        ("¿Qué platos no puede comer un celíaco?", "gluten"),
        ("¿Qué platos no son aptos para celíacos?", "gluten"),
        ("¿Qué platos no son recomendables para intolerantes a la lactosa?", "lactosa"),
        ("¿Qué debe evitar un alérgico a la soja?", "soja"),
        ("¿Qué no debería tomar un alérgico a los moluscos?", "moluscos"),
        ("¿Qué platos no están libres de gluten?", "gluten"),
        ("¿Qué platos no son sin gluten?", "gluten"),
        ("¿En qué salsas hay gluten?", "gluten"),
        ("¿Cuáles son los platos con gluten?", "gluten"),
        ("Dime los platos con huevo", "huevo"),
        ("Quiero saber qué platos llevan huevo", "huevo"),
        ("¿Qué vinos tienen sulfitos?", "sulfitos"),
        ("¿Qué platos del menú llevan gluten?", "gluten"),
    ],
)
def test_what_dishes_are_said_to_hold(question, held):
    assert diet_of(question) == Diet(held=frozenset(held.split(",")))


def test_a_question_may_want_one_with_and_another_without():
    assert diet_of("¿Qué postres llevan huevo pero no llevan gluten?") == Diet(
        frozenset({"gluten"}), frozenset({"huevo"})
    )


@pytest.mark.parametrize(
    "question",
    [
        "¿Puede comer un celíaco la lasaña?",
        "¿Lleva gluten la lasaña?",
        "¿Qué postres hay?",
        "¿Qué pescado hay hoy?",
        "¿Qué lleva la leche merengada?",
        "¿Qué alérgenos lleva la tarta de huevo?",
        "¿Qué hago si un celíaco come gluten?",
        "¿Qué debo preguntar a un alérgico al marisco?",
        "¿En qué se diferencia la leche sin lactosa?",
        "¿Qué tal son los platos sin gluten?",
        "¿Qué protocolo seguimos con los alérgicos al huevo?",
        "¿Cómo se conserva el pescado?",
        "¿A qué temperatura se guarda la leche?",
        "¿Qué precio tiene el café con leche?",
        "¿Hay que avisar si un plato lleva gluten?",
        "¿Tenemos que avisar si un plato lleva gluten?",
        "Un cliente tiene alergia al pescado, ¿hay que avisar a cocina?",
        "¿Hay algún protocolo para los alérgicos al huevo?",
        "¿En qué nevera guardo los platos con huevo?",
        "¿En qué bandeja se sirven los platos con huevo?",
        "¿A qué mesa llevo el plato sin gluten?",
        "¿Qué temperatura tienen que tener los platos con huevo?",
        "¿Qué guarnición llevan los platos con huevo?",
        "¿Qué riesgos tiene la contaminación con gluten?",
        "¿Qué provoca la contaminación con gluten?",
        "¿Cuáles son los riesgos de los platos con gluten?",
        "¿Qué síntomas tiene un alérgico al huevo?",
        "¿Qué tengo que limpiar si un plato lleva gluten?",
        "¿Qué guantes uso con los platos sin gluten?",
        "¿Qué cubiertos uso con un celíaco?",
        "¿Qué vajilla se usa con los celíacos?",
        "¿Qué pinzas debo usar para los platos sin gluten?",
        "¿Qué tostadora utilizo para el pan sin gluten?",
        "¿Qué paño hay que usar para limpiar la mesa de un celíaco?",
        "¿Qué freidora limpio antes de hacer platos sin gluten?",
        "¿Cuáles son los cubiertos para celíacos?",
        "¿Hay vajilla para celíacos?",
        "Dime dónde guardo los platos con huevo",
        "Los platos con huevo, ¿dónde se guardan?",
        "Dime qué hago si un plato lleva gluten",
        # Neither one nor the other for certain: whole rows answer.
        "¿Qué platos llevan gluten y cuáles no?",
        "¿Qué platos puede comer un celíaco y cuáles no?",
        "¿Qué platos hay, quitando los que llevan huevo?",
        "¿Hay platos con gluten que se hagan sin gluten?",
        "¿Qué platos que no pican hay para celíacos?",
    ],
)
def test_other_questions_pick_nothing(question):
    assert not diet_of(question)

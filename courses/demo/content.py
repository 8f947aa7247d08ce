"""The demo organization as plain data: people, manuals, one course and questions to try. No database here."""

from dataclasses import dataclass
from pathlib import Path

MANUALS_FOLDER = Path(__file__).parent / "manuals"
LESSONS_FOLDER = Path(__file__).parent / "lessons"
RETURNS = "manual-de-devoluciones.pdf"
RETURNS_NEXT = "manual-de-devoluciones-v2.pdf"
ALLERGENS = "guia-de-alergenos.docx"
OPENING_AND_CLOSING = "apertura-y-cierre.md"


@dataclass(frozen=True, slots=True)
class DemoOrganization:
    slug: str
    name: str


@dataclass(frozen=True, slots=True)
class DemoUser:
    email: str
    first_name: str
    last_name: str
    role: str  # "admin" or "employee"


@dataclass(frozen=True, slots=True)
class DemoManual:
    file: str
    title: str
    collection: str


@dataclass(frozen=True, slots=True)
class DemoSource:
    """A section a lesson rests on. `heading_path` goes from the outermost heading inwards, word for word;
    `page` is counted from 1 and is None where the format has no pages."""

    manual: str
    heading_path: tuple[str, ...]
    page: int | None = None


@dataclass(frozen=True, slots=True)
class DemoQuizItem:
    """A question at the end of a lesson; fields as in `courses.models.QuizItem`, the quote word for word."""

    kind: str
    question: str
    source: DemoSource
    quote: str
    options: tuple[str, ...] = ()
    answer: tuple[int | str, ...] = ()
    explanation: str = ""


@dataclass(frozen=True, slots=True)
class DemoLesson:
    title: str
    body: str  # Markdown
    sources: tuple[DemoSource, ...]
    quiz: tuple[DemoQuizItem, ...] = ()


@dataclass(frozen=True, slots=True)
class DemoModule:
    title: str
    summary: str
    lessons: tuple[DemoLesson, ...]


@dataclass(frozen=True, slots=True)
class DemoCourse:
    slug: str
    title: str
    summary: str
    manuals: tuple[str, ...]
    modules: tuple[DemoModule, ...]


@dataclass(frozen=True, slots=True)
class DemoQuestion:
    """A question to try. What the manuals do not answer has no `manual`, `heading` or `page`.
    A right answer holds every text in `answer_words`."""

    text: str
    manual: str | None = None
    heading: str | None = None
    page: int | None = None
    answer_words: tuple[str, ...] = ()


ORGANIZATION = DemoOrganization(slug="demo", name="Valdemirlo, ultramarinos y café")

USERS = (
    DemoUser("admin@demo.example", "Lucía", "Ferrer", "admin"),
    DemoUser("mateo@demo.example", "Mateo", "Ruiz", "employee"),
    DemoUser("carmen@demo.example", "Carmen", "Vidal", "employee"),
)

# Shared by all three and no secret: the demo prints it. Not for a server that others can reach.
PASSWORD = "valdemirlo-demo"  # noqa: S105

MANUALS = (
    DemoManual(RETURNS, "Manual de devoluciones y cambios", "Tienda"),
    DemoManual(ALLERGENS, "Guía de alérgenos y atención al cliente alérgico", "Cafetería y mostrador"),
    DemoManual(OPENING_AND_CLOSING, "Apertura y cierre de tienda", "Tienda"),
)


def _lesson(title: str, file: str, *sources: DemoSource, quiz: tuple[DemoQuizItem, ...] = ()) -> DemoLesson:
    return DemoLesson(title, (LESSONS_FOLDER / file).read_text(encoding="utf-8"), sources, quiz)


def _returns(page: int, *heading_path: str) -> DemoSource:
    return DemoSource(RETURNS, heading_path, page)


def _opening(*heading_path: str) -> DemoSource:
    return DemoSource(OPENING_AND_CLOSING, ("Apertura y cierre de tienda", *heading_path))


COURSE = DemoCourse(
    slug="primeras-semanas",
    title="Primeras semanas en tienda",
    summary="Lo que necesitas para atender devoluciones con seguridad y para abrir y cerrar la tienda.",
    manuals=(RETURNS, OPENING_AND_CLOSING),
    modules=(
        DemoModule(
            "Devoluciones sin nervios",
            "Plazos, quién autoriza y cómo se hace una devolución de principio a fin.",
            (
                _lesson(
                    "Plazos y quién decide",
                    "plazos-y-quien-decide.md",
                    _returns(1, "1. Antes de empezar", "1.3 Quién decide según el importe"),
                    _returns(2, "2. Plazos y condiciones", "2.1 Plazo general"),
                    _returns(2, "2. Plazos y condiciones", "2.2 Plazos por tipo de producto"),
                    quiz=(
                        DemoQuizItem(
                            "single_choice",
                            "¿Cuántos días naturales hay para devolver un producto no alimentario con su tique?",
                            _returns(2, "2. Plazos y condiciones", "2.1 Plazo general"),
                            "El cliente dispone de 30 días naturales desde la fecha de compra",
                            options=("14 días", "15 días", "30 días", "60 días"),
                            answer=(2,),
                            explanation="Se cuentan desde el día siguiente al de la compra.",
                        ),
                        DemoQuizItem(
                            "fill",
                            "¿Cuántos minutos puede esperar como mucho un cliente a quien debe autorizar?",
                            _returns(1, "1. Antes de empezar", "1.3 Quién decide según el importe"),
                            "no dejes al cliente esperando más de diez minutos",
                            answer=("10", "diez", "10 minutos", "diez minutos"),
                            explanation="Si la persona que debe autorizar no está en la tienda, llámala.",
                        ),
                    ),
                ),
                _lesson(
                    "Una devolución paso a paso",
                    "devolucion-paso-a-paso.md",
                    _returns(3, "3. Cómo hacer una devolución", "3.1 Devolución con tique, paso a paso"),
                    _returns(4, "3. Cómo hacer una devolución", "3.3 Devolución sin tique"),
                    _returns(4, "3. Cómo hacer una devolución", "3.4 Cómo se devuelve el dinero"),
                    quiz=(
                        DemoQuizItem(
                            "order",
                            "¿En qué orden se hace una devolución con tique?",
                            _returns(3, "3. Cómo hacer una devolución", "3.1 Devolución con tique, paso a paso"),
                            "Comprueba la fecha y el número de tienda.",
                            options=(
                                "Pedir el tique",
                                "Comprobar la fecha y el número de tienda",
                                "Revisar el estado del producto",
                                "Escanear el tique en el TPV",
                            ),
                        ),
                    ),
                ),
            ),
        ),
        DemoModule(
            "Cuando algo se complica",
            "Los mensajes del TPV, los clientes descontentos y las alertas alimentarias.",
            (
                _lesson(
                    "Los mensajes del TPV",
                    "mensajes-del-tpv.md",
                    _returns(6, "5. Mensajes del TPV", "5.1 Qué significa cada código"),
                    _returns(6, "5. Mensajes del TPV", "5.2 Código E-4711: tique ya usado"),
                    _returns(6, "5. Mensajes del TPV", "5.3 Si no hay conexión con el banco"),
                ),
                _lesson(
                    "Momentos difíciles: quejas y alertas",
                    "momentos-dificiles.md",
                    _returns(7, "7. Alertas alimentarias", "7.1 Cuando llega una alerta"),
                    _returns(7, "7. Alertas alimentarias", "7.2 Clientes que traen un producto retirado"),
                    _returns(7, "8. Cuando el cliente no está de acuerdo", "8.1 Cómo hablar"),
                    _returns(8, "8. Cuando el cliente no está de acuerdo", "8.2 Hoja de reclamaciones"),
                ),
            ),
        ),
        DemoModule(
            "Abrir y cerrar la tienda",
            "El orden de la mañana, las temperaturas, el arqueo y la alarma.",
            (
                _lesson(
                    "La primera hora de la mañana",
                    "primera-hora.md",
                    _opening("2. Apertura", "2.1 Antes de entrar"),
                    _opening("2. Apertura", "2.2 Temperaturas"),
                    _opening("2. Apertura", "2.4 Cafetería"),
                    _opening("5. Cuando algo falla", "5.2 Una cámara fuera de temperatura"),
                ),
                _lesson(
                    "Arqueo, alarma y salida",
                    "arqueo-y-salida.md",
                    _opening("4. Cierre", "4.1 La última hora"),
                    _opening("4. Cierre", "4.4 Arqueo de caja"),
                    _opening("4. Cierre", "4.5 Alarma y salida"),
                ),
            ),
        ),
    ),
)

SUGGESTED_QUESTIONS = (
    DemoQuestion(
        "¿Cuántos días tiene un cliente para devolver un producto de menaje?",
        RETURNS,
        "2.1 Plazo general",
        2,
        ("30 días",),
    ),
    DemoQuestion(
        "¿Qué hago si el TPV muestra el código E-4711?",
        RETURNS,
        "5.2 Código E-4711: tique ya usado",
        6,
        ("Ver detalle",),
    ),
    DemoQuestion(
        "¿Quién autoriza una devolución de 200 €?",
        RETURNS,
        "1.3 Quién decide según el importe",
        1,
        ("Responsable de tienda",),
    ),
    DemoQuestion("¿Se puede devolver algo sin tique?", RETURNS, "3.3 Devolución sin tique", 4, ("vale", "60 €")),
    DemoQuestion(
        "¿Cuánto tarda en llegar el dinero a la tarjeta?",
        RETURNS,
        "3.4 Cómo se devuelve el dinero",
        4,
        ("3 a 5 días hábiles",),
    ),
    DemoQuestion(
        "¿El queso curado de oveja lleva huevo?",
        ALLERGENS,
        "5.1 Quesos, embutidos y salsas",
        None,
        ("lisozima",),
    ),
    DemoQuestion(
        "¿Qué bebida puedo ofrecer a alguien alérgico a la leche?",
        ALLERGENS,
        "4.2 Bebidas",
        None,
        ("jarra morada",),
    ),
    DemoQuestion(
        "¿Qué se hace en los primeros minutos de una reacción alérgica?",
        ALLERGENS,
        "8.2 Qué hacer en los primeros minutos",
        None,
        ("112",),
    ),
    DemoQuestion(
        "¿Con cuánto fondo de caja se abre cada TPV?", OPENING_AND_CLOSING, "2.3 Caja y TPV", None, ("200 €",)
    ),
    DemoQuestion(
        "¿Qué hago si faltan más de 50 € en el arqueo?",
        OPENING_AND_CLOSING,
        "4.4 Arqueo de caja",
        None,
        ("jefa de zona", "230"),
    ),
)

UNANSWERABLE_QUESTIONS = (
    DemoQuestion("¿Cuántos días de vacaciones me corresponden al año?"),
    DemoQuestion("¿Qué descuento tenemos los empleados en la compra?"),
    DemoQuestion("¿Cuál es la contraseña del wifi para clientes?"),
    DemoQuestion("¿Se admiten perros en la terraza de la cafetería?"),
)

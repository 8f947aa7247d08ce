"""Spanish words as questions at work use them: what frames a question, what means the same, what means the opposite.

Pure data, folded (no accents, lower case). General Spanish, no company's vocabulary; `wording.stem` joins plurals,
genders and conjugated forms.
"""

from typing import Final

# Words that ask, ask politely or oblige: they say how a question is put, not what it is about.
FRAME: Final = """
    accion actuar actuo actua alguien algo alguna alguno aunque ayuda ayudar buenas buenos caso compañero conmigo
    correcta correcto corresponde corresponden cosa cosas cuenta da damos dan debe debemos deben deberia debo decir
    desde dia dime dice digo donde duda echar estan estar existe exactamente favor forma formas gracias gustaria
    haber habria hacemos hacen hacer hacerlo hacerle hagan hago haya hecho hola ir indica indicar informacion llevar
    lleva llevan lugar manera maneras momento modo necesario necesita necesitan necesito nos obligatoria
    obligatoriamente obligatorias obligatorio obligatorios ocurre pasa pasar paso pasos permite permiten permitida
    permitido poder podemos podria posible posibilidad procedimiento proceso propio puede pueden puedo pueda querer
    queria quiero quisiera realizar realiza saber se seria sirve sitio son tarea tareas tenemos tener tengo tiene
    tienen toca tocan ubicado va vale van voy vamos explica explicar funcion cual cuales como cuando cuanta cuantas
    cuanto cuantos que quien quienes adonde porque hace falta hacerse hizo habra tendria tendremos cantidad tipo
    tipos uso usar usa usan normal normalmente antelacion duracion dura duran durar frecuencia periodo plazo plazos
    tarda tardan tardar aguanta aguantan tiempo cada coste costar cuesta cuestan precio precios valer numero
    significa significan consiste ser ya muy bien durante mientras ademas incluso suele suelen soler suelo volver
    acaba acabo acabar acabamos seguro luego necesitamos hiciera hagamos haria deje encargar encarga encargan
    encargo toque poner ponerse llevo llevas llevamos encuentra encuentran encontrar encontrado quedar queda quedan
    sabe sabes sabeis quiere preguntar pregunta
"""

# Words that come and go between two ways of asking the same: general verbs, the place, the other side of the counter.
LIGHT: Final = """
    empresa tienda taller restaurante local clinica negocio centro trabajo trabajar trabajando trabaja horario
    jornada laboral cliente clientes clienta clientas paciente pacientes producto productos articulo articulos
    dinero guardar guarda guardan guardamos dejar deja dejo dejan llegar llega llegan salir sale salgo tomar toma
    tomo coger cojo coge dar doy dan dado aceptar acepta aceptamos aceptan admitir admite admitimos admiten
    funcionar funciona cobrar cobra cobran cobramos pedir pide pido piden ver veo consultar conseguir obtener final
    parte programa sistema echar venir viene vienen persona personas error semana entrega recibir recibe tirar tira
    tiran maximo recoger recoge recogen traer trae hora horas fecha hoja lado volver vuelve trato manejo aplicacion
    app propia mio mia mis nuestro nuestra interesa
"""

# Each line: words that may stand for each other in a question.
SYNONYMS: Final = """
    poner pongo pone ponen puesto puesta
    traer traigo trae traen traido
    recoger recojo recoge recogen recogida
    elegir elijo elige escoger
    seguir sigo sigue siguen
    medir mido mide miden
    fregar friego friega
    calentar caliento calienta
    encender enciendo enciende encendido
    perder pierdo pierde pierden perdido perdida perdidos
    mover muevo mueve
    servir sirvo sirve sirven servimos
    comprobar compruebo comprueba comprueban verificar revisar reviso revisa revisan revision chequear
    probar pruebo prueba prueban
    romper rompo rompe roto rota
    escribir escribo escribe escrito
    ver veo ve mirar miro visto
    volver vuelvo vuelve vuelto
    conducir conduzco conduce
    manejar manipular utilizar utilizo utiliza
    arreglar arreglo arregla arreglos reparar reparo repara reparacion reparaciones reparado
    enviar envio envia mandar mando manda
    sustituir sustituyo sustituye sustituidas sustituido reemplazar reemplazo
    aumentar aumento aumenta incrementar subir sube suben
    caducar caduca caducan caducado caducados caducidad vencer vence
    aforo capacidad caben
    tramitar tramito gestionar gestiono gestiona tramite
    imprimir imprimo saco sacar duplicado copia
    acceder accedo accede acceso entrar entro entra
    tirar tiro tira tiran desechar echar
    alimento alimentos comida
    anular anulo anula anulan cancelar cancelo cancela
    descuento rebaja rebajas
    apagar apago apaga
    pasear paseo
    descargar descargo descarga bajarme bajar
    reunion junta
    doctor medico medica
    jefe encargado superior responsable
    baja incapacidad
    curar cura curas
    ventilar ventilo ventila
    envolver envuelvo envuelve
    mojar mojo moja humedecer
    rellenar relleno rellena cumplimentar
    firmar firmo firma firman
    reponer repongo repone
    devolver devolucion devoluciones retornar
    tique ticket recibo
    pedir solicitar solicitud peticion solicito pido pide piden pidio
    permiso licencia
    boda matrimonio casarse
    avisar comunicar notificar aviso comunico
    enfermo enferma enfermedad
    apuntar anotar registrar apunto anoto apunta anota
    guardar conservar almacenar archivar guarda guardan guardamos conserva conservan archiva archivan almacena
    reservar reserva apartar apartadas reservada
    cobrar cobro cobra cobramos cobran ingresan
    pagar pago paga pagan abonar
    importe tarifa
    anticipo adelanto
    trabajo trabajar trabajando trabaja trabajamos
    empleado trabajador personal plantilla trabajadores empleada
    internet online web
    telefono llamada
    movil celular
    ordenador pc equipo
    contraseña clave password
    contenedor cubo
    basura desperdicios
    sueldo salario
    gratis gratuito gratuita
    rueda neumatico cubierta
    coche vehiculo automovil
    cliente clienta comprador
    tensar tension
    sobras sobrante sobra
    aguja agujas
    limpiar limpieza limpio limpia
    montar montaje monto
    cambiar cambio cambie
    extra extraordinarias extraordinaria extraordinario
    horario horas
    salir sale salen salgo salida
    comer come comemos
    nocturnidad noche
    cerca cercano
    expreso espresso
    terminar acabar finalizar termino
    empezar comenzar inicio empieza
    cuenta factura
    persona gente
    responder contestar respuesta contesta responde
    queja reclamacion reclamar quejarse
    accidente laboral
    local establecimiento
    tienda comercio
    prohibido vetado
    autorizar aprobar autoriza aprueba autorizacion
    descanso pausa
    lavar lavado lavo
    robar hurto robando robo
    ayuno ayunas
    averia averiado estropeado avariar
    formacion curso
    companero colega
    incluir incluido incluida incluye
    envio reparto entrega
    marearse mareado marea mareo
    abrir apertura abre abrimos abierto
    cerrar cierre cierra
    enseguida urgente
    maximo tope limite
    justificante volante
"""

# Each line: words that turn a question into its opposite, left against right.
OPPOSITES: Final = """
    abrir abre abro abrimos apertura abierta abierto encendida / cerrar cierra cierro cierre cerrada cerrado
    antes previo previa / despues tras luego posterior
    con / sin
    maximo maxima mucho tope / minimo minima menos
    alta altas / baja bajas
    mas mayor / menos menor
    superior superiores / inferior inferiores
    mayor mayores / menor menores
    entrar entra entro entrada entradas llegada / salir sale salgo salida salidas
    encender enciende encendido encendida / apagar apaga apagado apagada
    subir sube subo subida / bajar baja bajo bajada
    comprar compra compro compras / vender vende vendo venta ventas
    frio fria frias frios / caliente calientes
    fresco fresca / caducado caducada
    sobrar sobra / faltar falta
    laborable laborables / festivo festivos
    mañana / tarde noche
    dia / noche
    temprano pronto / tarde
    aprobar aprueba aprobacion aceptar acepta acepto / rechazar rechaza rechazo denegar deniega
    limpia limpio limpias limpios / sucia sucio sucias sucios
    nueva nuevo nuevas nuevos / usada usado vieja viejo usadas usados antiguo antigua
    empezar empieza empiezan inicio comenzar comienza / terminar termina terminan acabar acaba fin final finalizar
    añadir añade añado poner pone pongo meter mete / quitar quita quito retirar retira eliminar elimina sacar saca
    buena buenas bueno buenos / mala malas malo malos defectuosa defectuosas defectuoso defectuosos
    crudo cruda crudos / cocido cocida cocinado cocinada hecho hecha
    delante delantera delanteras delantero delanteros / detras trasera traseras trasero traseros
    izquierda izquierdo / derecha derecho
    dentro interior / fuera exterior
    ingresar ingresa ingreso / retirar retira retiro
    contratar contrata contratacion / despedir despide despido
    permitido permitida puede / prohibido prohibida
    obligatorio obligatoria obligatorios obligatorias hay / opcional voluntario voluntaria recomendable opcionales
    siempre / nunca jamas veces
    primero primera primer / ultimo ultima
    todo todos toda todas / algun alguno alguna algunos algunas ningun ninguno ninguna
    solo solamente unicamente / tambien ademas
    completo completa / parcial
    lleno llena llenar / vacio vacia vaciar
    legal / ilegal
    publico publica / privado privada
    verano / invierno
    recibir recibe recibo / enviar envia envio
    dar / recibir
    ganar gana / perder pierde
    dulce / salado
    largo larga / corto corta
    rapido rapida / lento lenta
    voluntaria voluntario / forzosa forzoso
    fijo fija indefinido indefinidos / temporal temporales eventual
    adulto adultos / niño niños niña menor menores
"""

NEGATIONS: Final = "no sin salvo excepto"
# Words that deny by themselves, and after another one only repeat it: «nunca se puede», «no se puede nunca».
REPEATED_NEGATIONS: Final = "ni nunca jamas tampoco nadie nada ningun ninguno ninguna"
AFTER_SIN: Final = "embargo duda falta"  # sayings that deny nothing

# Each line: the forms of one general verb, its name first. They are LIGHT, or frame a question, but do something.
# «Dar» has three lines: who asks «doy» gives, who asks «me dan» gets, and «dar» may be either.
VERBS: Final = """
    guardar guardo guarda guardan guardamos conservar conservo conserva almacenar almacena archivar archivo archiva
    dejar dejo deja dejan dejamos
    poner pongo pone ponen ponemos colocar coloco coloca meter meto mete
    encontrar encuentro encuentra encuentran
    tirar tiro tira tiran tiramos desechar desecho desecha
    echar echo echa echan echamos
    llegar llego llega llegan llegamos
    venir vengo viene vienen venimos
    traer traigo trae traen traemos
    salir salgo sale salen salimos
    pedir pido pide piden pedimos solicitar solicito solicita
    coger cojo coge cogen cogemos tomar tomo toma toman
    recoger recojo recoge recogen recogemos
    recibir recibo recibe reciben recibimos
    conseguir consigo consigue obtener obtengo obtiene
    dar
    doy damos
    dan dado
    aceptar acepto acepta aceptan aceptamos admitir admito admite admiten admitimos
    cobrar cobro cobra cobran cobramos
    ver veo ven vemos consultar consulto
    usar uso usa usan usamos utilizar utilizo utiliza
"""

# Each line: verbs of these that may stand for each other, of some things at least.
ALIKE_VERBS: Final = """
    guardar dejar poner encontrar
    tirar echar
    poner echar
    llegar venir traer recibir
    traer venir aceptar
    pedir coger conseguir
    coger recoger recibir conseguir encontrar
    aceptar coger cobrar
    recibir cobrar
    recibir aceptar
    dar doy dan
    dar recibir
    dan recibir
    dan cobrar
    dan llegar
    dan coger recoger
    dan conseguir
    doy dejar
    ver encontrar conseguir
    usar coger
"""

# The same, where it is asked for the place.
ALIKE_VERBS_OF_PLACES: Final = """
    tirar dejar
"""

# Written units. A question that counts in one is not answered by what counts in another.
UNITS: Final = """
    minuto minutos min
    hora horas h
    dia dias
    semana semanas
    mes meses
    año años
    segundo segundos
    gramo gramos g
    kilo kilos kilogramo kilogramos kg
    litro litros l
    mililitro mililitros ml
    metro metros m
    centimetro centimetros cm
    milimetro milimetros mm
    kilometro kilometros km
    euro euros €
    % porcentaje
    grado grados º °
    vaso vasos
    caja_de cajas
    unidad unidades
    rollo rollos
    vez veces
    persona personas comensales
"""

NUMBERS: Final = {
    "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9, "diez": 10,
    "once": 11, "doce": 12, "trece": 13, "catorce": 14, "quince": 15, "dieciseis": 16, "diecisiete": 17,
    "dieciocho": 18, "diecinueve": 19, "veinte": 20, "veintiun": 21, "veintiuno": 21, "veinticuatro": 24,
    "veinticinco": 25, "treinta": 30, "cuarenta": 40, "cincuenta": 50, "sesenta": 60, "setenta": 70, "ochenta": 80,
    "noventa": 90, "cien": 100, "ciento": 100, "doscientos": 200, "trescientos": 300, "quinientos": 500, "mil": 1000,
    "medio": 0.5, "media": 0.5,
}  # fmt: skip
ORDINALS: Final = {
    "primero": 1, "primera": 1, "primer": 1, "segunda": 2, "tercero": 3, "tercera": 3, "tercer": 3,
    "cuarto": 4, "cuarta": 4, "quinto": 5, "quinta": 5,
}  # fmt: skip

# People in two places of one question: whoever does something is not whom it is done to.
PERSONS: Final = """
    cliente clientes clienta paciente pacientes proveedor proveedores empleado empleados encargado encargada jefe
    jefa medico medica doctor doctora enfermera enfermero camarero camarera cocinero mecanico compañero compañera
    gerente repartidor responsable trabajador trabajadora familiar inspector director directora profesor profesora
    alumno alumna alumnos estudiante estudiantes usuario usuaria administrador administradora supervisor supervisora
    operario operaria cajero cajera dependiente dependienta huesped comensal visitante socio socia instalador conductor
    conductora vigilante presidente presidenta secretario secretaria coordinador coordinadora
"""

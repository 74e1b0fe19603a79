"""The words of the sites' pages in the languages of their towns."""

from __future__ import annotations

from dataclasses import dataclass

PAGE_KINDS = (
    "home",
    "about",
    "services",
    "contact",
    "team",
    "blog",
    "legal",
    "location",
    "careers",
    "pricing",
    "privacy",
)

WORDS = (
    "email",
    "phone",
    "fax",
    "address",
    "hours",
    "closed",
    "more",
    "missing",
    "share",
    "name",
    "message",
    "send",
    "rights",
)


@dataclass(frozen=True, slots=True)
class Phrases:
    """One language's words. `pages` names the kinds of pages in the order of PAGE_KINDS."""

    pages: dict[str, str]
    welcome: str  # name, trade, town
    description: str
    paragraphs: tuple[str, ...]
    words: dict[str, str]  # by the names in WORDS
    days: tuple[str, ...]  # from Sunday


def _pages(names: str) -> dict[str, str]:
    return dict(zip(PAGE_KINDS, names.split("|"), strict=True))


def _words(words: str) -> dict[str, str]:
    return dict(zip(WORDS, words.split("|"), strict=True))


def _days(days: str) -> tuple[str, ...]:
    return tuple(days.split())


ENGLISH = Phrases(
    _pages("Home|About us|Services|Contact|Our team|News|Legal notice|Locations|Careers|Prices|Privacy"),
    "Welcome to {name}, your {trade} in {town}.",
    "{name} is a trusted {trade} in {town}. Call or visit us today.",
    (
        "We have looked after people in {town} for many years, and most of our guests come because a friend sent them.",
        "Our door is open to families, to businesses and to anybody who is new in town; parking is behind the house.",
        "Every visit starts with a talk: what you need, what it costs and how long it takes. No surprises afterwards.",
        "We take part in training every year and keep our tools up to date, because good work needs both.",
        "Appointments can be made by phone or in person, and we keep some time free every day for urgent cases.",
    ),
    _words(
        "Email|Phone|Fax|Address|Opening hours|closed|Read more|Page not found"
        "|Share|Your name|Your message|Send|All rights reserved"
    ),
    _days("Sunday Monday Tuesday Wednesday Thursday Friday Saturday"),
)
GERMAN = Phrases(
    _pages("Start|Über uns|Leistungen|Kontakt|Unser Team|Aktuelles|Impressum|Standorte|Karriere|Preise|Datenschutz"),
    "Willkommen bei {name}, Ihrer Adresse in {town} ({trade}).",
    "{name} in {town}: persönlich, gründlich und pünktlich. Rufen Sie uns an.",
    (
        "Seit vielen Jahren sind wir für die Menschen in {town} da, und die meisten kommen auf Empfehlung zu uns.",
        "Bei uns sind Familien, Firmen und Neuzugezogene willkommen; Parkplätze finden Sie hinter dem Haus.",
        "Am Anfang steht das Gespräch: was Sie brauchen, was es kostet und wie lange es dauert. Ohne Überraschungen.",
        "Wir bilden uns jedes Jahr fort und halten unsere Geräte instand, denn gute Arbeit braucht beides.",
        "Termine vergeben wir am Telefon oder persönlich; für dringende Fälle halten wir täglich etwas Zeit frei.",
    ),
    _words(
        "E-Mail|Telefon|Fax|Anschrift|Öffnungszeiten|geschlossen|Weiterlesen|Seite nicht gefunden"
        "|Teilen|Ihr Name|Ihre Nachricht|Senden|Alle Rechte vorbehalten"
    ),
    _days("Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag"),
)
FRENCH = Phrases(
    _pages(
        "Accueil|À propos|Prestations|Contact|Notre équipe|Actualités|Mentions légales|Nos adresses|Emplois|Tarifs"
        "|Confidentialité"
    ),
    "Bienvenue chez {name}, votre adresse à {town} ({trade}).",
    "{name} à {town} : un accueil soigné et un travail bien fait. Appelez-nous.",
    (
        "Depuis de nombreuses années nous accueillons les habitants de {town}, souvent sur le conseil d'un ami.",
        "Familles, entreprises et nouveaux venus sont les bienvenus ; un parking se trouve derrière la maison.",
        "Chaque visite commence par une discussion : vos besoins, le prix et la durée. Aucune mauvaise surprise.",
        "Nous nous formons chaque année et gardons un matériel récent, car le bon travail demande les deux.",
        "Les rendez-vous se prennent par téléphone ou sur place ; du temps reste libre chaque jour pour les urgences.",
    ),
    _words(
        "Courriel|Téléphone|Fax|Adresse|Horaires|fermé|Lire la suite|Page introuvable"
        "|Partager|Votre nom|Votre message|Envoyer|Tous droits réservés"
    ),
    _days("dimanche lundi mardi mercredi jeudi vendredi samedi"),
)
SPANISH = Phrases(
    _pages(
        "Inicio|Sobre nosotros|Servicios|Contacto|Nuestro equipo|Noticias|Aviso legal|Sedes|Empleo|Precios|Privacidad"
    ),
    "Bienvenidos a {name}, su dirección en {town} ({trade}).",
    "{name} en {town}: trato cercano y trabajo bien hecho. Llámenos hoy.",
    (
        "Llevamos muchos años atendiendo a la gente de {town}, y la mayoría llega por recomendación de un amigo.",
        "Familias, empresas y recién llegados son bienvenidos; hay aparcamiento detrás de la casa.",
        "Cada visita empieza con una charla: qué necesita, cuánto cuesta y cuánto dura. Sin sorpresas después.",
        "Nos formamos todos los años y cuidamos nuestras herramientas, porque el buen trabajo pide las dos cosas.",
        "Las citas se piden por teléfono o en persona, y guardamos tiempo cada día para los casos urgentes.",
    ),
    _words(
        "Correo|Teléfono|Fax|Dirección|Horario|cerrado|Leer más|Página no encontrada"
        "|Compartir|Su nombre|Su mensaje|Enviar|Todos los derechos reservados"
    ),
    _days("domingo lunes martes miércoles jueves viernes sábado"),
)
ITALIAN = Phrases(
    _pages("Home|Chi siamo|Servizi|Contatti|Il nostro team|Notizie|Note legali|Sedi|Lavora con noi|Prezzi|Privacy"),
    "Benvenuti da {name}, il vostro indirizzo a {town} ({trade}).",
    "{name} a {town}: attenzione alle persone e lavoro ben fatto. Chiamateci.",
    (
        "Da molti anni accogliamo gli abitanti di {town}, e quasi tutti arrivano su consiglio di un amico.",
        "Famiglie, aziende e nuovi arrivati sono i benvenuti; il parcheggio si trova dietro la casa.",
        "Ogni visita comincia con una chiacchierata: che cosa serve, quanto costa e quanto dura. Nessuna sorpresa.",
        "Ci aggiorniamo ogni anno e teniamo in ordine gli attrezzi, perché il buon lavoro chiede l'uno e l'altro.",
        "Gli appuntamenti si prendono per telefono o di persona; ogni giorno resta del tempo per le urgenze.",
    ),
    _words(
        "E-mail|Telefono|Fax|Indirizzo|Orari|chiuso|Continua a leggere|Pagina non trovata"
        "|Condividi|Il vostro nome|Il vostro messaggio|Invia|Tutti i diritti riservati"
    ),
    _days("domenica lunedì martedì mercoledì giovedì venerdì sabato"),
)
DUTCH = Phrases(
    _pages("Home|Over ons|Diensten|Contact|Ons team|Nieuws|Colofon|Vestigingen|Vacatures|Tarieven|Privacy"),
    "Welkom bij {name}, uw adres in {town} ({trade}).",
    "{name} in {town}: persoonlijk, zorgvuldig en op tijd. Bel ons vandaag.",
    (
        "Al vele jaren staan wij klaar voor de mensen in {town}, en de meesten komen op aanraden van een vriend.",
        "Gezinnen, bedrijven en nieuwkomers zijn welkom; parkeren kan achter het huis.",
        "Elk bezoek begint met een gesprek: wat u nodig hebt, wat het kost en hoe lang het duurt. Geen verrassingen.",
        "Wij scholen ons elk jaar bij en houden ons gereedschap op peil, want goed werk vraagt beide.",
        "Afspraken maakt u telefonisch of aan de balie; elke dag houden wij tijd vrij voor spoed.",
    ),
    _words(
        "E-mail|Telefoon|Fax|Adres|Openingstijden|gesloten|Lees meer|Pagina niet gevonden"
        "|Delen|Uw naam|Uw bericht|Versturen|Alle rechten voorbehouden"
    ),
    _days("zondag maandag dinsdag woensdag donderdag vrijdag zaterdag"),
)
PORTUGUESE = Phrases(
    _pages("Início|Sobre nós|Serviços|Contactos|A equipa|Notícias|Aviso legal|Lojas|Carreiras|Preços|Privacidade"),
    "Bem-vindo a {name}, a sua morada em {town} ({trade}).",
    "{name} em {town}: atenção às pessoas e trabalho bem feito. Ligue hoje.",
    (
        "Há muitos anos que recebemos as pessoas de {town}, e quase todas chegam por conselho de um amigo.",
        "Famílias, empresas e recém-chegados são bem-vindos; há estacionamento atrás da casa.",
        "Cada visita começa com uma conversa: o que precisa, quanto custa e quanto tempo leva. Sem surpresas.",
        "Fazemos formação todos os anos e cuidamos das ferramentas, porque o bom trabalho pede as duas coisas.",
        "As marcações fazem-se por telefone ou ao balcão; todos os dias guardamos tempo para urgências.",
    ),
    _words(
        "E-mail|Telefone|Fax|Morada|Horário|fechado|Ler mais|Página não encontrada"
        "|Partilhar|O seu nome|A sua mensagem|Enviar|Todos os direitos reservados"
    ),
    _days("domingo segunda terça quarta quinta sexta sábado"),
)
POLISH = Phrases(
    _pages("Start|O nas|Usługi|Kontakt|Nasz zespół|Aktualności|Nota prawna|Oddziały|Praca|Cennik|Prywatność"),
    "Witamy w {name}, pod dobrym adresem: {town} ({trade}).",
    "{name}, {town}: życzliwie, dokładnie i na czas. Zadzwoń dziś.",
    (
        "Od wielu lat jesteśmy do dyspozycji mieszkańców ({town}), a większość trafia do nas z polecenia.",
        "Zapraszamy rodziny, firmy i osoby nowe w mieście; parking znajduje się za budynkiem.",
        "Każda wizyta zaczyna się od rozmowy: czego potrzeba, ile to kosztuje i jak długo potrwa. Bez niespodzianek.",
        "Co roku się szkolimy i dbamy o narzędzia, bo dobra praca wymaga jednego i drugiego.",
        "Terminy ustalamy przez telefon lub na miejscu; codziennie mamy czas na pilne sprawy.",
    ),
    _words(
        "E-mail|Telefon|Faks|Adres|Godziny otwarcia|nieczynne|Czytaj dalej|Nie znaleziono strony"
        "|Udostępnij|Imię i nazwisko|Wiadomość|Wyślij|Wszelkie prawa zastrzeżone"
    ),
    _days("niedziela poniedziałek wtorek środa czwartek piątek sobota"),
)
LANGUAGES = {
    "en": ENGLISH,
    "de": GERMAN,
    "fr": FRENCH,
    "es": SPANISH,
    "it": ITALIAN,
    "nl": DUTCH,
    "pt": PORTUGUESE,
    "pl": POLISH,
}


def phrases(language: str) -> Phrases:
    """Give the words of a language, English where we have none."""
    return LANGUAGES.get(language.partition("-")[0], ENGLISH)

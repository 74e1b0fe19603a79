"""Names of businesses and of their people, as their languages make them, and what becomes of them in addresses."""

from __future__ import annotations

import re
import unicodedata
from random import Random

from sandbox.business import Category, Town
from sandbox.trades import TRADES

_FIRST = {
    "en": "Emma Olivia James William Sophia Benjamin Lucas Mia Henry Amelia Ethan Grace Daniel Chloe Samuel Zoë Maria",
    "de": "Anna Lukas Katharina Jürgen Sabine Björn Ursula Felix Jonas Käthe Stefan Monika Günther Lena",
    "fr": "Camille Élodie Julien François Amélie Hugo Chloé Antoine Margaux Rémi Inès Thierry",
    "es": "Lucía Javier Carmen José Álvaro Pilar Sofía Andrés Iñigo Marta Begoña Raúl",
    "it": "Giulia Marco Francesca Luca Chiara Niccolò Matteo Elena Paolo Sofia Davide",
    "nl": "Sanne Daan Fleur Bram Lotte Joris Anouk Thijs Maaike Ruben",
    "pt": "Inês João Beatriz Tiago Catarina Gonçalo Mariana Luís Sofia Rui",
    "pl": "Agnieszka Paweł Katarzyna Michał Małgorzata Piotr Zofia Łukasz Joanna Jan",
}
_LAST = {
    "en": "Smith Johnson Baker Carter Nguyen Garcia Reed Cooper Howard Bennett Sullivan Hayes Foster Brooks O'Brien "
    "Patel Kim Walker Hughes Fletcher Monroe Ramirez Whitfield Delgado Okafor McAllister Tran Park Lindqvist Ashworth "
    "Pemberton Vaughn Harlow Kowalski Beaumont Castillo Drummond Ellison Abbott Barlow Chavez Dawson Escobar Farrow "
    "Gallagher Hinojosa Ingram Jensen Kessler Lozano Maddox Navarro Osborne Prescott Quintero Rutledge Sandoval "
    "Thornton Underwood Villarreal Winslow Yates Zamora",
    "de": "Müller Schmidt Schneider Fischer Weber Wagner Becker Schäfer Koch Bauer Richter Klein Wolf Schröder Neumann "
    "Krüger Böhm Vogel Groß",
    "fr": "Martin Bernard Dubois Lefèvre Moreau Girard Rousseau Fournier Mercier Blanc Guérin Boyer Chevalier Gautier",
    "es": "García Fernández López Martínez Sánchez Gómez Jiménez Ruiz Hernández Muñoz Ortega Núñez Vega Castro",
    "it": "Rossi Russo Ferrari Esposito Bianchi Colombo Ricci Marino Greco Conti Gallo Costa Barbieri",
    "nl": "Jansen Bakker Visser Smit Meijer Mulder Bos Dekker Hendriks Kuipers Postma",
    "pt": "Silva Santos Ferreira Pereira Oliveira Costa Rodrigues Martins Sousa Gonçalves Conceição",
    "pl": "Nowak Kowalski Wiśniewski Wójcik Kamiński Lewandowski Zieliński Szymański Dąbrowski Kozłowski",
}
_FANCY = {
    "en": "Bright,Lakeside,Hill Country,Sunrise,Oak Hill,Lone Star,Riverbend,Blue Door,Copper Kettle,Evergreen,Summit,"
    "Barton Creek,Northside,Golden Gate,Willow,Maple Leaf,Violet Crown,Cedar Park,First Choice,Heritage,Pinnacle,"
    "South Congress,Mueller,Zilker,Shoal Creek,Bluebonnet,Hyde Park,Westlake,Round Rock,Tarrytown,Armadillo,Bee Cave",
    "de": "am Park,Sonnenschein,Alte Post,am Markt,Lindenhof,Rosengarten,Zur Mühle,Seeblick",
    "fr": "du Parc,des Lilas,de la Gare,Belle Vue,Saint-Michel,du Marché,de l'Étoile",
    "es": "del Sol,Puerta Grande,San Miguel,El Retiro,La Paz,Buenavista,El Ángel",
    "it": "del Parco,Bella Vista,San Marco,Porta Nuova,del Sole,La Libertà",
    "nl": "De Linde,Het Park,Zonneschijn,De Molen,Oud Zuid,Aan het Water",
    "pt": "do Parque,Boa Vista,São Jorge,da Estrela,do Rossio,Belém",
    "pl": "Pod Lipą,Słoneczna,Nad Wisłą,Zielona,Stare Miasto,Złota Brama",
}
_TITLES = {
    "en": ("Owner", "Office Manager", "Founder", "Partner", "Managing Director", "Receptionist"),
    "de": ("Inhaberin", "Geschäftsführer", "Büroleitung", "Empfang"),
    "fr": ("Gérante", "Directeur", "Responsable d'accueil", "Associé"),
    "es": ("Directora", "Gerente", "Recepción", "Socio"),
    "it": ("Titolare", "Direttore", "Segreteria", "Responsabile"),
    "nl": ("Eigenaar", "Praktijkmanager", "Vestigingsleider", "Balie"),
    "pt": ("Diretora", "Gerente", "Sócio", "Receção"),
    "pl": ("Właściciel", "Kierownik", "Recepcja", "Wspólnik"),
}
_FIRST_NAMES = {language: names.split() for language, names in _FIRST.items()}
_LAST_NAMES = {language: names.split() for language, names in _LAST.items()}
_FANCY_NAMES = {language: names.split(",") for language, names in _FANCY.items()}
_SPELLED = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ł": "l", "ø": "o", "æ": "ae", "œ": "oe", "đ": "d"}
)


def business_name(category: Category, town: Town, dice: Random) -> str:
    """Make up what stands on the sign."""
    language = town.language
    trade = dice.choice(TRADES[language][category.name])
    owner, partner = (dice.choice(_LAST_NAMES[language]) for _ in range(2))
    fancy = dice.choice(_FANCY_NAMES[language])
    who = dice.choices((owner, f"{owner} & {partner}", fancy, town.name), (40, 18, 37, 5))[0]
    if owner == partner and "&" in who:
        who = f"{owner} & {'Sons' if language == 'en' else 'Co.'}"
    return f"{who} {trade}" if language == "en" else f"{trade} {who}"


def person(language: str, dice: Random) -> tuple[str, str]:
    """Make up a person's first and last name."""
    return dice.choice(_FIRST_NAMES[language]), dice.choice(_LAST_NAMES[language])


def title(language: str, dice: Random) -> str:
    """Choose what a person does there."""
    return dice.choice(_TITLES[language])


def plain(text: str) -> str:
    """Spell in ASCII small letters, as people do for addresses."""
    spelled = unicodedata.normalize("NFC", text).lower().translate(_SPELLED)
    return unicodedata.normalize("NFKD", spelled).encode("ascii", "ignore").decode()


def slug(text: str) -> str:
    """Join the words of a name by hyphens, as in a host name or a path."""
    return re.sub(r"[^a-z0-9]+", "-", plain(text).replace("'", "")).strip("-")

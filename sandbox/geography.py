"""The towns of the world: boxes on the map, streets and postal codes."""

from __future__ import annotations

from random import Random

from sandbox.business import Town
from sandbox.chance import chance, fill

AUSTIN = Town("Austin", "TX", "US", "United States", "en", 30.0987, -97.9384, 30.5169, -97.5614, -360)
_UNITED_STATES = (
    Town("Chicago", "IL", "US", "United States", "en", 41.6445, -87.9401, 42.0230, -87.5241, -360),
    Town("Denver", "CO", "US", "United States", "en", 39.6143, -105.1099, 39.9142, -104.6003, -420),
    Town("Portland", "OR", "US", "United States", "en", 45.4325, -122.8367, 45.6529, -122.4720, -480),
    Town("Miami", "FL", "US", "United States", "en", 25.7091, -80.3198, 25.8557, -80.1390, -300),
    Town("Boston", "MA", "US", "United States", "en", 42.2279, -71.1912, 42.3969, -70.9860, -300),
)
_ELSEWHERE = (
    Town("London", "", "GB", "United Kingdom", "en", 51.2868, -0.5104, 51.6919, 0.3340, 0),
    Town("Toronto", "ON", "CA", "Canada", "en", 43.5810, -79.6393, 43.8555, -79.1169, -300),
    Town("Sydney", "NSW", "AU", "Australia", "en", -34.1183, 150.5209, -33.5781, 151.3430, 600),
    Town("Berlin", "", "DE", "Germany", "de", 52.3383, 13.0884, 52.6755, 13.7611, 60),
    Town("München", "", "DE", "Germany", "de", 48.0616, 11.3608, 48.2482, 11.7229, 60),
    Town("Wien", "", "AT", "Austria", "de", 48.1179, 16.1818, 48.3226, 16.5775, 60),
    Town("Lyon", "", "FR", "France", "fr", 45.7073, 4.7718, 45.8084, 4.8983, 60),
    Town("Paris", "", "FR", "France", "fr", 48.8156, 2.2241, 48.9022, 2.4698, 60),
    Town("Madrid", "", "ES", "Spain", "es", 40.3120, -3.8890, 40.6437, -3.5180, 60),
    Town("Milano", "", "IT", "Italy", "it", 45.3867, 9.0408, 45.5358, 9.2781, 60),
    Town("Amsterdam", "", "NL", "Netherlands", "nl", 52.2782, 4.7288, 52.4311, 5.0792, 60),
    Town("Lisboa", "", "PT", "Portugal", "pt", 38.6914, -9.2298, 38.7967, -9.0906, 0),
    Town("Warszawa", "", "PL", "Poland", "pl", 52.0979, 20.8517, 52.3681, 21.2711, 60),
)
TOWNS: tuple[Town, ...] = (AUSTIN, *_UNITED_STATES, *_ELSEWHERE)
# Of a hundred businesses about forty are in Austin and twenty in the other towns of the United States.
TOWN_WEIGHTS: tuple[int, ...] = (80, *(8 for _ in _UNITED_STATES), *(6 for _ in _ELSEWHERE))

_POSTAL_MASKS = {
    "Austin": ("7870#", "7872#", "7873#", "7874#", "7875#"),
    "Chicago": ("6060#", "6061#", "6064#"),
    "Denver": ("8020#", "8021#", "8022#"),
    "Portland": ("9720#", "9721#", "9722#"),
    "Miami": ("3312#", "3313#", "3314#"),
    "Boston": ("0211#", "0212#"),
    "London": ("SW# #@@", "SE1# #@@", "NW# #@@", "E1# #@@", "N# #@@", "W# #@@"),
    "Toronto": ("M4@ #@#", "M5@ #@#", "M6@ #@#"),
    "Sydney": ("200#", "201#", "202#", "204#"),
    "Berlin": ("101##", "107##", "109##", "120##"),
    "München": ("803##", "805##", "816##"),
    "Wien": ("1010", "1020", "1040", "1070", "1090", "1190"),
    "Lyon": ("6900#",),
    "Paris": ("7500#", "7501#"),
    "Madrid": ("2800#", "2801#", "2802#", "2804#"),
    "Milano": ("2012#", "2013#", "2014#"),
    "Amsterdam": ("101# @@", "105# @@", "107# @@"),
    "Lisboa": ("10##-###", "11##-###", "12##-###"),
    "Warszawa": ("00-###", "02-###", "03-###"),
}
_STREETS = {
    "en": (
        "Congress Ave", "Lamar Blvd", "Main St", "Oak St", "Maple Ave", "Burnet Rd", "Cedar Ln", "Park Rd", "Mill Ln",
        "Guadalupe St", "Riverside Dr", "Barton Springs Rd", "Victoria St", "King St", "Queen St", "Church Rd",
        "Station Rd", "Manor Rd", "Hill Country Dr", "Pecan St", "Sunset Blvd", "Market St", "Bridge St", "E 6th St",
    ),
    "de": (
        "Hauptstraße", "Goethestraße", "Schillerstraße", "Lindenallee", "Bahnhofstraße", "Gartenstraße", "Mozartgasse",
        "Kirchplatz", "Rosenweg", "Schloßstraße", "Am Markt", "Mühlenweg",
    ),
    "fr": (
        "Rue de la République", "Rue Victor Hugo", "Avenue Jean Jaurès", "Boulevard Voltaire", "Rue des Lilas",
        "Place Bellecour", "Rue du Général de Gaulle", "Quai Saint-Antoine", "Rue de l'Église",
    ),
    "es": (
        "Calle de Alcalá", "Calle Mayor", "Gran Vía", "Paseo de la Castellana", "Calle de Serrano", "Calle del Prado",
        "Avenida de América", "Calle de Núñez de Balboa",
    ),
    "it": (
        "Via Dante", "Corso Buenos Aires", "Via Torino", "Viale Monza", "Piazza della Libertà", "Via Garibaldi",
        "Corso di Porta Ticinese", "Via Manzoni",
    ),
    "nl": ("Prinsengracht", "Keizersgracht", "Overtoom", "Kinkerstraat", "Javastraat", "Ceintuurbaan", "Dorpsstraat"),
    "pt": ("Rua Augusta", "Avenida da Liberdade", "Rua do Ouro", "Rua da Conceição", "Rua São José", "Largo do Chiado"),
    "pl": ("ul. Marszałkowska", "ul. Nowy Świat", "ul. Puławska", "al. Jerozolimskie", "ul. Długa", "ul. Złota"),
}  # fmt: skip
_BUILDINGS = 14  # a town: medical centres and malls where several businesses have one address


def town_named(text: str) -> Town:
    """Find a town by its name or label, however it is capitalised."""
    wanted = text.strip().casefold()
    for town in TOWNS:
        if wanted in (town.name.casefold(), town.label.casefold(), f"{town.name}, {town.country_name}".casefold()):
            return town
    raise ValueError(f"no town {text!r}; there are {', '.join(town.label for town in TOWNS)}")


def spot(town: Town, dice: Random) -> tuple[float, float, int | None]:
    """Choose latitude, longitude and perhaps a shared building: dense in the centre, thin at the edges."""
    where = dice.random()
    if where < 0.15:
        building = dice.randrange(_BUILDINGS)
        latitude, longitude, _ = _scattered(town, chance(town.label, "building", building), where=0.5)
        return latitude, longitude, building
    return _scattered(town, dice, where)


def _scattered(town: Town, dice: Random, where: float) -> tuple[float, float, None]:
    spread = 0.08 if where < 0.55 else 0.22
    while True:
        down, across = dice.gauss(0.5, spread), dice.gauss(0.5, spread)
        if 0.01 < down < 0.99 and 0.01 < across < 0.99:
            break
    latitude = town.south + down * (town.north - town.south)
    return round(latitude, 7), round(town.west + across * (town.east - town.west), 7), None


def address(town: Town, building: int | None, dice: Random) -> tuple[str, str, str]:
    """Make up house number, street and postal code; all tenants of a building get the same."""
    if building is not None:
        dice = chance(town.label, "address", building)
    highest = 4800 if town.country == "US" else 180
    number = str(dice.randint(1, highest))
    return number, dice.choice(_STREETS[town.language]), fill(dice.choice(_POSTAL_MASKS[town.name]), dice)

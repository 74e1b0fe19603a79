"""Full names of regions, and what towns and countries are called elsewhere."""

from __future__ import annotations

from sandbox.places.words import words_of

_UNITED_STATES = (
    "AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,"
    "DC District of Columbia,FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,"
    "KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,"
    "MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,"
    "NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,RI Rhode Island,"
    "SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,"
    "WV West Virginia,WI Wisconsin,WY Wyoming"
)
_CANADA = (
    "AB Alberta,BC British Columbia,MB Manitoba,NB New Brunswick,NL Newfoundland and Labrador,NS Nova Scotia,"
    "ON Ontario,PE Prince Edward Island,QC Quebec,SK Saskatchewan"
)
_AUSTRALIA = (
    "ACT Australian Capital Territory,NSW New South Wales,NT Northern Territory,QLD Queensland,SA South Australia,"
    "TAS Tasmania,VIC Victoria,WA Western Australia"
)


def _read(table: str) -> dict[str, str]:
    return {short: long for short, _, long in (entry.partition(" ") for entry in table.split(","))}


_REGIONS = {"US": _read(_UNITED_STATES), "CA": _read(_CANADA), "AU": _read(_AUSTRALIA)}
REGION_WORDS = frozenset(
    word for table in _REGIONS.values() for pair in table.items() for text in pair for word in words_of(text)
)

COUNTRY_SPELLINGS = {
    "US": ("USA", "America", "United States of America"),
    "GB": ("UK", "England", "Great Britain", "Scotland", "Wales"),
    "DE": ("Deutschland",),
    "AT": ("Österreich",),
    "CH": ("Schweiz", "Suisse", "Svizzera"),
    "ES": ("España",),
    "IT": ("Italia",),
    "NL": ("Nederland", "Holland"),
    "PL": ("Polska",),
}
TOWN_SPELLINGS = {
    "Lisboa": "Lisbon",
    "Milano": "Milan",
    "München": "Munich",
    "Warszawa": "Warsaw",
    "Wien": "Vienna",
}


def region_name(country: str, region: str) -> str:
    """Give a region's full name, or what is known of it."""
    return _REGIONS.get(country, {}).get(region, region)

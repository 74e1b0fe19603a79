"""Telephone numbers that the countries' public numbering plans allow, each given out once."""

from __future__ import annotations

from dataclasses import dataclass

from sandbox.business import Town

LINES = 8  # numbers kept for each business: 0 its main line, 1 its fax, the rest as needed


@dataclass(frozen=True, slots=True)
class Exchange:
    """The numbers of one area: country and area code, the allowed beginnings, the digits left, the way to write it."""

    code: str
    heads: tuple[str, ...]
    tail: int
    mask: str


# A North American exchange begins with 2 to 9 and is no service code such as 411; 555 is kept for films.
_NANP = tuple(
    str(head) for head in range(220, 990) if head % 100 != 11 and head != 555 and head // 10 % 10 != 9 and head != 950
)


def _american(*areas: str) -> tuple[Exchange, ...]:
    return tuple(Exchange(f"+1{area}", _NANP, 4, f"({area}) ###-####") for area in areas)


def _two_digits(*tens: int) -> tuple[str, ...]:
    return tuple(str(ten * 10 + one) for ten in tens for one in range(10))


_EXCHANGES: dict[str, tuple[Exchange, ...]] = {
    "Austin": _american("512", "737"),
    "Chicago": _american("312", "773"),
    "Denver": _american("303", "720"),
    "Portland": _american("503", "971"),
    "Miami": _american("305", "786"),
    "Boston": _american("617", "857"),
    "Toronto": _american("416", "647"),
    "London": (Exchange("+4420", _two_digits(7, 8), 6, "020 #### ####"),),
    "Sydney": (Exchange("+612", _two_digits(8, 9), 6, "(02) #### ####"),),
    "Berlin": (Exchange("+4930", _two_digits(2, 3, 4, 6, 7, 8), 6, "030 ########"),),
    "München": (Exchange("+4989", _two_digits(2, 3, 4, 5, 6, 7), 6, "089 ########"),),
    "Wien": (Exchange("+431", _two_digits(2, 3, 4, 5, 6, 7), 5, "01 #######"),),
    "Lyon": (Exchange("+334", ("72", "78"), 6, "04 ## ## ## ##"),),
    "Paris": (Exchange("+331", ("42", "43", "44", "45", "46", "47", "48", "53"), 6, "01 ## ## ## ##"),),
    "Madrid": (Exchange("+3491", _two_digits(3, 4, 5, 6, 7), 5, "91# ## ## ##"),),
    "Milano": (
        Exchange("+3902", ("29", "36", "39", "48", "54", "58", "66", "76", "80", "86", "89"), 6, "02 #### ####"),
    ),
    "Amsterdam": (Exchange("+3120", _two_digits(2, 3, 4, 5, 6), 5, "020 ### ####"),),
    "Lisboa": (Exchange("+35121", _two_digits(3, 7, 8), 5, "21# ### ###"),),
    "Warszawa": (Exchange("+4822", _two_digits(3, 4, 5, 6, 8), 5, "22 ### ## ##"),),
}


def phone(town: Town, seed: int, index: int, line: int = 0) -> tuple[str, str]:
    """Give a business's number as E.164 and as the country writes it."""
    exchanges = _EXCHANGES[town.name]
    exchange = exchanges[index % len(exchanges)]
    room = len(exchange.heads) * 10**exchange.tail
    # A step without a common factor with the room visits every number once, so no two lines ever share one.
    slot = (index * LINES + line) * 7_368_787 + seed * 104_729
    head, rest = divmod(slot % room, 10**exchange.tail)
    digits = f"{exchange.heads[head]}{rest:0{exchange.tail}d}"
    return exchange.code + digits, _written(exchange.mask, digits)


def _written(mask: str, digits: str) -> str:
    left = iter(digits)
    return "".join(next(left) if sign == "#" else sign for sign in mask)


def national(number: str) -> str:
    """Write one of the world's E.164 numbers as its country does."""
    fits = (exchange for exchanges in _EXCHANGES.values() for exchange in exchanges if number.startswith(exchange.code))
    exchange = max(fits, key=lambda exchange: len(exchange.code))
    return _written(exchange.mask, number.removeprefix(exchange.code))

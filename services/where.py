"""Where: conditions such as `city=Austin` or `score>=60`, from what a person types to what can be asked of a row."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from difflib import get_close_matches
from typing import Any, Literal

Operator = Literal["=", "!=", ">=", "<=", ">", "<", "~"]
Kind = Literal["text", "number", "date", "choice", "flag", "list"]
One = str | int | float | date
# Several values: any of them. None: nothing is there.
Value = One | tuple[One, ...] | None

_EQUAL: tuple[Operator, ...] = ("=", "!=")
_ORDER: tuple[Operator, ...] = ("=", "!=", ">=", "<=", ">", "<")


@dataclass(frozen=True, slots=True)
class Language:
    """What can be written: the comparisons of each kind, and whether also nothing, several values and moments."""

    operators: Mapping[Kind, tuple[Operator, ...]]
    longest_value: int = 200
    is_rich: bool = False

    def knows(self, operator: str) -> bool:
        return any(operator in own for own in self.operators.values())

    def __str__(self) -> str:
        """Name the comparisons."""
        return " ".join(each for each in ("=", "!=", ">=", "<=", ">", "<", "~") if self.knows(each))


EXPORTS = Language(
    {
        "text": ("=", "!=", "~"),
        "choice": _EQUAL,
        "number": ("=", "!=", ">=", "<="),
        "date": ("=", ">=", "<="),
    }
)
LISTS = Language(
    {
        "text": ("=", "!=", "~"),
        "choice": _EQUAL,
        "number": _ORDER,
        "date": _ORDER,
        "flag": _EQUAL,
        "list": ("=", "!=", "~"),
    },
    longest_value=2048,
    is_rich=True,
)
FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_WRITTEN = re.compile(r"\s*([A-Za-z][A-Za-z_-]{0,40})\s*(!=|>=|<=|=|>|<|~)(.*)", re.DOTALL)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[Tt ]", re.ASCII)
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,6})?", re.ASCII)
_UNSTORED = re.compile("[\x00\ud800-\udfff]")
_LONGEST_SHOWN = 60


class BadCondition(ValueError):
    """What a person wrote cannot be read as a condition; the message says why and what to write."""


@dataclass(frozen=True, slots=True)
class Field:
    """What can be asked for: its kind, and what it may be when that is a closed list."""

    kind: Kind = "text"
    choices: tuple[str, ...] = ()
    note: str = ""


Fields = Mapping[str, Field]


@dataclass(frozen=True, slots=True)
class Condition:
    """One field, one comparison, one value of the field's kind."""

    field: str
    operator: Operator
    value: Value


def parse(written: str, fields: Fields, language: Language = EXPORTS) -> Condition:
    """Read one condition."""
    match = _WRITTEN.fullmatch(written)
    if match is None or not language.knows(match[2]):
        raise BadCondition(
            f"{_shown(written)} is no condition: write a field, one of {language}, and a value, such as city=Austin."
        )
    name, operator, value = match[1].lower().replace("-", "_"), match[2], match[3].strip()
    field = _known(name, fields)
    known = language.operators[field.kind]
    allowed = [each for each in known if each == operator]
    if not allowed:
        raise BadCondition(f"{name} cannot be compared by {operator}: use one of {' '.join(known)}.")
    return Condition(name, allowed[0], _value(name, field, allowed[0], value, language))


def _known(name: str, fields: Fields) -> Field:
    if name in fields:
        return fields[name]
    close = get_close_matches(name, fields, n=3, cutoff=0.6)
    meant = f" Did you mean {' or '.join(close)}?" if close else ""
    raise BadCondition(f"There is no field {_shown(name)}.{meant} Fields are {', '.join(sorted(fields))}.")


def _value(name: str, field: Field, operator: Operator, written: str, language: Language) -> Value:
    is_equal = language.is_rich and operator in _EQUAL
    if not written and is_equal:
        return None
    if not written or len(written) > language.longest_value or _UNSTORED.search(written):
        raise BadCondition(
            f"{name} needs a value of 1 to {language.longest_value} characters, such as {name}=…; it has none such."
        )
    if is_equal and "," in written and field.kind in ("choice", "number"):
        return tuple(_one(name, field, each.strip(), language) for each in written.split(","))
    return _one(name, field, written, language)


def _one(name: str, field: Field, written: str, language: Language) -> One:
    if field.kind == "choice":
        return _choice(name, field, written)
    if field.kind == "number":
        if _NUMBER.fullmatch(written) is None:
            raise BadCondition(f"{name} is compared with a number, and {_shown(written)} is none.")
        return float(written) if "." in written else int(written)
    if field.kind == "flag":
        return _flag(name, written)
    if field.kind == "date":
        return _moment(name, written) if language.is_rich and _MOMENT.match(written) else _date(name, written)
    return written


def _choice(name: str, field: Field, written: str) -> str:
    for choice in field.choices:
        if choice.lower() == written.lower():
            return choice
    note = f": {field.note}" if field.note else ""
    raise BadCondition(f"{name} is one of {', '.join(field.choices)}, not {_shown(written)}{note}.")


def _date(name: str, written: str) -> date:
    try:
        return date.fromisoformat(written)
    except ValueError:
        raise BadCondition(f"{name} is compared with a day such as 2026-01-31, not {_shown(written)}.") from None


def _flag(name: str, written: str) -> bool:
    if written.lower() not in FLAGS:
        raise BadCondition(f"{name} is true or false, not {_shown(written)}.")
    return FLAGS[written.lower()]


def _moment(name: str, written: str) -> datetime:
    try:
        found = datetime.fromisoformat(written)
    except ValueError:
        raise BadCondition(
            f"{name} is compared with a day or a moment such as 2026-01-31T12:00:00Z, not {_shown(written)}."
        ) from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= _LONGEST_SHOWN else f"{line[: _LONGEST_SHOWN - 1]}…")


def holds(condition: Condition, values: Iterable[object]) -> bool:
    """Tell whether a row whose field has these values meets a condition; `!=` asks that none of them is it."""
    known = [value for value in values if value is not None]
    if condition.operator == "!=":
        return not any(_compares(Condition(condition.field, "=", condition.value), value) for value in known)
    return any(_compares(condition, value) for value in known)


def _compares(condition: Condition, value: object) -> bool:
    wanted = condition.value
    if isinstance(wanted, str):
        have, asked = str(value).lower(), wanted.lower()
        return asked in have if condition.operator == "~" else asked == have
    if isinstance(wanted, date):
        return isinstance(value, date) and _ordered(condition.operator, _day(value), wanted)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and _ordered(condition.operator, float(str(value)), wanted)


def _day(value: date) -> date:
    """Give the day of a moment in UTC."""
    return value.astimezone(UTC).date() if isinstance(value, datetime) else value


def _ordered(operator: Operator, left: Any, right: Any) -> bool:
    return bool(left >= right if operator == ">=" else left <= right if operator == "<=" else left == right)


def split(conditions: Iterable[Condition], here: Collection[str]) -> tuple[list[Condition], list[Condition]]:
    """Part conditions into those on the fields named and the rest."""
    given = list(conditions)
    return [each for each in given if each.field in here], [each for each in given if each.field not in here]

"""Erasure: an address, number, domain or name found in any text, however it is spelt there, and taken out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import idna
import phonenumbers

from services.suppression import Subject, domain_key, domains_above, email_key, phone_key

ERASED = "[erased]"

# What stands between the digits of a number.
GAPS = " ().-/+·\t\n\u00a0\u2010\u2011\u2012\u2013\u2014\u202f"
_GAP = f"[{re.escape(GAPS)}]{{0,4}}"
_OPEN, _CLOSE = r"\s{0,3}[\[({<]\s{0,3}", r"\s{0,3}[\])}>]\s{0,3}"
_AT = rf"(?:@|%40|&#0*64;|&#x40;|&commat;|\s{{1,3}}(?:@|at)\s{{1,3}}|{_OPEN}(?:@|at){_CLOSE})"
_DOT = rf"(?:\.|%2e|\s{{1,3}}(?:\.|dot)\s{{1,3}}|{_OPEN}(?:\.|dot){_CLOSE})"
_BEHIND = r"(?![\w-]|\.\w)"
# What may be a number, and what stands around words.
_NUMBERS = re.compile(rf"\+?[(]?\d(?:[{re.escape(GAPS)}]{{0,3}}\d){{5,17}}")
_BETWEEN_NUMBERS = re.compile(r"[/,;|\n]|\s{2,}")
_AROUND_WORDS = "\"'<>()[]{},;:!?"
_BETWEEN_NAMES = r"(?:[\s\-_.+,]|%20){1,3}"


@dataclass(frozen=True, slots=True)
class Trace:
    """How a value shows in a text. Where it does, every needle is in the text, or in its digits, small or capital."""

    pattern: re.Pattern[str]
    needles: tuple[str, ...]
    in_digits: bool = False
    value: str = ""  # an email, of which the cut ends of a snippet may hold a part

    def is_in(self, text: str) -> bool:
        """Tell whether a text shows it."""
        return self.pattern.search(text) is not None

    def out_of(self, text: str, mark: str = ERASED, *, is_cut: bool = False) -> str:
        """Put a mark in its place; `is_cut` when the text may begin or end in the midst of it."""
        whole = self.pattern.sub(mark, text)
        return _without_ends(whole, self.value, mark) if is_cut and self.value else whole


def trace_of(subject: Subject) -> Trace:
    """Say how an email, a phone or a domain shows in texts."""
    makers = {"email": _email, "phone": _phone, "domain": _domain, "person": _person}
    return makers[subject.kind](subject.value)


def _person(value: str) -> Trace:
    return trace_of_name(value.partition(":")[2])


def trace_of_name(name: str) -> Trace:
    """Say how a person's name shows: with any space between its words, in URLs too, the last name first or last."""
    words = tuple(re.escape(word) for word in re.split(r"[\s,]+", name.strip()) if word)
    orders = [words, (words[-1], *words[:-1])] if len(words) > 1 else [words]
    either = "|".join(_BETWEEN_NAMES.join(order) for order in orders)
    return Trace(_compiled(rf"(?<!\w)(?:{either})(?!\w)"), tuple(name.replace(",", " ").split()))


def _email(value: str) -> Trace:
    local, _, domain = value.rpartition("@")
    dotted = _either_alphabet(domain, _DOT)
    # A dot before it belongs to a longer address only when something stands before the dot.
    pattern = rf"(?<![\w+-])(?<!\w\.){re.escape(local)}{_AT}{dotted}{_BEHIND}"
    label = domain.partition(".")[0]
    return Trace(_compiled(pattern), (local,) if label.startswith("xn--") else (local, label), value=value)


def _domain(value: str) -> Trace:
    before, path = r"(?:[\w.+%-]{1,64}(?:@|%40))?(?:[\w-]{1,63}\.){0,5}", r"(?::\d{1,5})?(?:[/?#][^\s\"'<>\\]*)?"
    pattern = rf"(?<![\w-]){before}{_either_alphabet(value, re.escape('.'))}{_BEHIND}{path}"
    return Trace(_compiled(pattern), () if "xn--" in value else (value,))


def _either_alphabet(domain: str, dot: str) -> str:
    spellings = [domain]
    if "xn--" in domain:
        try:
            spellings.append(idna.decode(domain))
        except (idna.IDNAError, UnicodeError, ValueError, IndexError):
            spellings = [domain]
    return f"(?:{'|'.join(dot.join(map(re.escape, spelling.split('.'))) for spelling in spellings)})"


def _phone(value: str) -> Trace:
    country, digits = _parts(value)
    begin = rf"(?<!\d)\(?(?:(?:\+|00|011){_GAP})?(?:{_GAP.join(country)}{_GAP})?(?:0{_GAP})?"
    return Trace(_compiled(rf"{begin}{_GAP.join(digits)}(?!\d)"), (digits,), in_digits=True)


def _parts(value: str) -> tuple[str, str]:
    try:
        number = phonenumbers.parse(value)
    except phonenumbers.NumberParseException:
        return "", value.lstrip("+")
    return str(number.country_code), phonenumbers.national_significant_number(number)


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _without_ends(text: str, value: str, mark: str) -> str:
    """Take out the part of an address at which a snippet was cut, if the part shows where it is at."""
    at, small = value.index("@"), text.lower()
    for size in range(len(value) - 1, at, -1):
        if small.endswith(value[:size]) and not small[: -size or None][-1:].isalnum():
            text, small = text[:-size] + mark, small[:-size]
            break
    for start in range(1, at):
        if small.startswith(value[start:]):
            return mark + text[len(value) - start :]
    return text


def without(text: str, traces: Sequence[Trace], mark: str = ERASED, *, is_cut: bool = False) -> str:
    """Take every trace out of a text."""
    for trace in traces:
        text = trace.out_of(text, mark, is_cut=is_cut)
    return text


def without_in(value: Any, traces: Sequence[Trace]) -> Any:
    """Take every trace out of the texts and names of a JSON value; a number that is one goes whole."""
    if isinstance(value, str):
        return without(value, traces)
    if isinstance(value, Mapping):
        return {without(str(name), traces): without_in(inner, traces) for name, inner in value.items()}
    if isinstance(value, list):
        return [without_in(inner, traces) for inner in value]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return ERASED if is_number and any(trace.in_digits and trace.is_in(str(value)) for trace in traces) else value


def subjects_in(value: Any, region: str) -> set[Subject]:
    """Give every address, number and domain that the texts of a JSON value show; one too many does no harm."""
    if isinstance(value, str):
        return _subjects_in_text(value, region)
    if isinstance(value, Mapping):
        value = list(value.values())
    inner = value if isinstance(value, list | tuple) else []
    return {subject for each in inner for subject in subjects_in(each, region)}


def _subjects_in_text(text: str, region: str) -> set[Subject]:
    words = [word.strip(_AROUND_WORDS) for word in text.split()]
    emails = {key for word in words if "@" in word and (key := email_key(word))}
    hosts = {above for email in emails for above in domains_above(email.rpartition("@")[2])}
    sites = {key for word in words if "." in word and "@" not in word and (key := domain_key(word))}
    parts = [text, *_BETWEEN_NUMBERS.split(text)]
    numbers = {key for part in parts for number in _NUMBERS.findall(part) if (key := phone_key(number, region))}
    return {
        *(Subject("email", email) for email in emails),
        *(Subject("domain", site) for site in hosts | sites),
        *(Subject("phone", number) for number in numbers),
    }

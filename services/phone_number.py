"""Phone number: one number as E.164, when the country's plan has such a number."""

from __future__ import annotations

import re
from functools import lru_cache

import phonenumbers
from phonenumbers import NumberParseException, PhoneMetadata, PhoneNumberFormat

LONGEST = 80
NORTH_AMERICA = frozenset(phonenumbers.COUNTRY_CODE_TO_REGION_CODE[1])
# Their numbers are written without the 0 that the plan has.
NO_ZERO_NEEDED = frozenset(("BR",))
# Numbers of everywhere that begin otherwise: Australian 13, 1300, 1800; Indian mobiles.
_NATIONWIDE = {"AU": re.compile(r"1[38]00\d{6}|13\d{4}"), "IN": re.compile(r"[6-9]\d{9}")}
_DIGITS = re.compile(r"\D+")


def digits_of(text: str) -> str:
    """Give the digits of a text, as ASCII."""
    digits = _DIGITS.sub("", text)
    return digits if digits.isascii() else "".join(str(int(digit)) for digit in digits)


def international(text: str) -> str | None:
    """Read a number that begins with + or 00 and its country."""
    digits = digits_of(text)
    if not text.lstrip("([ ").startswith("+"):
        digits = digits[3:] if digits.startswith("011") else digits[2:]
    return _valid(f"+{digits}", None) if 7 <= len(digits) <= 16 else None


def national(text: str, region: str) -> str | None:
    """Read a number as it is dialled inside a region, its 0 included where the region has one."""
    digits = digits_of(text)
    if not 6 <= len(digits) <= 13 or not _has_prefix(digits, region):
        return None
    return _valid(digits, region)


def _has_prefix(digits: str, region: str) -> bool:
    prefix = _prefix(region)
    if prefix != "0" or region in NO_ZERO_NEEDED or digits.startswith("0"):
        return True
    nationwide = _NATIONWIDE.get(region)
    return nationwide is not None and nationwide.fullmatch(digits) is not None


@lru_cache(maxsize=512)
def _prefix(region: str) -> str | None:
    metadata = PhoneMetadata.metadata_for_region(region, None)
    return metadata.national_prefix if metadata else None


@lru_cache(maxsize=8192)
def _valid(text: str, region: str | None) -> str | None:
    try:
        number = phonenumbers.parse(text[:LONGEST], region)
    except NumberParseException:
        return None
    if not phonenumbers.is_valid_number(number):
        return None
    return phonenumbers.format_number(number, PhoneNumberFormat.E164)


def is_region(region: str) -> bool:
    """Tell whether numbers of a region are known."""
    return region in phonenumbers.SUPPORTED_REGIONS


@lru_cache(maxsize=1024)
def region_of_code(code: str) -> str | None:
    """Name the main region of a country's code."""
    region = phonenumbers.region_code_for_country_code(int(code)) if code.isdecimal() else ""
    return region if is_region(region) else None

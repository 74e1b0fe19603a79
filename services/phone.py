"""Phone: a number in any spelling as E.164."""

from __future__ import annotations

import re

import phonenumbers
from phonenumbers import NumberParseException, PhoneNumberFormat, ValidationResult

LONGEST = 80
E164 = re.compile(r"\+[0-9]{2,15}", re.ASCII)


def e164(text: str, country: str | None = None) -> str | None:
    """Write a number as +15125550100; without a country only numbers that begin with + can be read.

    A number counts when it has a length that its country's numbers have: lists of the ranges in use are always behind.
    """
    try:
        number = phonenumbers.parse(text[:LONGEST], country)
    except NumberParseException:
        return None
    # Not `is_possible_number`, which lets pass what can be dialled only from within the same town.
    if phonenumbers.is_possible_number_with_reason(number) != ValidationResult.IS_POSSIBLE:
        return None
    written = phonenumbers.format_number(number, PhoneNumberFormat.E164)
    return written if E164.fullmatch(written) else None

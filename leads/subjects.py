"""Subjects: emails, phones and domains as people type them, or one sentence that says what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from errors import BadInput
from services.phone_number import is_region
from services.suppression import DEFAULT_REGION, KINDS, Subject, subject_of

LONGEST_SHOWN = 60

__all__ = ["Subject", "known_kind", "known_region", "subject_named", "subjects_of"]


def known_kind(word: str, kinds: Sequence[str] = KINDS) -> str:
    """Accept a kind in any case, or say which there are."""
    if word.lower() in kinds:
        return word.lower()
    close = get_close_matches(word.lower(), kinds, n=1)
    hint = f"Did you mean {close[0]}?" if close else f"Use one of: {', '.join(kinds)}."
    raise BadInput(f"There is no kind {word[:LONGEST_SHOWN]!r}. {hint}")


def known_region(word: str) -> str:
    """Accept a country by its two letters."""
    if not is_region(word.upper()):
        raise BadInput(f"There is no region {word[:LONGEST_SHOWN]!r}: name a country by its two letters, such as US.")
    return word.upper()


def subject_named(
    text: str, kind: str | None = None, region: str = DEFAULT_REGION, kinds: Sequence[str] = KINDS
) -> Subject:
    """Read one value, or say that it is none."""
    wanted = None if kind is None else known_kind(kind, kinds)
    found = subject_of(text, wanted, known_region(region))
    if found is None:
        what = f"no {wanted}" if wanted else "no email, phone number or domain"
        like = "Ann Low at acme.example" if wanted == "person" else "ann@acme.example, +15125550100 or acme.example"
        raise BadInput(f"{text[:LONGEST_SHOWN]!r} is {what}: write it like {like}.")
    return found


def subjects_of(
    values: Sequence[str], *, kind: str | None = None, region: str = DEFAULT_REGION, kinds: Sequence[str] = KINDS
) -> list[Subject]:
    """Read values, each once; all of them, or none when one is wrong."""
    return list(dict.fromkeys(subject_named(value, kind, region, kinds) for value in values))

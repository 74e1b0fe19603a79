"""Corrections: what somebody has changed in a form, by the values that the form was opened with."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Form
from pydantic import StringConstraints

from errors import BadInput

MOST_FIELDS = 20
# What was found may be longer than what people may write; the form sends it along untouched.
LONGEST_FOUND = 20_000
TORN = "The form did not arrive whole, so nothing was changed: load the page again and repeat."

Fact = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$", max_length=LONGEST_FOUND)]
# A form has one of each for every fact.
Fields = Annotated[list[Fact], Form(max_length=MOST_FIELDS)]


def corrected(
    field: Fields = [],  # noqa: B006 - the framework copies them
    was: Fields = [],  # noqa: B006
    value: Fields = [],  # noqa: B006
) -> dict[str, str | None]:
    """Give what was changed; what somebody else has changed meanwhile and this form has not is left alone."""
    if not len(field) == len(was) == len(value):
        raise BadInput(TORN)
    typed = zip(field, map(_plain, was), map(_plain, value), strict=True)
    return {name: after or None for name, before, after in typed if after != before}


def _plain(text: str) -> str:
    """Write lines as one system does: browsers send them as another."""
    return text.replace("\r\n", "\n").strip()


Corrections = Annotated[dict[str, str | None], Depends(corrected)]

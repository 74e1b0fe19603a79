"""Text as a list of plain words, so that `Zürich!` and `zurich` are the same."""

from __future__ import annotations

import re
import unicodedata

MOST_CHARACTERS = 1_000
_WORD = re.compile(r"[^\W_]+")


def words_of(text: str) -> list[str]:
    """Split into lower-case words without accents; what is beyond 1,000 characters is not read."""
    plain = unicodedata.normalize("NFKD", text[:MOST_CHARACTERS].casefold())
    return _WORD.findall("".join(mark for mark in plain if not unicodedata.combining(mark)))

"""Columns: how wide each may be so that no word of a table breaks, and which are left out where there is no room."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

GAP = 2  # between two columns, and at both edges together
LONGEST_WORD = 60  # what is longer breaks all the same


def kept(headers: Sequence[str], lines: Sequence[Sequence[str]], room: int, spare: Sequence[str]) -> list[int]:
    """Choose the columns that are shown: spare ones go, the first named first, until no word has to break."""
    chosen = list(range(len(headers)))
    for name in spare:
        if _total([_least(headers[nth], lines, nth) for nth in chosen]) <= room:
            break
        chosen.remove(headers.index(name))
    return chosen


def widths(headers: Sequence[str], lines: Sequence[Sequence[str]], room: int) -> list[int]:
    """Give every column room for its longest word, and share what is left among those that want more."""
    found = [_least(header, lines, nth) for nth, header in enumerate(headers)]
    wanted = [_most(header, lines, nth) for nth, header in enumerate(headers)]
    left = max(room - _total(found), 0)
    hungry = sorted(range(len(headers)), key=lambda nth: wanted[nth] - found[nth])
    for at, nth in enumerate(hungry):
        given = min(wanted[nth] - found[nth], left // (len(hungry) - at))
        found[nth] += given
        left -= given
    return found


def _least(header: str, lines: Sequence[Sequence[str]], nth: int) -> int:
    words = [word for cell in (header, *(line[nth] for line in lines)) for word in cell.split()]
    return min(max(map(cell_len, words), default=1), LONGEST_WORD)


def _most(header: str, lines: Sequence[Sequence[str]], nth: int) -> int:
    return max(_least(header, lines, nth), *(cell_len(cell) for cell in (header, *(line[nth] for line in lines))))


def _total(columns: Sequence[int]) -> int:
    return sum(columns) + GAP * len(columns)

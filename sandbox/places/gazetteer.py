"""The towns of the world, found in what people type."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sandbox.business import Town
from sandbox.places.regions import COUNTRY_SPELLINGS, TOWN_SPELLINGS, region_name
from sandbox.places.words import words_of


@dataclass(frozen=True, slots=True)
class Found:
    """A town that was named, and where among the words: `start` to before `end`."""

    town: Town
    start: int
    end: int


class Gazetteer:
    """Looks up towns by name, with or without region and country."""

    def __init__(self, towns: Iterable[Town]) -> None:
        self._named: dict[tuple[str, ...], list[Town]] = {}
        self._qualifiers: dict[Town, frozenset[str]] = {}
        for town in towns:
            for name in {town.name, TOWN_SPELLINGS.get(town.name, town.name)}:
                self._named.setdefault(tuple(words_of(name)), []).append(town)
            self._qualifiers[town] = _qualifiers(town)
        self._longest = max((len(name) for name in self._named), default=0)

    def find(self, words: Sequence[str], country: str = "") -> Found | None:
        """Find the town that is named most exactly; of equals the one in `country`, then the last one named."""
        found = [self._read(town, words, start, length) for town, start, length in self._mentions(words)]
        return max(found, key=lambda one: (one.end - one.start, one.town.country == country, one.start), default=None)

    def whole(self, words: Sequence[str]) -> list[Town]:
        """List the towns that all of the words together can mean."""
        found = [self._read(town, words, 0, length) for town, start, length in self._mentions(words) if start == 0]
        return [one.town for one in found if one.end == len(words)]

    def _mentions(self, words: Sequence[str]) -> Iterable[tuple[Town, int, int]]:
        for start in range(len(words)):
            for length in range(min(self._longest, len(words) - start), 0, -1):
                for town in self._named.get(tuple(words[start : start + length]), ()):
                    yield town, start, length

    def _read(self, town: Town, words: Sequence[str], start: int, length: int) -> Found:
        end = start + length
        while end < len(words) and words[end] in self._qualifiers[town]:
            end += 1
        return Found(town, start, end)


def _qualifiers(town: Town) -> frozenset[str]:
    spellings = COUNTRY_SPELLINGS.get(town.country, ())
    texts = (town.region, region_name(town.country, town.region), town.country, town.country_name, *spellings)
    return frozenset(word for text in texts for word in words_of(text))

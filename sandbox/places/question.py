"""What a person means by `dentists near Austin, TX`: which trade, which name, which town."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sandbox.business import Category, Town
from sandbox.places.gazetteer import Gazetteer
from sandbox.places.regions import REGION_WORDS
from sandbox.places.words import words_of

NEARBY = frozenset(("near", "nearby", "around"))
_BEFORE_A_PLACE = NEARBY | {"in", "at"}
_FILLERS = frozenset("a all and best cheap good local me my of office offices shop the to top".split())  # noqa: SIM905


@dataclass(frozen=True, slots=True)
class Question:
    """A text, understood."""

    categories: frozenset[str]
    names: tuple[str, ...]  # words that must be in the business's name; only when no trade was named
    town: Town | None = None
    nearby: bool = False
    unknown_place: bool = False  # a place was named that the world does not have


class Reader:
    """Knows the world's towns and trades."""

    def __init__(self, towns: Iterable[Town], categories: Iterable[Category]) -> None:
        self.gazetteer = Gazetteer(towns)
        self._phrases: dict[tuple[str, ...], set[str]] = {}
        for category in categories:
            for phrase in (category.label, category.name, *category.words):
                self._phrases.setdefault(tuple(words_of(phrase.replace("_", " "))), set()).add(category.name)
        self._longest = max(map(len, self._phrases), default=0)

    def read(self, text: str, country: str = "") -> Question:
        """Take a text apart."""
        words = words_of(text)
        nearby = not NEARBY.isdisjoint(words)
        town = None
        found = self.gazetteer.find(words, country)
        if found is not None:
            town = found.town
            # The place leaves a mark behind, lest the words around it join to a phrase.
            words = [*words[: found.start], "", *words[found.end :]]
        categories, rest = self._trades(words)
        unknown = _names_another_place(rest)
        names = tuple(word for word in rest if word and word not in _FILLERS | _BEFORE_A_PLACE)
        return Question(frozenset(categories), () if categories else names, town, nearby, unknown)

    def _trades(self, words: Sequence[str]) -> tuple[set[str], list[str]]:
        categories: set[str] = set()
        rest: list[str] = []
        at = 0
        while at < len(words):
            length = self._phrase_at(words, at)
            if length:
                categories |= self._phrases[tuple(words[at : at + length])]
            else:
                rest.append(words[at])
            at += length or 1
        return categories, rest

    def _phrase_at(self, words: Sequence[str], at: int) -> int:
        lengths = range(min(self._longest, len(words) - at), 0, -1)
        return next((length for length in lengths if tuple(words[at : at + length]) in self._phrases), 0)


def _names_another_place(rest: Sequence[str]) -> bool:
    """Tell whether the words left name a place that the world lacks: `in Atlantis`, or the `MN` of `Austin, MN`."""
    return any(
        (word in _BEFORE_A_PLACE and after not in _FILLERS and after != "") or (word == "" and after in REGION_WORDS)
        for word, after in itertools.pairwise(rest)
    )

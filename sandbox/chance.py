"""Repeatable chance: every draw is a function of the world's seed, a number and a purpose."""

from __future__ import annotations

from random import Random


def chance(*about: object) -> Random:
    """Give the dice for these words: the same words give the same throws in every process."""
    return Random(":".join(map(str, about)))  # noqa: S311  (nothing here is secret; a text seed is hashed, never `hash`ed)


def fill(mask: str, dice: Random) -> str:
    """Put a digit for every `#` and a capital letter for every `@`."""
    letters = "ABCEGHJKLMNPRSTVWXYZ"
    return "".join(
        dice.choice("0123456789") if sign == "#" else dice.choice(letters) if sign == "@" else sign for sign in mask
    )

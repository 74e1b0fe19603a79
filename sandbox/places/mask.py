"""Field masks: which parts of an answer the caller asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

from sandbox.places.fields import Shape

# A name leads to the mask of what is beneath it; None takes everything beneath.
Mask: TypeAlias = "dict[str, Mask | None]"

_SNAKE = re.compile(r"_([a-z])")


class BadMask(Exception):
    """A mask names something that no answer has."""


def read_mask(text: str, shape: Shape) -> Mask:
    """Read a comma-separated list of paths; spaces are wrong, as with the real provider."""
    if text == "*":
        return dict.fromkeys(shape)
    mask: Mask = {}
    for path in text.split(","):
        parts = _SNAKE.sub(lambda match: match[1].upper(), path).removesuffix(".*").split(".")
        _check(path, parts, shape)
        _add(mask, parts)
    return mask


def _check(path: str, parts: list[str], shape: Shape) -> None:
    for part in parts:
        if part not in shape:
            raise BadMask(path)
        shape = shape[part]


def _add(mask: Mask, parts: list[str]) -> None:
    *above, last = parts
    for part in above:
        beneath = mask.setdefault(part, {})
        if beneath is None:
            return
        mask = beneath
    mask[last] = None


def beneath(mask: Mask, name: str, shape: Shape) -> Mask | None:
    """Give the mask of one field with every name spelt out, or None when it was not asked for."""
    if name not in mask:
        return None
    inner = mask[name]
    return dict.fromkeys(shape[name]) if inner is None else inner


def keep(value: object, mask: Mask | None) -> object:
    """Keep of a JSON value only what the mask asks for; lists keep it of each item."""
    if mask is None:
        return value
    if isinstance(value, list):
        return [keep(item, mask) for item in value]
    if isinstance(value, Mapping):
        return {name: keep(value[name], inner) for name, inner in mask.items() if name in value}
    return value

"""Write the reference of the API from its routes: method, path, the least that a caller must be allowed to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from accounts.caller import ROLE_SCOPES, SCOPES
from api.app import PREFIX, app
from api.caller import caller, operator
from api.openapi import TAGS

HEADS = ("method", "path", "needs", "what it does")
OPEN, KNOWN, OPERATOR = "nothing", "any", "operator"
LEGEND = f"""\
Paths begin with `{PREFIX}`, except `/healthz` and `/readyz`. **needs** is the least that a token or key must include:

- *{OPEN}*: anybody may ask.
- *{KNOWN}*: whoever has logged in, or any key.
- a scope: the roles named below have it, and a key may be limited to it.
- *{OPERATOR}*: `operate`, in the name of an admin of the installation's own tenant.
"""


@dataclass(frozen=True)
class Line:
    """One method at one path."""

    tag: str
    method: str
    path: str
    needs: str
    summary: str


def api_page(note: str) -> str:
    """Draw a table of routes for each part of the API."""
    lines = list(_lines())
    parts = [f"# The API\n\n{note}\nHow to use it: [api.md](../how-to/api.md).\n", LEGEND, _scopes()]
    parts += [_part(tag, [line for line in lines if line.tag == tag]) for tag in TAGS]
    return "\n".join(parts)


def _scopes() -> str:
    rows = [(f"`{scope}`", _roles(scope), says) for scope, says in SCOPES.items()]
    return _table(("scope", "roles", "what it allows"), rows)


def _roles(scope: str) -> str:
    return ", ".join(role for role, own in ROLE_SCOPES.items() if scope in own)


def _part(tag: str, lines: list[Line]) -> str:
    rows = [(line.method, f"`{line.path}`", line.needs, line.summary) for line in lines]
    return f"## {tag}\n\n{TAGS[tag]}\n\n{_table(HEADS, rows)}"


def _lines() -> Iterator[Line]:
    for path, route in _routes(app.routes):
        if route.include_in_schema:
            for method in sorted(route.methods or ()):
                tag = str((route.tags or ["health"])[0])
                yield Line(tag, method, path.removeprefix(PREFIX), _needs(route.dependant), route.summary or "")


def _routes(entries: Iterable[Any], prefix: str = "") -> Iterator[tuple[str, APIRoute]]:
    """Give every route with its whole path, also of those that came with a router."""
    for entry in entries:
        if isinstance(entry, APIRoute):
            yield prefix + entry.path, entry
        else:
            yield from _routes(entry.original_router.routes, prefix + entry.include_context.prefix)


def _needs(dependant: Dependant) -> str:
    """Say what a caller needs, by the dependency with which the route asks for it."""
    asked = list(_calls(dependant))
    if operator in asked:
        return OPERATOR
    scopes = [f"`{call.scope}`" for call in asked if hasattr(call, "scope")]
    return ", ".join(scopes) or (KNOWN if caller in asked else OPEN)


def _calls(dependant: Dependant) -> Iterator[Any]:
    yield dependant.call
    for each in dependant.dependencies:
        yield from _calls(each)


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"

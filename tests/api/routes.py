"""Every route, from the application itself: a route that is added tomorrow is in the list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from fastapi.routing import APIRoute

import actors  # noqa: F401 - declares the stages, which the description names
from api.app import PREFIX, app


@dataclass(frozen=True, order=True)
class Route:
    """One method at one path."""

    method: str
    path: str

    def __str__(self) -> str:
        return f"{self.method} {self.path.removeprefix(PREFIX)}"

    @property
    def operation(self) -> dict[str, Any]:
        """What the description says of it; nothing of a page for people."""
        found: dict[str, Any] = app.openapi()["paths"].get(self.path, {}).get(self.method.lower(), {})
        return found

    @property
    def takes_body(self) -> bool:
        return "requestBody" in self.operation

    @property
    def takes_json(self) -> bool:
        return "application/json" in self.operation.get("requestBody", {}).get("content", {})

    @property
    def parameters(self) -> list[str]:
        """The names in its path."""
        return [each["name"] for each in self.operation.get("parameters", []) if each["in"] == "path"]

    @property
    def queries(self) -> list[dict[str, Any]]:
        return [each for each in self.operation.get("parameters", []) if each["in"] == "query"]


def api_routes(entries: Iterable[Any] = app.routes, prefix: str = "") -> Iterator[tuple[Route, APIRoute]]:
    """Give every route, also of those that came with a router."""
    for entry in entries:
        if isinstance(entry, APIRoute):
            yield from ((Route(method, prefix + entry.path), entry) for method in sorted(entry.methods or ()))
        else:
            yield from api_routes(entry.original_router.routes, prefix + entry.include_context.prefix)


ROUTES = [route for route, _ in api_routes()]
OF_API = [route for route in ROUTES if route.operation]

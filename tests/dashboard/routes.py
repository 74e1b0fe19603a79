"""Every page and form of the dashboard, from the application itself: what is added tomorrow is in the list."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from fastapi._compat import ModelField
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from pydantic import BaseModel

import actors  # noqa: F401 - declares the stages, which pages name
from dashboard.app import pages
from dashboard.visitor import SAFE_METHODS
from tests.api.routes import api_routes

STREAMS = "/events"
UPLOADS = "/uploads"


@dataclass(frozen=True, order=True)
class Route:
    """One method at one path, and the names that it understands."""

    method: str
    path: str
    made: APIRoute = field(compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def is_safe(self) -> bool:
        return self.method in SAFE_METHODS

    @property
    def is_stream(self) -> bool:
        return self.path.endswith(STREAMS)

    @property
    def parameters(self) -> list[str]:
        """The names in its path."""
        return re.findall(r"\{(\w+)", self.path)

    @property
    def queries(self) -> list[str]:
        return names(each for part in parts(self.made.dependant) for each in part.query_params)

    @property
    def fields(self) -> list[str]:
        """The names in its form, without that of the proof."""
        return [
            name
            for name in names(each for part in parts(self.made.dependant) for each in part.body_params)
            if name != "csrf"
        ]


def names(given: Iterable[ModelField]) -> list[str]:
    """Give the names that are read, those within a model for a model."""
    found = set()
    for each in given:
        model: Any = each.field_info.annotation
        is_model = isinstance(model, type) and issubclass(model, BaseModel)
        found |= set(model.model_fields) if is_model else {each.alias}
    return sorted(found)


def parts(dependant: Dependant) -> Iterator[Dependant]:
    """Give a route's dependencies, and itself."""
    yield dependant
    for each in dependant.dependencies:
        yield from parts(each)


ROUTES = [Route(route.method, route.path, made) for route, made in api_routes(pages.routes)]
UNSAFE = [route for route in ROUTES if not route.is_safe]
SAFE = [route for route in ROUTES if route.is_safe]

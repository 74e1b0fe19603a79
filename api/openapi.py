"""OpenAPI: the description of every route, for programs and for people."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from api.caller import Reader
from api.problems import Problem

VERSION = version("scrapersky")
DESCRIPTION = """
From a search such as "dentists near Austin, TX" to businesses, websites and contacts, each with proof of where it was
found. Log in at `/api/v3/auth/login` or send an API key; every answer holds your tenant's rows alone.
"""


def install(app: FastAPI, prefix: str) -> None:
    """Serve the description to callers, and make it complete."""

    @app.get(f"{prefix}/openapi.json", tags=["health"], summary="This description")
    def description(_: Reader) -> dict[str, Any]:
        """Give the description of every route."""
        return describe(app)

    app.openapi = lambda: describe(app)  # type: ignore[method-assign]


def describe(app: FastAPI) -> dict[str, Any]:
    """Write the description, once."""
    if app.openapi_schema is None:
        made = get_openapi(title="ScraperSky", version=VERSION, description=DESCRIPTION, routes=app.routes)
        schemas = made.setdefault("components", {}).setdefault("schemas", {})
        schemas |= _problem_schemas()
        _refuse_in_our_words(made)
        app.openapi_schema = made
    return app.openapi_schema


def _problem_schemas() -> dict[str, Any]:
    schema = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    return {**schema.pop("$defs", {}), "Problem": schema}


def _refuse_in_our_words(made: dict[str, Any]) -> None:
    """Validation is answered with a Problem too, not with the framework's own body."""
    for operations in made["paths"].values():
        for operation in operations.values():
            told = operation.get("responses", {})
            if "422" in told:
                told["422"]["content"] = {
                    "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
                }
    for unused in ("HTTPValidationError", "ValidationError"):
        made["components"]["schemas"].pop(unused, None)

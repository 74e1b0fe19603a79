"""OpenAPI: the description of every route, for programs and for people."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from api.caller import Reader
from api.problems import Problem, answers

VERSION = version("scrapersky")
DESCRIPTION = """
From a search such as "dentists near Austin, TX" to businesses, websites and contacts, each with proof of where it was
found. Log in at `/api/v3/auth/login` or send an API key; every answer holds your tenant's rows alone.
"""

TAGS = {
    "auth": "Log in, go on, log out.",
    "users": "Who may come in, and as what.",
    "keys": "How programs call in the name of a user.",
    "audit": "Who changed what.",
    "searches": "Start a search, see how it fares, steer it.",
    "places": "What providers have on the map.",
    "local-businesses": "The businesses at those places.",
    "domains": "Their sites.",
    "sitemap-files": "Where the sites list their pages.",
    "pages": "The pages, and which are worth reading.",
    "contacts": "Emails, phones, profiles and people, each with its proof.",
    "curation": "Decide on many rows at once, and take it back.",
    "funnel": "How much came through each step, and why the rest did not.",
    "journeys": "The way of one thing from the search down, and why it ended as it did.",
    "batches": "Bring lists of your own into the middle of the pipeline.",
    "exports": "Take the result home.",
    "suppressions": "Whom never to export; erasure.",
    "schedules": "Do it again, at these times.",
    "events": "Follow what happens, as it happens.",
    "webhooks": "Have another program told.",
    "stages": "How the pipeline fares; pause and resume.",
    "work": "Single pieces of work: look, retry, cancel; and what has failed for good, in groups.",
    "workers": "The processes that do the work.",
    "alarms": "What an operator should look at.",
    "metrics": "Figures for Prometheus.",
    "dev-tools": "What runs on a clock, and running it by hand.",
    "health": "Whether it lives, whether it is ready, and this description.",
}


def install(app: FastAPI, prefix: str) -> None:
    """Serve the description to callers, and make it complete."""

    @app.get(
        f"{prefix}/openapi.json",
        tags=["health"],
        summary="This description",
        responses=answers(401, 403, 414, 422, 503),
    )
    def description(_: Reader) -> dict[str, Any]:
        """Give the description of every route."""
        return describe(app)

    app.openapi = lambda: describe(app)  # type: ignore[method-assign]


def describe(app: FastAPI) -> dict[str, Any]:
    """Write the description, once."""
    if app.openapi_schema is None:
        made = get_openapi(title="ScraperSky", version=VERSION, description=DESCRIPTION, routes=app.routes)
        made["tags"] = [{"name": name, "description": says} for name, says in TAGS.items()]
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

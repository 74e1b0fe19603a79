"""The description is complete: a program can be written from it alone."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from api.app import app
from tests.api.routes import OF_API
from tests.cli.terminal import scrapersky

DESCRIPTION = app.openapi()
OPEN = {"GET /healthz", "POST /auth/login", "POST /auth/refresh", "POST /auth/link"}
# They take nothing, and whoever may ask may ask all of it.
PLAIN = {"GET /healthz", "GET /readyz"}


def test_every_route_says_what_it_does() -> None:
    silent = {
        str(route)
        for route in OF_API
        if not all(route.operation.get(part) for part in ("summary", "description", "tags", "operationId"))
    }
    assert silent == set()


def test_every_tag_is_described() -> None:
    used = {tag for route in OF_API for tag in route.operation["tags"]}
    assert used == {tag["name"] for tag in DESCRIPTION["tags"] if tag["description"]}


def test_operation_ids_are_unique_and_short() -> None:
    ids = Counter(route.operation["operationId"] for route in OF_API)
    assert [name for name, many in ids.items() if many > 1] == []
    assert [name for name in ids if not name.isidentifier() or len(name) > 40] == []


def test_every_route_says_how_it_refuses() -> None:
    """In the same words everywhere; what is open has no 401."""
    wrong = {}
    for route in OF_API:
        refusals = {status: told for status, told in route.operation["responses"].items() if status >= "400"}
        kinds = {kind for told in refusals.values() for kind in told.get("content", {})}
        needed = {"422", "503"} | (set() if str(route) in OPEN else {"401", "403"})
        if str(route) not in PLAIN and (not needed <= refusals.keys() or kinds - {"application/problem+json"}):
            wrong[str(route)] = sorted(refusals)
    assert wrong == {}


def test_every_route_but_the_open_ones_names_its_keys() -> None:
    assert {str(route) for route in OF_API if not route.operation.get("security")} == OPEN
    assert set(DESCRIPTION["components"]["securitySchemes"]) == {"HTTPBearer", "APIKeyHeader"}


def test_every_body_has_an_example() -> None:
    schemas = DESCRIPTION["components"]["schemas"]
    without = set()
    for route in OF_API:
        if route.takes_json:
            content = route.operation["requestBody"]["content"]["application/json"]
            told = [content["schema"], *content["schema"].get("anyOf", [])]
            named = next((each["$ref"].rpartition("/")[2] for each in told if "$ref" in each), "")
            fields = schemas.get(named, {}).get("properties", {}).values()
            if not any("examples" in field or "example" in field for field in [content, *fields]):
                without.add(str(route))
    assert without == set()


def test_the_command_prints_what_is_served(tmp_path: Path) -> None:
    printed = scrapersky(tmp_path, "openapi")
    assert printed.returncode == 0, printed.stderr
    assert json.loads(printed.stdout)["paths"].keys() == DESCRIPTION["paths"].keys()
    assert not any(tmp_path.iterdir())

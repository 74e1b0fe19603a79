"""Requests made up from the description: no fault of the server's, and every answer is as described.

SCHEMATHESIS_EXAMPLES says how many to make up for each route; more find more.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from api.app import app
from tests.api.people import Person
from tests.api.planted import Planted
from tests.api.routes import OF_API, Route

EXAMPLES = int(os.environ.get("SCHEMATHESIS_EXAMPLES", "8"))
SCHEMA = schemathesis.openapi.from_dict(app.openapi())
CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance, status_code_conformance]
TAGS = sorted({tag for route in OF_API for tag in route.operation["tags"]})
BOUNDED = settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)


@pytest.fixture
def own(admin: Person, db: str) -> Iterator[Planted]:
    made = Planted(db, admin.tenant_id, admin.user_id)
    yield made
    made.close()


@pytest.mark.parametrize("tag", TAGS)
def test_made_up_requests(admin: Person, own: Planted, tag: str) -> None:
    """A fault, or an answer that is not as described, fails inside `try_out`; here each route was really called."""
    statuses = {str(route): try_out(route, admin, own) for route in OF_API if tag in route.operation["tags"]}
    assert [name for name, seen in statuses.items() if not seen] == []


def try_out(route: Route, admin: Person, own: Planted) -> set[int]:
    """Call one route with what its description allows and with what it forbids, and give the statuses seen."""
    operation = SCHEMA[route.path][route.method]
    statuses: set[int] = set()
    real = {name: own.named(route, name) for name in route.parameters}
    modes = [GenerationMode.POSITIVE] + ([GenerationMode.NEGATIVE] if route.takes_body or route.queries else [])

    @settings(
        max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(case=st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in modes)), is_real=st.booleans())
    def call(case: schemathesis.Case[Any], is_real: bool) -> None:
        if is_real and real:
            case.path_parameters = {name: str(value) for name, value in real.items()}
        if str(route) == "GET /events":
            case.query = {**(case.query or {}), "seconds": 1}
        answer = case.call(base_url=str(admin.client.base_url), headers={"X-API-Key": admin.key})
        # Nothing works in this test, and `readyz` says so.
        checks = CHECKS[1:] if str(route) == "GET /readyz" else CHECKS
        case.validate_response(answer, checks=checks)
        statuses.add(answer.status_code)

    call()
    return statuses

"""Problems: every refusal as one RFC 9457 body, with one sentence that says what happened and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from errors import (
    BadInput,
    Conflict,
    NotAllowed,
    NotFound,
    NotLoggedIn,
    ServerDown,
    TooManyTries,
    UserError,
)
from pipeline.database import DRIVER_FAULTS, is_lost

log = structlog.get_logger("api")

MEDIA_TYPE = "application/problem+json"
STATUSES: Mapping[type[UserError], HTTPStatus] = {
    NotFound: HTTPStatus.NOT_FOUND,
    Conflict: HTTPStatus.CONFLICT,
    BadInput: HTTPStatus.BAD_REQUEST,
    NotLoggedIn: HTTPStatus.UNAUTHORIZED,
    NotAllowed: HTTPStatus.FORBIDDEN,
    TooManyTries: HTTPStatus.TOO_MANY_REQUESTS,
    ServerDown: HTTPStatus.SERVICE_UNAVAILABLE,
}
DATABASE_AWAY = "The database does not answer at the moment: try again in a few seconds."
MOST_FAULTS = 20


class Fault(BaseModel):
    """One thing about the request that cannot be used."""

    at: str = Field(description="where in the request", examples=["body.status"])
    says: str = Field(description="what is wrong there", examples=["Input should be a valid integer"])


class Problem(BaseModel):
    """Why a request was refused (RFC 9457)."""

    type: str = Field(default="about:blank", description="always about:blank: the status says the kind")
    title: str = Field(description="the status in words", examples=["Not Found"])
    status: int = Field(description="the HTTP status", examples=[404])
    detail: str = Field(description="what happened and what to do", examples=["There is no search 7."])
    faults: list[Fault] = Field(default=[], description="what is wrong with the request, part by part")


def answers(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Give the `responses` of a route that may refuse with these statuses."""
    return {
        status: {
            "description": HTTPStatus(status).phrase,
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status in statuses
    }


def refuse(
    status: int, detail: str, *, faults: list[Fault] | None = None, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """Make the answer that refuses a request."""
    problem = Problem(title=HTTPStatus(status).phrase, status=status, detail=detail, faults=faults or [])
    body = problem.model_dump(exclude=set() if faults else {"faults"})
    return JSONResponse(body, status, headers=dict(headers or {}), media_type=MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Have every error of ours, of the framework and of the servers answered this way."""
    app.add_exception_handler(UserError, _of_user_error)  # type: ignore[arg-type]
    app.add_exception_handler(RequestValidationError, _of_validation)  # type: ignore[arg-type]
    app.add_exception_handler(HTTPException, _of_http)  # type: ignore[arg-type]
    for fault in DRIVER_FAULTS:
        app.add_exception_handler(fault, _of_driver)


def _of_user_error(_request: Request, error: UserError) -> JSONResponse:
    status = next((status for kind, status in STATUSES.items() if isinstance(error, kind)), HTTPStatus.BAD_REQUEST)
    headers = {}
    if isinstance(error, NotLoggedIn):
        headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, TooManyTries):
        headers["Retry-After"] = str(max(1, int(error.retry_after.total_seconds())))
    return refuse(status, str(error), headers=headers)


def _of_validation(_request: Request, error: RequestValidationError) -> JSONResponse:
    found = [Fault(at=".".join(map(str, one["loc"])), says=str(one["msg"])[:300]) for one in error.errors()]
    first = found[0] if found else Fault(at="request", says="it cannot be read")
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    return refuse(422, f"{first.at}: {first.says}{more}.", faults=found[:MOST_FAULTS])


def _of_http(_request: Request, error: HTTPException) -> JSONResponse:
    """The framework's own refusals, in our words."""
    return refuse(error.status_code, _meaning(error.status_code), headers=error.headers)


def _meaning(status: int) -> str:
    if status == HTTPStatus.BAD_REQUEST:
        return "The body cannot be read: send JSON in UTF-8, as GET /api/v3/openapi.json describes it."
    if status == HTTPStatus.NOT_FOUND:
        return "There is nothing at this address: GET /api/v3/openapi.json lists what there is."
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        return "This address does not take that method: GET /api/v3/openapi.json lists what it takes."
    return f"{HTTPStatus(status).phrase}."


def _of_driver(_request: Request, error: Exception) -> JSONResponse:
    if is_lost(error):
        log.warning("database-away", error=str(error))
        return refuse(HTTPStatus.SERVICE_UNAVAILABLE, DATABASE_AWAY, headers={"Retry-After": "5"})
    raise error

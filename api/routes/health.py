"""Health: whether the process lives, which anybody may ask, and whether all is there that work needs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Response, status
from pydantic import BaseModel, Field

from accounts.caller import Caller
from api import problems
from api.caller import caller
from operations import readiness

router = APIRouter(tags=["health"])

NOT_READY: dict[int | str, dict[str, Any]] = {
    status.HTTP_503_SERVICE_UNAVAILABLE: {
        "description": "Something is missing; when it is the database, the answer is a Problem.",
        "content": {
            "application/json": {"schema": {"$ref": "#/components/schemas/Ready"}},
            **problems.answers(503)[503]["content"],
        },
    }
}


class Live(BaseModel):
    """The process answers."""

    status: Literal["ok"] = "ok"


class Part(BaseModel):
    """One thing that work needs."""

    name: str = Field(examples=["broker"])
    ok: bool
    says: str = Field(description="how it is, and what to do", examples=["The broker answers."])


class Ready(BaseModel):
    """Whether all is there that work needs."""

    status: Literal["ready", "not ready"]
    parts: list[Part]


@router.get("/healthz", summary="Is the process alive?")
def healthz() -> Live:
    """Say that the process answers; looks at nothing else, and anybody may ask."""
    return Live()


@router.get("/readyz", summary="Is everything there that work needs?", responses=problems.answers(401) | NOT_READY)
def readyz(response: Response, _: Annotated[Caller, Depends(caller)]) -> Ready:
    """Say how the database, its schema, the broker, the workers and the rules are; 503 when something is missing."""
    parts = [Part(name=part.name, ok=part.ok, says=part.says) for part in readiness.check()]
    is_ready = all(part.ok for part in parts)
    if not is_ready:
        response.status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    return Ready(status="ready" if is_ready else "not ready", parts=parts)

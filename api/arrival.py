"""Arrival: from which network address a request comes, and answers that nobody on the way may keep."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request, Response

NO_STORE = {"Cache-Control": "no-store"}


def _address(request: Request) -> str:
    """Give the caller's address: the connection's, or what a trusted proxy says."""
    return request.client.host if request.client else "unknown"


def _keep_nowhere(response: Response) -> None:
    response.headers.update(NO_STORE)


Address = Annotated[str, Depends(_address)]
keep_nowhere = Depends(_keep_nowhere)

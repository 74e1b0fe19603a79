"""The web application: for now, whether it lives and whether it is ready."""

from __future__ import annotations

from typing import Literal

from fastapi import FastAPI, Response, status
from pydantic import BaseModel

import migrations
from errors import UserError
from pipeline.broker import check_broker
from pipeline.database import database_url

Word = Literal["ok", "unavailable"]

app = FastAPI(title="ScraperSky", docs_url=None, redoc_url=None, openapi_url=None)


class Live(BaseModel):
    """The process answers."""

    status: Word = "ok"


class Ready(BaseModel):
    """Whether requests that need the servers can be answered; in words only, because anybody may ask."""

    status: Word
    database: Word
    broker: Word


@app.get("/health/live")
def live() -> Live:
    """Say that the process answers."""
    return Live()


@app.get("/health/ready")
def ready(response: Response) -> Ready:
    """Say whether the database is up to date and the broker answers."""
    database, broker = _database(), _broker()
    everything: Word = "ok" if (database, broker) == ("ok", "ok") else "unavailable"
    if everything != "ok":
        response.status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    return Ready(status=everything, database=database, broker=broker)


def _database() -> Word:
    """Ask on a connection of its own: one from the pool could be dead without knowing it."""
    try:
        migrations.check(database_url())
    except UserError:
        return "unavailable"
    return "ok"


def _broker() -> Word:
    try:
        check_broker()
    except UserError:
        return "unavailable"
    return "ok"

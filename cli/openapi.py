"""OpenAPI: print the description of the API."""

from __future__ import annotations

import json

import typer

from api.app import app
from pipeline.stage import load_stages


def show() -> None:
    """Print it as JSON."""
    load_stages()
    typer.echo(json.dumps(app.openapi(), indent=2, ensure_ascii=False))

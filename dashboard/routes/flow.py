"""Flow: the pipeline as a living picture."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter()

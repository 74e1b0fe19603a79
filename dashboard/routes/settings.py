"""Settings: what is in force and where it came from."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter()

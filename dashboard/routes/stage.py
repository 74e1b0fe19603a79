"""A stage: its work, its reasons and durations, and an operator's hand on it."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter()

"""System: versions, servers, invariants and what runs on a clock."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter()

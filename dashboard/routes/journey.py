"""Journey: the way of anything from the search that began it."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter()

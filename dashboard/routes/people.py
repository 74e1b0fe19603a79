"""Users and keys: who may come in, and with what."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter()

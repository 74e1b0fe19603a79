"""Lead: one business with its site, contacts, proof and history."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter()

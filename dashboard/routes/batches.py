"""Batches: bring a list, see what became of each row."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter()

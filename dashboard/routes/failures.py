"""Failures: what has ended in Error, grouped, to be retried or cancelled."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter()

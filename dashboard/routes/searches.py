"""Searches: start one, see its funnel, coverage and cost, steer it."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter()

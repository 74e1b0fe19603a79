"""Saved views: how a person likes to see a table."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter()

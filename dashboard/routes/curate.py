"""Curate: tables of everything that was found, decided on by keyboard."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter()

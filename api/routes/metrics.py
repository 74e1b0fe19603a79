"""Metrics: everything that is counted, for Prometheus."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse
from prometheus_client import CONTENT_TYPE_LATEST

from api.caller import Operator
from operations import metrics

router = APIRouter(tags=["metrics"])


@router.get("/metrics", summary="Metrics for Prometheus", response_class=PlainTextResponse)
def read_metrics(_: Operator) -> PlainTextResponse:
    """Give every metric of the whole installation in Prometheus' text format, at most some seconds old."""
    return PlainTextResponse(metrics.scrape(), media_type=CONTENT_TYPE_LATEST)

"""`GET /health/live` and `/health/ready`: words only, and nothing else is open."""

from __future__ import annotations

import json
import signal
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError, URLError

import pytest
from fastapi import Response

from api.app import live, ready
from embedded import Servers
from embedded.processes import wait_until
from settings import settings
from tests.cli.terminal import PROGRAM, environment, free_port, scrapersky


@pytest.fixture
def web(db: str, servers: Servers, tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A running `scrapersky serve` and its port."""
    port = free_port()
    given = environment(DATABASE_URL=db, REDIS_URL=servers.broker_url, WEB_PORT=port)
    process = subprocess.Popen([PROGRAM, "serve"], cwd=tmp_path, env=given, stderr=subprocess.PIPE)
    assert wait_until(lambda: _get(port, "/health/live")[0] == 200, 60)
    yield process, port
    process.kill()
    process.communicate()


def test_serve_answers_and_stops_when_asked(web: tuple[subprocess.Popen[bytes], int], tmp_path: Path) -> None:
    process, port = web
    assert _get(port, "/health/live") == (200, {"status": "ok"})
    assert _get(port, "/health/ready") == (200, {"status": "ok", "database": "ok", "broker": "ok"})
    assert {_get(port, path)[0] for path in ("/", "/docs", "/redoc", "/openapi.json")} == {404}
    second = scrapersky(tmp_path, "serve", WEB_PORT=port)
    assert second.returncode == 3
    assert second.stderr.startswith(f"The web process cannot listen on 127.0.0.1 port {port} (Address already in use):")
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 0
    assert b"GET /" not in errors


def test_without_a_database_it_lives_and_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://me:hunter2@127.0.0.1:1/leads")
    settings.cache_clear()
    response = Response()
    said = ready(response).model_dump()
    assert live().status == "ok"
    assert response.status_code == 503
    assert (said["status"], said["database"]) == ("unavailable", "unavailable")
    assert set(said.values()) <= {"ok", "unavailable"}


def _get(port: int, path: str) -> tuple[int, object]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
            return answer.status, json.load(answer)
    except HTTPError as refused:
        with refused:
            return refused.code, None
    except URLError:
        return 0, None

"""The web process's socket."""

from __future__ import annotations

import socket

import pytest

from cli.listening import listen
from settings import settings
from tests.cli.terminal import free_port


def test_small_answers_are_sent_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEB_PORT", str(free_port()))
    settings.cache_clear()
    with listen() as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0

"""Logs: no secret in any form, no line that a stranger's text could have forged, and JSON that parses."""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
import structlog
from pydantic import SecretStr

import logs
import settings

SECRETS = {
    "DATABASE_URL": "postgresql://user:hidden-database-word@host/name",
    "REDIS_URL": "redis://:hidden-redis-word@host:6379/0",
    "GOOGLE_MAPS_API_KEY": "hidden-google-key",
    "JWT_SECRET_KEY": "hidden-signing-secret-of-32-characters",
}
Lines = Callable[[], str]


@pytest.fixture(params=["json", "console"])
def written(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lines]:
    """Everything that was logged, as a terminal or a file would get it."""
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("LOG_FORMAT", request.param)
    monkeypatch.setenv("LOG_LEVEL", "DEBUG")
    settings.settings.cache_clear()
    yield from _captured(monkeypatch)


@pytest.fixture
def as_json(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], list[dict[str, Any]]]]:
    monkeypatch.setenv("LOG_FORMAT", "json")
    settings.settings.cache_clear()
    yield from (partial(_parsed, lines) for lines in _captured(monkeypatch))


def _parsed(lines: Lines) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines().splitlines()]


def _captured(monkeypatch: pytest.MonkeyPatch) -> Iterator[Lines]:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    root = logging.getLogger()
    before = root.handlers[:], root.level
    before_structlog = structlog.get_config()
    logs.configure()
    yield stream.getvalue
    root.handlers[:], level = before
    root.setLevel(level)
    structlog.configure(**before_structlog)


def fail_with(text: str) -> None:
    raise ValueError(text)


SAY: dict[str, Callable[[Any, str], None]] = {
    "in the event": lambda log, text: log.info(f"said {text}"),
    "in a value": lambda log, text: log.info("said", what=text),
    "deep in a value": lambda log, text: log.info("said", what={"list": [("x", {"deep": text})]}),
    "in an object": lambda log, text: log.info("said", what=ValueError(text)),
}


def say_in_an_exception(log: Any, text: str) -> None:
    try:
        fail_with(text)
    except ValueError:
        log.exception("failed")


def say_by_the_standard_library(_log: Any, text: str) -> None:
    logging.getLogger("some.library").warning("said %s", text)


def say_in_an_exception_of_the_standard_library(_log: Any, text: str) -> None:
    try:
        fail_with(text)
    except ValueError:
        logging.getLogger("some.library").exception("failed")


SAY |= {
    "in an exception": say_in_an_exception,
    "by the standard library": say_by_the_standard_library,
    "in an exception of the standard library": say_in_an_exception_of_the_standard_library,
}
ways = pytest.mark.parametrize("say", SAY.values(), ids=SAY.keys())


@ways
@pytest.mark.parametrize(
    "text",
    [
        SECRETS["DATABASE_URL"],
        "password is hidden-database-word",
        SECRETS["REDIS_URL"],
        SECRETS["GOOGLE_MAPS_API_KEY"],
        SECRETS["JWT_SECRET_KEY"],
        "amqp://guest:hidden-stranger@host/",
        "GET https://maps.example/place?key=hidden-query-key&x=1",
        "GET https://maps.example/place?x=1&api_key=hidden-query-key",
        "Authorization: Bearer hidden.bearer.token",
        "authorization: basic aGlkZGVuLWJhc2lj",
        "{'Authorization': 'Bearer hidden.bearer.token'}",
        "ssk_hidden-key-that-is-long-enough",
        "ssr_0123456789abcdef.hidden-refresh-token",
        "http://127.0.0.1:8000/login#ssl_hidden-link-that-is-long",
        "whsec_hidden/secret+of=a+webhook",
        "eyJhbGciOiJIUzI1NiJ9.hidden-claims.hidden-signature",
    ],
)
def test_a_secret_is_never_written(written: Lines, say: Callable[[Any, str], None], text: str) -> None:
    say(structlog.get_logger("test"), text)
    said = written()
    assert "***" in said
    assert "hidden" not in said
    assert "aGlkZGVu" not in said


@pytest.mark.parametrize(
    "name", ["password", "api_key", "apikey", "client_secret", "Authorization", "cookie", "Set-Cookie", "access_token"]
)
def test_a_value_is_hidden_by_its_name(written: Lines, name: str) -> None:
    log = structlog.get_logger("test")
    log.info("said", **{name: "hidden-word"})
    log.info("said", headers={name: ["hidden-word"]})
    log.info("said", typed=SecretStr("hidden-word"))
    assert "hidden-word" not in written()


@ways
@pytest.mark.parametrize(
    "text", ["\x1b[31mred\x1b[0m", "bell\x07", "back\x08", "\x9b31m", "line\u2028break", "\u202eevil", "\r over"]
)
def test_control_characters_become_visible(written: Lines, say: Callable[[Any, str], None], text: str) -> None:
    say(structlog.get_logger("test"), text)
    assert not set(written()) & set("\x07\x08\x9b\u2028\u202e\r")
    assert "\x1b[31mred" not in written()


@pytest.mark.parametrize("where", ["in the event", "in a value", "by the standard library"])
def test_a_stranger_cannot_forge_a_line(written: Lines, where: str) -> None:
    SAY[where](structlog.get_logger("test"), "title\n2026-01-01T00:00:00Z [info     ] all-is-well")
    assert len(written().splitlines()) == 1


def test_every_line_is_json_with_a_time_a_level_and_a_name(as_json: Callable[[], list[dict[str, Any]]]) -> None:
    structlog.get_logger("ours").info("one", number=1, nothing=None, at={"a": (1, 2)}, text="ü\ud800")
    logging.getLogger("theirs").error("two %s", "words")
    say_in_an_exception(structlog.get_logger("ours"), "three\nlines")
    one, two, three = as_json()
    assert (one["event"], one["number"], one["nothing"], one["at"]) == ("one", 1, None, {"a": [1, 2]})
    assert (one["level"], one["logger"]) == ("info", "ours")
    assert one["timestamp"].endswith("Z")
    assert (two["event"], two["level"], two["logger"]) == ("two words", "error", "theirs")
    assert "ValueError: three" in three["exception"]


def test_context_of_the_thread_is_written_too(as_json: Callable[[], list[dict[str, Any]]]) -> None:
    with structlog.contextvars.bound_contextvars(work=7):
        structlog.get_logger("ours").info("one")
    assert as_json()[0]["work"] == 7


@pytest.mark.parametrize(
    "value",
    [
        {1: "a", None: "b"},
        {"a", "b"},
        b"bytes",
        object(),
        float("nan"),
        SecretStr("x"),
    ],
)
def test_any_value_can_be_logged(written: Lines, value: object) -> None:
    structlog.get_logger("test").info("said", what=value)
    assert "said" in written()


def test_what_is_below_the_level_is_not_written(
    as_json: Callable[[], list[dict[str, Any]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    structlog.get_logger("ours").debug("quiet")
    logging.getLogger("httpx").info("GET https://example.com")
    assert as_json() == []


def test_without_a_terminal_the_format_is_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    settings.settings.cache_clear()
    assert not logs._wants_console()

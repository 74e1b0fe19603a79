"""Logs: readable in a terminal, JSON elsewhere; secrets never appear, and scraped text cannot forge a line."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Callable, MutableMapping
from typing import Any

import structlog
from pydantic import SecretStr

from redact import hide_password
from settings import settings

Event = MutableMapping[str, Any]

HIDDEN = "***"
SECRET_NAMES = re.compile(r"(?i)(password|passwd|secret|api_?key|authorization|cookie|jwt|access_token|refresh_token)")
SECRET_IN_QUERY = re.compile(r"(?i)([?&](?:key|api_?key|token|access_token|password|secret|signature)=)[^&\s\"']+")
BEARER = re.compile(r"(?i)\b(bearer|basic)\s+[a-z0-9._~+/=-]{8,}")
# Keys, refresh tokens and login links of ours, secrets of webhooks, and access tokens, wherever they stand.
TOKENS = re.compile(r"\b(ss[klr]_|whsec_|eyJ)[A-Za-z0-9_.+/=-]{16,}")
LONG_TEXTS = ("exception", "stack")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def configure() -> None:
    """Set up structlog and the standard library's logging, so that every library's lines pass through here too."""
    as_console = _wants_console()
    chain: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        redact,
    ]
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *chain, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    renderer = structlog.dev.ConsoleRenderer() if as_console else structlog.processors.JSONRenderer()
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=chain,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    logging.basicConfig(level=settings().log_level, handlers=[handler], force=True)
    for noisy in ("alembic", "apscheduler", "dramatiq", "httpcore", "httpx", "periodiq", "pika", "uvicorn"):
        logging.getLogger(noisy).setLevel(max(logging.WARNING, logging.getLogger().level))


def _wants_console() -> bool:
    if settings().log_format == "auto":
        return bool(getattr(sys.stderr, "isatty", lambda: False)())
    return settings().log_format == "console"


def redact(_: object, __: str, event: Event) -> Event:
    """Blank secrets by name and by value, wherever they hide, and make control characters visible."""
    hide = _hider()
    return {name: _safe_field(name, value, hide) for name, value in event.items()}


def _safe_field(name: object, value: Any, hide: Callable[[str], str]) -> Any:
    if isinstance(name, str) and name.startswith("_"):  # structlog's own passengers
        return value
    if SECRET_NAMES.search(str(name)):
        return HIDDEN
    safe = _safe(value, hide)
    if not isinstance(safe, str):
        return safe
    # A traceback keeps its lines, but set in, so that none of them passes for a log line of its own.
    return safe.replace("\n", "\n    " if name in LONG_TEXTS else "\\n")


def _safe(value: Any, hide: Callable[[str], str]) -> Any:
    if isinstance(value, SecretStr):
        return HIDDEN
    if isinstance(value, str):
        return hide(value)
    if isinstance(value, dict):
        return redact(None, "", value)
    if isinstance(value, list | tuple | set):
        return [_safe(item, hide) for item in value]
    if value is None or isinstance(value, int | float):
        return value
    return hide(str(value))


def hide_secrets(text: str) -> str:
    """Blank every secret in a text that will be stored or shown."""
    return _hider()(text)


def _hider() -> Callable[[str], str]:
    known = settings().secrets

    def hide(text: str) -> str:
        for secret in known:
            text = text.replace(secret, HIDDEN)
        text = hide_password(text)
        text = SECRET_IN_QUERY.sub(rf"\1{HIDDEN}", text)
        text = BEARER.sub(rf"\1 {HIDDEN}", text)
        text = TOKENS.sub(HIDDEN, text)
        return CONTROL.sub(lambda found: repr(found.group())[1:-1], text)

    return hide

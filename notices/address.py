"""Address: what may be written as a webhook's URL. Whether it leads into a private network is decided on delivery."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit

from errors import BadInput
from models.base import MAX_URL_BYTES
from settings import settings

# The guard that delivers asks no other ports, and takes no host that is written otherwise.
PORTS = (None, 80, 443)
PLAIN = re.compile(r"[!-~]+")
HOST = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)+\.?|[0-9a-f:.]*:[0-9a-f:.]*")


def checked(url: str) -> str:
    """Give a URL that a webhook may have, or say what is wrong with it."""
    wrong = _fault_of(url.strip())
    if wrong:
        raise BadInput(f"This URL cannot be a webhook's: {wrong}.")
    return url.strip()


def lane_of(webhook_id: int, url: str) -> str:
    """Name the lane in which a webhook is told: its own, so that no tenant waits for another's slow receiver."""
    return f"{urlsplit(url).hostname}/webhook-{webhook_id}"


def _fault_of(url: str) -> str | None:
    if len(url) > MAX_URL_BYTES:
        return f"it is longer than {MAX_URL_BYTES} characters"
    if PLAIN.fullmatch(url) is None:
        return "write it in plain characters without spaces, others as %xx, a name as xn--…"
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "it cannot be read"
    return _scheme_fault(parts) or _host_fault(parts, port)


def _scheme_fault(parts: SplitResult) -> str | None:
    if parts.scheme not in ("http", "https"):
        return "it must begin with https://"
    if parts.scheme == "http" and settings().environment == "production":
        return "it must begin with https://, so that nobody on the way can read what is told"
    return None


def _host_fault(parts: SplitResult, port: int | None) -> str | None:
    if HOST.fullmatch(parts.hostname or "") is None:
        return "it needs the full name of a host, such as https://hooks.your-company.com/leads"
    if "@" in parts.netloc:
        return "it must not hold a name or password"
    if port not in PORTS:
        return f"port {port} is not a web server's: use 443"
    if parts.fragment:
        return "what follows # is never sent"
    return None

"""Webhook signature: how a receiver knows that a message is ours and unchanged, as Standard Webhooks has it."""

from __future__ import annotations

import hmac
from base64 import b64decode, b64encode
from collections.abc import Iterable

MARK = "whsec_"
KEY_BYTES = 32


def secret_of(key: bytes) -> str:
    """Write a key as people copy it."""
    return MARK + b64encode(key).decode()


def sign(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """Sign a message: its id and the moment of sending too, so that it can neither be repeated late nor renamed."""
    key = b64decode(secret.removeprefix(MARK))
    digest = hmac.digest(key, f"{message_id}.{timestamp}.".encode() + body, "sha256")
    return f"v1,{b64encode(digest).decode()}"


def signed_headers(secrets: Iterable[str], message_id: str, timestamp: int, body: bytes) -> list[tuple[str, str]]:
    """Give the headers of a message; with several secrets a receiver may know any of them."""
    signatures = " ".join(sign(secret, message_id, timestamp, body) for secret in secrets)
    return [("webhook-id", message_id), ("webhook-timestamp", str(timestamp)), ("webhook-signature", signatures)]

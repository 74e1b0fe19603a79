"""A receiver of webhooks on a real socket: it answers as a test says, and keeps what came."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

URL = "http://hooks.example/leads"


@dataclass(frozen=True)
class Message:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def type(self) -> str:
        return str(self.json["type"])

    @property
    def data(self) -> dict[str, Any]:
        return dict(self.json["data"])

    @property
    def json(self) -> dict[str, Any]:
        return dict(json.loads(self.body))

    def is_signed_with(self, secret: str) -> bool:
        """Check the signature as a receiver would, with nothing of ours."""
        key = base64.b64decode(secret.split("_", 1)[1])
        signed = b".".join([self.id.encode(), self.headers["webhook-timestamp"].encode(), self.body])
        expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        given = [each.split(",", 1) for each in self.headers["webhook-signature"].split(" ")]
        return any(version == "v1" and hmac.compare_digest(value, expected) for version, value in given)


@dataclass
class Receiver:
    """Answers with the statuses it was given, one after the other, the last for ever; `before` may take its time."""

    statuses: list[int] = field(default_factory=lambda: [200])
    headers: dict[str, str] = field(default_factory=dict)
    before: Callable[[Message], None] | None = None
    heard: list[Message] = field(default_factory=list)
    address: str = ""

    def answer(self, message: Message) -> int:
        self.heard.append(message)
        status = self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]
        if self.before is not None:
            self.before(message)
        return status


@contextmanager
def listening(receiver: Receiver) -> Iterator[Receiver]:
    """Have a receiver listen on loopback."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            named = {name.lower(): value for name, value in self.headers.items()}
            status = receiver.answer(Message(self.path, named, body))
            try:
                self.send_response(status)
                for name, value in receiver.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()
            except BrokenPipeError:
                return  # the sender was killed meanwhile

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    receiver.address = f"127.0.0.1:{server.server_address[1]}"
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()

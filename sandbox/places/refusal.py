"""Refusals in the shape that Google gives them."""

from __future__ import annotations

import json

from sandbox.message import JSON, Reply

SERVICE = "places.googleapis.com"
ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo"
BAD_REQUEST = "type.googleapis.com/google.rpc.BadRequest"

STATUS_WORDS = {
    400: "INVALID_ARGUMENT",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}


class Refusal(Exception):
    """A call that is answered with an error."""

    def __init__(self, status: int, message: str, *details: dict[str, object]) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.details = details

    def reply(self) -> Reply:
        """Give the answer that the provider would send."""
        error: dict[str, object] = {
            "code": self.status,
            "message": self.message,
            "status": STATUS_WORDS.get(self.status, "UNKNOWN"),
        }
        if self.details:
            error["details"] = list(self.details)
        return json_reply({"error": error}, self.status)


def json_reply(value: object, status: int = 200) -> Reply:
    """Answer with JSON."""
    return Reply(status, json.dumps(value, ensure_ascii=False).encode(), JSON)


def reason(word: str, **metadata: str) -> dict[str, object]:
    """Give the detail that names why in one word."""
    facts = {"service": SERVICE, **metadata}
    return {"@type": ERROR_INFO, "reason": word, "domain": "googleapis.com", "metadata": facts}


def bad_field(field: str, description: str) -> Refusal:
    """Refuse a field of the request's body."""
    violation = {"field": field, "description": description}
    return Refusal(400, description, {"@type": BAD_REQUEST, "fieldViolations": [violation]})

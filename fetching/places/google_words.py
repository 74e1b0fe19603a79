"""Google's errors in our words: by the status and the details of its JSON, never by the text that is for people."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import reasons
from errors import Final, Passing, Trouble
from fetching.places.asking import Answer
from fetching.words import fault_of, retry_after
from services.plain import list_of, mapping_of, text_of

LONGEST_MESSAGE = 300
ERROR_INFO, BAD_REQUEST, RETRY_INFO = "ErrorInfo", "BadRequest", "RetryInfo"
NO_QUOTA = ("RESOURCE_EXHAUSTED",)
NO_ENTRY = ("PERMISSION_DENIED", "UNAUTHENTICATED")
FAILED = ("INTERNAL", "UNAVAILABLE", "DEADLINE_EXCEEDED", "ABORTED", "UNKNOWN", "CANCELLED")
# A day's quota does not come back in a minute; asking once an hour finds out when it does.
DAY_QUOTA_WAIT = timedelta(hours=1)


def trouble_of(answer: Answer, *, page: str | None, secret: str) -> Trouble:
    """Put an answer other than 200 into a word; `page` is the page token that was sent, `secret` the key."""
    error = _Error(answer)
    said = error.said.replace(secret, "***")  # a message may repeat what it was sent
    facts: dict[str, Any] = {"status": answer.status, "seconds": answer.seconds}
    if error.status in NO_QUOTA or error.why == "RATE_LIMIT_EXCEEDED":
        return Passing(reasons.RATE_LIMITED, said, retry_after=error.wait(), **facts)
    if error.status in NO_ENTRY or error.why.startswith("API_KEY_"):
        return Final(reasons.BAD_KEY, said, **facts)
    if error.status == "NOT_FOUND":
        return Final(reasons.NOT_FOUND, said, **facts)
    if error.status in FAILED:
        return Passing(reasons.SERVER_ERROR, said, retry_after=error.wait(), **facts)
    if error.status:
        # The same question without a token was understood, so it is the token that is refused.
        is_stale = page is not None and error.status == "INVALID_ARGUMENT" and error.fields <= {"pageToken"}
        if is_stale:
            return Passing(reasons.STALE_PAGE, said, **facts)
        return Final(reasons.BAD_REQUEST, said, **facts)
    fault = fault_of(answer.status, answer.headers, answer.seconds)
    return fault or Passing(reasons.BAD_RESPONSE, f"HTTP {answer.status}", **facts)


class _Error:
    """The error object of an answer; all its parts are empty when there is none."""

    def __init__(self, answer: Answer) -> None:
        error = mapping_of(mapping_of(_json(answer.body)).get("error"))
        self._details = [mapping_of(one) for one in list_of(error.get("details"), 20)]
        self._header = answer.headers.get("retry-after")
        self.status = text_of(error.get("status"), 50) or ""
        self.why = text_of(self._detail(ERROR_INFO).get("reason"), 100) or ""
        violations = list_of(self._detail(BAD_REQUEST).get("fieldViolations"), 20)
        self.fields = {text_of(mapping_of(one).get("field"), 100) or "" for one in violations}
        message = text_of(error.get("message"), LONGEST_MESSAGE) or "no message"
        self.said = f"HTTP {answer.status} {' '.join(filter(None, (self.status, self.why)))}: {message}"

    def wait(self) -> timedelta | None:
        """Give how long Google asks to wait, in its header or in its JSON."""
        told = re.fullmatch(r"(\d{1,6})(?:\.\d{1,9})?s", str(self._detail(RETRY_INFO).get("retryDelay")), re.ASCII)
        limit = str(mapping_of(self._detail(ERROR_INFO).get("metadata")).get("quota_limit")).lower().replace("_", "")
        of_day = DAY_QUOTA_WAIT if "perday" in limit else None
        return retry_after(self._header) or (timedelta(seconds=int(told[1]) + 1) if told else of_day)

    def _detail(self, kind: str) -> Mapping[str, Any]:
        return next((one for one in self._details if str(one.get("@type")).endswith(f".{kind}")), {})


def _json(body: bytes) -> object:
    try:
        value: object = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value

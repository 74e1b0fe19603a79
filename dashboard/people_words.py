"""People words: what roles may do, how long keys live, and the whole address of a page of ours."""

from __future__ import annotations

from fastapi import Request

ROLES = (
    ("viewer", "looks at everything"),
    ("curator", "also decides, exports and starts searches"),
    ("admin", "also retries work and keeps users, keys and webhooks"),
)
LIVES = ((30, "for 30 days"), (90, "for 90 days"), (365, "for a year"), (0, "until it is revoked"))


def whole_address(request: Request, path: str) -> str:
    """Give the address of a page as this browser reaches us, to be handed to somebody else."""
    return f"{request.url.scheme}://{request.url.netloc}{path}"

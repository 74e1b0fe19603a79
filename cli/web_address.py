"""Web address: where this machine reaches the web process."""

from __future__ import annotations

from settings import settings

# And one of them that is certainly ours.
EVERY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104


def web_url() -> str:
    """Give the address as a browser takes it."""
    host = EVERY_ADDRESS.get(settings().web_host, settings().web_host)
    return f"http://{f'[{host}]' if ':' in host else host}:{settings().web_port}"

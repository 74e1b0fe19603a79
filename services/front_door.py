"""Front door: the addresses at which a domain's homepage may be, and which failure to reach it tells most."""

from __future__ import annotations

from collections.abc import Sequence

# Every word that a visit can fail with, the most telling last: what a site says of itself tells more than that one of
# its addresses leads nowhere.
TELLING = (
    "host-busy",
    "crawl-delay",
    "host-resting",
    "proxy",
    "dns",
    "unreachable",
    "refused",
    "tls",
    "connection-lost",
    "timeout",
    "bad-url",
    "bad-response",
    "request-rejected",
    "not-found",
    "bad-redirect",
    "too-many-redirects",
    "unsafe-address",
    "not-html",
    "too-large",
    "server-error",
    "robots-unavailable",
    "rate-limited",
    "blocked",
    "robots-denied",
)
# After these the same homepage may still answer under another spelling. After the others it has answered, or is to be
# left alone for now.
MAY_DIFFER = frozenset(TELLING[TELLING.index("dns") : TELLING.index("not-html")])


def addresses(
    name: str, *, known: str | None = None, given: str | None = None, answers: str | None = None
) -> list[str]:
    """List where to knock: https before http, bare before www.

    First of all comes where it was found last time (`known`). The host that its business gives (`given`) goes before
    the other, with its path where the site begins below its host, and the scheme that has answered (`answers`) before
    the one that has not.
    """
    schemes = ("http", "https") if answers == "http" else ("https", "http")
    given_host, path = _host_and_path(given) if given else (name, "/")
    hosts = dict.fromkeys((given_host, name, f"www.{name}"))
    if given_host not in (name, f"www.{name}"):  # a name below it is somebody's door, but seldom the front
        hosts = dict.fromkeys((name, f"www.{name}", given_host))
    doors = [f"{scheme}://{host}{path}" for host in hosts for scheme in schemes]
    return list(dict.fromkeys(([known] if known else []) + doors))


def _host_and_path(url: str) -> tuple[str, str]:
    host, _, path = url.partition("://")[2].partition("/")
    return host, f"/{path}"


def most_telling(words: Sequence[str]) -> int:
    """Say which of several failures tells most, by its place; of equals the first."""
    return max(range(len(words)), key=lambda at: (_rank(words[at]), -at))


def _rank(word: str) -> int:
    return TELLING.index(word) if word in TELLING else -1

"""Robots: what a robots.txt says about a URL, by RFC 9309. Any text can be read; nothing here raises."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Literal

from protego import Protego

MOST_BYTES = 500 * 1024
LONGEST_DELAY = timedelta(hours=1)
TOO_MANY_REQUESTS = 429

State = Literal["read", "absent", "unreachable"]

# What a group is called once it is known whether it is ours; neither name is found inside the other.
OURS, OTHERS = "us", "x"
NAMES = "user[- ]?agent|allow|dis+al+ow|diasllow|disallaw|crawl[- ]delay|request[- ]rate"
KNOWN = re.compile(rf"(?i)({NAMES})\s*:\s*(.*)")
# Without a colon, and the misspellings above: common enough to be read the way they were meant, as RFC 9309 lets us.
MEANT = re.compile(rf"(?i)({NAMES})\s+(\S.*)")
PRODUCT = re.compile(r"[A-Za-z0-9_-]+")
LINE_END = re.compile(r"\r\n|\r|\n")
UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x85\u2028\u2029\ufeff]")
AUTHORITY = re.compile(r"(?i)^[a-z][a-z0-9+.-]*://[^/?#]*")
ESCAPED_SLASH = re.compile("(?i)%2f")

LARGE_CHARACTERS = 16 * 1024


@dataclass(frozen=True, slots=True)
class Robots:
    """What is known of a host's robots.txt.

    "read": its text holds. "absent" (4xx): all is allowed. "unreachable" (5xx, 429, no answer): not now.
    """

    state: State
    text: str = ""
    status: int | None = None
    read_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    failing_since: datetime | None = None
    scheme: str | None = None  # under which it was asked for

    @classmethod
    def answered(cls, status: int, text: str = "", read_at: datetime | None = None) -> Robots:
        """Say what an answer to the request for robots.txt means.

        429 asks us to slow down rather than saying that there are no rules, so it counts as a fault of the server, as
        it does for Google. A redirect that leads nowhere has brought no rules.
        """
        at = read_at or datetime.now(UTC)
        if 200 <= status < 300:
            return cls("read", cut(text), status, at)
        is_fault = status == TOO_MANY_REQUESTS or status >= 500
        return cls("unreachable" if is_fault else "absent", status=status, read_at=at)


def allows(robots_txt: str, *, url: str, agent: str) -> bool:
    """Tell whether an agent, given by its product token or whole User-Agent, may read a URL."""
    return _rules(robots_txt, agent).can_fetch(f"http://host{_path(url)}", OURS)


def crawl_delay(robots_txt: str, *, agent: str) -> timedelta | None:
    """Give the pause that Crawl-delay or Request-rate asks an agent for, at most an hour; None when neither does."""
    rules = _rules(robots_txt, agent)
    longest = int(LONGEST_DELAY.total_seconds())  # whole, since a stranger's numbers may be too large for a float
    seconds: float = min(rules.crawl_delay(OURS) or 0.0, longest)
    rate = rules.request_rate(OURS)
    if rate is not None:
        asked = longest if rate.seconds >= rate.requests * longest else rate.seconds / rate.requests
        seconds = max(seconds, asked)
    return timedelta(seconds=seconds) or None


def cut(text: str) -> str:
    """Keep the first 500 KiB, which is as much as RFC 9309 asks crawlers to read, without the line that was cut."""
    if len(text) * 4 <= MOST_BYTES:
        return text
    head = text.encode("utf-8", "replace")
    if len(head) <= MOST_BYTES:
        return text
    kept = head[:MOST_BYTES].decode("utf-8", "ignore")
    end = max(kept.rfind("\n"), kept.rfind("\r"))
    return kept[: end + 1] if end >= 0 else kept


def product_token(agent: str) -> str:
    """Give the name by which robots.txt may call an agent: `ScraperSkyBot` of `ScraperSkyBot/1.0 (+…)`."""
    found = PRODUCT.match(agent.strip())
    return found.group().lower() if found else ""


def _rules(robots_txt: str, agent: str) -> Protego:
    """Parse a text once for all pages of a host; large ones take much memory, so fewer of them are kept."""
    parse = _parse_large if len(robots_txt) > LARGE_CHARACTERS else _parse_small
    return parse(robots_txt, product_token(agent))


def _parse(robots_txt: str, token: str) -> Protego:
    return Protego.parse("\n".join(_lines(robots_txt, token)))


_parse_small = lru_cache(maxsize=128)(_parse)
_parse_large = lru_cache(maxsize=2)(_parse)


def _lines(robots_txt: str, token: str) -> Iterator[str]:
    """Give the lines that matter, spelt one way.

    Protego takes a group's name for any beginning of ours, ends a group at records that RFC 9309 says must not
    interfere, and is slow with thousands of agents. So records it need not know are left out and groups renamed.
    """
    text = UNSEEN.sub("", cut(robots_txt)).encode("utf-8", "replace").decode("utf-8")
    for raw in LINE_END.split(text):
        line = raw.partition("#")[0].strip()
        found = KNOWN.match(line) or MEANT.match(line)
        if found is None:
            continue
        name, value = found[1].lower(), found[2].strip()
        if name.startswith("user"):
            yield f"User-agent: {_group(value, token)}"
        else:
            yield f"{name}: {_slashes(value)}"


def _group(value: str, token: str) -> str:
    """Name a group: for all, ours, or somebody else's. What follows the token, such as a version, does not count."""
    if value.split()[:1] == ["*"]:
        return "*"
    return OURS if token and product_token(value) == token else OTHERS


def _path(url: str) -> str:
    """Give what rules are compared with: path and query."""
    scrubbed = url.strip().encode("utf-8", "replace").decode("utf-8")
    path = AUTHORITY.sub("", scrubbed, count=1).partition("#")[0]
    return _slashes(path if path.startswith("/") else f"/{path}")


def _slashes(path: str) -> str:
    """Spell slashes in a query one way: there they separate nothing, and RFC 9309 has both spellings match."""
    before, mark, query = path.partition("?")
    return before + mark + ESCAPED_SLASH.sub("/", query)

"""Words: how templates write numbers, moments, lengths of time, money and statuses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode, urlsplit

from leads.journey_facts import meaning_of

NOTHING = "–"  # noqa: RUF001 - a dash, not a minus
STEPS = ((86_400 * 365, "y"), (86_400, "d"), (3600, "h"), (60, "min"))
# How a status looks; the word itself is always written, too.
KINDS = {
    "Completed": "good", "Selected": "good", "valid": "good", "covered": "good", "added": "good", "executed": "good",
    "Queued": "wait", "Processing": "busy", "InProgress": "busy", "New": "plain", "Maybe": "wait", "risky": "wait",
    "Paused": "wait", "ManualReview": "wait", "full": "wait", "duplicate": "wait", "missed": "wait",
    "Filtered": "mute", "Cancelled": "mute", "Archived": "mute", "Not a Fit": "mute", "open": "plain",
    "Error": "bad", "error": "bad", "invalid": "bad", "rejected": "bad",
}  # fmt: skip


def number(value: float | Decimal | None) -> str:
    """Write a count with thousands apart."""
    if value is None:
        return NOTHING
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


def counted(many: int, noun: str, plural: str | None = None) -> str:
    """Write a number with its noun."""
    return f"{many:,} {noun if many == 1 else plural or f'{noun}s'}"


def money(usd: float | Decimal | None) -> str:
    """Write an amount of US dollars; what is less than a cent is not rounded away."""
    if usd is None:
        return NOTHING
    value = Decimal(str(usd))
    return f"${value:,.2f}" if value == value.quantize(Decimal("0.01")) else f"${value.normalize():,f}"


def percent(share: float | None) -> str:
    """Write a share from 0 to 1; a little is never shown as nothing, nor most as all."""
    if share is None:
        return NOTHING
    if 0 < share < 0.001:
        return "<0.1%"
    if 0.999 < share < 1:
        return ">99.9%"
    return f"{share * 100:.1f}%".replace(".0%", "%")


def span(seconds: float | None) -> str:
    """Write a length of time in its largest unit."""
    if seconds is None:
        return NOTHING
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    for size, unit in STEPS:
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"


def ago(at: datetime | None) -> str:
    """Write how long ago, or in how long, a moment is."""
    if at is None:
        return NOTHING
    seconds = (datetime.now(UTC) - at).total_seconds()
    if abs(seconds) < 1:
        return "now"
    return f"{span(seconds)} ago" if seconds > 0 else f"in {span(-seconds)}"


def moment(at: datetime | None) -> str:
    """Write a moment to the second, in UTC."""
    return NOTHING if at is None else f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def title_of(name: str) -> str:
    """Write a name of ours, such as a stage or a column, for people."""
    return name.replace("_", " ").replace("-", " ").strip().capitalize()


def status_kind(status: object) -> str:
    """Say how a status looks."""
    return KINDS.get(str(status), "plain")


def meaning(reason: str | None) -> str:
    """Say what a reason means; nothing for one that explains itself."""
    return meaning_of(reason) or ""


def web_link(url: object) -> str | None:
    """Give an address that a browser may open: scraped ones can hold anything."""
    text = str(url or "")
    try:
        parts = urlsplit(text)
    except ValueError:
        return None
    return text if parts.scheme in ("http", "https") and parts.netloc else None


def spark(values: Sequence[float], width: int = 120, height: int = 24) -> str:
    """Give the points of a small curve, for an SVG polyline; the largest value reaches the top."""
    most, steps = max([*values, 1e-9]), max(1, len(values) - 1)
    return " ".join(
        f"{nth * width / steps:.1f},{height - 1 - each / most * (height - 2):.1f}" for nth, each in enumerate(values)
    )


def share_of(part: float, whole: float) -> float:
    """Give a part as percent of the whole, for the length of a bar."""
    return round(100 * part / whole, 2) if whole else 0.0


def query(given: Mapping[str, Any] | Sequence[tuple[str, Any]]) -> str:
    """Write the query of an address; what is None is left out."""
    pairs = given.items() if isinstance(given, Mapping) else given
    return urlencode([(name, value) for name, value in pairs if value is not None], doseq=True)


FILTERS: dict[str, Callable[..., Any]] = {
    "number": number, "money": money, "percent": percent, "span": span, "ago": ago, "moment": moment,
    "title_of": title_of, "status_kind": status_kind, "meaning": meaning, "web_link": web_link, "spark": spark,
    "query": query,
}  # fmt: skip
GLOBALS: dict[str, Callable[..., Any]] = {"counted": counted, "share_of": share_of}

"""Flow: the pipeline as it stands, at a price that does not grow with who looks and hardly with what has ended.

Each count is of all tenants at once and shared by everybody who looks, so a look costs a handful of statements. What
is open is found by the indexes of open work. What has ended has none, for an index would slow every hop, so the whole
table is read: in the background, a fiftieth of the time at most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from models.work import FINISHED
from operations import stages
from operations.figures import CONTROLS, OF_TENANT, Row, rows
from operations.kept import SMALL_SHARE_OF_TIME, Kept, settle
from operations.stages import Pace
from pipeline.stage import Stage, all_stages

RATE_MINUTES, COURSE_MINUTES = 5, 60
# Newest work whose origin is looked up.
MOST_HAND_OFFS = 5000

# Rung and waiting rows have an index each, which Postgres finds only when each is asked for.
OPEN = """
SELECT tenant_id, stage, count(due_at) AS queued, count(*) FILTER (WHERE due_at IS NULL) AS processing,
       count(*) FILTER (WHERE due_at <= clock.now) AS due,
       extract(epoch FROM max(clock.now) - min(due_at) FILTER (WHERE due_at <= clock.now))::float8 AS oldest
FROM (SELECT tenant_id, stage, due_at FROM work WHERE status = 'Queued' AND sent_at IS NULL
      UNION ALL
      SELECT tenant_id, stage, due_at FROM work WHERE status = 'Queued' AND sent_at IS NOT NULL
      UNION ALL
      SELECT tenant_id, stage, NULL FROM work WHERE status = 'Processing') AS open,
     (SELECT clock_timestamp() AS now) AS clock
GROUP BY tenant_id, stage"""

BY_REASON = """
SELECT tenant_id, stage, status, reason, count(*) AS many FROM work GROUP BY tenant_id, stage, status, reason"""

# The newest rows by their ids: where more than these were added in the time, the rate is that of a shorter time.
HAND_OFFS = f"""
WITH added AS MATERIALIZED (
    SELECT tenant_id, stage, parent_id, queued_at FROM work ORDER BY id DESC LIMIT {MOST_HAND_OFFS}),
covered AS (
    SELECT clock_timestamp() AS now, least({RATE_MINUTES * 60}, CASE WHEN count(*) = {MOST_HAND_OFFS}
           THEN greatest(1, extract(epoch FROM clock_timestamp() - min(queued_at))) END)::float8 / 60 AS minutes
    FROM added)
SELECT added.tenant_id, parent.stage AS source, added.stage AS target, count(*) / max(covered.minutes) AS per_minute
FROM covered, added JOIN work AS parent ON parent.id = added.parent_id
WHERE added.queued_at > covered.now - covered.minutes * interval '1 minute'
GROUP BY added.tenant_id, parent.stage, added.stage"""

COURSE = f"""
SELECT stage, (extract(epoch FROM date_trunc('minute', clock_timestamp()) - minute) / 60)::int AS minutes_ago,
       sum(completed)::int AS completed, sum(completed + filtered + error)::int AS ended
FROM stage_minutes WHERE minute > clock_timestamp() - {COURSE_MINUTES + 1} * interval '1 minute' AND {OF_TENANT}
GROUP BY stage, minute"""

CONTACTS_TODAY = """
SELECT tenant_id, count(*) AS many FROM contacts
WHERE created_at >= date_trunc('day', clock_timestamp(), 'UTC') GROUP BY tenant_id"""

_open: Kept[Sequence[Row]] = Kept(lambda: rows(OPEN))
_by_reason: Kept[Sequence[Row]] = Kept(lambda: rows(BY_REASON), share=SMALL_SHARE_OF_TIME)
_hand_offs: Kept[Sequence[Row]] = Kept(lambda: rows(HAND_OFFS))
_contacts_today: Kept[Sequence[Row]] = Kept(lambda: rows(CONTACTS_TODAY), share=SMALL_SHARE_OF_TIME)


@dataclass
class Open:
    """What of a stage waits or runs."""

    queued: int = 0
    processing: int = 0
    due: int = 0
    oldest_due_seconds: float | None = None


@dataclass
class Node:
    """One stage as it stands; what has ended is None until it has been counted for the first time."""

    stage: Stage
    open: Open
    ended: Mapping[str, int] | None
    pace: Pace
    course: list[int]
    completed_last_hour: int = 0
    ended_last_hour: int = 0
    is_paused: bool = False
    note: str | None = None
    window: int | None = None


@dataclass
class Flow:
    """All stages in pipeline order, and what each has handed on to which, per minute."""

    nodes: list[Node]
    hand_offs: Mapping[tuple[str, str], float]
    open_age_seconds: float | None
    ended_age_seconds: float | None
    contacts_today: int | None

    @property
    def is_empty(self) -> bool:
        """Tell whether there has never been any work."""
        if any(node.ended is None for node in self.nodes) or self.open_age_seconds is None:
            return False
        return not any(
            node.open.queued or node.open.processing or any((node.ended or {}).values()) for node in self.nodes
        )

    def total(self, status: str) -> int | None:
        """Count what has ended so, over all stages."""
        if any(node.ended is None for node in self.nodes):
            return None
        return sum((node.ended or {}).get(status, 0) for node in self.nodes)


def look(tenant_id: UUID | None) -> Flow:
    """Show a tenant's work, or everybody's, stage by stage."""
    settle(_open, _by_reason, _hand_offs, _contacts_today)
    waiting, ended, handed, contacts = _open.last, _by_reason.last, _hand_offs.last, _contacts_today.last
    open_of = _open_of(waiting.value if waiting else (), tenant_id)
    ended_of = _ended_of(ended.value, tenant_id) if ended else None
    nodes = [
        _node(stage, open_of.get(stage.name) or Open(), None if ended_of is None else ended_of[stage.name])
        for stage in all_stages()
    ]
    _add_pace({node.stage.name: node for node in nodes}, tenant_id)
    return Flow(
        nodes,
        _handed(handed.value if handed else (), tenant_id),
        waiting.age_seconds if waiting else None,
        ended.age_seconds if ended else None,
        sum(row["many"] for row in _own(contacts.value, tenant_id)) if contacts else None,
    )


def reasons(stage: str, tenant_id: UUID | None) -> list[tuple[str, str, int]] | None:
    """Count a stage's work by status and reason, the most frequent first; None while that is not known."""
    found = _by_reason.ask()
    if found is None:
        return None
    counts: Counter[tuple[str, str]] = Counter()
    for row in _own(found.value, tenant_id):
        if row["stage"] == stage and row["reason"] is not None:
            counts[row["status"], row["reason"]] += row["many"]
    return [
        (status, reason, many) for (status, reason), many in sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    ]


def changed() -> None:
    """Have work counted anew for the next look: somebody has changed some by hand."""
    _open.stale()
    _by_reason.stale()


def _own(found: Iterable[Row], tenant_id: UUID | None) -> Iterable[Row]:
    return (row for row in found if tenant_id is None or row["tenant_id"] == tenant_id)


def _open_of(found: Iterable[Row], tenant_id: UUID | None) -> dict[str, Open]:
    stages_open: dict[str, Open] = {}
    for row in _own(found, tenant_id):
        one = stages_open.setdefault(row["stage"], Open())
        one.queued += row["queued"]
        one.processing += row["processing"]
        one.due += row["due"]
        if row["oldest"] is not None:
            one.oldest_due_seconds = max(one.oldest_due_seconds or 0.0, row["oldest"])
    return stages_open


def _ended_of(found: Iterable[Row], tenant_id: UUID | None) -> dict[str, dict[str, int]]:
    counts = {stage.name: dict.fromkeys(FINISHED, 0) for stage in all_stages()}
    for row in _own(found, tenant_id):
        if row["status"] in FINISHED and row["stage"] in counts:
            counts[row["stage"]][row["status"]] += row["many"]
    return counts


def _handed(found: Iterable[Row], tenant_id: UUID | None) -> dict[tuple[str, str], float]:
    rates: Counter[tuple[str, str]] = Counter()
    for row in _own(found, tenant_id):
        rates[row["source"], row["target"]] += row["per_minute"]
    return dict(rates)


def _node(stage: Stage, waiting: Open, ended: Mapping[str, int] | None) -> Node:
    return Node(stage, waiting, ended, Pace(), [0] * COURSE_MINUTES)


def _add_pace(nodes: Mapping[str, Node], tenant_id: UUID | None) -> None:
    """Add how fast each stage went lately, and what an operator has set."""
    for name, pace in stages.paces(tenant_id, RATE_MINUTES).items():
        if name in nodes:
            nodes[name].pace = pace
    for row in rows(COURSE, {"tenant": tenant_id}):
        if node := nodes.get(row["stage"]):
            _add_minute(node, row)
    for row in rows(CONTROLS):
        if node := nodes.get(row["stage"]):
            node.is_paused, node.note, node.window = row["paused"], row["note"], row["window"]


def _add_minute(node: Node, row: Row) -> None:
    """Add one minute; the one that runs now is no point of the curve, which would seem to drop at its end."""
    ago = row["minutes_ago"]
    if 1 <= ago <= COURSE_MINUTES:
        node.course[-ago] = row["ended"]
    if 0 <= ago < COURSE_MINUTES:
        node.completed_last_hour += row["completed"]
        node.ended_last_hour += row["ended"]

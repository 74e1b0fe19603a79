"""The verdict: whether every item arrived, once, and every host was left in peace."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.chaos.campaign import Campaign
from tests.chaos.load import Fate
from tests.chaos.plan import KINDS
from tests.chaos.world import World

ARRIVED = """
SELECT puppets.name, work.stage, work.status, work.reason, puppets.applause
FROM puppets LEFT JOIN work ON work.entity_id = puppets.id"""

# Nobody retries anything here, so a row that ended twice was worked twice.
ENDED_TWICE = "SELECT work_id FROM finishes GROUP BY work_id HAVING count(*) > 1"

# A turn was rescued when the row went back to the queue under the next token.
VISITS = """
CREATE TEMP TABLE visits AS
SELECT visit.id, visit.host, visit.started_at, hosts.gap, hosts.cap, rescue.at AS rescued_at,
       coalesce(visit.ended_at, (SELECT min(at) FROM (
           SELECT at FROM moves WHERE work_id = visit.work_id AND status = 'Queued' AND token = visit.token
           UNION ALL SELECT at FROM finishes WHERE work_id = visit.work_id AND token = visit.token) gone)) AS ended_at
FROM puppet_visits visit JOIN hosts ON hosts.host = visit.host LEFT JOIN moves rescue
    ON rescue.work_id = visit.work_id AND rescue.status = 'Queued' AND rescue.token = visit.token + 1"""

# A process stopped between its claim and its request, declared dead and woken up, still sends that one request: nothing
# but the host itself could refuse it. Such visits are counted apart; all others must keep the gap from start to start,
# also those whose turn was rescued, because they started while the lane was theirs.
LATE_STARTS = "SELECT count(*) FROM visits WHERE started_at > rescued_at"
TOO_CLOSE = """
SELECT host, started_at FROM (
    SELECT host, started_at, gap, lag(started_at) OVER (PARTITION BY host ORDER BY started_at) AS before
    FROM visits WHERE rescued_at IS NULL OR started_at <= rescued_at) spaced
WHERE started_at - before < gap - interval '1 millisecond'"""

# Overlap is judged among visits that were not rescued: a killed process ended its visit when it died, which nobody
# wrote down, and a stopped one does nothing until it wakes.
TOO_MANY = """
SELECT one.host, one.started_at FROM visits one WHERE one.rescued_at IS NULL AND one.cap < (
    SELECT count(*) FROM visits other WHERE other.host = one.host AND other.rescued_at IS NULL
    AND other.started_at <= one.started_at AND other.ended_at > one.started_at + interval '1 millisecond')"""


@dataclass
class Verdict:
    """What was found; `remarks` are worth knowing, the rest is somebody's fault."""

    items: int = 0
    late_finishes: int = 0
    lost: list[str] = field(default_factory=list)
    duplicated: list[str] = field(default_factory=list)
    lane_violations: list[str] = field(default_factory=list)
    other: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def findings(self) -> list[str]:
        return [*self.other, *self.lost, *self.duplicated, *self.lane_violations]


def judge(world: World, campaign: Campaign) -> Verdict:
    """Compare what is with what had to be."""
    fates: Fate = {}
    for item in campaign.items:
        fates |= item.fate()
    verdict = Verdict(items=len({name for name, _ in fates}), other=list(campaign.faults))
    verdict.late_finishes = world.one("SELECT count(*) FROM failures WHERE kind = 'late-finish'")
    _judge_amount(campaign, verdict)
    _judge_arrivals(world, fates, verdict)
    _judge_lanes(world, verdict)
    _judge_invariants(world, verdict)
    return verdict


def _judge_amount(campaign: Campaign, verdict: Verdict) -> None:
    plan, faults = campaign.plan, campaign.havoc.faults
    if verdict.items < plan.least_items or len(faults) < plan.least_faults:
        verdict.other.append(f"this takes {plan.least_items} items and {plan.least_faults} faults")
    missing = set(KINDS) - {fault.kind for fault in faults}
    if missing:
        verdict.other.append(f"never happened: {', '.join(sorted(missing))}")


def _judge_arrivals(world: World, fates: Fate, verdict: Verdict) -> None:
    """An item is an entity that travels: lost when any of its stages did not end as its script says."""
    found, applause = {}, {}
    for name, stage, status, reason, clapped in world.rows(ARRIVED):
        found[name, stage] = (status, reason)
        applause[name] = clapped
    wrong = {key for key, end in fates.items() if found.get(key) != end}
    verdict.lost = list({name: f"lost: {name} {stage} {found.get((name, stage))}" for name, stage in wrong}.values())
    verdict.duplicated = [f"work {row[0]} ended twice" for row in world.rows(ENDED_TWICE)]
    verdict.duplicated += [f"nobody asked for {name} {stage}" for name, stage in found.keys() - fates.keys()]
    verdict.duplicated += [
        f"{name} was applauded {clapped} times"
        for name, clapped in applause.items()
        if clapped != (fates.get((name, "second"), ("", ""))[0] == "Completed")
    ]


def _judge_lanes(world: World, verdict: Verdict) -> None:
    for sql, word in ((TOO_CLOSE, "too close"), (TOO_MANY, "too many at once")):
        verdict.lane_violations += [f"{host} {word} at {at}" for host, at in world.rows_after(VISITS, sql)]
    late = world.rows_after(VISITS, LATE_STARTS)[0][0]
    if late:
        verdict.remarks.append(f"requests begun by stopped processes after they had been declared dead: {late}")


def _judge_invariants(world: World, verdict: Verdict) -> None:
    from scheduling import invariants

    verdict.other += [f"{found.rule.name}: {found.detail}" for found in invariants.check() if found.violations]
    log = (world.logs / "recovery.log").read_text(errors="replace")
    broken = [line for line in log.splitlines() if '"invariant-broken"' in line]
    verdict.other += [f"in the middle of it: {line[:300]}" for line in broken]

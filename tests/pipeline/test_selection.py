"""Retry and cancel: exactly what was meant, counted first, and never everything by accident."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest

from errors import BadInput, Final
from pipeline import run, selection
from pipeline.claim import claim
from pipeline.database import Connection
from pipeline.finish import finish
from pipeline.lease import Lease
from pipeline.selection import Match
from settings import settings
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.together import together
from tests.puppets import first, second


def fail(stagehand: Stagehand, name: str, reason: str = "refused", error: str | None = None) -> int:
    turn = stagehand.hold(name)
    finish(turn, Final(reason, error))
    return turn.work_id


def test_retry_by_id_starts_a_new_run_with_a_clean_slate(stagehand: Stagehand) -> None:
    work = fail(stagehand, "anna", error="never again")
    assert selection.retry(Match(ids=[work])) == 1
    row = stagehand.work(work)
    assert (row["status"], row["reason"], row["error"], row["attempts"]) == ("Queued", None, None, 0)
    assert (row["token"], row["finished_at"], row["started_at"]) == (1, None, None)
    assert [ring.work_id for ring in stagehand.bells.take()] == [work]


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        (Match(stage="first", reason="refused"), {"anna", "bella"}),
        (Match(stage="second"), set()),
        (Match(error="TIMED out"), {"bella", "carla"}),
        (Match(older_than=timedelta(days=1)), {"anna"}),
        (Match(reason="refused", error="timed out"), {"bella"}),
        (Match(status="error"), {"anna", "bella", "carla"}),
        (Match(everything=True), {"anna", "bella", "carla"}),
        (Match(ids=[]), set()),
    ],
    ids=lambda value: str(sorted(value)) if isinstance(value, set) else str(value),
)
def test_retry_takes_what_matches_all_conditions(stagehand: Stagehand, match: Match, expected: set[str]) -> None:
    works = {
        "anna": fail(stagehand, "anna", "refused", "no"),
        "bella": fail(stagehand, "bella", "refused", "it timed out"),
        "carla": fail(stagehand, "carla", "rate-limited", "Timed out again"),
    }
    stagehand.execute("UPDATE work SET finished_at = finished_at - interval '2 days' WHERE id = %s", works["anna"])
    before = stagehand.picture()
    assert selection.retry(match, dry_run=True) == len(expected)
    assert stagehand.picture() == before
    assert selection.retry(match) == len(expected)
    assert {name for name, work in works.items() if stagehand.status(work)[0] == "Queued"} == expected


def test_retry_without_a_status_takes_only_errors(stagehand: Stagehand) -> None:
    stagehand.add("anna", first={"acts": ["filtered"]})
    stagehand.answer_all()
    assert selection.retry(Match(stage="first")) == 0
    assert selection.retry(Match(stage="first", status="Filtered")) == 1


def test_open_work_is_never_retried(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna")
    (queued,) = stagehand.add("bella")
    assert selection.retry(Match(ids=[turn.work_id, queued])) == 0
    assert selection.retry(Match(status="Processing")) == 0


def test_two_retries_at_once_start_one_run(stagehand: Stagehand) -> None:
    work = fail(stagehand, "anna")
    assert sum(together(lambda _: selection.retry(Match(ids=[work])))) == 1


def test_a_match_of_nothing_in_particular_is_refused(stagehand: Stagehand) -> None:
    for action in (selection.retry, selection.cancel):
        with pytest.raises(BadInput, match="would touch all work"):
            action(Match())
        assert action(Match(everything=True)) == 0


def test_unknown_names_are_refused_with_a_hint(stagehand: Stagehand) -> None:
    with pytest.raises(BadInput, match="Did you mean first"):
        selection.retry(Match(stage="frist"))
    with pytest.raises(BadInput, match="Use one of: Queued"):
        selection.cancel(Match(status="Done"))


def test_cancelling_queued_work_ends_it(stagehand: Stagehand) -> None:
    (work,) = stagehand.add("anna")
    assert selection.cancel(Match(stage="first"), dry_run=True) == 1
    assert selection.cancel(Match(stage="first")) == 1
    assert stagehand.status(work) == ("Cancelled", "cancelled")
    stagehand.answer_all()
    assert stagehand.status(work) == ("Cancelled", "cancelled")


def test_cancelling_running_work_refuses_its_finish(stagehand: Stagehand) -> None:
    turn = stagehand.hold("anna", stage=second)
    assert selection.cancel(Match(ids=[turn.work_id])) == 1
    assert not run.end(turn, Final("refused"))
    assert stagehand.status(turn.work_id) == ("Cancelled", "cancelled")
    assert stagehand.failures(turn.work_id) == [("late-finish", "late-finish")]


def test_ended_work_is_never_cancelled(stagehand: Stagehand) -> None:
    work = fail(stagehand, "anna")
    assert selection.cancel(Match(ids=[work])) == 0
    assert stagehand.status(work) == ("Error", "refused")


def test_what_has_failed_is_given_up_and_nothing_else(stagehand: Stagehand) -> None:
    failed = fail(stagehand, "anna")
    (waits,) = stagehand.add("bert")
    assert selection.give_up(Match(everything=True), dry_run=True) == 1
    assert selection.give_up(Match(everything=True)) == 1
    assert stagehand.status(failed) == ("Cancelled", "cancelled")
    assert stagehand.failures(failed) == [("final", "refused")]
    assert stagehand.status(waits)[0] == "Queued"
    assert selection.retry(Match(ids=[failed])) == 1


def test_cancelling_makes_room_for_what_waits(stagehand: Stagehand) -> None:
    stagehand.add(*(f"p{nth}" for nth in range(first.window + 5)))
    rung = [ring.work_id for ring in stagehand.bells.take()]
    assert len(rung) == first.window
    selection.cancel(Match(ids=rung[:5]))
    assert len(stagehand.bells.take()) == 5


def test_a_claim_and_a_cancel_at_once_leave_the_work_cancelled(stagehand: Stagehand) -> None:
    for nth in range(5):
        (work,) = stagehand.add(f"p{nth}")
        _, cancelled = together(
            lambda at, work=work: selection.cancel(Match(ids=[work])) if at else claim(first, work, Lease().id)  # type: ignore[misc]
        )
        assert cancelled == 1
        assert stagehand.status(work) == ("Cancelled", "cancelled")


def test_a_tenants_choice_touches_nothing_of_others(stagehand: Stagehand) -> None:
    ours, theirs = fail(stagehand, "anna"), fail(stagehand, "bella")
    tenant, other = settings().default_tenant_id, uuid4()
    stagehand.execute("UPDATE work SET tenant_id = %s WHERE id = %s", other, theirs)
    for match in (Match(everything=True), Match(ids=[ours, theirs]), Match(reason="refused")):
        assert selection.retry(replace(match, tenant_id=tenant), dry_run=True) == 1
    assert selection.retry(Match(everything=True, tenant_id=tenant)) == 1
    assert (stagehand.status(ours)[0], stagehand.status(theirs)[0]) == ("Queued", "Error")
    assert selection.cancel(Match(everything=True, tenant_id=other)) == 0
    assert stagehand.status(ours)[0] == "Queued"


def test_everything_of_a_tenant_must_be_said_too() -> None:
    with pytest.raises(BadInput, match="all=true"):
        Match(tenant_id=settings().default_tenant_id).sql()


def test_what_cannot_be_noted_does_not_happen(stagehand: Stagehand) -> None:
    """An entry and the change that it tells of are one transaction."""
    failed, turn = fail(stagehand, "anna"), stagehand.hold("bella", host="bella.example")
    before = stagehand.picture()

    def refuse(_: Connection, many: int) -> None:
        raise BadInput(f"no note of {many}")

    with pytest.raises(BadInput, match="no note of 1"):
        selection.retry(Match(ids=[failed]), note=refuse)
    with pytest.raises(BadInput, match="no note of 1"):
        selection.cancel(Match(ids=[turn.work_id]), note=refuse)
    assert stagehand.picture() == before
    assert stagehand.bells.take() == []

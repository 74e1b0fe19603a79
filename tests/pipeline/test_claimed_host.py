"""What a claim brings of its lane's host: its robots.txt and its pace, good for one look."""

from __future__ import annotations

from datetime import timedelta

from pipeline import hosts
from pipeline.visit import visit
from services.robots import Robots
from tests.pipeline.stagehand import Stagehand
from tests.puppets import first, third

OWN = "one.example"
OPEN, CLOSED = Robots("read", "User-agent: *\nAllow: /", 200), Robots("read", "User-agent: *\nDisallow: /", 200)


def test_a_claim_brings_robots_and_pace_of_its_host_for_one_look(stagehand: Stagehand) -> None:
    hosts.keep_robots(OWN, OPEN)
    hosts.keep_crawl_delay(OWN, timedelta(seconds=7))
    stagehand.execute("UPDATE hosts SET next_at = clock_timestamp()")
    turn = stagehand.hold("a", stage=third, host=OWN)
    hosts.keep_robots(OWN, CLOSED)
    manners = visit(turn)
    assert manners.robots(OWN) == OPEN
    assert manners._pace[OWN].crawl_delay == timedelta(seconds=7)
    assert manners.robots(OWN) == CLOSED


def test_what_was_not_known_when_the_work_was_claimed_is_looked_up(stagehand: Stagehand) -> None:
    turn = stagehand.hold("a", stage=third, host=OWN)
    hosts.keep_robots(OWN, CLOSED)
    assert visit(turn).robots(OWN) == CLOSED


def test_another_name_of_the_lane_has_its_own_robots(stagehand: Stagehand) -> None:
    hosts.keep_robots(OWN, OPEN)
    hosts.keep_robots(f"www.{OWN}", CLOSED)
    turn = stagehand.hold("a", stage=third, host=OWN)
    assert visit(turn).robots(f"www.{OWN}") == CLOSED


def test_a_stage_without_lanes_knows_no_host(stagehand: Stagehand) -> None:
    turn = stagehand.hold("a", stage=first)
    assert turn.host == ()
    assert turn.entity is not None
    assert turn.entity.name == "a"

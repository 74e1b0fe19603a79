"""`scrapersky hosts`: who is visited how often, who rests, what robots.txt said; and forgetting it."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest

from errors import BadInput
from pipeline import doorbell, hosts
from pipeline.claim import claim
from pipeline.lease import Lease
from services.robots import Robots
from tests.cli.conftest import NASTY
from tests.cli.terminal import run_here
from tests.pipeline.stagehand import Bells, Stagehand
from tests.puppets import third


@pytest.fixture
def sites(configured: str) -> Stagehand:
    """foo.com rests with one page waiting; www.foo.com has a robots.txt; bar.com has been visited."""
    hand = Stagehand(Bells())
    doorbell.install(hand.bells)
    hand.queue(third, hand.puppet("page", host="foo.com"))
    hosts.keep_robots("www.foo.com", Robots.answered(200, f"User-agent: *\nDisallow: /{NASTY}\n" + "Allow: /\n" * 20))
    hosts.keep_crawl_delay("foo.com", timedelta(seconds=10))
    hosts.note("foo.com", gap=timedelta(seconds=30), rest=timedelta(minutes=10), borrowed=None)
    hosts.keep_robots("bar.com", Robots("unreachable"))
    hosts.keep_robots("notfoo.com", Robots.answered(404))
    return hand


def test_hosts_lists_those_that_rest_first(sites: Stagehand) -> None:
    lines = [line.split() for line in run_here("hosts").splitlines() if ".com" in line]
    assert [line[0] for line in lines] == ["foo.com", "bar.com", "notfoo.com", "www.foo.com"]
    assert " ".join(lines[0][1:7]) == "30 s 10 s 0 of"
    assert " ".join(lines[0]).endswith("10m -") or " ".join(lines[0]).endswith("9m 59s -")
    assert re.search(r"now - unreachable \(no answer, \d+s ago\)$", " ".join(lines[1]))
    assert re.search(r"absent \(HTTP 404, \d+s ago\)", " ".join(lines[2]))


def test_only_blocked_hosts_when_asked(sites: Stagehand) -> None:
    (row,) = [json.loads(line) for line in run_here("hosts", "--blocked", "--json").splitlines()]
    assert (row["host"], row["gap_seconds"], row["crawl_delay_seconds"]) == ("foo.com", 30, 10)
    assert 590 < row["rest_seconds"] <= 600
    assert "robots" not in row
    sites.execute("UPDATE hosts SET blocked_until = clock_timestamp()")
    assert run_here("hosts", "--blocked") == "No host rests now.\n"


def test_hosts_says_when_there_is_none(configured: str) -> None:
    assert run_here("hosts") == "No host has been visited yet.\n"


def test_a_long_list_is_cut_and_says_so(sites: Stagehand) -> None:
    said = run_here("hosts", "--limit", "2")
    assert said.count(".com") == 2
    assert "more than these 2" in said


@pytest.mark.parametrize("name", ["foo.com", "www.foo.com", "WWW.FOO.COM.", "never-seen.foo.com"])
def test_show_tells_of_the_lane_and_each_names_robots_txt(sites: Stagehand, name: str) -> None:
    said = run_here("hosts", "show", name)
    assert "Lane foo.com\n" in said
    assert "gap         30 s\n" in said
    assert "in flight   0 of 1\n" in said
    assert "robots.txt of foo.com: not asked for yet\n" in said
    assert re.search(r"robots.txt of www.foo.com: read \(HTTP 200, \d+s ago\)\n", said)
    assert "  User-agent: *\n" in said
    assert "more lines\n" in said
    assert "notfoo" not in said


def test_what_strangers_wrote_cannot_command_the_terminal(sites: Stagehand) -> None:
    said = run_here("hosts", "show", "foo.com")
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert "[bold]" in said


@pytest.mark.parametrize("command", ["show", "clear"])
@pytest.mark.parametrize("name", ["nowhere.example", "com", "o.com", "", "a\0b\x1b"])
def test_an_unknown_host_is_refused(sites: Stagehand, command: str, name: str) -> None:
    with pytest.raises(BadInput, match="is known"):
        run_here("hosts", command, name)


def test_clear_forgets_the_whole_site_and_lets_it_go_on(sites: Stagehand) -> None:
    sites.bells.take()
    said = run_here("hosts", "clear", "www.foo.com")
    assert "gap of foo.com, www.foo.com. They will be asked anew." in said
    (ring,) = sites.bells.take()
    assert ring.delay_seconds <= 20
    assert hosts.find_robots("www.foo.com", None) == (None, None)
    assert hosts.find_robots("bar.com", None)[0]
    row = sites.rows("SELECT * FROM hosts WHERE host = 'foo.com'")[0]
    assert (row["blocked_until"], row["crawl_delay"], row["gap"]) == (None, None, timedelta(seconds=1))
    sites.execute("UPDATE hosts SET next_at = clock_timestamp()")
    assert claim(third, ring.work_id, Lease().id)

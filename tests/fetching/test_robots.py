"""The robots gate: read once and believed for a day; absent allows, unreachable means not now; and it says why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

import reasons
from errors import Final, Passing, Snooze, Trouble
from fetching.manners import InMemoryManners
from fetching.robots import Decision, RobotsGate, robots_after
from services.robots import Robots
from settings import settings

AGENT = "ScraperSkyBot/1.0 (+https://scrapersky.example/bot)"
DENY = "User-agent: *\nDisallow: /private\nCrawl-delay: 10"


class Shelf:
    """A site's robots.txt: what the next read brings, and which URLs were read."""

    def __init__(self, *answers: Robots | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    def read(self, url: str) -> Robots:
        self.asked.append(url)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
def manners() -> InMemoryManners:
    return InMemoryManners()


def read(text: str = DENY) -> Robots:
    return Robots.answered(200, text)


def not_now(check: Callable[[str], Decision], url: str = "https://foo.example/page") -> Passing:
    with pytest.raises(Passing) as refused:
        check(url)
    assert refused.value.reason == reasons.ROBOTS_UNAVAILABLE
    return refused.value


def test_a_file_that_was_read_decides_and_says_so(manners: InMemoryManners) -> None:
    gate = RobotsGate(manners, Shelf(read()).read, AGENT)
    denied, allowed = gate.check("https://foo.example/private/x?y"), gate.check("https://foo.example/page")
    assert (denied.allowed, allowed.allowed) == (False, True)
    assert denied.why.startswith("robots.txt of foo.example was read (HTTP 200, 20")
    assert denied.why.endswith(" UTC) and denies /private/x")
    assert allowed.why.endswith(" UTC) and allows /page")


def test_a_file_is_read_once_for_all_pages_of_a_host(manners: InMemoryManners) -> None:
    shelf = Shelf(read())
    for nth in range(25):
        RobotsGate(manners, shelf.read, AGENT).check(f"https://foo.example/{nth}")
    assert shelf.asked == ["https://foo.example/robots.txt"]


def test_hosts_of_one_domain_each_have_a_file_and_schemes_share_it(manners: InMemoryManners) -> None:
    shelf = Shelf(read())
    gate = RobotsGate(manners, shelf.read, AGENT)
    for url in ("http://foo.example/", "https://foo.example:443/", "https://www.foo.example./", "http://FOO.example/a"):
        gate.check(url)
    assert shelf.asked == ["http://foo.example/robots.txt", "https://www.foo.example/robots.txt"]
    gate.check("http://user:pw@[2001:db8::1]:8080/a")
    assert shelf.asked[-1] == "http://[2001:db8::1]:8080/robots.txt"


@pytest.mark.parametrize(("age", "reads"), [(23.9, 0), (24.1, 1), (-23.9, 0), (-24.1, 1)])
def test_a_file_is_believed_for_a_day_and_no_longer(manners: InMemoryManners, age: float, reads: int) -> None:
    manners.keep_robots("foo.example", replace(read(), read_at=datetime.now(UTC) - timedelta(hours=age)))
    shelf = Shelf(read())
    RobotsGate(manners, shelf.read, AGENT).check("https://foo.example/")
    assert len(shelf.asked) == reads


def test_how_long_it_is_believed_can_be_set(manners: InMemoryManners, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROBOTS_HOURS", "1")
    settings.cache_clear()
    manners.keep_robots("foo.example", replace(read(), read_at=datetime.now(UTC) - timedelta(hours=2)))
    shelf = Shelf(read())
    RobotsGate(manners, shelf.read, AGENT).check("https://foo.example/")
    assert len(shelf.asked) == 1


def test_the_file_itself_may_always_be_read_without_reading_it_first(manners: InMemoryManners) -> None:
    shelf = Shelf(read("User-agent: *\nDisallow: /"))
    assert RobotsGate(manners, shelf.read, AGENT).check("https://foo.example/robots.txt").allowed
    assert shelf.asked == []


def test_an_absent_file_allows_everything(manners: InMemoryManners) -> None:
    decision = RobotsGate(manners, Shelf(Robots.answered(404)).read, AGENT).check("https://foo.example/private")
    assert decision.allowed
    assert decision.why.startswith("robots.txt of foo.example is absent (HTTP 404, ")


@pytest.mark.parametrize(
    "answer",
    [
        500,
        429,
        Passing(reasons.SERVER_ERROR, status=503),
        Passing(reasons.RATE_LIMITED, status=429),
    ],
)
def test_an_unreachable_file_means_not_now(manners: InMemoryManners, answer: int | Exception) -> None:
    read_now = Robots.answered(answer) if isinstance(answer, int) else answer
    gate = RobotsGate(manners, Shelf(read_now).read, AGENT)
    refused = not_now(gate.check)
    assert refused.retry_after == timedelta(minutes=5)
    assert str(refused).startswith("robots-unavailable: robots.txt of foo.example cannot be read now (")


@pytest.mark.parametrize("reason", [reasons.TIMEOUT, reasons.REFUSED, reasons.CONNECTION_LOST, reasons.TLS])
def test_a_host_that_does_not_answer_at_all_keeps_its_own_word(manners: InMemoryManners, reason: str) -> None:
    shelf = Shelf(Passing(reason, "no answer"))
    gate = RobotsGate(manners, shelf.read, AGENT)
    with pytest.raises(Passing) as first:
        gate.check("https://foo.example/page")
    assert (first.value.reason, first.value.retry_after) == (reason, timedelta(minutes=5))
    not_now(gate.check)  # its other pages are told so without asking again
    assert len(shelf.asked) == 1


@pytest.mark.parametrize(
    "fault",
    [
        Final(reasons.TOO_MANY_REDIRECTS, status=301),
        Final(reasons.UNSAFE_ADDRESS),
        Final(reasons.DNS),
        Final(reasons.BLOCKED, status=403),
        Final(reasons.NOT_FOUND, status=404),
    ],
)
def test_what_will_not_change_allows(manners: InMemoryManners, fault: Trouble) -> None:
    assert RobotsGate(manners, Shelf(fault).read, AGENT).check("https://foo.example/private").allowed


def test_a_fault_of_the_server_is_one_by_whatever_word() -> None:
    assert robots_after(Final("odd", status=500)).state == "unreachable"
    assert robots_after(Passing("odd", status=404)).state == "absent"


def test_the_hosts_other_pages_do_not_ask_again_for_five_minutes(manners: InMemoryManners) -> None:
    shelf = Shelf(Robots.answered(503))
    gate = RobotsGate(manners, shelf.read, AGENT)
    for _ in range(10):
        not_now(gate.check)
    assert len(shelf.asked) == 1
    known = manners.robots("foo.example")
    assert known
    manners.keep_robots("foo.example", replace(known, read_at=datetime.now(UTC) - timedelta(minutes=5, seconds=1)))
    not_now(gate.check)
    assert len(shelf.asked) == 2


@pytest.mark.parametrize(("minutes", "expected"), [(1, 5), (5, 5), (20, 20), (40, 40), (600, 60)])
def test_the_waits_double_while_it_keeps_failing(manners: InMemoryManners, minutes: int, expected: int) -> None:
    since = datetime.now(UTC) - timedelta(minutes=minutes)
    manners.keep_robots("foo.example", Robots("unreachable", status=503, read_at=since, failing_since=since))
    wait = not_now(RobotsGate(manners, Shelf(Robots.answered(500)).read, AGENT).check).retry_after
    assert wait is not None
    assert abs(wait - timedelta(minutes=expected)) < timedelta(seconds=5)


def test_a_file_that_can_be_read_again_ends_the_waits(manners: InMemoryManners) -> None:
    long_ago = datetime.now(UTC) - timedelta(hours=1)
    manners.keep_robots("foo.example", Robots("unreachable", read_at=long_ago, failing_since=long_ago))
    assert RobotsGate(manners, Shelf(read()).read, AGENT).check("https://foo.example/").allowed
    known = manners.robots("foo.example")
    assert known
    assert known.failing_since is None


def test_a_verdict_without_an_answer_is_not_believed_for_a_day(manners: InMemoryManners) -> None:
    shelf = Shelf(Final(reasons.DNS), read())
    gate = RobotsGate(manners, shelf.read, AGENT)
    assert gate.check("https://foo.example/private").allowed
    known = manners.robots("foo.example")
    assert known
    manners.keep_robots("foo.example", replace(known, read_at=datetime.now(UTC) - timedelta(minutes=6)))
    assert not gate.check("https://foo.example/private").allowed


@pytest.mark.parametrize("silence", [Passing(reasons.REFUSED), Final(reasons.TLS)])
def test_silence_under_one_scheme_says_nothing_of_the_other(manners: InMemoryManners, silence: Trouble) -> None:
    shelf = Shelf(silence, read())
    gate = RobotsGate(manners, shelf.read, AGENT)
    if isinstance(silence, Passing):
        with pytest.raises(Passing):
            gate.check("https://foo.example/")
    else:
        gate.check("https://foo.example/")
    assert not gate.check("http://foo.example/private").allowed
    assert not gate.check("https://foo.example/private").allowed
    assert shelf.asked == ["https://foo.example/robots.txt", "http://foo.example/robots.txt"]


def test_the_crawl_delay_goes_to_the_lane(manners: InMemoryManners) -> None:
    RobotsGate(manners, Shelf(read()).read, AGENT).check("https://www.foo.co.uk/")
    with pytest.raises(Snooze) as refused:
        manners.ask("foo.co.uk")
    assert refused.value.reason == reasons.CRAWL_DELAY


def test_a_host_that_must_wait_for_its_robots_txt_waits(manners: InMemoryManners) -> None:
    later = Snooze(reasons.HOST_RESTING, until=datetime.now(UTC))
    with pytest.raises(Snooze):
        RobotsGate(manners, Shelf(later).read, AGENT).check("https://foo.example/")
    assert manners.robots("foo.example") is None


@pytest.mark.parametrize(
    "url", ["http://[bad", "ftp://foo.example/", "http:///x", "foo.example/x", "http://a:99999/", ""]
)
def test_what_is_no_url_is_refused_in_words(manners: InMemoryManners, url: str) -> None:
    with pytest.raises(Final) as refused:
        RobotsGate(manners, Shelf(read()).read, AGENT).check(url)
    assert refused.value.reason == reasons.BAD_URL

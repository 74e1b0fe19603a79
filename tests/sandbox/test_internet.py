"""Internet: who answers for a host, and how delay and faults are added without spoiling the world."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.internet import Internet
from sandbox.message import PLAIN, Reply, Request
from sandbox.world import World

WORLD = World(30)


def sites(request: Request) -> Reply | None:
    if WORLD.business_at(request.host) is None:
        return None
    return Reply(200, f"site on visit {request.visit}".encode(), PLAIN, wait_seconds=1.0)


def places(request: Request) -> Reply | None:
    return Reply(200, f"places on visit {request.visit}".encode(), PLAIN)


def hosts() -> Iterator[str]:
    return (business.host for business in WORLD if business.host)


def internet(latency: float = 0.0, errors: float = 0.0, provider_errors: float = 0.0) -> Internet:
    return Internet(WORLD, latency, errors, provider_errors=provider_errors, sites=sites, places=places)


def outcome(reply: Reply) -> int:
    return 0 if reply.resets else reply.status


def test_hosts_are_answered_for_by_their_part() -> None:
    host = next(hosts())
    world = internet()
    assert world.answer(Request("GET", host, "/")).body == b"site on visit 1"
    assert world.answer(Request("GET", f"www.{host}", "/")).body == b"site on visit 2"
    assert world.answer(Request("POST", "overpass.example", "/")).body == b"places on visit 1"
    assert dict(world.visits) == {host: 2, "overpass.example": 1}


def test_an_unknown_host_is_told_so_and_not_remembered() -> None:
    world = internet(errors=1.0)
    for number in range(100):
        reply = world.answer(Request("GET", f"nobody-{number}.example", "/"))
        assert (reply.status, reply.body) == (404, b"no such host in this world\n")
    assert not world.visits


def test_latency_comes_on_top() -> None:
    world = internet(latency=0.25)
    assert world.answer(Request("GET", next(hosts()), "/")).wait_seconds == 1.25
    assert world.answer(Request("GET", "overpass.example", "/")).wait_seconds == 0.25
    assert world.answer(Request("GET", "nobody.example", "/")).wait_seconds == 0.25


def test_faults_are_the_same_every_time_and_about_as_many_as_asked_for() -> None:
    def run() -> list[int]:
        world = internet(errors=0.1)
        requests = (Request("GET", host, f"/{number}") for number in range(200) for host in hosts())
        return [outcome(world.answer(request)) for request in requests]

    first = run()
    assert first == run()
    failed = [status for status in first if status != 200]
    assert set(failed) == {0, 500, 503}
    assert 0.08 < len(failed) / len(first) < 0.12


def test_a_second_try_of_a_url_succeeds() -> None:
    world, host = internet(errors=1.0), next(hosts())
    asked = [Request("GET", host, path) for path in ("/a", "/b", "/a", "/b", "/a", "/a")]
    assert [outcome(world.answer(request)) == 200 for request in asked] == [False, False, True, True, False, True]


def test_the_provider_fails_only_when_asked_to() -> None:
    request = Request("POST", "places.googleapis.example", "/v1/places:searchText")
    assert all(outcome(internet(errors=1.0).answer(request)) == 200 for _ in range(20))
    assert outcome(internet(provider_errors=1.0).answer(request)) != 200

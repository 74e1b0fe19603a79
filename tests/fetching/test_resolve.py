"""Names to addresses: all public, or none."""

from __future__ import annotations

import socket
import time
from threading import Event

import pytest

import reasons
import settings
from errors import Final, Passing
from fetching import resolve
from fetching.resolve import Endpoint, endpoints


def found(*addresses: str) -> resolve.Resolve:
    return lambda host, timeout: list(addresses)


def test_every_address_may_be_asked_when_all_are_public() -> None:
    where = endpoints("foo.com", 443, 1.0, found("1.1.1.1", "2606:4700::1111", "1.1.1.1"))
    assert where == [Endpoint("1.1.1.1", 443), Endpoint("2606:4700::1111", 443)]


@pytest.mark.parametrize("inside", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::ffff:10.0.0.1", "64:ff9b::a00:1"])
@pytest.mark.parametrize("first", [True, False])
def test_one_private_address_spoils_them_all(inside: str, first: bool) -> None:
    both = (inside, "1.1.1.1") if first else ("1.1.1.1", inside)
    with pytest.raises(Final) as refused:
        endpoints("foo.com", 80, 1.0, found(*both))
    assert refused.value.reason == reasons.UNSAFE_ADDRESS
    assert inside in str(refused.value)


@pytest.mark.parametrize("host", ["127.0.0.1", "2130706433", "localhost", "::1", "db.internal"])
def test_a_host_that_is_unsafe_as_written_is_never_resolved(host: str) -> None:
    def resolver(host: str, timeout: float) -> list[str]:
        raise AssertionError("asked the resolver")

    with pytest.raises(Final) as refused:
        endpoints(host, 80, 1.0, resolver)
    assert refused.value.reason == reasons.UNSAFE_ADDRESS


def test_localhost_is_refused_by_the_systems_own_resolver_too() -> None:
    """The machine's name leads to the machine, and passes no test of spelling."""
    assert resolve.ask_resolver("localhost", 5.0)
    with pytest.raises(Final) as refused:
        endpoints("foo.com", 80, 5.0, lambda host, timeout: resolve.ask_resolver("localhost", timeout))
    assert refused.value.reason == reasons.UNSAFE_ADDRESS


def test_a_name_that_does_not_exist_has_a_word() -> None:
    with pytest.raises((Final, Passing)) as fault:
        endpoints("no-such-name.invalid", 80, 20.0)
    assert fault.value.reason == reasons.DNS


def test_a_resolver_that_hangs_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    answered = Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answered.wait(30) and [])
    started = time.monotonic()
    with pytest.raises(Passing) as fault:
        resolve.ask_resolver("foo.com", 0.1)
    answered.set()
    assert fault.value.reason == reasons.DNS
    assert time.monotonic() - started < 30


class TestSandbox:
    """The one seam: a setting that sends names under .example to this machine."""

    @pytest.fixture(autouse=True)
    def _in_the_sandbox(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SANDBOX_ADDRESS", "127.0.0.1:8089")
        settings.settings.cache_clear()

    def test_its_names_lead_to_it(self) -> None:
        assert endpoints("smith-dental.example", 80, 1.0) == [Endpoint("127.0.0.1", 8089)]

    def test_it_speaks_no_tls(self) -> None:
        with pytest.raises(Passing) as refused:
            endpoints("smith-dental.example", 443, 1.0)
        assert refused.value.reason == reasons.REFUSED

    @pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "10.0.0.1", "example", "foo.example.internal"])
    def test_the_guard_stays_on_for_everything_else(self, host: str) -> None:
        with pytest.raises(Final) as refused:
            endpoints(host, 80, 1.0)
        assert refused.value.reason == reasons.UNSAFE_ADDRESS

    def test_a_real_name_that_leads_inside_is_refused_here_too(self) -> None:
        with pytest.raises(Final):
            endpoints("foo.com", 80, 1.0, found("127.0.0.1"))


def test_without_the_setting_example_is_a_name_like_any_other() -> None:
    with pytest.raises(Final):
        endpoints("smith-dental.example", 80, 1.0, found("127.0.0.1"))

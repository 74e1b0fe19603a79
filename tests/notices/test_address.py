"""What may be written as a webhook's URL."""

from __future__ import annotations

import pytest

import settings
from errors import BadInput
from notices.address import checked, lane_of


@pytest.mark.parametrize(
    "url",
    [
        "https://hooks.your-company.com/leads?token=x",
        " https://hooks.your-company.com ",
        "https://xn--mnchen-3ya.example:443/a%20b",
        "http://hooks.example/leads",
    ],
)
def test_addresses_of_servers_are_taken(url: str) -> None:
    assert checked(url) == url.strip()


@pytest.mark.parametrize(
    "url",
    [
        "ftp://hooks.example/x", "hooks.example", "https://", "https:///x", "https://localhost/x", "https://user:pw@a.b/",
        "https://a.b:8443/x", "https://a.b/#part", "https://a b/", "https://münchen.example/",
        "https://a.b/" + "x" * 2048, "https://a.b:99999999/", "https://[::1/", "javascript:alert(1)", "", "https://a.b/\nx",
        "https://a.b/\x00",
    ],
)  # fmt: skip
def test_what_is_none_is_refused_in_words(url: str) -> None:
    with pytest.raises(BadInput, match=r"^This URL cannot be a webhook's: .+\.$"):
        checked(url)


def test_production_wants_https(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVIRONMENT", "production")
    monkeypatch.setenv("CRAWLER_CONTACT", "us@example.org")
    settings.settings.cache_clear()
    assert checked("https://hooks.your-company.com/x")
    with pytest.raises(BadInput, match="https"):
        checked("http://hooks.your-company.com/x")


def test_every_webhook_has_a_lane_of_its_own() -> None:
    assert lane_of(7, "https://Hooks.Example/x") == "hooks.example/webhook-7"
    assert lane_of(7, "https://hooks.example/x") != lane_of(8, "https://hooks.example/x")

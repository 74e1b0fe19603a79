"""Settings on a page: what is in force and where it came from, and never a secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from settings import settings
from tests.dashboard.browsers import Browser

SECRETS = ("hidden-word", "hidden-key", "a-secret-for-tests", "hidden%2Fword")


@pytest.fixture
def told(admin: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Browser:
    """An admin of an installation that was started with these settings."""
    (tmp_path / ".env").write_text("WORKER_THREADS=3\nDEEP_SCAN_SCHEDULER_BATCH_SIZE=7\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PROXY_URL", "http://user:hidden-word@proxy.example:3128")
    monkeypatch.setenv("BROKER_URL", f"{settings().redis_url}")
    monkeypatch.setenv("GOOGLE_MAPS_API_KEY", "hidden-key")
    monkeypatch.setenv("WORKER_PROCESSES", "4")
    settings.cache_clear()
    settings()
    return admin


def row(browser: Browser, name: str, query: str = "") -> str:
    found = [each for each in browser.see(f"/settings?{query}").css("main tbody tr") if name in each.text()]
    assert len(found) == 1, name
    return " ".join(found[0].text(separator=" ").split())


def test_every_setting_says_its_value_and_where_it_came_from(told: Browser) -> None:
    assert row(told, "WORKER_PROCESSES").startswith("WORKER_PROCESSES 4 default: 2 environment worker processes")
    assert row(told, "WORKER_THREADS").startswith("WORKER_THREADS 3 default: 8 .env work")
    assert row(told, "DRAIN_SECONDS").startswith("DRAIN_SECONDS 3.0 default how long")
    assert row(told, "CRAWLER_CONTACT").startswith("CRAWLER_CONTACT not set default")
    assert row(told, "DEEP_SCAN_SCHEDULER_INTERVAL_MINUTES").startswith(
        "DEEP_SCAN_SCHEDULER_INTERVAL_MINUTES 5 default"
    )
    assert ".env" in row(told, "DEEP_SCAN_SCHEDULER_BATCH_SIZE")
    assert "Nothing can be changed here." in told.text("/settings")


def test_no_secret_is_anywhere_in_the_page(told: Browser) -> None:
    assert row(told, "GOOGLE_MAPS_API_KEY").startswith("GOOGLE_MAPS_API_KEY set default: not set environment")
    assert row(told, "JWT_SECRET_KEY").startswith("JWT_SECRET_KEY set")
    assert "http://user:***@proxy.example:3128" in row(told, "PROXY_URL")
    for path in ("/settings", "/settings?text=url", "/settings?text=hidden-word", "/system/facts"):
        text = told.client.get(path).text
        found = text.replace('value="hidden-word"', "")
        assert not any(secret in found for secret in SECRETS)


def test_settings_are_found_by_text_and_by_whether_they_are_set(told: Browser) -> None:
    names = [cell.text() for cell in told.see("/settings?text=DAILY_budget").css("tbody th")]
    assert names == ["PROVIDER_DAILY_BUDGET_USD"]
    names = [cell.text() for cell in told.see("/settings?changed=true").css("tbody th")]
    assert "WORKER_THREADS" in names
    assert "DRAIN_SECONDS" not in names
    assert "No setting fits." in told.text("/settings?text=%3Cscript%3Ealert(1)")
    assert "<script>alert" not in told.client.get("/settings?text=%3Cscript%3Ealert(1)").text


def test_a_value_that_waits_for_a_restart_and_one_that_cannot_be_used_are_said(told: Browser, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("WORKER_THREADS=5\n", encoding="utf-8")
    assert "3 default: 8 another value waits for a restart" in row(told, "WORKER_THREADS")
    assert "restart" not in row(told, "WORKER_PROCESSES")
    (tmp_path / ".env").write_text("WORKER_THREADS=many\nDEEP_SCAN_SCHEDULER_BATCH_SIZE=x\n", encoding="utf-8")
    assert "The program would not start again as it is set now. WORKER_THREADS is 'many'" in told.text("/settings")


def test_only_operators_see_settings(viewer: Browser, curator: Browser, stranger: Browser) -> None:
    for browser in (viewer, curator, stranger):
        assert browser.client.get("/settings").status_code == 403
        assert browser.see("/account").css("nav a[href='/settings']") == []

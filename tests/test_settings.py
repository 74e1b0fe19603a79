"""Settings: the environment wins, nothing changes afterwards, and a bad value is named with what was expected."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import pytest
from pydantic import ValidationError

import settings
from errors import BadSetting
from redact import hide_password
from settings import load, sweeper_settings

SWEEPER = {"interval_minutes": 1, "batch_size": 50, "max_instances": 1}


@pytest.fixture(autouse=True)
def _own_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings read `.env` where the program is started."""
    monkeypatch.chdir(tmp_path)


def complaint(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> str:
    monkeypatch.setenv(name, value)
    with pytest.raises(BadSetting) as told:
        load()
    return str(told.value)


def test_the_defaults_need_nothing() -> None:
    read = load()
    assert (read.database_url, read.redis_url, read.worker_threads, read.log_level) == (None, None, 8, "INFO")
    assert read.default_tenant_id == UUID("550e8400-e29b-41d4-a716-446655440000")


def test_the_environment_wins_over_the_file_and_the_file_over_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text("WORKER_THREADS=3\nWORKER_PROCESSES=4\n", encoding="utf-8")
    monkeypatch.setenv("WORKER_THREADS", "5")
    read = load()
    assert (read.worker_threads, read.worker_processes, read.web_port) == (5, 4, 8000)


def test_an_empty_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKER_THREADS", "")
    monkeypatch.setenv("DATABASE_URL", "")
    assert (load().worker_threads, load().database_url) == (8, None)


def test_a_variable_nobody_knows_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("SOMEBODY_ELSES=1\n", encoding="utf-8")
    monkeypatch.setenv("NOT_OURS", "1")
    load()


def test_settings_do_not_change(monkeypatch: pytest.MonkeyPatch) -> None:
    read = load()
    with pytest.raises(ValidationError, match="frozen"):
        read.worker_threads = 9
    once = settings.settings()
    monkeypatch.setenv("WORKER_THREADS", "99")
    assert settings.settings() is once


def test_the_log_level_may_be_in_any_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_LEVEL", "debug")
    assert load().log_level == "DEBUG"


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("WORKER_THREADS", "many", "valid integer"),
        ("WORKER_THREADS", "0", "greater than or equal to 1"),
        ("WEB_PORT", "70000", "less than or equal to 65535"),
        ("DRAIN_SECONDS", "-1", "greater than or equal to 0"),
        ("ENVIRONMENT", "prod", "'development', 'test', 'sandbox' or 'production'"),
        ("LOG_FORMAT", "xml", "'auto', 'console' or 'json'"),
        ("DEFAULT_TENANT_ID", "me", "valid UUID"),
        ("DATABASE_URL", "mysql://host/name", "a URL such as postgresql://user:password@host:5432/name"),
        ("DATABASE_URL", "host/name", "a URL such as postgresql://"),
        ("DATABASE_URL", "postgresql://host:port/name", "a URL such as postgresql://"),
        ("REDIS_URL", "http://host", "a URL such as redis://host:6379/0"),
        ("BROKER_URL", "kafka://host", "or amqp://user:password@host:5672"),
    ],
)
def test_a_bad_value_is_named_with_what_was_expected(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, expected: str
) -> None:
    said = complaint(monkeypatch, name, value)
    assert said.startswith(f"{name} is {value!r}: ")
    assert expected in said
    assert said.endswith("Correct it in the environment or in .env.")


def test_all_bad_values_are_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEB_PORT", "x")
    said = complaint(monkeypatch, "WORKER_THREADS", "y")
    assert "WEB_PORT is 'x'" in said
    assert "WORKER_THREADS is 'y'" in said


@pytest.mark.parametrize(
    "url",
    [
        "mysql://user:hidden-word@host/name",
        "postgresql://user:hidden-word@host:port/name",
        "postgresql://user:hidden-word/with-slash@host/name",
        "postgresql://user:hidden-word#hash@host/name",
        "postgresql://user:hidden-word@with-at@host:port/name",
        "user:hidden-word@host/name",
        "postgresql:user:hidden-word@host/name",
        "http://host/name?password=hidden-word",
    ],
)
def test_a_bad_url_does_not_show_its_password(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    said = complaint(monkeypatch, "DATABASE_URL", url)
    assert "DATABASE_URL is " in said
    assert "hidden-word" not in said


def test_a_bad_secret_is_not_shown_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    said = complaint(monkeypatch, "JWT_SECRET_KEY", "too-short")
    assert said.startswith("JWT_SECRET_KEY is (hidden): ")
    assert "too-short" not in said
    assert "32" in said


def test_secrets_are_hidden_in_the_settings_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_MAPS_API_KEY", "hidden-key")
    monkeypatch.setenv("JWT_SECRET_KEY", "hidden-secret-of-32-characters-or-more")
    monkeypatch.setenv("DATABASE_URL", "postgresql://user:hidden-word@host/name")
    read = load()
    assert "hidden-key" not in repr(read)
    assert "hidden-secret" not in repr(read)
    assert set(read.secrets) == {"hidden-key", "hidden-secret-of-32-characters-or-more", "hidden-word"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("redis://:word@host:1/0 said no", "redis://:***@host:1/0 said no"),
        ("amqp://user:word@host and redis://a:b@c", "amqp://user:***@host and redis://a:***@c"),
        ("postgresql://user@host/name", "postgresql://user@host/name"),
        ("no url: here@all", "no url: here@all"),
        ("https://host/a:b@c", "https://host/a:b@c"),
    ],
)
def test_passwords_inside_text_are_blanked_and_nothing_else(text: str, shown: str) -> None:
    assert hide_password(text) == shown


def test_a_stage_has_sweeper_settings_by_its_prefix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("DEEP_SCAN_SCHEDULER_MAX_INSTANCES=2\n", encoding="utf-8")
    monkeypatch.setenv("DEEP_SCAN_SCHEDULER_INTERVAL_MINUTES", "5")
    monkeypatch.setenv("OTHER_SCHEDULER_INTERVAL_MINUTES", "9")
    read = sweeper_settings("DEEP_SCAN", interval_minutes=1, batch_size=10, max_instances=1)
    assert (read.interval_minutes, read.batch_size, read.max_instances) == (5, 10, 2)
    with pytest.raises(ValidationError, match="frozen"):
        read.batch_size = 1


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("INTERVAL_MINUTES", "0", "greater than or equal to 1"),
        ("INTERVAL_MINUTES", "90", "1 to 59 minutes, or whole hours such as 120"),
        ("BATCH_SIZE", "lots", "valid integer"),
        ("MAX_INSTANCES", "65", "less than or equal to 64"),
    ],
)
def test_a_bad_sweeper_setting_is_named_in_full(
    monkeypatch: pytest.MonkeyPatch, field: str, value: str, expected: str
) -> None:
    monkeypatch.setenv(f"DEEP_SCAN_SCHEDULER_{field}", value)
    with pytest.raises(BadSetting) as told:
        sweeper_settings("DEEP_SCAN", **SWEEPER)
    assert str(told.value).startswith(f"DEEP_SCAN_SCHEDULER_{field} is '{value}': ")
    assert expected in str(told.value)


@pytest.mark.parametrize(
    "address", ["127.0.0.1:99999", "127.0.0.1:0", "127.999.1.1:80", "127.0.0.1", "10.0.0.1:80", "localhost:80", ":80"]
)
def test_a_sandbox_address_must_be_on_this_machine(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadSetting, match="SANDBOX_ADDRESS"):
        load(sandbox_address=address, environment="sandbox")


@pytest.mark.parametrize("environment", ["development", "production"])
def test_the_sandbox_stays_in_the_sandbox(environment: str) -> None:
    with pytest.raises(BadSetting, match="SANDBOX_ADDRESS is set while ENVIRONMENT is"):
        load(sandbox_address="127.0.0.1:8089", environment=environment, crawler_contact="a@b.example")


def test_production_needs_a_contact() -> None:
    with pytest.raises(BadSetting, match="CRAWLER_CONTACT"):
        load(environment="production")


@pytest.mark.parametrize("url", ["http://", "http://:3128", "ftp://host", "socks5://"])
def test_a_proxy_needs_a_host(url: str) -> None:
    with pytest.raises(BadSetting, match="PROXY_URL"):
        load(proxy_url=url)


def test_hiding_passwords_takes_linear_time() -> None:
    text = "a:/:" * 100_000
    assert hide_password(text) == text

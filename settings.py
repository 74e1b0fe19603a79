"""One frozen Settings object: the only reader of the environment.

The environment wins over `.env`, `.env` wins over the defaults. A value that cannot be used stops the
program at start with the variable's name, the value and what was expected.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qsl, unquote, urlsplit
from uuid import UUID

from pydantic import Field, SecretStr, ValidationError, create_model, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from errors import BadSetting
from redact import without_secret
from settings_accounts import AccountSettings
from settings_alarms import AlarmSettings
from settings_contacts import ContactSettings
from settings_fetching import FetchingSettings
from settings_providers import ProviderSettings

POSTGRES_SCHEMES = ("postgresql", "postgres", "postgresql+psycopg")
BROKER_SCHEMES = ("redis", "rediss", "unix", "amqp", "amqps")
PROJECT_ROOT = Path(__file__).resolve().parent


class SweeperSettings(BaseSettings):
    """How often, how much and how many at once a stage's sweeper works."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    interval_minutes: int = Field(1, ge=1, le=1440, description="minutes between two sweeps: 1 to 59, or whole hours")
    batch_size: int = Field(50, ge=1, le=10_000, description="rows a sweep repairs in one transaction")
    max_instances: int = Field(1, ge=1, le=64, description="sweeps of the stage that may run at once")

    @field_validator("interval_minutes")
    @classmethod
    def _fits_cron(cls, value: int) -> int:
        if value > 59 and value % 60:
            raise ValueError("expected 1 to 59 minutes, or whole hours such as 120")
        return value


class Settings(BaseSettings, FetchingSettings, ProviderSettings, ContactSettings, AccountSettings, AlarmSettings):
    """Everything that can be set from outside; each field is the environment variable of the same name."""

    model_config = SettingsConfigDict(
        frozen=True, extra="ignore", env_file=".env", env_file_encoding="utf-8", env_ignore_empty=True
    )

    database_url: str | None = Field(None, description="PostgreSQL 14+; unset: a private embedded server")
    redis_url: str | None = Field(None, description="Redis 6.2+ or Valkey; unset: a private embedded server")
    broker_url: str | None = Field(
        None, description="any broker (redis, rediss, unix, amqp, amqps); wins over REDIS_URL"
    )
    scrapersky_dir: Path = Field(Path(".scrapersky"), description="where the embedded servers keep their data")
    environment: Literal["development", "test", "sandbox", "production"] = Field(
        "development", description="development, test, sandbox or production"
    )
    dev_tools: bool = Field(False, description="open the API's dev tools where ENVIRONMENT is production, too")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field("INFO", description="least level that is logged")
    log_format: Literal["auto", "console", "json"] = Field("auto", description="auto: console in a terminal, else json")
    stage_modules: str = Field("actors", description="modules that declare stages, comma-separated")

    default_tenant_id: UUID = Field(
        UUID("550e8400-e29b-41d4-a716-446655440000"), description="tenant of work that names none"
    )
    scheduler_system_user_id: UUID = Field(
        UUID("5905e9fe-6c61-4694-b09a-6602017b000a"), description="user that background work acts as"
    )
    google_maps_api_key: SecretStr | None = Field(None, description="key for the Google Places provider")
    jwt_secret_key: SecretStr | None = Field(
        None, min_length=32, description="signs API tokens; at least 32 characters; embedded servers make their own"
    )

    database_pool_size: int = Field(12, ge=4, le=200, description="database connections a process may hold")
    worker_processes: int = Field(2, ge=1, le=256, description="worker processes that the Procfile starts")
    worker_threads: int = Field(8, ge=1, le=256, description="work a worker process does at once")
    drain_seconds: float = Field(3.0, ge=0, le=600, description="how long running work may go on after SIGTERM")

    lease_beat_seconds: float = Field(5.0, gt=0, description="how often a worker renews its lease")
    lease_grace_seconds: float = Field(10.0, gt=0, description="without a renewal for so long, a worker claims nothing")
    lease_expiry_seconds: float = Field(
        15.0, gt=0, description="without a renewal for so long, a worker counts as dead"
    )
    crashes_before_poison: int = Field(3, ge=1, le=100, description="crashes after which work ends as Error poison")
    ring_again_seconds: float = Field(
        30.0, gt=0, description="a doorbell nobody answered is rung again after this, doubling"
    )
    back_off_seconds: float = Field(
        10.0, gt=0, le=3600, description="wait before the second try of work that may succeed later, doubling each time"
    )
    lane_cap: int = Field(1, ge=1, le=100, description="work that may touch one host at a time")
    lane_gap_seconds: float = Field(1.0, ge=0, description="least time between two visits to one host")

    web_host: str = Field("127.0.0.1", description="address the web process listens on")
    web_port: int = Field(8000, ge=1, le=65535, description="port the web process listens on")

    @field_validator("log_level", mode="before")
    @classmethod
    def _upper(cls, value: object) -> object:
        return value.upper() if isinstance(value, str) else value

    @field_validator("database_url")
    @classmethod
    def _postgres_only(cls, value: str | None) -> str | None:
        return value and _url_of(value, POSTGRES_SCHEMES, "a URL such as postgresql://user:password@host:5432/name")

    @field_validator("redis_url", "broker_url")
    @classmethod
    def _known_broker(cls, value: str | None) -> str | None:
        return value and _url_of(
            value, BROKER_SCHEMES, "a URL such as redis://host:6379/0 or amqp://user:password@host:5672"
        )

    @model_validator(mode="after")
    def _sandbox_stays_in_the_sandbox(self) -> Settings:
        if self.sandbox_address is not None and self.environment not in ("sandbox", "test"):
            raise ValueError(
                f"SANDBOX_ADDRESS is set while ENVIRONMENT is {self.environment}: expected ENVIRONMENT=sandbox or test"
            )
        return self

    @model_validator(mode="after")
    def _strangers_can_reach_us(self) -> Settings:
        if self.environment == "production" and self.crawler_contact is None:
            raise ValueError(
                "CRAWLER_CONTACT is not set: expected an email address or URL for site owners, which production needs"
            )
        return self

    @model_validator(mode="after")
    def _leases_make_sense(self) -> Settings:
        if not self.lease_beat_seconds < self.lease_grace_seconds < self.lease_expiry_seconds:
            raise ValueError("expected LEASE_BEAT_SECONDS < LEASE_GRACE_SECONDS < LEASE_EXPIRY_SECONDS")
        return self

    @property
    def secrets(self) -> list[str]:
        """Every value that must never be printed."""
        hidden = [s.get_secret_value() for s in (self.google_maps_api_key, self.jwt_secret_key) if s]
        urls = [urlsplit(url) for url in (self.database_url, self.redis_url, self.broker_url, self.proxy_url) if url]
        written = [url.password or "" for url in urls]
        written += [value for url in urls for name, value in parse_qsl(url.query) if "password" in name.lower()]
        return [secret for secret in hidden + written + [unquote(word) for word in written] if secret]


def _url_of(value: str, schemes: tuple[str, ...], expected: str) -> str:
    try:
        parts = urlsplit(value)
        port_is_fine = parts.port is None or parts.port > 0
    except ValueError as fault:
        raise ValueError(f"expected {expected}") from fault
    if parts.scheme not in schemes or "://" not in value or not port_is_fine:
        raise ValueError(f"expected {expected}")
    return value


@cache
def settings() -> Settings:
    """Read the environment once for this process."""
    return load()


def use(given: Mapping[str, str], *, without: Collection[str] = ()) -> None:
    """Set and forget variables for this process and those it starts; settings are read anew."""
    for name in without:
        os.environ.pop(name, None)
    os.environ.update(given)
    settings.cache_clear()


def is_given(name: str) -> bool:
    """Tell whether the environment sets a variable."""
    return name in os.environ


def load(**values: Any) -> Settings:
    """Read the environment, with `values` winning over it."""
    try:
        return Settings(**values)
    except ValidationError as fault:
        raise BadSetting(_sentence(fault, "")) from None


def sweeper_settings(prefix: str, *, interval_minutes: int, batch_size: int, max_instances: int) -> SweeperSettings:
    """Read `{prefix}_SCHEDULER_INTERVAL_MINUTES`, `_BATCH_SIZE` and `_MAX_INSTANCES` over a stage's own defaults."""
    fields: Mapping[str, Any] = {
        "interval_minutes": (int, Field(interval_minutes, ge=1, le=1440)),
        "batch_size": (int, Field(batch_size, ge=1, le=10_000)),
        "max_instances": (int, Field(max_instances, ge=1, le=64)),
    }
    env_prefix = f"{prefix}_SCHEDULER_"
    model: Any = create_model(f"{prefix}Sweeper", __base__=SweeperSettings, **fields)
    try:
        read: SweeperSettings = model(_env_prefix=env_prefix, _env_file=".env", _env_ignore_empty=True)
        return read
    except ValidationError as fault:
        raise BadSetting(_sentence(fault, env_prefix)) from None


def _sentence(fault: ValidationError, prefix: str) -> str:
    return "; ".join(_one(dict(error), prefix) for error in fault.errors())


def _one(error: Mapping[str, Any], prefix: str) -> str:
    if not error["loc"]:
        return f"{error['msg'].removeprefix('Value error, ')}. Correct it in the environment or in .env."
    name = prefix + "_".join(str(part) for part in error["loc"]).upper()
    expected = re.sub(r"^(Value error, |Input )", "", error["msg"])
    shown = "(hidden)" if name.endswith(("_KEY", "_SECRET")) else repr(without_secret(str(error.get("input", ""))))
    return f"{name} is {shown}: {expected}. Correct it in the environment or in .env."

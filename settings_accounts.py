"""Settings of accounts: how long a log-in lasts, and how often somebody may try. Read by `settings`."""

from __future__ import annotations

from datetime import timedelta

from pydantic import BaseModel, Field


class AccountSettings(BaseModel):
    """A part of Settings, in a file of its own."""

    access_token_minutes: int = Field(15, ge=1, le=1440, description="how long an access token is valid")
    session_days: int = Field(30, ge=1, le=365, description="days after which people log in again")
    login_link_hours: int = Field(24, ge=1, le=720, description="how long a one-time login link may be used")
    login_tries_per_account: int = Field(
        5, ge=1, le=1000, description="wrong passwords after which an account takes none for a while"
    )
    login_tries_per_address: int = Field(
        30, ge=1, le=100_000, description="failed log-ins after which a network address is refused for a while"
    )
    login_tries_minutes: int = Field(15, ge=1, le=1440, description="how long that while is, from the first failure")
    trusted_proxies: str = Field(
        "127.0.0.1,::1", description="proxies whose X-Forwarded-For is believed: addresses or networks, comma-separated"
    )

    @property
    def session_length(self) -> timedelta:
        """How long a log-in lasts."""
        return timedelta(days=self.session_days)

    @property
    def tries_window(self) -> timedelta:
        """How long failed log-ins are remembered."""
        return timedelta(minutes=self.login_tries_minutes)

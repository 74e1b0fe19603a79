"""Login attempt: how often somebody has tried a password lately, so that nobody can try them all."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base


class LoginAttempt(Base):
    """Failed log-ins of one account or from one address since `began_at`; `subject` is a hash of which."""

    __tablename__ = "login_attempts"

    subject: Mapped[str] = mapped_column(primary_key=True)
    failures: Mapped[int] = mapped_column(server_default=text("0"))
    began_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp(), index=True)

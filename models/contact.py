"""Contact: a way to reach a business, or a person in it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, func, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import EMPTY_LIST, Base, Curated, Numbered, OwnedByTenant, Timed, at_most, vocabulary

CONTACT_KINDS = ("email", "phone", "social", "person")
VERDICTS = ("valid", "risky", "invalid", "unknown")


class Contact(Numbered, OwnedByTenant, Curated, Timed, Base):
    """One address, number, profile or person of one owner: a domain, or a business that has none.

    Businesses that share a domain share its contacts through `local_business_domains`. `label` is `role`,
    `personal`, `free-mail`, `fax` or a social network's name, so it has no closed vocabulary. `gone_at` says since when
    none of the addresses it was seen at shows it any more.
    """

    __tablename__ = "contacts"
    natural_key: ClassVar[tuple[str, ...]] = ("tenant_id", "kind", "value", "owner_key")

    domain_id: Mapped[int | None] = mapped_column(ForeignKey("domains.id", ondelete="CASCADE"))
    local_business_id: Mapped[int | None] = mapped_column(ForeignKey("local_businesses.id", ondelete="CASCADE"))
    # Names the owner in the natural key: two NULLs never conflict, and NULLS NOT DISTINCT needs PostgreSQL 15.
    owner_key: Mapped[str]
    kind: Mapped[str] = mapped_column(vocabulary("kind", CONTACT_KINDS))
    value: Mapped[str] = mapped_column(at_most(1024, "value"))
    label: Mapped[str | None]
    person_name: Mapped[str | None]
    person_title: Mapped[str | None]
    confidence: Mapped[float] = mapped_column(server_default=text("0"))
    first_seen_at: Mapped[datetime] = mapped_column(server_default=func.now())
    last_seen_at: Mapped[datetime] = mapped_column(server_default=func.now())
    gone_at: Mapped[datetime | None]
    verdict: Mapped[str | None] = mapped_column(vocabulary("verdict", VERDICTS))
    verdict_reasons: Mapped[list[Any]] = mapped_column(server_default=EMPTY_LIST)
    validated_at: Mapped[datetime | None]
    note: Mapped[str | None]

    __table_args__ = (
        UniqueConstraint("tenant_id", "kind", "value", "owner_key"),
        CheckConstraint("num_nonnulls(domain_id, local_business_id) = 1", name="one_owner"),
        CheckConstraint(
            "owner_key = coalesce('domain:' || domain_id, 'business:' || local_business_id)", name="owner_key"
        ),
        CheckConstraint("value <> ''", name="value"),
        CheckConstraint("confidence BETWEEN 0 AND 1", name="confidence"),
        Index(None, "tenant_id", "curation_status"),
        Index(None, "tenant_id", "created_at"),
        Index(None, "domain_id", postgresql_where=text("domain_id IS NOT NULL")),
        Index(None, "local_business_id", postgresql_where=text("local_business_id IS NOT NULL")),
    )


def owner_key(*, domain_id: int | None = None, local_business_id: int | None = None) -> str:
    """Name the owner of a contact for its natural key."""
    return f"business:{local_business_id}" if domain_id is None else f"domain:{domain_id}"

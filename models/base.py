"""What every table shares: names of constraints, tenant, times, the person's decision."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    DateTime,
    Double,
    ForeignKey,
    Identity,
    MetaData,
    Text,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, declared_attr, mapped_column

CURATION_STATUSES = ("New", "Selected", "Maybe", "Not a Fit", "Archived")
MAX_URL_BYTES = 2048
EMPTY_LIST = text("'[]'::jsonb")
EMPTY_OBJECT = text("'{}'::jsonb")

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}


def one_of(column: str, values: tuple[str, ...]) -> str:
    """Write the SQL that admits only `values` in `column`."""
    return f"{column} IN ({', '.join(repr(value) for value in values)})"


def vocabulary(column: str, values: tuple[str, ...]) -> CheckConstraint:
    """Admit only `values` in `column`; passed to `mapped_column`, so it also travels with a mixin's column."""
    return CheckConstraint(one_of(column, values), name=column)


def at_most(max_bytes: int, column: str) -> CheckConstraint:
    """Keep `column` short enough for the index of its natural key: PostgreSQL indexes at most 2704 bytes."""
    return CheckConstraint(f"octet_length({column}) <= {max_bytes}", name=f"{column}_length")


class Base(DeclarativeBase):
    """A table; `natural_key` names the columns by which the same thing found twice is one row."""

    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: DateTime(timezone=True),
        str: Text(),
        float: Double(),
        dict[str, Any]: JSONB(),
        list[Any]: JSONB(),
    }
    natural_key: ClassVar[tuple[str, ...]] = ()


class Numbered:
    """A row known by a number that the database hands out."""

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=False), primary_key=True, sort_order=-2)


class OwnedByTenant:
    """A row that belongs to one customer."""

    @declared_attr
    def tenant_id(cls) -> Mapped[UUID]:  # noqa: N805 - declared_attr passes the class
        return mapped_column(ForeignKey("tenants.id"), sort_order=-1)


class Timed:
    """When the row was first and last written, by the database's clock."""

    created_at: Mapped[datetime] = mapped_column(server_default=func.now(), sort_order=3)
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now(), onupdate=func.now(), sort_order=3)


class Curated:
    """The person's decision, independent of the machine's state."""

    curation_status: Mapped[str] = mapped_column(
        vocabulary("curation_status", CURATION_STATUSES), server_default="New", sort_order=1
    )


class FromProvider:
    """Facts lent by a place provider: whose they are and until when they may be kept.

    `field_sources` maps a column to `{"source": …, "expires_at": …}`; `expires_at` is the earliest of them, for
    the retention sweep. Columns it may blank are nullable.
    """

    attribution: Mapped[str | None] = mapped_column(sort_order=2)
    field_sources: Mapped[dict[str, Any]] = mapped_column(server_default=EMPTY_OBJECT, sort_order=2)
    expires_at: Mapped[datetime | None] = mapped_column(sort_order=2)

"""Every natural key is a unique constraint, and a child can be stored by its key and whatever facts are known."""

from __future__ import annotations

import pytest
from sqlalchemy import Table, UniqueConstraint

import models
from models import Base

MAPPED = [mapper.class_ for mapper in Base.registry.mappers if mapper.class_.metadata is Base.metadata]
CLASSES = sorted(MAPPED, key=lambda cls: cls.__name__)  # a set, so in no order of its own
KEYED = [cls for cls in CLASSES if cls.natural_key]
CHILDREN = [
    models.SearchArea,
    models.SearchPlace,
    models.Place,
    models.LocalBusiness,
    models.Domain,
    models.LocalBusinessDomain,
    models.SitemapFile,
    models.Page,
    models.Contact,
    models.Sighting,
    models.BatchItem,
    models.ScheduleFire,
]
# A page or sitemap without a lane would be fetched without politeness, so leaving it out must fail.
GIVEN_BY_EVERYONE = {"tenant_id", "host"}


def table_of(cls: type[Base]) -> Table:
    assert isinstance(cls.__table__, Table)
    return cls.__table__


@pytest.mark.parametrize("cls", KEYED)
def test_natural_key_is_exactly_a_unique_constraint(cls: type[Base]) -> None:
    constraints = [c for c in table_of(cls).constraints if isinstance(c, UniqueConstraint)]

    assert cls.natural_key in [tuple(column.name for column in c.columns) for c in constraints]


@pytest.mark.parametrize("cls", KEYED)
def test_natural_key_columns_are_never_null(cls: type[Base]) -> None:
    assert [name for name in cls.natural_key if table_of(cls).c[name].nullable] == []


@pytest.mark.parametrize("cls", CHILDREN)
def test_a_child_needs_only_its_key(cls: type[Base]) -> None:
    needed = {c.name for c in table_of(cls).c if not c.nullable and c.server_default is None and c.identity is None}

    assert needed - set(cls.natural_key) - GIVEN_BY_EVERYONE == set()


@pytest.mark.parametrize("cls", CLASSES)
def test_foreign_keys_that_are_looked_up_lead_an_index(cls: type[Base]) -> None:
    table = table_of(cls)
    leading = {index.columns[0].name for index in table.indexes}
    leading |= {c.columns[0].name for c in table.constraints if isinstance(c, UniqueConstraint)}
    leading |= {column.name for column in list(table.primary_key.columns)[:1]}
    seldom = ("tenants", "users", "api_keys")  # nobody deletes these, or only by hand
    followed = {key.parent.name for key in table.foreign_keys if key.column.table.name not in seldom}

    assert followed - leading == set()


def test_every_table_of_a_customer_names_the_tenant() -> None:
    shared = {"tenants", "failures", "workers", "stage_controls", "hosts", "invariant_checks", "token_marks"}
    shared |= {"provider_days"}  # the key that is billed belongs to the installation
    shared |= {"jobs", "meters", "alarms"}  # what an operator of the installation looks at
    shared |= {"login_attempts"}  # who tries passwords belongs to nobody yet
    shared |= {"operation_changes"}  # part of an operation, which names the tenant

    assert {name for name, table in Base.metadata.tables.items() if "tenant_id" not in table.c} == shared


def test_models_exports_every_class_in_pipeline_order() -> None:
    assert {cls.__name__ for cls in CLASSES} == set(models.__all__) - {"Base"}
    assert models.__all__.index("Search") < models.__all__.index("Place") < models.__all__.index("Contact")

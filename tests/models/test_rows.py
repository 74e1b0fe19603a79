"""What the tables refuse, and what they keep apart."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Engine, delete, func, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from models import Contact, Domain, LocalBusiness, Page, Place, Tenant
from models.contact import owner_key


@pytest.fixture
def tenant_id(engine: Engine) -> UUID:
    with engine.connect() as connection:
        return connection.execute(select(Tenant.id)).scalar_one()


@pytest.fixture
def domain_id(engine: Engine, tenant_id: UUID) -> int:
    with Session(engine) as session, session.begin():
        domain = Domain(tenant_id=tenant_id, name="example.com")
        session.add(domain)
        session.flush()
        return domain.id


@pytest.fixture
def business_ids(engine: Engine, tenant_id: UUID) -> list[int]:
    with Session(engine) as session, session.begin():
        places = [Place(tenant_id=tenant_id, provider="list", provider_place_id=name) for name in ("one", "two")]
        session.add_all(places)
        session.flush()
        businesses = [LocalBusiness(tenant_id=tenant_id, place_id=place.id) for place in places]
        session.add_all(businesses)
        session.flush()
        return [business.id for business in businesses]


@pytest.fixture
def page(domain_id: int, tenant_id: UUID) -> dict[str, Any]:
    return {"tenant_id": tenant_id, "domain_id": domain_id, "url": "https://example.com/", "host": "example.com"}


def add_contact(engine: Engine, key: str, **owner: int) -> None:
    values = {"kind": "social", "value": "https://facebook.com/one", "owner_key": key, **owner}
    with engine.begin() as connection:
        connection.execute(insert(Contact).values(tenant_id=select(Tenant.id).scalar_subquery(), **values))


def test_two_businesses_may_have_the_same_profile(engine: Engine, business_ids: list[int]) -> None:
    for business_id in business_ids:
        add_contact(engine, owner_key(local_business_id=business_id), local_business_id=business_id)

    with engine.connect() as connection:
        assert connection.scalar(select(func.count()).select_from(Contact)) == 2


def test_one_business_has_a_profile_once(engine: Engine, business_ids: list[int]) -> None:
    first = business_ids[0]
    add_contact(engine, owner_key(local_business_id=first), local_business_id=first)

    with pytest.raises(IntegrityError, match="uq_contacts"):
        add_contact(engine, owner_key(local_business_id=first), local_business_id=first)


def test_a_contact_cannot_name_another_owner_in_its_key(engine: Engine, domain_id: int) -> None:
    with pytest.raises(IntegrityError, match="ck_contacts_owner_key"):
        add_contact(engine, owner_key(domain_id=domain_id + 1), domain_id=domain_id)


def test_a_contact_has_exactly_one_owner(engine: Engine, domain_id: int, business_ids: list[int]) -> None:
    key = owner_key(domain_id=domain_id)

    with pytest.raises(IntegrityError, match="ck_contacts_one_owner"):
        add_contact(engine, key, domain_id=domain_id, local_business_id=business_ids[0])
    with pytest.raises(IntegrityError, match="ck_contacts_one_owner"):
        add_contact(engine, key)


def test_a_decision_outside_the_vocabulary_is_refused(engine: Engine, tenant_id: UUID) -> None:
    row = {"tenant_id": tenant_id, "name": "example.org", "curation_status": "Chosen"}

    with pytest.raises(IntegrityError, match="ck_domains_curation_status"), engine.begin() as connection:
        connection.execute(insert(Domain).values(row))


def test_a_domain_takes_its_pages_with_it(engine: Engine, page: dict[str, Any]) -> None:
    with engine.begin() as connection:
        connection.execute(insert(Page).values(page))
        connection.execute(delete(Domain))
        assert connection.scalar(select(func.count()).select_from(Page)) == 0


def test_the_longest_allowed_url_fits_its_index(engine: Engine, page: dict[str, Any]) -> None:
    noise = "".join(f"{n * 2654435761 % 2**32:08x}" for n in range(256))

    with engine.begin() as connection:
        connection.execute(insert(Page).values({**page, "url": noise}))
    with pytest.raises(IntegrityError, match="ck_pages_url_length"), engine.begin() as connection:
        connection.execute(insert(Page).values({**page, "url": noise + "x"}))

"""LocalBusiness → Domain: the registrable domain of its website, linked to every business that uses it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import func
from sqlalchemy.dialects import postgresql
from sqlalchemy.orm import Session

import reasons
from errors import Filtered
from models import Base, Contact, LocalBusiness, LocalBusinessDomain, Sighting
from models.base import MAX_URL_BYTES
from models.contact import owner_key
from pipeline import domain_links, erased
from pipeline.children import clean
from pipeline.declare import stage
from pipeline.stage import Child, Done, Snapshot, Turn
from services.local_business import DomainName, Rejected, domain_of
from settings import settings

METHOD = "website"  # the entry of a provider or of a list names it as the website
CONFIDENCE = 0.9
LONGEST_PROFILE_BYTES = 1024


def keep(session: Session, turn: Turn, done: Done) -> None:
    """Link the business to its domain, or keep its profile on somebody else's site as a contact."""
    if isinstance(done.value, DomainName):
        _link(session, turn, done.value)
    elif isinstance(done.value, Rejected):
        _add_profile(session, turn, done.value)


@stage(
    entity=LocalBusiness,
    successors=("domain_metadata",),
    save=keep,
    attempts=5,
    time_limit=timedelta(seconds=30),
    sweep_defaults={"interval_minutes": 2, "batch_size": 20, "max_instances": 1},
)
def domain_extraction(business: Snapshot, turn: Turn) -> Done:
    """Find the domain of the business's website, or say why it has none of its own."""
    if business.website is None:
        raise Filtered(reasons.EXPIRED if _is_blanked(business) else reasons.NO_WEBSITE)
    found = domain_of(business.website)
    if isinstance(found, DomainName):
        erased.refuse_domain(turn.tenant_id, found.name)
        stale = timedelta(days=settings().domain_stale_days)
        return Done(children=[Child(row={"name": found.name}, again_after=stale)], value=found)
    has_profile = found.profile is not None and len(found.profile.encode()) <= LONGEST_PROFILE_BYTES
    raise Filtered(found.reason, business.website, value=found if has_profile else None)


def _is_blanked(business: Snapshot) -> bool:
    """Tell whether a provider's facts were here and had to go, the website perhaps among them."""
    return business.scanned_at is not None and business.name is None and not business.field_sources


def _link(session: Session, turn: Turn, found: DomainName) -> None:
    domain_id = domain_links.id_of(session, turn.tenant_id, found.name)
    link = {"local_business_id": turn.entity_id, "domain_id": domain_id, "tenant_id": turn.tenant_id}
    _upsert(session, LocalBusinessDomain, **link, website=clean(found.given))
    domain_links.link_onward(session, domain_id)


def _add_profile(session: Session, turn: Turn, found: Rejected) -> None:
    owner = {"local_business_id": turn.entity_id, "owner_key": owner_key(local_business_id=turn.entity_id)}
    profile = {"kind": "social", "value": clean(found.profile), "label": found.network, "confidence": CONFIDENCE}
    seen = {"last_seen_at": func.now(), "gone_at": None}
    contact_id = _upsert(session, Contact, tenant_id=turn.tenant_id, **owner, **profile, **seen)
    given = clean(found.given)
    if len(given.encode()) <= MAX_URL_BYTES:
        sighting = {"contact_id": contact_id, "url": given, "method": METHOD, "snippet": given}
        _upsert(session, Sighting, tenant_id=turn.tenant_id, **sighting, seen_at=func.now())


def _upsert(session: Session, model: type[Base], **values: Any) -> int:
    """Add a row or update the one with the same natural key, and give its id."""
    key = model.natural_key
    changes = {name: value for name, value in values.items() if name not in (*key, "tenant_id")}
    added = postgresql.insert(model).values(values)
    changed = added.on_conflict_do_update(index_elements=key, set_=changes or {key[-1]: values[key[-1]]})
    return int(session.execute(changed.returning(model.__table__.c.id)).scalar_one())

"""Message: what a webhook is told, put together when it is sent: nobody is named who was suppressed or erased since."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

import reasons
from errors import Filtered
from leads.lead_contacts import contacts_by_id
from leads.lead_suppression import Withheld
from pipeline.database import statement
from pipeline.stage import Snapshot
from services.lead_row import ContactRow

Data = dict[str, Any]

SEARCH = b"SELECT what, where_text FROM searches WHERE tenant_id = %(tenant)s AND id = %(id)s"


def id_of(delivery: Snapshot) -> str:
    """Name a message; the same however often it is sent."""
    message_id: UUID = delivery.message_id
    return f"msg_{message_id.hex}"


def body_of(delivery: Snapshot) -> bytes:
    """Write a message; raise Filtered when there is nothing left to tell."""
    read = READ.get(delivery.event, _as_stored)
    data = read(delivery.tenant_id, delivery.payload)
    if data is None:
        raise Filtered(reasons.NOTHING_TO_TELL)
    told = {"type": delivery.event, "timestamp": delivery.created_at.isoformat(), "data": data}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _as_stored(_tenant_id: UUID, payload: Mapping[str, Any]) -> Data | None:
    return dict(payload)


def _search(tenant_id: UUID, payload: Mapping[str, Any]) -> Data | None:
    values = {"tenant": tenant_id, "id": payload["search_id"]}
    with statement() as connection:
        row = connection.cursor(row_factory=dict_row).execute(SEARCH, values).fetchone()
    return None if row is None else {**payload, "what": row["what"], "where": row["where_text"]}


def _contacts(tenant_id: UUID, payload: Mapping[str, Any]) -> Data | None:
    found = contacts_by_id(tenant_id, payload["contact_ids"], Withheld(tenant_id))
    return {"contacts": [_contact(row) for row in found]} if found else None


def _contact(row: ContactRow) -> Data:
    contact, business = row.contact, row.business
    return {
        "id": row.id,
        "kind": contact.kind,
        "value": contact.value,
        "label": contact.label,
        "verdict": contact.verdict,
        "person_name": contact.person_name,
        "person_title": contact.person_title,
        "confidence": contact.confidence,
        "source_url": contact.source_url,
        "method": row.method,
        "first_seen_at": _moment(contact.first_seen_at),
        "domain": business.domain,
        "business": {
            "id": business.id,
            "name": business.name,
            "category": business.category,
            "address": business.address,
            "city": business.city,
            "region": business.region,
            "postal_code": business.postal_code,
            "country": business.country,
            "website": business.website,
            "attribution": business.attribution,
        },
    }


def _moment(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


READ: Mapping[str, Callable[[UUID, Mapping[str, Any]], Data | None]] = {
    "search.completed": _search,
    "contact.found": _contacts,
}

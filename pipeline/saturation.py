"""Saturation: once a domain has enough good contacts, the pages of it that the machine has queued are not visited."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

import reasons
from pipeline.hosts import row_of
from pipeline.stage import Turn
from services.contacts import FoundContact
from settings import settings

LEAST_CONFIDENCE = 0.7

GOOD = f"""contacts.confidence >= {LEAST_CONFIDENCE} AND contacts.gone_at IS NULL
    AND contacts.verdict IS DISTINCT FROM 'invalid' AND contacts.curation_status NOT IN ('Not a Fit', 'Archived')"""
GOOD_EMAIL = f"contacts.kind = 'email' AND {GOOD}"
GOOD_PHONE = f"contacts.kind = 'phone' AND contacts.label IS DISTINCT FROM 'fax' AND {GOOD}"

# Two reads, since what is rung and what is not are in different indexes. What somebody holds is being claimed, and ends
# by the guard at the start of its work: whoever claims locks a row first and its lane second, we the other way round.
# What a person has selected stays, and so does a page that contacts are known from.
END_REST = b"""
WITH waiting AS (
    SELECT id FROM work WHERE stage = %(stage)s AND lane = %(lane)s AND status = 'Queued' AND sent_at IS NULL
    UNION ALL
    SELECT id FROM work WHERE stage = %(stage)s AND lane = %(lane)s AND status = 'Queued' AND sent_at IS NOT NULL
        AND status IN ('Queued', 'Processing')),
held AS (
    SELECT work.id FROM work JOIN pages ON pages.id = work.entity_id
    WHERE work.id IN (SELECT id FROM waiting) AND work.status = 'Queued' AND work.parent_id IS NOT NULL
      AND pages.domain_id = %(domain)s AND pages.curation_status <> 'Selected'
      AND NOT EXISTS (SELECT 1 FROM sightings WHERE page_id = pages.id AND gone_at IS NULL)
    ORDER BY work.id FOR UPDATE OF work SKIP LOCKED)
UPDATE work SET status = 'Filtered', reason = %(reason)s, error = NULL, finished_at = clock_timestamp()
FROM held WHERE work.id = held.id AND work.status = 'Queued'"""

SHOWS_CONTACTS = b"SELECT EXISTS (SELECT 1 FROM sightings WHERE page_id = %(page)s AND gone_at IS NULL)"


def is_reached(emails: int, phones: int) -> bool:
    """Tell whether so many good emails and phones of a domain are enough."""
    return emails >= settings().saturated_emails and phones >= settings().saturated_phones


def is_good(contact: FoundContact) -> bool:
    """Tell whether a contact counts that nobody has judged yet, as GOOD_EMAIL and GOOD_PHONE do in the database."""
    is_fax = contact.kind == "phone" and contact.label == "fax"
    return contact.confidence >= LEAST_CONFIDENCE and not is_fax


def shows_contacts(page_id: int) -> bool:
    """Tell whether contacts are known from a page: only another visit can tell whether they are still there."""
    row = row_of(SHOWS_CONTACTS, {"page": page_id})
    return row is not None and bool(row[0])


def end_rest(session: Session, turn: Turn) -> int:
    """End the queued pages of a page's domain in the transaction that finishes it; give how many."""
    page: Any = turn.entity
    values = {"stage": turn.stage.name, "lane": turn.lane, "domain": page.domain_id, "reason": reasons.SATURATED}
    driver = session.connection().connection.driver_connection
    return int(driver.execute(END_REST, values).rowcount)  # type: ignore[union-attr]

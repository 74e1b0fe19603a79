"""Tell: find out what webhooks have yet to be told, and have it sent."""

from __future__ import annotations

from collections.abc import Mapping

from notices import completed_searches, deliveries, failing_stages, found_contacts, outbox


def tell() -> Mapping[str, int]:
    """Queue and ring for all that is new; give how many messages of each kind, and how many old ones were forgotten."""
    queued = {
        "searches_completed": completed_searches.tell(),
        "contacts_found": found_contacts.tell(),
        "stages_failing": failing_stages.tell(),
    }
    if any(queued.values()):
        outbox.ring()
    return queued | {"forgotten": deliveries.forget_old()}

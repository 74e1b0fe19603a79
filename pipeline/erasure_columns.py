"""Where an erased value may stand: every text of every table, and what becomes of it there; or why it cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

# text: the value is replaced. snippet: too, also where the text was cut in its midst. json: in all its texts and names.
# marked: replaced by a mark of the row's own, as the column is part of a unique key. whole: the whole text goes, since
# what stands around the value is about the same person. empty: the column becomes NULL.
How = Literal["text", "snippet", "json", "marked", "whole", "empty"]

LENT: Mapping[str, How] = {
    "name": "text", "phone": "empty", "website": "empty", "main_category": "text", "categories": "json",
    "attribution": "text", "field_sources": "json",
}  # fmt: skip

COVERED: Mapping[str, Mapping[str, How]] = {
    "audit_entries": {"detail": "json"},
    "batch_items": {"raw": "whole"},
    "batches": {"name": "text"},
    "contacts": {"person_name": "text", "person_title": "text", "label": "text", "note": "whole"},
    "domains": {
        "final_url": "empty", "title": "text", "description": "text", "language": "text", "favicon_url": "empty",
        "logo_url": "empty", "generator": "text", "wordpress_version": "text", "technologies": "json",
        "analytics": "json", "widgets": "json", "booking_tools": "json", "social_profiles": "json", "links": "json",
        "sitemap_links": "json", "sitemap_tries": "json", "etag": "empty", "last_modified": "empty",
    },
    "failures": {"error": "text"},
    "hosts": {"robots": "text"},
    "local_business_domains": {"website": "empty"},
    "local_businesses": {
        **LENT, "formatted_address": "text", "street": "text", "city": "text", "region": "text", "postal_code": "text",
        "opening_hours": "json",
    },
    "operations": {"detail": "json"},
    "pages": {
        "url": "marked", "title": "text", "canonical_url": "empty", "language": "text", "etag": "empty",
        "last_modified": "empty",
    },
    "places": {**LENT, "provider_place_id": "marked", "address": "text", "raw": "json"},
    "saved_views": {"name": "marked", "query": "json"},
    "schedule_fires": {"error": "text"},
    "schedules": {"name": "marked"},
    "searches": {"what": "text", "where_text": "text"},
    "sightings": {"url": "marked", "snippet": "snippet"},
    "sitemap_files": {"url": "marked", "links": "json", "etag": "empty", "last_modified": "empty"},
    "stage_controls": {"note": "text"},
    "suppressions": {"reason": "whole"},
    "work": {"error": "text"},
}  # fmt: skip

# Why these cannot hold it, or keep it.
KEPT: Mapping[str, str] = {
    "only words of our own": """
        alarms.name alarms.says alarms.subject api_keys.scopes jobs.kind jobs.last_result jobs.name jobs.trigger
        meters.label meters.name meters.stage stage_minutes.stage
        audit_entries.action audit_entries.entity batch_items.result batch_items.reason batch_items.stage batches.kind
        contacts.curation_status contacts.kind contacts.owner_key contacts.verdict contacts.verdict_reasons
        domains.curation_status domains.blank_reason failures.kind failures.reason hosts.robots_state
        hosts.robots_scheme invariant_checks.name local_businesses.curation_status local_businesses.business_status
        local_businesses.country_code operation_changes.before operations.entity operations.status
        pages.curation_status pages.kind pages.decision_reason places.curation_status
        places.business_status places.provider provider_days.provider saved_views.entity schedule_fires.result
        schedules.stage schedules.action schedules.catch_up schedules.cron schedules.timezone searches.provider
        searches.mode sightings.method sightings.extractor_version
        sitemap_files.curation_status sitemap_files.kind sitemap_files.method sitemap_files.left_out
        stage_controls.stage suppressions.kind users.role webhook_deliveries.event webhook_deliveries.subject
        webhooks.events work.stage work.status work.reason workers.queues""",
    "only hashes": """
        api_keys.prefix api_keys.secret_hash domains.content_hash login_attempts.subject login_links.token_hash
        pages.content_hash sessions.refresh_hash sitemap_files.content_hash suppressions.value_hash
        users.password_hash""",
    "contacts that show the value are deleted": "contacts.value",
    "the name of a site, which the machine needs to stay away from it": """
        domains.name hosts.host pages.host sitemap_files.host work.lane""",
    "an opaque token of the provider for its next page": "search_areas.page_token",
    "ids and counts alone": """
        invariant_checks.detail operation_changes.entity_ids operations.queued_work_ids webhook_deliveries.payload""",
    "an account or a customer of this program, whom an administrator removes": """
        api_keys.name users.email users.name tenants.name""",
    "what a job said of its last run, which it says anew at the next": "jobs.last_detail",
    "an address that a customer wants to be told at, and what signs that": """
        webhooks.url webhooks.description webhooks.secret webhooks.previous_secret webhook_deliveries.host""",
    "a machine of ours": "jobs.reported_by workers.host",
}

BY_TENANT = "tenant_id = %(tenant)s"
SITES = f"SELECT prefix || name FROM domains, (VALUES (''), ('www.')) AS may (prefix) WHERE {BY_TENANT}"

# How a table's rows are told apart, where that is not `id`; and whose they are, where that is not in `tenant_id`. What
# all tenants share is the installation's `is_own` tenant's; others have a part in the sites they know.
KEYS = {"hosts": "host", "stage_controls": "stage"}
OWNED = {
    "failures": "EXISTS (SELECT 1 FROM work WHERE work.id = failures.work_id AND work.tenant_id = %(tenant)s)",
    "hosts": f"(%(is_own)s OR host IN ({SITES}))",
    "stage_controls": "%(is_own)s",
}

# A name is no key: two people share one. So it is erased only around the owner it was found at.
AROUND = {
    "contacts": "(domain_id = ANY(%(domains)s) OR local_business_id = ANY(%(businesses)s))",
    "sightings": """contact_id IN (SELECT id FROM contacts WHERE domain_id = ANY(%(domains)s)
                                   OR local_business_id = ANY(%(businesses)s))""",
    "domains": "id = ANY(%(domains)s)",
    "pages": "domain_id = ANY(%(domains)s)",
    "sitemap_files": "domain_id = ANY(%(domains)s)",
    "local_businesses": "id = ANY(%(businesses)s)",
    "places": "id IN (SELECT place_id FROM local_businesses WHERE id = ANY(%(businesses)s))",
}


def kept() -> dict[str, str]:
    """Give each column that is left alone, and why."""
    return {column: why for why, columns in KEPT.items() for column in columns.split()}

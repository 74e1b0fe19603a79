"""A tenant with one of every row that a route can name, each text of it marked as the tenant's own."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from accounts.keys import hash_of
from tests.api.routes import Route
from tests.entities.world import World

ENTITIES = ("searches", "places", "local_businesses", "domains", "sitemap_files", "pages", "contacts")
TENANT_TABLES = """
SELECT DISTINCT table_name FROM information_schema.columns
WHERE table_schema = 'public' AND column_name = 'tenant_id' ORDER BY table_name"""
DUMP = "SELECT to_jsonb(own)::text AS row FROM {table} AS own WHERE tenant_id = %s ORDER BY 1"
# A look leaves these.
SEEN = ("used_at",)


@dataclass
class Planted(World):
    """One whole tenant."""

    database_url: str
    tenant: UUID
    user_id: UUID
    ids: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__(self.database_url, self.tenant)
        self.mark = f"mark{self.tenant.hex[:10]}"
        self._plant_way()
        self._plant_people()
        self._plant_orders()

    def _plant_way(self) -> None:
        """One way from a search to a contact, with work that has failed and work that waits."""
        mark = self.mark
        search = self.search(what=mark, where_text=mark, south=30.0, west=-98.0, north=30.5, east=-97.5)
        self.insert("search_areas", search_id=search, south=30.0, west=-98.0, north=30.5, east=-97.5, page_token=mark)
        root = self.work("search", search)
        place = self.place(search, name=mark, address=mark, provider_place_id=mark, website=f"https://{mark}.example")
        scanned = self.work("deep_scan", place, parent_id=root)
        business = self.business(place, name=mark, city=mark, phone="+15125550100")
        self.work("domain_extraction", business, parent_id=scanned)
        domain = self.domain(business, name=f"{mark}.example", title=mark)
        self.work("domain_metadata", domain)
        sitemap = self.sitemap_file(domain, url=f"https://{mark}.example/sitemap.xml", host=f"{mark}.example")
        failed = self.work("sitemap_import", sitemap, "Error", reason="timeout", error=mark, attempts=5)
        self.connection.execute(
            "INSERT INTO failures (work_id, attempt, kind, reason, error) VALUES (%s, 5, 'passing', 'timeout', %s)",
            (failed, mark),
        )
        page = self.page(domain, url=f"https://{mark}.example/contact", host=f"{mark}.example", title=mark)
        self.work("page_curation", page, "Queued", due_at="2030-01-01T00:00:00Z")
        contact = self.contact(domain, value=f"info@{mark}.example", person_name=mark)
        self.insert(
            "sightings", contact_id=contact, page_id=page, url=f"https://{mark}.example/", method="mailto", snippet=mark
        )
        self.work("contact_validation", contact)
        rows = dict(zip(ENTITIES, (search, place, business, domain, sitemap, page, contact), strict=True))
        self.ids |= {"rows": rows, "search_id": search, "work_id": failed}

    def _plant_people(self) -> None:
        self.ids["user_id"] = self.user_id
        self.connection.execute("UPDATE users SET name = %s WHERE id = %s", (self.mark, self.user_id))
        self.ids["key_id"] = self.insert(
            "api_keys",
            user_id=self.user_id,
            name=self.mark,
            prefix="ssk_12345678",
            secret_hash=hash_of(self.mark),
            scopes=["read"],
        )
        self.insert("audit_entries", user_id=self.user_id, action="create", entity=self.mark)
        self.ids["suppression_id"] = self.insert(
            "suppressions", kind="email", value_hash=hash_of(f"x{self.mark}"), reason=self.mark
        )

    def _plant_orders(self) -> None:
        mark, rows = self.mark, self.ids["rows"]
        batch = self.insert("batches", kind="domain", name=mark)
        self.insert(
            "batch_items",
            batch_id=batch,
            row_number=1,
            raw=mark,
            result="added",
            stage="domain_metadata",
            entity_id=rows["domains"],
        )
        schedule = self.insert(
            "schedules", name=mark, stage="search", entity_id=rows["searches"], cron="0 6 * * *", enabled=False
        )
        self.insert("schedule_fires", schedule_id=schedule, fire_at="2026-01-01T06:00:00Z", result="error", error=mark)
        webhook = self.insert(
            "webhooks", url=f"https://{mark}.example/hook", secret=f"whsec_{mark}", events=[], description=mark
        )
        delivery = self.insert(
            "webhook_deliveries", webhook_id=webhook, event="webhook.test", subject=mark, host=f"{mark}.example"
        )
        self.work("webhook_delivery", delivery, "Error", reason="timeout", error=mark)
        operation = self.insert("operations", entity="pages", status="Maybe", detail={"where": [mark]}, updated_count=1)
        self.connection.execute(
            "INSERT INTO operation_changes (operation_id, before, entity_ids) VALUES (%s, 'New', %s)",
            (operation, [rows["pages"]]),
        )
        self.ids |= {"batch_id": batch, "schedule_id": schedule, "webhook_id": webhook, "delivery_id": delivery}
        self.ids["operation_id"] = operation

    def path(self, route: Route) -> str:
        """Fill a route's path with this tenant's own rows."""
        said = {name: self.named(route, name) for name in route.parameters}
        return route.path.format(**said)

    def named(self, route: Route, name: str) -> Any:
        """Give what a name in a route's path stands for here."""
        if name == "row_id":
            return self.ids["rows"][route.path.split("/")[3]]
        return {"name": "page_curation", "entity": "pages", "kind": "domains", "sweeper": "check-invariants"}.get(
            name
        ) or self.ids[name]

    def dump(self) -> dict[str, list[str]]:
        """Give every row of the tenant's, table by table, without what a look leaves."""
        tables = [row["table_name"] for row in self.rows(TENANT_TABLES)]
        return {
            table: [_plain(row["row"]) for row in self.rows(DUMP.format(table=table), self.tenant)] for table in tables
        }


def _plain(row: str) -> str:
    told = json.loads(row)
    return json.dumps({name: value for name, value in told.items() if name not in SEEN}, sort_keys=True)

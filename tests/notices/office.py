"""An office that tells: webhooks of tenants, what they are to be told of, and the workers' hands to send it."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from accounts.caller import ROLE_SCOPES, Caller
from notices import deliveries, webhooks
from notices.tell import tell
from settings import settings
from tests.notices.receiver import URL
from tests.pipeline.lead_world import LeadWorld
from tests.stages.scene import Scene

Row = dict[str, Any]


class Office:
    """Adds webhooks and contacts, finds out what is new, and has it sent."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.scene.execute("DELETE FROM webhooks")
        self.world = LeadWorld()
        self.caller = self.of_tenant(settings().default_tenant_id)

    def of_tenant(self, tenant_id: UUID) -> Caller:
        """Give an admin of a tenant, which is made where there is none."""
        self.scene.execute(
            "INSERT INTO tenants (id, name) VALUES (%s, %s) ON CONFLICT DO NOTHING", tenant_id, f"tenant {tenant_id}"
        )
        sql = "INSERT INTO users (tenant_id, email, role) VALUES (%s, %s, 'admin') RETURNING id"
        user_id = self.scene.one(sql, tenant_id, f"{uuid4().hex}@example.org")["id"]
        return Caller(tenant_id, user_id, "admin", ROLE_SCOPES["admin"])

    def stranger(self) -> Caller:
        return self.of_tenant(uuid4())

    def webhook(self, *events: str, url: str = URL, caller: Caller | None = None) -> Row:
        return webhooks.add(caller or self.caller, url, events or ("contact.found",))

    def contact(self, value: str, caller: Caller | None = None, **columns: Any) -> int:
        """Store a contact of a business's own site."""
        self.world.tenant = (caller or self.caller).tenant_id
        known = self.scene.rows("SELECT id FROM domains WHERE tenant_id = %s", self.world.tenant)
        site = int(known[0]["id"]) if known else self.world.domain()
        if not known:
            self.world.business(at=site)
        return self.world.contact(site, value, **columns)

    def tell(self) -> dict[str, int]:
        """Find out what is new, and send it."""
        told = dict(tell())
        self.send()
        return told

    def send(self) -> None:
        self.scene.play("webhook_delivery")

    def send_now(self) -> None:
        """Send what waits for its next try, too."""
        self.scene.hurry("webhook_delivery")

    def deliveries(self, webhook: Row, caller: Caller | None = None) -> list[Row]:
        """Give what a webhook was told, the newest first."""
        return deliveries.listed(caller or self.caller, webhook["id"], limit=100, cursor=None).rows

    def endings(self) -> dict[str, int]:
        return self.scene.endings("webhook_delivery")

"""The tenant and the user that background work belongs to, as the settings name them today."""

from __future__ import annotations

from sqlalchemy import Connection
from sqlalchemy.dialects.postgresql import insert

from models import Tenant, User
from settings import settings


def add_system_rows(connection: Connection) -> None:
    """Add the system tenant and user where they are missing; rows that exist are a person's to change."""
    tenant_id, user_id = settings().default_tenant_id, settings().scheduler_system_user_id
    tenant = insert(Tenant).values(id=tenant_id, name="Default")
    # The address is made of the id: a changed setting adds a second system user beside the first.
    email = f"system-{user_id}@scrapersky.invalid"
    user = insert(User).values(id=user_id, tenant_id=tenant_id, email=email, name="System", role="admin")
    connection.execute(tenant.on_conflict_do_nothing(index_elements=[Tenant.id]))
    connection.execute(user.on_conflict_do_nothing(index_elements=[User.id]))

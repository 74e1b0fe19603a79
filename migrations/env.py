"""What Alembic runs: the migrations, on the connection and in the transaction that the runner has opened."""

from __future__ import annotations

from alembic import context

from migrations.compare import COMPARE_OPTIONS, is_ours
from models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    include_object=is_ours,
    **COMPARE_OPTIONS,
)
context.run_migrations()

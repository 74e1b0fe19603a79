"""Chosen: which rows of an entity are meant, by ids, by a filter, or all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from entities import conditions
from entities.column import Column
from entities.entity import Entity
from errors import BadInput


@dataclass(frozen=True, slots=True)
class Chosen:
    """Ids, and conditions such as `city=Austin`, joined by AND; nothing at all only when `everything` is said."""

    ids: Sequence[int] | None = None
    where: Sequence[str] = ()
    everything: bool = False

    def check(self, entity: Entity) -> None:
        """Refuse what would mean all rows without saying so."""
        if self.ids is not None and not self.ids:
            raise BadInput(f"The list of ids is empty: name the {entity.plural} that are meant, or leave it out.")
        if self.ids is None and not self.where and not self.everything:
            raise BadInput(f"This would touch every {entity.noun}: name ids or a condition, or say all=true.")


def chosen_sql(entity: Entity, tenant_id: UUID, chosen: Chosen) -> tuple[str, str, dict[str, Any]]:
    """Give FROM, WHERE and parameters of a tenant's rows that are meant: `SELECT entity.id FROM … WHERE …`.

    Each row comes once, and `FOR UPDATE OF entity` may follow.
    """
    chosen.check(entity)
    return rows_sql(entity, tenant_id, chosen)


def rows_sql(
    entity: Entity, tenant_id: UUID, chosen: Chosen, also: Iterable[Column] = ()
) -> tuple[str, str, dict[str, Any]]:
    """Give the same for looking at rows, with what other columns need; no condition simply means all."""
    asked = conditions.read(entity, chosen.where)
    condition, values = conditions.sql_of(entity, asked)
    values["tenant"] = tenant_id
    own = "entity.tenant_id = %(tenant)s"
    if chosen.ids is not None:
        own += " AND entity.id = ANY(%(chosen_ids)s::bigint[])"
        values["chosen_ids"] = list(chosen.ids)
    needed = [entity.by_name[each.field] for each in asked if entity.by_name[each.field].among == "{fits}"]
    return entity.from_sql([*needed, *also]), f"{own} AND {condition}", values

"""The best leads of a search as a table, and the files that hold them all."""

from __future__ import annotations

from pathlib import Path

from cli.export_file import whole_file
from cli.export_format import format_of
from cli.text import print_table, say, shortened
from leads import exports
from leads.best_leads import BestLead, best
from leads.exports import Exported
from settings import settings

HEADERS = ("score", "business", "email", "phone", "website", "seen at")
LESS = ("seen at", "website")
LONGEST_CELL = 50


def print_best(search_id: int, most: int = 10) -> None:
    """Print the leads with the highest score."""
    found = best(settings().default_tenant_id, search_id, most)
    if found:
        print_table(HEADERS, map(_line, found), title=f"The best {len(found)} leads", spare=LESS)
    else:
        say("There are no leads.")


def _line(lead: BestLead) -> list[object]:
    words = (lead.name, lead.email or f"none: {lead.why_none}", lead.phone, lead.domain, lead.source_url)
    return [lead.score, *(None if word is None else shortened(word, LONGEST_CELL) for word in words)]


def write(search_id: int, file: Path) -> Exported:
    """Write all leads of a search to a file, in the format that its name says."""
    order = exports.Order(settings().default_tenant_id, format=format_of(str(file)), search_id=search_id)
    export = exports.prepare(order)
    with whole_file(str(file)) as stream:
        return export.write(stream)

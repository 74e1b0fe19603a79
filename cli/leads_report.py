"""The best leads of a search as a table, and the files that hold them all."""

from __future__ import annotations

from heapq import nlargest
from pathlib import Path

from cli.export_file import whole_file
from cli.text import print_table, safe, say
from pipeline import exports, leads
from pipeline.exports import Exported
from pipeline.lead_suppression import Withheld
from pipeline.leads import Wanted
from services.lead_row import Lead
from services.where import Condition
from settings import settings

HEADERS = ("score", "business", "email", "phone", "website", "seen at")
FORMATS = {".csv": "csv", ".xlsx": "xlsx", ".jsonl": "jsonl", ".vcf": "vcard"}


def print_best(search_id: int, most: int = 10) -> None:
    """Print the leads with the highest score."""
    tenant = settings().default_tenant_id
    wanted = Wanted(tenant, [Condition("search", "=", search_id)])
    best = nlargest(most, leads.leads(wanted, Withheld(tenant)), key=lambda lead: lead.score)
    if best:
        print_table(HEADERS, map(_line, best), title=f"The best {len(best)} leads")
    else:
        say("There are no leads.")


def _line(lead: Lead) -> list[object]:
    email = lead.email.value if lead.email else f"none: {lead.blank_reason}"
    source = lead.email.source_url if lead.email else None
    words = (lead.business.name, email, lead.phone, lead.business.domain, source)
    return [lead.score, *(None if word is None else safe(word, 50) for word in words)]


def write(search_id: int, file: Path) -> Exported:
    """Write all leads of a search to a file, in the format that its name says."""
    order = exports.Order(
        settings().default_tenant_id, format=FORMATS.get(file.suffix.lower(), "csv"), search_id=search_id
    )
    export = exports.prepare(order)
    with whole_file(str(file)) as stream:
        return export.write(stream)

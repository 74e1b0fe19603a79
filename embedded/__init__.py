"""Private PostgreSQL and Valkey servers for a machine that has none.

Everything lives under one root directory and listens on unix sockets only:

    <root>/lock                       held while servers are started or stopped
    <root>/postgres/data              the database cluster, owned by `nobody` when we are root
    <root>/postgres/postgres.log
    <root>/postgres/.s.PGSQL.5432     the socket, or /tmp/scrapersky-<uid>-<hash>/postgres/… when that is too long
    <root>/valkey/dump.rdb  valkey.log  valkey.pid  valkey.sock
"""

from embedded.lifetime import kept, temporary
from embedded.pair import PARTS, Servers, ServerStatus, delete, is_running, start, status, stop, urls
from embedded.server import Part

__all__ = [
    "PARTS",
    "Part",
    "ServerStatus",
    "Servers",
    "delete",
    "is_running",
    "kept",
    "start",
    "status",
    "stop",
    "temporary",
    "urls",
]

"""Domain → SitemapFile: its sitemaps, announced, in the usual places or linked; else the links of its homepage."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import urljoin, urlsplit

import reasons
from errors import Final, Passing, Snooze, Trouble
from fetching.response import Body
from fetching.web import Web
from models import Domain
from pipeline import erased, sitemap_tries
from pipeline.declare import stage
from pipeline.hosts import find_robots
from pipeline.stage import Child, Done, Snapshot, Turn
from pipeline.visit import visit
from services import sitemap
from services.domain import announced_sitemaps, sitemap_candidates
from services.front_door import most_telling
from services.host import registrable_domain
from services.page_url import normalise
from settings import settings

LOOKED_AT_BYTES = 64 * 1024
MOST_FAILURES = 3  # a host that fails so often in a row is asked again later


@dataclass(frozen=True, slots=True)
class Found:
    """A sitemap, seen to be one when its kind is known."""

    url: str
    method: str
    kind: str | None = None


@stage(
    entity=Domain,
    successors=("sitemap_import",),
    lane="name",
    unattended=True,  # the domain was decided on before its homepage was read
    save=sitemap_tries.forget,
    attempts=5,
    time_limit=timedelta(minutes=4),
    settings_prefix="DOMAIN_SITEMAP",
    sweep_defaults={"interval_minutes": 1, "batch_size": 10, "max_instances": 1},
)
def sitemap_analysis(domain: Snapshot, turn: Turn) -> Done:
    """Hand on the domain's sitemaps, or the links of its homepage as the list that it has not got."""
    erased.refuse_domain(turn.tenant_id, domain.name)
    search = Search(domain, turn)
    announced = announced_sitemaps(search.robots_txt(), base_url=search.base)
    usual = sitemap_candidates("", base_url=search.base)
    try:
        found = (
            search.announced(announced)
            or search.first_of(usual, "common_path")
            or search.first_of(domain.sitemap_links, "html_link")
        )
        if not found and search.failures:
            raise search.most_telling_failure()
    except Passing:
        if turn.attempt < turn.stage.attempts:
            raise
        found = []
    return Done(children=[_child(domain, each) for each in found] or [_homepage_links(domain, search.base)])


class Search:
    """The search for one domain's sitemaps, through as many turns as its host's pace makes of it."""

    def __init__(self, domain: Snapshot, turn: Turn) -> None:
        self.turn = turn
        self.visit = visit(turn)
        self.web = Web(self.visit)
        self.tries: dict[str, list[str | None]] = dict(domain.sitemap_tries)
        self.failures: list[Trouble] = []
        is_own = registrable_domain(urlsplit(domain.final_url or "").hostname or "") == domain.name
        self.base = domain.final_url if is_own else f"https://{domain.name}/"

    def robots_txt(self) -> str:
        """Give the text of robots.txt, which a visit to the homepage has left behind."""
        robots, _ = find_robots(urlsplit(self.base).hostname or "", None)
        if robots is not None:
            return robots.text if robots.state == "read" else ""
        try:
            return self.web.get(urljoin(self.base, "/robots.txt")).text
        except Final:
            return ""

    def announced(self, urls: Sequence[str]) -> list[Found]:
        """Take all that robots.txt names once one of them is seen to be real, but for those seen not to be."""
        seen = self.first_of(urls, "robots_txt")
        if not seen:
            return []
        others = [Found(url, "robots_txt") for url in urls if url not in self.tries]
        return seen + others

    def first_of(self, urls: Iterable[str], method: str) -> list[Found]:
        """Ask one address after the other until one answers with a sitemap."""
        for url in urls:
            kind, at = self._answer(url)
            if at is not None:
                return [Found(at, method, kind)]
        return []

    def most_telling_failure(self) -> Trouble:
        """Give the failure that says most of why nothing was found."""
        return self.failures[most_telling([failure.reason for failure in self.failures])]

    def _answer(self, url: str) -> list[str | None]:
        """Say what is at an address: the kind of sitemap and where it was found, or a word and nothing."""
        if url not in self.tries:
            if self._is_late():
                raise Snooze(reasons.MORE_TO_ASK, until=datetime.now(UTC))
            try:
                answer = self._look(url)
            except Passing as trouble:
                return self._failed(trouble)
            sitemap_tries.note(self.turn, url, answer)
            self.tries[url] = answer
            self.visit.is_kept()
        return self.tries[url]

    def _failed(self, trouble: Passing) -> list[str | None]:
        self.failures.append(trouble)
        if len(self.failures) >= MOST_FAILURES:
            raise self.most_telling_failure()
        return [trouble.reason, None]

    def _look(self, url: str) -> list[str | None]:
        try:
            with self.web.stream(
                url, max_bytes=sitemap.MOST_BYTES, total_seconds=settings().fetch_total_seconds
            ) as body:
                reader = sitemap.read(io.BytesIO(_head(body)), url=body.url)
                is_filled = next(reader, None) is not None
                return [reader.kind, normalise(body.url)] if is_filled else [reasons.EMPTY_SITEMAP, None]
        except sitemap.Refused as refused:
            return [refused.reason, None]
        except Final as trouble:
            return [trouble.reason, None]

    def _is_late(self) -> bool:
        """Tell whether there is too little time left for a robots.txt and a file that are both slow."""
        longest = 2 * timedelta(seconds=settings().fetch_total_seconds)
        return datetime.now(UTC) + longest > self.turn.deadline_at


def _head(body: Body) -> bytes:
    """Read as much as it takes to know a sitemap; the import reads the rest."""
    head = bytearray()
    while len(head) < LOOKED_AT_BYTES and (piece := body.read(LOOKED_AT_BYTES)):
        head += piece
    return bytes(head)


def _child(domain: Snapshot, found: Found) -> Child:
    row = {"domain_id": domain.id, "url": found.url, "host": _lane(found.url), "method": found.method}
    return Child(row=row if found.kind is None else row | {"kind": found.kind}, again_after=_staleness())


def _homepage_links(domain: Snapshot, base: str) -> Child:
    """Make a list of the homepage's own links, the homepage first."""
    home = normalise(base) or f"https://{domain.name}/"
    row = {
        "domain_id": domain.id,
        "url": home,
        "host": domain.name,
        "method": "homepage_links",
        "kind": "text",
        "links": list(dict.fromkeys((home, *domain.links))),
    }
    return Child(row=row, again_after=_staleness())


def _lane(url: str) -> str:
    return registrable_domain(urlsplit(url).hostname or "")


def _staleness() -> timedelta:
    """Half as long as for the domain: what follows from it was read a little later, and is as old all the same."""
    return timedelta(days=settings().domain_stale_days) / 2

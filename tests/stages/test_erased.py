"""What was erased stays away: when its page is read again, its site is found again, and a provider tells it again."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator

import pytest

import settings as configuration
from fetching.client import client
from leads import erasure
from leads.erasure import Target
from pipeline.import_kinds import BUSINESSES
from pipeline.imports import import_list
from sandbox.world import World
from services.suppression import Subject, person_of, subject_of
from settings import settings
from tests.fetching.conftest import stranger
from tests.fetching.stranger import Script, Stranger, answer, path_of
from tests.stages.conftest import Sandbox
from tests.stages.pages import Pages
from tests.stages.scene import Scene
from tests.stages.sites import Sites

__all__ = ["stranger"]

HOST = "stranger.example"
SITE = f"http://{HOST}"
TEAM = """<html><title>{title}</title><body><p>{more}</p>
<script type="application/ld+json">{{"@context": "https://schema.org", "@type": "Person", "name": "Ann Low",
"jobTitle": "Owner", "email": "ann@stranger.example", "telephone": "+1 512 343 1234"}}</script>
<p>Ask Ann Low at ann@stranger.example or <a href="mailto:info@stranger.example">the desk</a></p>
<p>Our friends: <a href="mailto:bob@other.example">Bob Ray</a></p></body></html>"""
Serve = Callable[..., Sandbox]


@pytest.fixture
def pages(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pages]:
    for name, value in {"LANE_GAP_SECONDS": "0", "LANE_GAP_MAX_SECONDS": "0.01"}.items():
        monkeypatch.setenv(name, value)
    configuration.settings.cache_clear()
    yield Pages(scene, Sites(scene, None))  # type: ignore[arg-type] # nobody asks this one for its log
    client().close()


class Site:
    """A stranger's site that shows the same team everywhere, in words that change."""

    def __init__(self, start: Callable[[Script], Stranger]) -> None:
        self.title, self.more = "Our team", "Hello"
        self.on_asked: Callable[[], None] = lambda: None
        self.server = start(self._answer)

    def _answer(self, head: bytes) -> list[bytes]:
        if path_of(head) == "/robots.txt":
            return [answer(b"", status="404 Not Found")]
        self.on_asked()
        return [answer(TEAM.format(title=self.title, more=self.more).encode(), "Content-Type: text/html")]


@pytest.fixture
def site(pages: Pages, stranger: Callable[[Script], Stranger]) -> Site:
    return Site(stranger)


def erase(text: str, person: str | None = None) -> None:
    subject = subject_of(text)
    assert subject is not None
    erasure.erase(settings().default_tenant_id, Target(subject, person))


def erased(scene: Scene) -> set[str]:
    return {row["kind"] for row in scene.rows("SELECT kind FROM suppressions WHERE is_erased")}


def texts(scene: Scene) -> str:
    tables = ("contacts", "sightings", "pages", "domains")
    return "\n".join(row["row"] for name in tables for row in scene.rows(f"SELECT {name}::text AS row FROM {name}"))


@pytest.mark.parametrize(("value", "person"), [("ann@stranger.example", None), (HOST, "ann low")])
def test_an_erased_person_is_not_stored_when_the_page_is_read_again(
    pages: Pages, site: Site, value: str, person: str | None
) -> None:
    page = pages.add(f"{SITE}/team")
    pages.run(page)
    assert {"Ann Low", "ann@stranger.example", "+15123431234"} <= pages.values()
    erase(value, person)
    assert erased(pages.scene) == {"email", "phone", "person"}
    site.title, site.more = "Ann Low and her team", "Call 512-343-1234"
    pages.run(page)
    assert pages.ending(page)[0] == "Completed"
    assert pages.values() == {"info@stranger.example", "bob@other.example"}
    left = texts(pages.scene)
    assert "[erased] and her team" in left
    for trace in ("Ann Low", "ann@stranger.example", "343-1234", "Owner"):
        assert trace not in left


def test_a_name_is_erased_at_its_own_site_alone(pages: Pages, site: Site) -> None:
    erasure.erase(settings().default_tenant_id, Target(Subject("domain", "other.example"), "Ann Low"))
    pages.run(pages.add(f"{SITE}/team"))
    assert "Ann Low" in pages.values()
    assert person_of(HOST, "Low,  ANN") == person_of(HOST, "Ann Low") != person_of("other.example", "Ann Low")


def test_an_address_at_an_erased_domain_is_not_stored_from_other_sites(pages: Pages, site: Site) -> None:
    erase("other.example")
    pages.run(pages.add(f"{SITE}/team"))
    assert "bob@other.example" not in pages.values()
    assert "info@stranger.example" in pages.values()


def test_the_site_of_an_erased_domain_is_not_read_again(pages: Pages, site: Site) -> None:
    scene, domain = pages.scene, pages.sites.add_domain(HOST)
    pages.run(pages.add(f"{SITE}/team", domain))
    erase(HOST)
    assert scene.many("contacts") == 0
    heard = len(site.server.heard)
    page = pages.add(f"{SITE}/team", domain)
    sitemap = pages.sites._insert("sitemap_files", domain_id=domain, url=f"{SITE}/s.xml", host=HOST, method="manual")
    for stage, entity in (
        ("domain_metadata", domain), ("sitemap_analysis", domain), ("sitemap_import", sitemap), ("page_curation", page),
    ):  # fmt: skip
        pages.sites.run((stage,), entity)
        assert pages.sites.ending(stage, entity) == ("Filtered", "erased")
    assert len(site.server.heard) == heard
    assert scene.many("contacts") == 0
    assert pages.sites.domain(domain)["title"] is None


def test_a_site_that_is_erased_while_it_is_read_leaves_nothing(pages: Pages, site: Site) -> None:
    domain = pages.sites.add_domain(HOST)
    site.on_asked = lambda: erase(HOST)
    pages.scene.start("domain_metadata", domain)
    pages.scene.play("domain_metadata")
    assert pages.sites.ending("domain_metadata", domain)[0] == "Cancelled"
    assert (pages.scene.many("contacts"), pages.sites.domain(domain)["title"]) == (0, None)


def test_a_business_is_not_linked_to_an_erased_domain(scene: Scene) -> None:
    erase(HOST)
    sites = Sites(scene, None)  # type: ignore[arg-type] # nobody asks this one for its log
    place = sites._insert("places", provider="list", provider_place_id="a")
    business = sites._insert("local_businesses", place_id=place, website=f"https://www.{HOST}/")
    scene.start("domain_extraction", business)
    scene.play()
    assert scene.endings("domain_extraction") == {"Filtered erased": 1}
    assert (scene.many("domains"), scene.many("local_business_domains")) == (0, 0)


FEW = World(6, 3, town="Austin, TX", category="dentist")


@pytest.mark.usefixtures("no_sites")
def test_a_provider_does_not_bring_back_a_number_or_a_site(scene: Scene, sandbox: Serve) -> None:
    sandbox(FEW)
    scene.search()
    scene.play()
    with_both = next(business for business in FEW if business.phone and business.website)
    domain = subject_of(with_both.website or "", "domain")
    assert domain is not None
    for value in (with_both.phone or "", domain.value):
        erase(value)
    both = scene.rows("SELECT id FROM places WHERE provider_place_id = %s", with_both.place_id)
    for raw in ("raw", "NULL"):  # scanned by what is remembered, and by what the provider tells anew
        scene.execute(f"UPDATE places SET raw = {raw}")
        scene.start("deep_scan", both[0]["id"])
        scene.play()
        row = scene.one("SELECT * FROM local_businesses WHERE place_id = %s", both[0]["id"])
        assert (row["phone"], row["website"], row["name"]) == (None, None, with_both.name)
    scene.search("dentist")
    scene.play()
    place = scene.one("SELECT places::text AS row, phone, website FROM places WHERE id = %s", both[0]["id"])
    assert (place["phone"], place["website"]) == (None, None)
    assert (with_both.phone or "")[2:] not in place["row"]
    assert domain.value not in place["row"]
    kept = scene.one("SELECT count(phone) AS phones FROM places")["phones"]
    assert kept >= sum(1 for business in FEW if business.phone) - 2


@pytest.mark.usefixtures("no_sites")
def test_a_list_does_not_bring_back_what_was_erased(scene: Scene) -> None:
    for value in ("+15123431234", "ann@acme.example", "acme.example"):
        erase(value)
    text = (
        "name,website,phone,owner\nAcme,acme.example,(512) 343-1234,ann@acme.example\nBob,bob.example,,x@bob.example\n"
    )
    import_list(BUSINESSES, io.BytesIO(text.encode()), name="list.csv", chosen={}, auto=True)
    rows = scene.rows("SELECT name, website, phone FROM local_businesses ORDER BY name")
    assert [tuple(row.values()) for row in rows] == [("Acme", None, None), ("Bob", "bob.example", None)]
    for table in ("places", "local_businesses", "batch_items"):
        left = "\n".join(row["row"] for row in scene.rows(f"SELECT {table}::text AS row FROM {table}"))
        assert "bob.example" in left
        for trace in ("acme.example", "343-1234", "3431234"):
            assert trace not in left

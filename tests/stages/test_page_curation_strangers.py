"""page_curation: pages that change, vanish, come back, lead away or are hostile; each on a stranger's own server."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

import settings
from fetching.client import client
from scheduling import invariants
from services.suppression import digest_of
from tests.fetching.conftest import stranger
from tests.fetching.stranger import Script, Stranger, answer, header_of, path_of
from tests.stages.pages import STAGE, STAGES, Pages
from tests.stages.scene import Scene
from tests.stages.sites import Sites

__all__ = ["stranger"]

HTML = "Content-Type: text/html"
SITE = "http://stranger.example"
Start = Callable[[Script], Stranger]


class Site:
    """What a stranger's site answers now, by path; a test changes it as it goes."""

    def __init__(self, start: Start) -> None:
        self.pages: dict[str, bytes] = {}
        self.server = start(lambda head: [self.pages.get(path_of(head), answer(b"", status="404 Not Found"))])

    def shows(self, path: str, *emails: str, text: str = "") -> None:
        body = "".join(f'<p>Write to <a href="mailto:{email}">us</a>' for email in emails)
        self.pages[path] = answer(f"<html><title>Hello</title>{body}<p>{text}".encode(), HTML)

    def moves(self, path: str, to: str) -> None:
        self.pages[path] = answer(b"", f"Location: {to}", status="301 Moved Permanently")

    def asked(self) -> list[str]:
        return [path_of(head) for head in self.server.heard if path_of(head) != "/robots.txt"]


@pytest.fixture
def pages(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pages]:
    for name, value in {"LANE_GAP_SECONDS": "0", "LANE_GAP_MAX_SECONDS": "0.01", "LANE_CAP": "4"}.items():
        monkeypatch.setenv(name, value)
    settings.settings.cache_clear()
    yield Pages(scene, Sites(scene, None))  # type: ignore[arg-type] # nobody asks this one for its log
    client().close()


@pytest.fixture
def site(pages: Pages, stranger: Start) -> Site:
    return Site(stranger)


def sightings(pages: Pages) -> dict[tuple[str, str], bool]:
    """Tell of each value and path whether it is gone from there."""
    rows = pages.scene.rows(
        "SELECT value, replace(url, %s, '') AS path, bool_and(sightings.gone_at IS NOT NULL) AS is_gone"
        " FROM sightings JOIN contacts ON contacts.id = contact_id GROUP BY 1, 2",
        SITE,
    )
    return {(row["value"], row["path"]): row["is_gone"] for row in rows}


def test_what_a_page_no_longer_shows_is_gone_and_may_come_back(pages: Pages, site: Site) -> None:
    page = pages.add(f"{SITE}/contact")
    site.shows("/contact", "anna@stranger.example", "info@stranger.example")
    pages.run(page)
    first = pages.scene.rows("SELECT id, first_seen_at FROM contacts ORDER BY id")
    site.shows("/contact", "info@stranger.example")
    pages.run(page)
    assert pages.gone() == {"anna@stranger.example"}
    assert sightings(pages)["anna@stranger.example", "/contact"]
    site.shows("/contact", "anna@stranger.example", "info@stranger.example")
    pages.run(page)
    assert pages.gone() == set()
    assert not any(sightings(pages).values())
    assert pages.scene.rows("SELECT id, first_seen_at FROM contacts ORDER BY id") == first


def test_a_contact_is_gone_only_when_no_page_shows_it(pages: Pages, site: Site) -> None:
    one, two = pages.add(f"{SITE}/one"), pages.add(f"{SITE}/two")
    for path in ("/one", "/two"):
        site.shows(path, "info@stranger.example")
    pages.run(one, two)
    del site.pages["/one"]
    pages.run(one)
    assert pages.ending(one) == ("Error", "not-found")
    assert (pages.row(one)["status_code"], pages.row(one)["content_hash"]) == (404, None)
    assert pages.gone() == set()
    assert sightings(pages) == {("info@stranger.example", "/one"): True, ("info@stranger.example", "/two"): False}
    site.pages["/two"] = answer(b"", status="410 Gone")
    pages.run(two)
    assert pages.gone() == {"info@stranger.example"}
    site.shows("/one", "info@stranger.example")
    pages.run(one)
    assert pages.gone() == set()


def test_a_page_that_fails_for_a_while_keeps_its_contacts(pages: Pages, site: Site) -> None:
    page = pages.add(f"{SITE}/contact")
    site.shows("/contact", "info@stranger.example")
    pages.run(page)
    known = pages.row(page)
    site.pages["/contact"] = answer(b"", status="500 Oh")
    pages.run(page, skips_tries=True)
    assert pages.ending(page) == ("Error", "server-error")
    row = pages.row(page)
    assert row["status_code"] == 500
    assert (row["content_hash"], row["fetched_at"]) == (known["content_hash"], known["fetched_at"])
    assert pages.gone() == set()
    site.shows("/contact", "info@stranger.example")
    pages.run(page)
    assert (pages.ending(page), pages.row(page)["status_code"]) == (("Completed", "unchanged"), 200)


def test_two_pages_that_lose_a_contact_at_once_see_each_others_loss(pages: Pages, site: Site) -> None:
    ids = [pages.add(f"{SITE}/{at}") for at in range(4)]
    for at in range(4):
        site.shows(f"/{at}", "info@stranger.example", f"own{at}@stranger.example")
    pages.run(*ids)
    for at in range(4):
        site.shows(f"/{at}", f"own{at}@stranger.example")
    answer_at_once(pages, *ids)
    assert pages.gone() == {"info@stranger.example"}


def answer_at_once(pages: Pages, *ids: int) -> None:
    """Visit pages of one site at the same moment, each on a thread of its own."""
    pages.scene.start(STAGE, *ids)
    rings = [ring for ring in pages.scene.bells.take() if ring.stage == STAGE]
    assert len(rings) == len(ids)
    pages.scene.answer(*rings)
    pages.sites.run(STAGES)


def test_several_workers_on_one_domain_store_each_contact_once(pages: Pages, site: Site) -> None:
    ids = [pages.add(f"{SITE}/{at}") for at in range(4)]
    shared = [f"{letter}@stranger.example" for letter in "abcdef"]
    for at in range(4):
        site.shows(f"/{at}", *(shared if at % 2 else shared[::-1]), f"own{at}@stranger.example")
    answer_at_once(pages, *ids)
    assert pages.scene.many("contacts") == 10
    assert pages.scene.many("sightings") == 4 * 7
    assert sum(pages.scene.endings("contact_validation").values()) == 10
    assert [verdict.rule.name for verdict in invariants.check() if verdict.violations] == []


def test_a_page_that_leads_to_another_site_is_not_followed(pages: Pages, site: Site) -> None:
    page = pages.add(f"{SITE}/contact")
    site.shows("/contact", "info@stranger.example")
    pages.run(page)
    site.moves("/contact", "http://other.example/there")
    site.shows("/there", "other@other.example")
    pages.run(page)
    assert pages.ending(page) == ("Filtered", "off-site")
    assert pages.row(page)["status_code"] == 301
    assert "/there" not in site.asked()
    assert (pages.values(), pages.gone()) == ({"info@stranger.example"}, {"info@stranger.example"})


def test_what_is_seen_after_a_redirect_is_proved_by_where_it_was(pages: Pages, site: Site) -> None:
    old, own = pages.add(f"{SITE}/old"), pages.add(f"{SITE}/contact")
    site.moves("/old", "/contact")
    site.shows("/contact", "info@stranger.example")
    pages.run(old)
    assert sightings(pages) == {("info@stranger.example", "/contact"): False}
    assert pages.found(old) == {("email", "info@stranger.example")}
    pages.run(own)
    assert pages.found(own) == {("email", "info@stranger.example")}
    del site.pages["/old"]
    pages.run(old)
    assert pages.gone() == set()


def test_a_page_without_a_validator_is_known_by_its_bytes(pages: Pages, site: Site) -> None:
    page = pages.add(f"{SITE}/contact")
    site.shows("/contact", "info@stranger.example")
    pages.run(page)
    pages.run(page)
    assert pages.ending(page) == ("Completed", "unchanged")
    assert site.asked() == ["/contact", "/contact"]
    assert header_of(site.server.heard[-1], "if-none-match") is None


@pytest.mark.parametrize(
    ("body", "ending"),
    [
        (answer(b"%PDF-1.7 info@stranger.example", "Content-Type: application/pdf"), ("Error", "not-html")),
        (answer(b"<html><p>nothing to see", HTML), ("Completed", "no-contact")),
        (answer(b"", HTML), ("Completed", "no-contact")),
        (answer(b"", status="403 No"), ("Error", "blocked")),
        (answer(b"", "Location: http://192.168.0.1/", status="302 Found"), ("Error", "unsafe-address")),
        (answer(b"<html>" + b"x" * 6_000_000, HTML), ("Error", "too-large")),
        (
            answer(b'<html><a href="https://www.facebook.com/strangers.inn">us</a>', HTML),
            ("Completed", "nothing-to-validate"),
        ),
    ],
)
def test_every_blank_has_its_word(pages: Pages, site: Site, body: bytes, ending: tuple[str, str]) -> None:
    page = pages.add(f"{SITE}/contact")
    site.pages["/contact"] = body
    pages.run(page)
    assert pages.ending(page) == ending


def test_hostile_text_is_stored_safely(pages: Pages, site: Site) -> None:
    page = pages.add(f"{SITE}/contact")
    body = "<html lang='%s'><title>a\x00b \ud800 '); DROP TABLE contacts; --</title>" % ("x" * 5000)
    body += '<a href="mailto:O\'Brien@STRANGER.example">=cmd|x</a>' + "<div>" * 3000 + "&#0;&#55296;"
    body += "".join(f"<p>{number}@stranger.example" for number in range(6_000))
    site.pages["/contact"] = answer(body.encode("utf-8", "surrogatepass"), HTML, 'ETag: "\xff"')
    pages.scene.start(STAGE, page)
    pages.scene.play(STAGE)
    assert pages.ending(page) == ("Completed", None)
    assert "o'brien@stranger.example" in pages.values()
    assert 0 < pages.scene.many("contacts") <= 5_000
    assert pages.row(page)["title"].startswith("a")


def test_the_case_of_an_address_makes_no_second_one(pages: Pages, site: Site) -> None:
    one, two = pages.add(f"{SITE}/one"), pages.add(f"{SITE}/two")
    site.shows("/one", "Anna.Low@Stranger.example")
    site.shows("/two", "anna.low@stranger.example")
    pages.run(one, two)
    assert pages.values() == {"anna.low@stranger.example"}
    assert pages.scene.many("sightings") == 2


def erase(pages: Pages, value: str) -> None:
    """Put a value on the list of what is never stored again."""
    tenant = pages.scene.one("SELECT * FROM tenants WHERE id = %s", settings.settings().default_tenant_id)
    digest = digest_of(tenant["suppression_salt"], "email", value).hex()
    sql = "INSERT INTO suppressions (tenant_id, kind, value_hash, is_erased) VALUES (%s, 'email', %s, true)"
    pages.scene.execute(sql, tenant["id"], digest)


def test_what_was_erased_is_not_stored_again(pages: Pages, site: Site) -> None:
    page = pages.add(f"{SITE}/contact")
    erase(pages, "anna@stranger.example")
    site.shows("/contact", "Anna@stranger.example", "info@stranger.example")
    pages.run(page)
    assert pages.values() == {"info@stranger.example"}
    assert sum(pages.scene.endings("contact_validation").values()) == 1


def test_what_is_erased_while_its_page_is_read_is_not_stored_either(pages: Pages, stranger: Start) -> None:
    page = pages.add(f"{SITE}/contact")

    def script(head: bytes) -> list[bytes]:
        if path_of(head) == "/robots.txt":
            return [answer(b"", status="404 Not Found")]
        erase(pages, "anna@stranger.example")
        return [answer(b"<html><p>anna@stranger.example or info@stranger.example", HTML)]

    stranger(script)
    pages.scene.start(STAGE, page)
    pages.scene.play(STAGE)
    assert pages.ending(page) == ("Completed", None)
    assert pages.values() == {"info@stranger.example"}


def test_a_contact_that_is_seen_again_after_long_is_judged_anew_for_those_who_found_it_first(
    pages: Pages, site: Site
) -> None:
    first, second = pages.add(f"{SITE}/first"), pages.add(f"{SITE}/second")
    for path in ("/first", "/second"):
        site.shows(path, "info@stranger.example")
    pages.run(first)
    judged = "SELECT token, parent_id, status FROM work WHERE stage = 'contact_validation'"
    before = pages.scene.one(judged)
    pages.run(second)
    assert pages.scene.one(judged) == before
    pages.scene.execute("UPDATE work SET finished_at = finished_at - interval '20 days'")
    site.shows("/second", "info@stranger.example", text="changed")
    pages.run(second)
    after = pages.scene.one(judged)
    assert after == before | {"token": before["token"] + 1}
    assert [verdict.rule.name for verdict in invariants.check() if verdict.violations] == []


def test_contacts_of_a_page_that_has_not_changed_are_judged_where_that_is_due(pages: Pages, site: Site) -> None:
    page = pages.add(f"{SITE}/contact")
    site.shows("/contact", "info@stranger.example")
    pages.run(page, auto=False)
    assert pages.scene.endings("contact_validation") == {}
    pages.run(page)
    assert pages.ending(page) == ("Completed", "unchanged")
    judged = "SELECT token, parent_id, status FROM work WHERE stage = 'contact_validation'"
    first = pages.scene.one(judged)
    assert first["status"] == "Completed"
    pages.run(page)
    assert pages.scene.one(judged) == first
    pages.scene.execute("UPDATE work SET finished_at = finished_at - interval '20 days'")
    pages.run(page)
    assert pages.scene.one(judged) == first | {"token": first["token"] + 1}
    assert [verdict.rule.name for verdict in invariants.check() if verdict.violations] == []


def test_a_homepage_and_the_page_at_its_address_do_not_mislead_each_other(pages: Pages, site: Site) -> None:
    page = pages.add(f"{SITE}/")
    domain = pages.row(page)["domain_id"]
    reads = {"page": lambda: pages.run(page), "homepage": lambda: pages.sites.run(["domain_metadata"], domain)}
    for one, other in (("page", "homepage"), ("homepage", "page")):
        site.shows("/", "anna@stranger.example")
        reads[one]()
        site.shows("/", "bert@stranger.example")
        reads[other]()
        assert pages.gone() == {"anna@stranger.example"}
        site.shows("/", "anna@stranger.example")
        reads[one]()
        assert "anna@stranger.example" not in pages.gone()
        reads[other]()
        assert pages.gone() == {"bert@stranger.example"}

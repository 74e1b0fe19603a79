"""A stranger's text may be one word as long as a page: no page becomes wider than its window, nor refuses to open."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.api.people import People
from tests.browser.windows import PHONE, WIDE, Windows
from tests.dashboard.attacked import spoil
from tests.dashboard.forms import Furnished

LONG = "W" * 3000 + " \u202e\u05d0\u05d1\u05d2\u202c " + "x" * 1000
PATHS = (
    "/curate/local_businesses", "/curate/contacts", "/businesses/{local_businesses}",
    "/businesses/{local_businesses}/edit", "/contacts/{contacts}", "/journey/domain/{domains}", "/journey/page/{pages}",
    "/failures", "/failures/rows", "/batches", "/searches", "/searches/{searches}", "/schedules",
    "/stages/sitemap_import",
)  # fmt: skip
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def own(people: People, db: str) -> Iterator[Furnished]:
    admin = people.person("admin")
    made = Furnished(db, admin.tenant_id, admin.user_id)
    yield made
    made.close()


@pytest.mark.parametrize("width", [PHONE, WIDE])
def test_no_word_is_too_long_for_a_page(own: Furnished, people: People, windows: Windows, width: int) -> None:
    assert spoil(own, LONG) > 20
    page: Page = windows.open(people.person("admin"), width=width)
    wide = {}
    for path in PATHS:
        answer = page.goto(path.format(**own.ids["rows"]), wait_until="load")
        assert answer is not None
        assert answer.ok, path
        if (beyond := page.evaluate(WIDER)) > 0:
            wide[path] = beyond
    assert wide == {}

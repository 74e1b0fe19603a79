"""Batches: a list is previewed as it will be read, brought once, and every row is accounted for."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
import xlsxwriter
from selectolax.lexbor import LexborHTMLParser

from api import uploads
from pipeline.import_preview import MOST_ROWS
from tests.api.doors import rows
from tests.dashboard.browsers import Browser

SCRIPT = "<script>window.hacked=1</script>"
LIST = (
    f"Firma X;Seite;Notiz\nAnna {SCRIPT};anna.example;1\nBert;bert.example;2\nAgain;www.anna.example;3\n;;4\n".encode()
)


def form(
    browser: Browser, *, content: bytes | None = None, file: str = "list.csv", htmx: bool = True, **fields: Any
) -> httpx.Response:
    """Send the form of a list as browsers do, which send a nameless file where none is chosen."""
    sent = ("", b"") if content is None else (file, content)
    return browser.send("/batches/uploads", files={"file": sent}, htmx=htmx, **{"kind": "domains"} | fields)


def preview(browser: Browser, **fields: Any) -> LexborHTMLParser:
    answer = form(browser, act="preview", **fields)
    assert answer.status_code == 200, answer.text
    return LexborHTMLParser(answer.text)


def brought(browser: Browser, **fields: Any) -> str:
    """Bring a list and give the path of its batch."""
    answer = form(browser, act="bring", htmx=False, **fields)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def chosen(page: LexborHTMLParser) -> dict[str, str]:
    """Give what each choice about the reading of a list stands at."""
    found = {}
    for select in page.css("select"):
        option = select.css_first("option[selected]") or select.css_first("option")
        assert option is not None
        found[(select.attributes["id"] or "").removeprefix("read-")] = option.attributes["value"] or ""
    return found


def tiles(page: LexborHTMLParser) -> list[str]:
    return [tile.text() for tile in page.css(".tile-value")]


def workbook() -> bytes:
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True, "strings_to_urls": False}) as book:
        book.add_worksheet("Notes").write(0, 0, "nothing here")
        page = book.add_worksheet("Sites")
        for number, row in enumerate([["Company", "Website URL"], ["Anna", "anna.example"], ["Bert", "bert.example"]]):
            page.write_row(number, 0, row)
    return stream.getvalue()


def test_a_preview_shows_how_a_list_is_read_and_stores_nothing(curator: Browser) -> None:
    page = preview(curator, content=LIST)
    assert chosen(page) == {"header": "no", "domain": "domain=2"}
    page = preview(curator, content=LIST, header="yes")
    assert "no column for domain" in page.text()
    assert chosen(page) == {"header": "yes", "domain": "domain=-"}
    assert [option.text() for option in page.css("#read-domain option")] == [
        "not read",
        "1: Firma X",
        "2: Seite",
        "3: Notiz",
    ]
    page = preview(curator, content=LIST, header="yes", column=["domain=2"])
    assert tiles(page) == ["2", "1", "1"]
    assert "Bring 2 rows" in page.text()
    assert "Not read: Firma X, Notiz" in page.text()
    assert "no-website" in page.text()
    assert rows("SELECT 1 FROM batches UNION ALL SELECT 1 FROM domains") == []


def test_a_list_is_brought_as_it_was_previewed_and_every_row_is_shown(curator: Browser, viewer: Browser) -> None:
    path = brought(curator, content=LIST, header="yes", column=["domain=2"], name="May <b>")
    assert "2 rows added, 1 duplicate, 1 rejected." in curator.text(path)
    assert [row["name"] for row in rows("SELECT name FROM domains ORDER BY name")] == ["anna.example", "bert.example"]
    assert rows("SELECT action, detail ->> 'name' AS name FROM audit_entries WHERE entity = 'batches'") == [
        {"action": "bring", "name": "May <b>"}
    ]
    page = viewer.see(path)
    assert page.css_first("h1").text() == "May <b>"  # type: ignore[union-attr]
    results = [row.css("td")[1].text().strip() for row in page.css("#rows tbody tr")]
    assert results == ["added", "added", "duplicate repeated", "rejected no-website"]
    assert "Domain metadata Queued" in page.css("#rows tbody tr")[0].text()
    assert SCRIPT in page.css("#rows tbody tr")[0].text()
    assert all("src" in script.attributes for script in page.css("script"))
    assert len(viewer.see(f"{path}?result=rejected").css("#rows tbody tr")) == 1
    assert len(viewer.see(f"{path}?reason=repeated").css("#rows tbody tr")) == 1
    assert "No row of this list ended so" in viewer.text(f"{path}?result=added&reason=repeated")
    assert tiles(viewer.see(f"{path}/progress")) == ["Queued", "2", "1", "1", "0 of 2"]
    listed = LexborHTMLParser(f"<table>{viewer.client.get('/batches/counts').text}</table>")
    assert [cell.text() for cell in listed.css("th, td")][:6] == ["May <b>", "domains", "Queued", "2", "1", "1"]


def test_lines_are_pasted_and_wait_for_a_decision(curator: Browser) -> None:
    pasted = "Anna, anna.example\r\nBert, bert.example\r\n"
    page = preview(curator, rows=pasted, kind="businesses")
    assert chosen(page)["name"] == "name=1"
    path = brought(curator, rows=pasted, kind="businesses", start="later")
    assert rows("SELECT 1 FROM work") == []
    assert rows("SELECT name, website FROM local_businesses ORDER BY name")[0]["name"] == "Anna"
    progress = curator.see(f"{path}/progress")
    assert "2 rows wait for a decision before Domain extraction" in progress.text()
    assert progress.css_first('a[href="/curate/local_businesses"]') is not None
    assert curator.see(path).css_first('a[href^="/businesses/"]') is not None


def test_a_sheet_of_a_workbook_is_chosen(curator: Browser) -> None:
    page = preview(curator, content=workbook(), file="list.xlsx")
    assert [option.text() for option in page.css("#read-sheet option")] == ["Notes", "Sites"]
    page = preview(curator, content=workbook(), file="list.xlsx", sheet="Sites")
    assert chosen(page) == {"sheet": "Sites", "header": "yes", "domain": "domain=2"}
    brought(curator, content=workbook(), file="list.xlsx", sheet="Sites", header="yes", column="domain=2")
    assert len(rows("SELECT 1 FROM domains")) == 2


def test_a_field_is_left_out_on_request(curator: Browser) -> None:
    content = b"Company,Website URL,Phone\nAnna,anna.example,+15125550100\n"
    brought(curator, content=content, kind="businesses", column=["name=1", "website=2", "phone=-"])
    assert rows("SELECT phone FROM local_businesses") == [{"phone": None}]


def test_of_a_long_list_the_beginning_is_previewed_and_all_of_it_is_brought(curator: Browser) -> None:
    content = "".join(f"site-{nth}.example\n" for nth in range(MOST_ROWS + 1)).encode()
    page = preview(curator, content=content)
    assert tiles(page)[0] == f"{MOST_ROWS:,}"
    assert "Bring the whole list" in page.text()
    path = brought(curator, content=content, start="later")
    assert rows("SELECT count(*) AS many FROM batch_items") == [{"many": MOST_ROWS + 1}]
    following = curator.see(path).css_first('a[rel="next"]')
    assert following is not None
    assert "site-100.example" in curator.text((following.attributes["href"] or "").partition("#")[0])


def test_what_is_known_already_is_not_offered_again(curator: Browser) -> None:
    brought(curator, rows="anna.example")
    page = preview(curator, rows="anna.example")
    assert "Nothing in it is new" in page.text()
    assert page.css_first('button[value="bring"]') is None


def test_without_scripts_the_preview_is_a_page_with_the_form(curator: Browser) -> None:
    answer = form(curator, htmx=False, rows="anna.example", act="preview", name='"><b>')
    page = LexborHTMLParser(answer.text)
    assert page.css_first("h1").text() == "Bring a list"  # type: ignore[union-attr]
    assert page.css_first("textarea").text() == "anna.example"  # type: ignore[union-attr]
    assert page.css_first('input[name="name"]').attributes["value"] == '"><b>'  # type: ignore[union-attr]
    assert tiles(page) == ["1", "0", "0"]


def test_the_result_of_every_row_is_downloaded_and_noted(curator: Browser, viewer: Browser, stranger: Browser) -> None:
    path = brought(curator, content=LIST, header="yes", column="domain=2")
    answer = curator.client.get(f"{path}/result.csv")
    found = list(csv.DictReader(io.StringIO(answer.text.lstrip("\ufeff"))))
    assert [row["result"] for row in found] == ["added", "added", "duplicate", "rejected"]
    assert "attachment" in answer.headers["content-disposition"]
    assert len(curator.client.get(f"{path}/result.csv?result=rejected").text.splitlines()) == 2
    assert viewer.client.get(f"{path}/result.csv").status_code == 403
    assert viewer.see(path).css_first('a[href$="result.csv"]') is None
    assert stranger.client.get(f"{path}/result.csv").status_code == 404
    assert len(rows("SELECT 1 FROM audit_entries WHERE action = 'export' AND entity = 'batches'")) == 2


def test_the_progress_is_sent_as_it_is(curator: Browser, stranger: Browser) -> None:
    path = brought(curator, rows="anna.example")
    with curator.client.stream("GET", f"{path}/events") as stream:
        seen = ""
        for piece in stream.iter_text():
            seen += piece
            if "Why rows were not added" in seen:
                break
    assert "event: drawn" in seen
    assert 'name="csrf"' not in seen
    assert stranger.client.get(f"{path}/events").status_code == 404


def test_others_see_no_batch_and_who_may_not_submit_brings_none(
    visit: Callable[..., Browser], curator: Browser
) -> None:
    path = brought(curator, rows="anna.example", name="mine alone")
    stranger, viewer = visit("admin", is_stranger=True), visit("viewer")
    for own in (path, f"{path}/progress"):
        assert stranger.client.get(own).status_code == 404
    assert "mine alone" not in stranger.text("/batches") + stranger.text("/batches/counts", htmx=True)
    assert "mine alone" in viewer.text("/batches")
    assert viewer.see("/batches").css_first('a[href="/batches/new"]') is None
    assert viewer.client.get("/batches/new").status_code == 403
    assert form(viewer, act="bring", rows="x.example").status_code == 403
    assert curator.client.post("/batches/uploads", data={"kind": "domains", "rows": "x.example"}).status_code == 403
    assert len(rows("SELECT 1 FROM batches")) == 1


@pytest.mark.parametrize(
    ("fields", "status", "sentence"),
    [
        ({}, 400, "There is no list yet"),
        ({"rows": "a.example", "content": b"b.example"}, 400, "bring one of them"),
        ({"content": b"%PDF-1.4 nonsense"}, 400, "is a PDF"),
        ({"content": b"PK\x03\x04 nonsense", "file": "<b>.xlsx"}, 400, "cannot be read as a spreadsheet"),
        ({"content": b"\n\n"}, 400, "holds no rows"),
        ({"rows": "a.example", "column": ["domain=9"]}, 400, "has no column"),
        ({"rows": "a.example", "column": ["size=1"]}, 400, "may have domain"),
        ({"rows": "a.example", "column": ["nonsense"]}, 400, "names no column"),
        ({"rows": "a.example", "kind": "shoes"}, 422, "kind"),
        ({"rows": "a.example", "header": "maybe"}, 422, "header"),
        ({"rows": "a\x00b"}, 422, "rows"),
        ({"rows": "x" * 200_001}, 422, "rows"),
    ],
)  # fmt: skip
def test_a_list_that_cannot_be_read_is_one_sentence_and_leaves_nothing(
    curator: Browser, fields: dict[str, Any], status: int, sentence: str
) -> None:
    for act in ("preview", "bring"):
        answer = form(curator, act=act, **fields)
        assert (answer.status_code, answer.headers["HX-Retarget"]) == (status, "#notes")
        assert sentence in LexborHTMLParser(answer.text).text()
    assert rows("SELECT 1 FROM batches") == []


def test_only_few_lists_are_read_at_a_time(curator: Browser) -> None:
    with ExitStack() as held:
        for _ in range(uploads.MOST_AT_ONCE):
            held.enter_context(uploads._places)
        answer = form(curator, act="preview", rows="a.example")
    assert (answer.status_code, "try again in a minute" in answer.text) == (503, True)


def test_an_odd_address_of_a_batch_is_one_sentence(viewer: Browser) -> None:
    for path, status in (("/999", 404), ("/0", 422), ("/x", 422), ("?cursor=x", 400), (f"/{2**63}", 422)):
        assert viewer.see(f"/batches{path}", status=status).css_first("h1") is not None

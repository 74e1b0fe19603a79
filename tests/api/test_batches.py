"""`/api/v3/batches` over real HTTP: rows, files, dry runs, and every row accounted for."""

from __future__ import annotations

import csv
import io
from contextlib import ExitStack
from typing import Any

import pytest
import xlsxwriter

from api import uploads
from tests.api.doors import audited, execute, rows
from tests.api.people import Person

BATCHES = "/api/v3/batches"


def bring(person: Person, kind: str, *given: Any, **more: Any) -> dict[str, Any]:
    answer = person.client.post(BATCHES, json={"kind": kind, "rows": given, **more})
    assert answer.status_code == (200 if more.get("dry_run") else 201), answer.text
    told: dict[str, Any] = answer.json()
    return told


def upload(person: Person, kind: str, content: bytes, file: str = "list.csv", **more: Any) -> Any:
    return person.client.post(f"{BATCHES}/{kind}/uploads", files={"file": (file, content)}, data=more)


def workbook(*given: list[Any], sheet: str = "Sheet1") -> bytes:
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True, "strings_to_urls": False}) as book:
        book.add_worksheet("Notes").write(0, 0, "nothing here")
        page = book.add_worksheet(sheet)
        for number, row in enumerate(given):
            page.write_row(number, 0, row)
    return stream.getvalue()


def counts(told: dict[str, Any]) -> tuple[int, int, int]:
    assert told["row_count"] == told["added_count"] + told["duplicate_count"] + told["rejected_count"]
    assert sum(each["count"] for each in told["counts"]) == told["row_count"]
    return told["added_count"], told["duplicate_count"], told["rejected_count"]


def test_rows_are_stored_started_and_accounted_for(curator: Person, viewer: Person) -> None:
    bring(curator, "domains", "known.example")
    given = "anna.example", "https://www.ANNA.example/", "known.example", "localhost"
    told = bring(curator, "domains", *given, name="May")
    assert counts(told) == (1, 2, 1)
    assert (told["queued_count"], told["is_dry_run"]) == (1, False)
    assert [(row["row_number"], row["result"], row["reason"]) for row in told["first_rows"]] == [
        (1, "added", None), (2, "duplicate", "repeated"), (3, "duplicate", "known-already"),
        (4, "rejected", "bad-website"),
    ]  # fmt: skip
    assert [row["raw"] for row in told["rejected_rows"]] == ["localhost"]
    shown = viewer.client.get(f"{BATCHES}/{told['batch_id']}").json()
    assert (shown["name"], shown["kind"], shown["status"]) == ("May", "domains", "Queued")
    assert shown["created_by_id"] == str(curator.user_id)
    assert counts(shown) == (1, 2, 1)
    (stage,) = shown["stages"]
    assert (stage["stage"], stage["discovered"], stage["queued"]) == ("domain_metadata", 1, 1)
    assert rows("SELECT DISTINCT tenant_id FROM work") == [{"tenant_id": curator.tenant_id}]
    assert audited(curator.tenant_id) == [("bring", "batches")] * 2


def test_businesses_are_sent_with_their_fields(curator: Person) -> None:
    told = bring(
        curator, "businesses", {"name": "Anna", "website": "anna.example", "postal_code": 78701, "phone": None},
        {"city": "Austin"}, auto=False,
    )  # fmt: skip
    assert (counts(told), told["queued_count"]) == ((1, 0, 1), 0)
    assert rows("SELECT name, postal_code FROM local_businesses") == [{"name": "Anna", "postal_code": "78701"}]
    shown = curator.client.get(f"{BATCHES}/{told['batch_id']}").json()
    assert (shown["status"], shown["waiting"]) == ("ManualReview", [{"stage": "domain_extraction", "count": 1}])


def test_sitemaps_and_pages_are_stored_below_their_domains(curator: Person) -> None:
    bring(curator, "sitemaps", "https://anna.example/sitemap.xml")
    bring(curator, "pages", "https://www.anna.example/contact", "https://bob.example/impressum")
    assert rows("SELECT name FROM domains ORDER BY name") == [{"name": "anna.example"}, {"name": "bob.example"}]
    assert rows("SELECT kind FROM pages ORDER BY id") == [{"kind": "contact"}, {"kind": "legal"}]
    assert {row["stage"] for row in rows("SELECT stage FROM work")} == {"sitemap_import", "page_curation"}


@pytest.mark.parametrize(
    ("body", "status", "sentence"),
    [
        ({"kind": "shoes", "rows": ["x"]}, 422, "body.kind"),
        ({"kind": "domains", "rows": []}, 422, "body.rows"),
        ({"kind": "domains", "rows": ["a\x00b"]}, 422, "body.rows"),
        ({"kind": "domains", "rows": ["x.example"] * 10_001}, 422, "body.rows"),
        ({"kind": "domains", "rows": [{"size": "43"}]}, 400, "A list of domains has no 'size'"),
        ({"kind": "businesses", "rows": ["Anna"]}, 400, "Row 1 is only a text"),
        ({"kind": "domains", "rows": [[1]]}, 422, "body.rows"),
        ({"kind": "domains", "rows": ["x.example"], "extra": 1}, 422, "body.extra"),
    ],
)
def test_rows_that_cannot_be_read_are_refused_and_leave_nothing(
    curator: Person, body: dict[str, Any], status: int, sentence: str
) -> None:
    answer = curator.client.post(BATCHES, json=body)
    assert (answer.status_code, sentence in answer.json()["detail"]) == (status, True), answer.text
    assert rows("SELECT 1 FROM batches UNION ALL SELECT 1 FROM audit_entries") == []


FIVE_THOUSAND: list[list[Any]] = [[f"Firm {nth}", f"site-{nth % 4000}.example", nth] for nth in range(5000)]


def _as_csv() -> bytes:
    return ("Company;Website URL;Shoe size\n" + "".join(f"{a};{b};{c}\n" for a, b, c in FIVE_THOUSAND)).encode("cp1252")


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_five_thousand_rows_of_a_file_with_a_chosen_column(curator: Person, kind: str) -> None:
    rows_of_sheet = [["Company", "Website URL", "Shoe size"], *FIVE_THOUSAND]
    content = _as_csv() if kind == "csv" else workbook(*rows_of_sheet, sheet="Sites")
    more = {"column": "domain=website url"} | ({} if kind == "csv" else {"sheet": "sites"})
    dry = upload(curator, "domains", content, f"list.{kind}", dry_run="true", **more)
    assert dry.status_code == 200, dry.text
    preview = dry.json()
    assert preview["layout"] == {
        "header": ["Company", "Website URL", "Shoe size"], "columns": {"domain": 2}, "unused": ["Company", "Shoe size"]
    }  # fmt: skip
    assert preview["first_rows"][0]["cells"] == {"domain": "site-0.example"}
    assert (preview["first_rows"][0]["row_number"], len(preview["first_rows"])) == (2, 10)
    assert rows("SELECT 1 FROM batches UNION ALL SELECT 1 FROM domains") == []
    done = upload(curator, "domains", content, f"list.{kind}", name="Spring", **more)
    assert done.status_code == 201
    assert counts(done.json()) == counts(preview) == (4000, 1000, 0)
    assert rows("SELECT count(*)::int AS n FROM work") == [{"n": 4000}]
    assert rows("SELECT name FROM batches") == [{"name": "Spring"}]


@pytest.mark.parametrize(
    ("content", "more", "sentence"),
    [
        (b"", {}, "'list.csv' holds no rows."),
        (b"domain\nx.example\n", {"column": "domain=Web"}, "The file has no column 'Web': its columns are domain."),
        (b"domain\nx.example\n", {"column": "domain"}, "'domain' names no column"),
        (b"domain\nx.example\n", {"column": "size=domain"}, "A list of domains has no 'size'"),
        (b"%PDF-1.7 rest", {}, "'list.csv' is a PDF, not text"),
        (b"PK\x03\x04rest", {}, "'list.csv' cannot be read as a spreadsheet"),
        (bytes(range(256)), {}, "'list.csv' is not text"),
        (workbook(["domain"], ["x.example"]), {"sheet": "Nope"}, "it has no sheet 'Nope', only Notes, Sheet1"),
    ],
)
def test_files_that_cannot_be_read_are_refused_and_leave_nothing(
    curator: Person, content: bytes, more: dict[str, Any], sentence: str
) -> None:
    answer = upload(curator, "domains", content, **more)
    assert answer.status_code == 400, answer.text
    assert sentence in answer.json()["detail"]
    assert rows("SELECT 1 FROM batches UNION ALL SELECT 1 FROM audit_entries") == []


def test_a_list_without_the_column_that_is_needed_is_refused_with_those_it_has(curator: Person) -> None:
    answer = upload(curator, "businesses", b"city,zip\nAustin,78701\n")
    assert answer.status_code == 400
    assert answer.json()["detail"] == (
        "The list has no column for name or website: say which it is, as in name=HEADER; its columns are city, zip."
    )


def test_an_upload_that_is_none_is_refused(curator: Person) -> None:
    path = f"{BATCHES}/domains/uploads"
    assert curator.client.post(path, data={"auto": "true"}).status_code == 422
    assert curator.client.post(path, content=b"x", headers={"content-type": "multipart/form-data"}).status_code == 400
    assert curator.client.post(f"{BATCHES}/shoes/uploads", files={"file": b"x"}).status_code == 422
    assert curator.client.post(path, content=b"x" * 50_000_001).status_code == 413
    hostile = upload(curator, "domains", b"domain\nx.example\n", "=cmd|' /C calc'!A0\x00.csv")
    assert hostile.status_code == 201


def test_a_file_larger_than_a_body_may_be_is_taken(curator: Person) -> None:
    padding = "x" * 1000
    content = ("domain,note\n" + "".join(f"site-{nth}.example,{padding}\n" for nth in range(2500))).encode()
    assert len(content) > 2_000_000
    assert counts(upload(curator, "domains", content).json()) == (2500, 0, 0)


def test_the_rows_of_a_batch_are_paged_filtered_and_downloaded(curator: Person, viewer: Person) -> None:
    told = bring(curator, "domains", *[f"site-{nth}.example" for nth in range(5)], "=1+1", "site-0.example")
    batch = f"{BATCHES}/{told['batch_id']}"
    execute("UPDATE work SET status = 'Error', reason = 'dns', error = '=cmd()' WHERE id = (SELECT min(id) FROM work)")
    seen, mark = [], None
    while True:
        page = viewer.client.get(f"{batch}/rows", params={"limit": 3} | ({"cursor": mark} if mark else {})).json()
        assert page["total"] == 7
        seen += page["items"]
        mark = page["next_cursor"]
        if mark is None:
            break
    assert [row["row_number"] for row in seen] == list(range(1, 8))
    assert [row["work_status"] for row in seen] == ["Error", "Queued", "Queued", "Queued", "Queued", None, "Error"]
    rejected = viewer.client.get(f"{batch}/rows", params={"result": "rejected"}).json()
    assert ([row["raw"] for row in rejected["items"]], rejected["total"]) == (["=1+1"], 1)
    assert viewer.client.get(f"{batch}/rows", params={"cursor": "x"}).status_code == 400
    assert viewer.client.get(f"{batch}/result.csv").status_code == 403
    file = curator.client.get(f"{batch}/result.csv")
    assert file.headers["content-type"] == "text/csv; charset=utf-8"
    assert file.headers["content-disposition"].startswith(f'attachment; filename="batch-{told["batch_id"]}-')
    lines = list(csv.DictReader(io.StringIO(file.content.decode("utf-8-sig"))))
    assert [line["row_number"] for line in lines] == [str(row["row_number"]) for row in seen]
    assert (lines[0]["work_status"], lines[0]["work_reason"], lines[0]["work_error"]) == ("Error", "dns", "'=cmd()")
    assert (lines[5]["raw"], lines[5]["result"], lines[5]["reason"]) == ("'=1+1", "rejected", seen[5]["reason"])


def test_batches_are_listed_newest_first(curator: Person, stranger: Person) -> None:
    ids = [bring(curator, "domains", f"site-{nth}.example")["batch_id"] for nth in range(3)]
    bring(stranger, "domains", "site-1.example")
    page = curator.client.get(BATCHES, params={"limit": 2}).json()
    assert ([row["id"] for row in page["items"]], page["total"]) == ([ids[2], ids[1]], 3)
    rest = curator.client.get(BATCHES, params={"limit": 2, "cursor": page["next_cursor"]}).json()
    assert ([row["id"] for row in rest["items"]], rest["next_cursor"]) == ([ids[0]], None)


def test_two_tenants_bring_the_same_domain_and_do_not_see_each_other(
    curator: Person, stranger: Person, viewer: Person
) -> None:
    mine, theirs = (bring(person, "domains", "same.example") for person in (curator, stranger))
    assert counts(mine) == counts(theirs) == (1, 0, 0)
    assert counts(bring(stranger, "domains", "same.example", dry_run=True)) == (0, 1, 0)
    owners = rows("SELECT tenant_id FROM domains WHERE name = 'same.example'")
    assert {row["tenant_id"] for row in owners} == {curator.tenant_id, stranger.tenant_id}
    for path in ("", "/rows", "/result.csv"):
        answer = stranger.client.get(f"{BATCHES}/{mine['batch_id']}{path}")
        assert answer.status_code == 404
        assert answer.json()["detail"] == f"There is no batch {mine['batch_id']}."
    assert viewer.client.post(BATCHES, json={"kind": "domains", "rows": ["x.example"]}).status_code == 403
    assert upload(viewer, "domains", b"x.example\n").status_code == 403


def test_few_lists_are_read_at_a_time(curator: Person) -> None:
    with ExitStack() as held:
        for _ in range(uploads.MOST_AT_ONCE):
            held.enter_context(uploads._places)
        answer = upload(curator, "domains", b"acme.example")
        assert answer.status_code == 503
        assert answer.json()["detail"].endswith("try again in a minute.")
    assert upload(curator, "domains", b"acme.example").status_code == 201

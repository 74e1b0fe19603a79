"""Files of exports, read back: nothing scraped becomes a formula, a row, a property or a card of its own."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections import deque
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.export_cell import Cell, flat, harmless, one_line
from services.export_csv import csv_rows
from services.export_jsonl import json_lines
from services.export_vcard import folded, vcards
from services.export_xlsx import ROWS_A_SHEET, sheets_for, xlsx_rows
from services.lead_row import Business, Reach

SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
HOSTILE = [
    "=1+1",
    "=HYPERLINK(\"http://evil.example\",\"x\")",
    "+1-512 555",
    "-2+3",
    "@SUM(A1)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    " =1+1",
    "\x00=1+1",
    "\u202e=1+1",
    "\uff1d1+1",
    "Anna; =1+1",
    'Anna;"=1+1;',
    'Anna; "" =1+1;',
    "Anna;\u3000=1+1",
    'say "hi", then\r\nleave',
    "\u202egnp.exe\u202c",
    "שלום, עולם",
    "a\x00b\x1bc\ud800d\u2028e\x85f",
    "END:VCARD\r\nBEGIN:VCARD",
    "_x000D_",
    "<b>&amp;</b>",
]  # fmt: skip


def as_csv(rows: Sequence[Sequence[Cell]], headers: Sequence[str] = ("one", "two")) -> bytes:
    stream = io.BytesIO()
    with csv_rows(stream, headers) as write:
        for row in rows:
            write(row)
    return stream.getvalue()


def read_csv(raw: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(raw.decode("utf-8-sig"), newline=""), strict=True))


def read_xlsx(raw: bytes) -> list[list[list[tuple[str, str]]]]:
    """Give the sheets, their rows, and of each cell its type and what it shows."""
    with zipfile.ZipFile(io.BytesIO(raw)) as book:
        names = sorted(name for name in book.namelist() if name.startswith("xl/worksheets/sheet"))
        assert not any("hyperlink" in name.lower() or "externalLink" in name for name in book.namelist())
        return [_sheet(book.read(name)) for name in names]


def _sheet(xml: bytes) -> list[list[tuple[str, str]]]:
    tree = ElementTree.fromstring(xml)
    assert not list(tree.iter(f"{SHEET}f"))
    assert not list(tree.iter(f"{SHEET}hyperlink"))
    return [
        [(cell.get("t", "n"), "".join(cell.itertext())) for cell in row.iter(f"{SHEET}c")]
        for row in tree.iter(f"{SHEET}row")
    ]


def as_xlsx(rows: Sequence[Sequence[Cell]], headers: Sequence[str] = ("one", "two"), most: int = ROWS_A_SHEET) -> bytes:
    stream = io.BytesIO()
    with xlsx_rows(stream, headers, rows_a_sheet=most) as write:
        for row in rows:
            write(row)
    return stream.getvalue()


def test_csv_is_what_spreadsheets_expect() -> None:
    raw = as_csv([("Zoë", 7), (None, ("a", "b"))])
    assert raw == "\ufeffone,two\r\nZoë,7\r\n,a; b\r\n".encode()


@pytest.mark.parametrize("text", HOSTILE)
def test_no_cell_of_a_csv_is_a_formula_or_a_row(text: str) -> None:
    rows = read_csv(as_csv([(text, "next")]))
    assert len(rows) == 2
    cell, after = rows[1]
    assert after == "next"
    assert not cell.lstrip().startswith(("=", "+", "-", "@", "\uff1d"))
    assert not re.search(r";\s*[=+@-]", cell)
    assert not re.search("[\x00-\x1f\x7f-\x9f\u2028\u202e\ud800]", cell)


@given(st.text(st.sampled_from("=+-@;,\"' \t\u3000x1"), max_size=12))
@settings(deadline=None)
def test_no_cell_is_a_formula_where_columns_end_at_semicolons(text: str) -> None:
    line = as_csv([("x", text)]).decode("utf-8-sig").splitlines()[1]
    cells = [cell.strip(' "\u3000') for cell in line.split(";")[1:]]
    assert not [cell for cell in cells if cell.startswith(tuple("=+-@")) and not re.fullmatch(r"\+[0-9]{2,15}", cell)]


@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=30), min_size=2, max_size=2))
@settings(deadline=None)
def test_any_text_stays_in_its_cell(texts: list[str]) -> None:
    rows = read_csv(as_csv([texts]))
    assert len(rows) == 2
    assert [cell.removeprefix("'") for cell in rows[1]] == [
        harmless(one_line(text)).removeprefix("'") for text in texts
    ]
    assert not any(
        cell[:1] in tuple("=+-@\t\r") and cell for cell in rows[1] if not re.fullmatch(r"\+\d{2,15}.*", cell)
    )


def test_phones_and_numbers_are_left_as_they_are() -> None:
    phones = ("+15125550100", "+493012345")
    assert read_csv(as_csv([("+15125550100", phones), (-3, -0.5)]))[1:] == [
        ["+15125550100", "+15125550100; +493012345"],
        ["-3", "-0.5"],
    ]
    assert harmless("+15125550100; =1+1") == "+15125550100; '=1+1"
    assert harmless("+1512555010012345678") == "'+1512555010012345678"


def test_times_are_utc_and_truth_is_a_word() -> None:
    at = datetime(2026, 1, 31, 12, 30, 5, tzinfo=UTC)
    assert (flat(at), flat(at.date()), flat(True), flat(False), flat(None)) == (
        "2026-01-31T12:30:05Z", "2026-01-31", "yes", "no", "",
    )  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_a_cell_of_an_xlsx_is_text_whatever_it_says(text: str) -> None:
    (rows,) = read_xlsx(as_xlsx([(text, "next")]))
    shown = re.sub(r"_x005F_", "_", rows[1][0][1])
    assert (rows[1][0][0], shown) == ("inlineStr", one_line(text))


def test_numbers_of_an_xlsx_are_numbers_and_phones_are_not() -> None:
    (rows,) = read_xlsx(as_xlsx([(4.5, "+15125550100"), ("https://anna.example", 7)]))
    assert rows[1:] == [
        [("n", "4.5"), ("inlineStr", "+15125550100")],
        [("inlineStr", "https://anna.example"), ("n", "7")],
    ]


def test_a_full_sheet_is_followed_by_another_with_the_header() -> None:
    sheets = read_xlsx(as_xlsx([(number, "x") for number in range(5)], most=3))
    assert [[row[0][1] for row in sheet] for sheet in sheets] == [["one", "0", "1"], ["one", "2", "3"], ["one", "4"]]
    assert [sheets_for(rows) for rows in (0, 1_048_575, 1_048_576)] == [1, 1, 2]


def test_a_cell_longer_than_excel_takes_is_cut_and_not_dropped() -> None:
    (rows,) = read_xlsx(as_xlsx([("x" * 40_000, "next")]))
    assert len(rows[1][0][1]) == 16_383


def test_an_xlsx_that_is_interrupted_writes_nothing() -> None:
    stream = io.BytesIO()

    def interrupted() -> Iterator[Sequence[Cell]]:
        yield ["x"]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), xlsx_rows(stream, ["one"]) as write:
        deque(map(write, interrupted()))
    assert stream.getvalue() == b""


@pytest.mark.parametrize("text", HOSTILE)
def test_json_lines_keep_every_value_on_one_line(text: str) -> None:
    stream = io.BytesIO()
    with json_lines(stream, ("text", "list", "at", "none")) as write:
        write((text, (text, "b"), datetime(2026, 1, 31, tzinfo=UTC), None))
    (line,) = stream.getvalue().decode().splitlines()
    assert json.loads(line) == {"text": text, "list": [text, "b"], "at": "2026-01-31T00:00:00Z", "none": None}


def as_vcard(*reaches: Reach) -> bytes:
    stream = io.BytesIO()
    with vcards(stream) as write:
        for reach in reaches:
            write(reach)
    return stream.getvalue()


def read_vcards(raw: bytes) -> list[dict[str, str]]:
    """Unfold, part into cards, and give the properties by name."""
    lines = raw.decode().replace("\r\n ", "").split("\r\n")
    assert lines.pop() == ""
    cards: list[dict[str, str]] = []
    for line in lines:
        name, _, value = line.partition(":")
        if line == "BEGIN:VCARD":
            cards.append({})
        cards[-1][name] = value
    return cards


PROPERTIES = {
    "BEGIN", "VERSION", "PRODID", "UID", "FN", "N", "ORG", "TITLE", "EMAIL", "ADR", "URL", "X-SOCIALPROFILE",
    "CATEGORIES", "NOTE", "END",
}  # fmt: skip
ANNA = Business(name="Anna's Bakery; Café, Bar", street="1 Main St", city="Austin", region="TX", country="US")


def test_a_vcard_holds_what_an_address_book_needs() -> None:
    reach = Reach(
        "lead-7", ANNA, person="Dr. Anna Maria Low", title="Owner", email="anna@anna.example", phone="+15125550100",
        socials={"x": "https://x.com/anna"}, source_url="https://anna.example/contact",
    )  # fmt: skip
    (card,) = read_vcards(as_vcard(reach))
    assert card == {
        "BEGIN": "VCARD",
        "VERSION": "3.0",
        "PRODID": "-//ScraperSky//Export//EN",
        "UID": "scrapersky-lead-7",
        "FN": "Dr. Anna Maria Low",
        "N": "Low;Anna Maria;;;",
        "ORG": "Anna's Bakery\\; Café\\, Bar",
        "TITLE": "Owner",
        "EMAIL;TYPE=INTERNET,WORK": "anna@anna.example",
        "TEL;TYPE=WORK,VOICE": "+15125550100",
        "ADR;TYPE=WORK": ";;1 Main St;Austin;TX;;US",
        "X-SOCIALPROFILE;TYPE=x": "https://x.com/anna",
        "NOTE": "Seen at https://anna.example/contact.",
        "END": "VCARD",
    }


def test_nobody_without_a_name_has_an_empty_card() -> None:
    (card,) = read_vcards(as_vcard(Reach("contact-1", Business(), email="x@anna.example")))
    assert (card["FN"], card["N"]) == ("x@anna.example", ";;;;")


@given(st.text(st.characters(exclude_categories=()), max_size=200))
@settings(max_examples=60, deadline=None)
def test_no_text_breaks_out_of_its_card(text: str) -> None:
    business = Business(name=text, city=text, website=text, category=text, attribution=text)
    reach = Reach("lead-1", business, person=text, title=text, email=text, socials={text: text}, source_url=text)
    raw = as_vcard(reach, Reach("lead-2", Business(name="Bella")))
    first, second = read_vcards(raw)
    assert second["FN"] == "Bella"
    assert {name.partition(";")[0] for name in first} <= PROPERTIES
    assert all(len(line) <= 75 for line in raw.split(b"\r\n"))


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=300))
@settings(deadline=None)
def test_folded_lines_unfold_to_what_they_were(text: str) -> None:
    raw = folded(text)
    assert raw.endswith(b"\r\n")
    assert raw[:-2].replace(b"\r\n ", b"").decode() == text
    for line in raw.split(b"\r\n"):
        line.decode()  # no character is parted

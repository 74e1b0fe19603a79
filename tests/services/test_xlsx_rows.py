"""Spreadsheets that people bring: what Excel shows is what is read, and nothing hostile costs more than a sentence."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime, time
from itertools import islice
from typing import Any

import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from services import xlsx_book, xlsx_rows
from services.list_layout import NoSuchColumn, Table
from services.listed_business import BUSINESS_COLUMNS, DOMAIN_COLUMNS
from services.xlsx_rows import Unreadable, read_sheet, sheet_rows

RELATIONS = (
    '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/>'
    '<Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>'
)
BOOK = '<workbook><sheets><sheet name="One" r:id="rId1"/><sheet name="Two" r:id="rId2"/></sheets></workbook>'


def written(*rows: list[Any], sheet: str = "Sheet1", **options: Any) -> io.BytesIO:
    """Write a workbook as a library would."""
    stream = io.BytesIO()
    book = xlsxwriter.Workbook(stream, {"in_memory": True, "default_date_format": "dd/mm/yy", **options})
    page = book.add_worksheet(sheet)
    for number, row in enumerate(rows):
        page.write_row(number, 0, row)
    book.close()
    stream.seek(0)
    return stream


def packed(parts: dict[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> io.BytesIO:
    """Pack parts by hand."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    stream.seek(0)
    return stream


def sheet(rows: str, **more: str) -> io.BytesIO:
    """Pack a workbook with one hand-written sheet."""
    own = {"xl/worksheets/sheet1.xml": f"<worksheet><sheetData>{rows}</sheetData></worksheet>"}
    return packed({"xl/workbook.xml": BOOK, "xl/_rels/workbook.xml.rels": RELATIONS, **own, **more})


def cells(stream: io.BytesIO, name: str | None = None) -> list[list[str]]:
    return [row for _, row in sheet_rows(stream, name)]


def table(stream: io.BytesIO, **chosen: str) -> Table:
    return read_sheet(stream, BUSINESS_COLUMNS, chosen)


def test_a_workbook_reads_like_the_same_list_as_text() -> None:
    stream = written(["Company", "Website URL", "Zip"], ["Anna's", "https://anna.example/", 78701], ["Bob", "", ""])
    found = table(stream)
    assert found.layout.header == ("Company", "Website URL", "Zip")
    assert [(row.line, dict(row.cells)) for row in found.rows] == [
        (2, {"name": "Anna's", "website": "https://anna.example/", "postal_code": "78701"}),
        (3, {"name": "Bob"}),
    ]


def test_numbers_dates_and_flags_are_read_as_they_are_shown() -> None:
    at = datetime(2026, 5, 17, 13, 30, tzinfo=UTC).replace(tzinfo=None)
    stream = written([5125550100, 0.25, -3, 1e20, True, date(2026, 5, 17), at, time(6, 0)])
    assert cells(stream) == [
        ["5125550100", "0.25", "-3", "1e+20", "yes", "2026-05-17", "2026-05-17 13:30:00", "06:00:00"]
    ]


def test_dates_of_a_workbook_that_counts_from_1904() -> None:
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True, "date_1904": True, "default_date_format": "d"}) as book:
        book.add_worksheet().write_datetime(0, 0, datetime(2026, 5, 17))  # noqa: DTZ001
    stream.seek(0)
    assert cells(stream) == [["2026-05-17"]]


@pytest.mark.parametrize(
    ("code", "is_date"),
    [("dd/mm/yyyy", True), ("[h]:mm", True), ("#,##0.00", False), ('0.0 "days"', False), ("[Red]0", False),
     ("General", False), ("0.00E+00", False), ("[$-409]d mmm", True)],
)  # fmt: skip
def test_a_date_is_known_by_its_format(code: str, is_date: bool) -> None:
    assert xlsx_book.is_date_format(code) is is_date


def test_every_way_to_write_a_text() -> None:
    shared = "<sst><si><t>plain</t></si><si><r><t>in </t></r><r><t>parts</t></r><rPh><t>no</t></rPh></si><si/></sst>"
    rows = """
    <row r="3"><c r="A3" t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="s"><v>99</v></c>
      <c r="F3" t="inlineStr"><is><t>in</t><t>line &amp; more</t></is></c><c t="str"><f>A1&amp;"x"</f><v>made</v></c>
      <c t="e"><v>#N/A</v></c><c><v/></c><c r="ZZZ3"><v>7</v></c><c r="J3" t="d"><v>2026-05-17</v></c></row>
    <x:row><x:c t="inlineStr"><x:is><x:t xml:space="preserve">  a
    b </x:t></x:is></x:c></x:row>"""
    assert list(sheet_rows(sheet(rows, **{"xl/sharedStrings.xml": shared}))) == [
        (3, ["plain", "in parts", "", "", "", "inline & more", "made", "", "", "2026-05-17"]),
        (4, ["a b"]),
    ]


def test_a_sheet_is_chosen_by_its_name_or_is_the_first() -> None:
    second = "<worksheet><sheetData><row><c><v>2</v></c></row></sheetData></worksheet>"
    parts = {"xl/worksheets/sheet2.xml": second}
    assert cells(sheet("<row><c><v>1</v></c></row>", **parts)) == [["1"]]
    assert cells(sheet("<row><c><v>1</v></c></row>", **parts), " two ") == [["2"]]
    with pytest.raises(Unreadable, match="it has no sheet 'Three', only One, Two"):
        cells(sheet(""), "Three")


def test_a_column_that_is_not_there_is_named() -> None:
    with pytest.raises(NoSuchColumn, match="no column 'Firm': its columns are Company"):
        table(written(["Company"], ["Anna"]), name="Firm")


def test_row_numbers_that_lie_never_go_back() -> None:
    rows = "".join(f'<row r="{told}"><c><v>1</v></c></row>' for told in ("5", "2", "x", "99999999999999", "1048577"))
    assert [number for number, _ in sheet_rows(sheet(rows))] == [5, 6, 7, 8, 9]


def _damaged(stream: io.BytesIO) -> bytes:
    content = bytearray(stream.getvalue())
    place = content.index(b"xl/worksheets/sheet1.xml") + 40
    content[place : place + 8] = b"\xff" * 8
    return bytes(content)


HOSTILE: dict[str, Callable[[], bytes]] = {
    "nothing but the mark": lambda: b"PK\x03\x04rest",
    "another archive": lambda: packed({"hello.txt": "hi"}).getvalue(),
    "no sheets": lambda: packed({"xl/workbook.xml": "<workbook/>", "xl/_rels/workbook.xml.rels": RELATIONS}).getvalue(),
    "a missing part": lambda: packed({"xl/workbook.xml": BOOK, "xl/_rels/workbook.xml.rels": RELATIONS}).getvalue(),
    "entities": lambda: sheet('<!DOCTYPE x [<!ENTITY a "&b;&b;">]><row/>').getvalue(),
    "a packing that workbooks do not use": lambda: packed(
        {"xl/workbook.xml": BOOK, "xl/_rels/workbook.xml.rels": RELATIONS, "xl/worksheets/sheet1.xml": "<row/>"},
        zipfile.ZIP_LZMA,
    ).getvalue(),
    "half a file": lambda: written(["Company"], ["Anna"]).getvalue()[:-200],
    "damaged bytes": lambda: _damaged(written(*[[f"row {nth}", nth] for nth in range(500)])),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_cannot_be_read_is_refused_in_words(kind: str) -> None:
    with pytest.raises(Unreadable) as refused:
        cells(io.BytesIO(HOSTILE[kind]()))
    assert len(str(refused.value)) < 200


def test_damage_further_down_is_noticed_before_the_first_row_is_given() -> None:
    stream = io.BytesIO(_damaged(written(*[[f"row {nth}", nth * 7919 % 1000] for nth in range(20_000)])))
    with pytest.raises(Unreadable):
        next(sheet_rows(stream))


def test_a_bomb_is_refused_without_being_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx_book, "MOST_PART_BYTES", 1_000_000)
    bomb = sheet("<row>" + "<c><v>1</v></c>" * 1_000_000 + "</row>")
    assert len(bomb.getvalue()) < 100_000
    tracemalloc.start()
    with pytest.raises(Unreadable, match="more than a list does"):
        cells(bomb)
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


def test_a_directory_of_a_million_parts_is_not_read() -> None:
    stream = packed({f"part-{nth:060}": "" for nth in range(12_000)})
    with pytest.raises(Unreadable, match="more than a list does"):
        cells(stream)


def test_too_many_shared_texts_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx_book, "MOST_STRINGS", 100)
    with pytest.raises(Unreadable, match="more than a list does"):
        cells(sheet("", **{"xl/sharedStrings.xml": "<sst>" + "<si><t>x</t></si>" * 101 + "</sst>"}))
    monkeypatch.setattr(xlsx_book, "MOST_STRING_CHARACTERS", 1000)
    with pytest.raises(Unreadable, match="more than a list does"):
        cells(sheet("", **{"xl/sharedStrings.xml": f"<sst><si><t>{'x' * 1001}</t></si></sst>"}))


def test_a_row_beyond_the_last_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx_rows, "LAST_ROW", 3)
    assert len(list(sheet_rows(written(["a"], ["b"], ["c"])))) == 3
    with pytest.raises(Unreadable):
        list(sheet_rows(written(["a"], ["b"], ["c"], ["d"])))


def test_too_many_tags_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx_book, "MOST_TAGS", 1000)
    with pytest.raises(Unreadable, match="more than a list does"):
        cells(sheet("<row/>" * 1001))


def test_a_long_cell_and_a_wide_row_are_cut_and_said_to_be() -> None:
    wide = "".join(f'<c t="inlineStr"><is><t>{"x" * 1000}</t></is></c>' for _ in range(300))
    (row,) = read_sheet(sheet(f"<row>{wide}</row>"), DOMAIN_COLUMNS).rows
    assert (row.is_cut, len(row.cells["domain"])) == (True, 1000)
    ((_, cells_of_row),) = sheet_rows(sheet(f'<row><c t="inlineStr"><is><t>{"y" * 40_000}</t></is></c></row>'))
    assert len(cells_of_row[0]) == xlsx_book.LONGEST_CELL


def test_many_rows_take_little_memory() -> None:
    rows = "".join(f'<row><c t="inlineStr"><is><t>site-{nth}.example</t></is></c></row>' for nth in range(10_000))
    stream = sheet(rows)
    del rows
    tracemalloc.start()
    found = read_sheet(stream, DOMAIN_COLUMNS)
    assert sum(1 for _ in islice(found.rows, 9_000)) == 9_000
    assert tracemalloc.get_traced_memory()[1] < 2_000_000
    tracemalloc.stop()


TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff\ufeff"), max_size=30)


@given(st.lists(st.lists(TEXTS, min_size=1, max_size=5), min_size=1, max_size=8))
def test_whatever_is_written_comes_back(rows: list[list[str]]) -> None:
    stream = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(stream, options) as book:
        page = book.add_worksheet()
        for number, row in enumerate(rows):
            for column, text in enumerate(row):
                page.write_string(number, column, text)
    stream.seek(0)
    expected = [_trimmed([" ".join(text.split()) for text in row]) for row in rows]
    assert [_trimmed(row) for row in cells(stream)] == [row for row in expected if row]


def _trimmed(row: list[str]) -> list[str]:
    while row and not row[-1]:
        row = row[:-1]
    return row


@given(st.binary(max_size=300), st.integers(0, 400))
def test_any_damage_gives_rows_or_a_refusal(noise: bytes, place: int) -> None:
    content = bytearray(_WHOLE)
    start = place * len(content) // 401
    content[start : start + len(noise)] = noise
    with suppress(Unreadable):
        numbers = [number for number, _ in sheet_rows(io.BytesIO(bytes(content)))]
        assert numbers == sorted(set(numbers))


_WHOLE = written(["Company", "Web"], *[[f"Firm {nth}", f"site-{nth}.example"] for nth in range(20)]).getvalue()

"""Lists that people bring: every encoding, separator, line ending and header they come in."""

from __future__ import annotations

import io
import tracemalloc
from collections.abc import Iterator, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.csv_lines import LONGEST_LINE
from services.csv_rows import MOST_LINES_OF_A_ROW, read_table
from services.list_layout import NO_COLUMN, NoSuchColumn, Table
from services.listed_business import BUSINESS_COLUMNS, DOMAIN_COLUMNS

NAMES = {"name": "Zahnärzte Müller", "website": "https://müller.example/praxis", "city": "Köln"}


def table(text: str | bytes, columns: Mapping[str, tuple[str, ...]] = BUSINESS_COLUMNS, **chosen: str) -> Table:
    return read_table(io.BytesIO(text if isinstance(text, bytes) else text.encode()), columns, chosen)


def cells(
    text: str | bytes, columns: Mapping[str, tuple[str, ...]] = BUSINESS_COLUMNS, **chosen: str
) -> list[dict[str, str]]:
    return [dict(row.cells) for row in table(text, columns, **chosen).rows]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-32"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_every_encoding_separator_and_line_ending(encoding: str, separator: str, ending: str) -> None:
    lines = [separator.join(NAMES), separator.join(NAMES.values()), separator.join(NAMES.values())]
    found = table(ending.join(lines).encode(encoding))
    assert found.layout.separator == separator
    assert [(row.line, dict(row.cells)) for row in found.rows] == [(2, NAMES), (3, NAMES)]


def test_a_list_pasted_together_from_two_encodings() -> None:
    text = b"name\n" + "Müller\n".encode() + "Möller\n".encode("cp1252")
    assert cells(text) == [{"name": "Müller"}, {"name": "Möller"}]


@pytest.mark.parametrize(
    "header",
    ["Company;Web Site;ZIP code", "COMPANY_NAME;Website URL;Postal-Code", "business name;homepage;PLZ"],
)
def test_columns_are_known_by_many_names(header: str) -> None:
    assert cells(f"{header}\nAnna;anna.example;78701") == [
        {"name": "Anna", "website": "anna.example", "postal_code": "78701"}
    ]


def test_a_column_chosen_by_header_or_number_wins_over_the_guess() -> None:
    text = "name,trading as,url\nAnna Ltd,Anna's,anna.example\n"
    assert cells(text, name="Trading As")[0] == {"name": "Anna's", "website": "anna.example"}
    assert cells(text, name="2")[0] == {"name": "Anna's", "website": "anna.example"}
    assert cells("Anna Ltd,Anna's\n", name="2") == [{"name": "Anna's"}]


def test_a_chosen_column_makes_a_header_of_the_first_row() -> None:
    assert cells("Kunde;Seite\nAnna;anna.example\n", name="Kunde", website="Seite") == [
        {"name": "Anna", "website": "anna.example"}
    ]


def test_what_the_first_row_is_and_which_field_is_left_out_can_be_said() -> None:
    text = io.BytesIO(b"Kunde;Seite\nAnna;anna.example\n")
    found = read_table(text, BUSINESS_COLUMNS, {"name": "1", "website": NO_COLUMN}, has_header=True)
    assert (found.layout.header, found.layout.examples) == (("Kunde", "Seite"), [["Anna", "anna.example"]])
    assert [dict(row.cells) for row in found.rows] == [{"name": "Anna"}]
    plain = read_table(io.BytesIO(b"name;city\nAnna;Austin\n"), BUSINESS_COLUMNS, has_header=False)
    assert plain.layout.header is None
    assert [dict(row.cells) for row in plain.rows] == [{"name": "name"}, {"name": "Anna"}]


@pytest.mark.parametrize("name", ["Trading As", "0", "3", "99999999999999999999"])
def test_a_chosen_column_that_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(NoSuchColumn, match="its columns are name, url"):
        table("name,url\nAnna,anna.example\n", name=name)


def test_a_list_without_a_header_is_read_by_what_stands_in_it() -> None:
    text = "Anna's Dental,(512) 555-0100,anna.example\nBob and Sons,+1 512 555 0101,https://bob.example/\n"
    found = table(text)
    assert found.layout.header is None
    assert [row.line for row in found.rows] == [1, 2]
    assert cells(text)[1] == {"name": "Bob and Sons", "phone": "+1 512 555 0101", "website": "https://bob.example/"}


def test_bare_domains_one_a_line() -> None:
    assert cells("anna.example\n\n  bob.example  \n\n", DOMAIN_COLUMNS) == [
        {"domain": "anna.example"}, {"domain": "bob.example"}
    ]  # fmt: skip


def test_blank_lines_are_no_rows_but_count() -> None:
    assert [row.line for row in table("name\n\n,,\nAnna\n\nBob").rows] == [4, 6]


def test_columns_nobody_reads_are_named() -> None:
    assert table("name,shoe size\nAnna,43\n").layout.unused == ("shoe size",)


def test_excels_first_line_names_the_separator() -> None:
    assert cells("sep=;\nname;city\nAnna, Bob;Austin\n") == [{"name": "Anna, Bob", "city": "Austin"}]


def test_quoted_cells_may_hold_separators_quotes_and_lines() -> None:
    found = list(table('name,city\n"Anna, ""the best""","Austin\nTX"\nBob,Reno\n').rows)
    assert [(row.line, dict(row.cells)) for row in found] == [
        (2, {"name": 'Anna, "the best"', "city": "Austin TX"}),
        (4, {"name": "Bob", "city": "Reno"}),
    ]
    assert found[0].raw == '"Anna, ""the best""","Austin\nTX"'


@pytest.mark.parametrize("rows", [3, MOST_LINES_OF_A_ROW * 3])
def test_a_quote_that_is_never_closed_costs_one_row_its_quoting_and_no_more(rows: int) -> None:
    text = 'name,city\n"Anna,Austin\n' + "".join(f"Bob {nth},Reno\n" for nth in range(rows))
    found = list(table(text).rows)
    assert dict(found[0].cells) == {"name": "Anna", "city": "Austin"}
    assert [(row.line, row.cells["name"]) for row in found[1:]] == [(3 + nth, f"Bob {nth}") for nth in range(rows)]


@pytest.mark.parametrize("later", ['O"Brien,Waco', '"Carl",Waco', 'Carl "the best",Waco'])
def test_a_quote_that_another_rows_quote_closes_swallows_no_row(later: str) -> None:
    found = cells(f'name,city\n"Anna,Austin\nBob,Reno\n{later}\n"Eve\nand Sons",Rome\n')
    assert [row["city"] for row in found] == ["Austin", "Reno", "Waco", "Rome"]
    assert found[0] == {"name": "Anna", "city": "Austin"}


def test_a_space_after_a_quoted_cell_costs_nothing() -> None:
    assert cells('name,city\n"Anna, Bob" ,Austin\n') == [{"name": "Anna, Bob", "city": "Austin"}]


def test_an_endless_line_is_cut_and_the_next_one_is_whole() -> None:
    found = list(table(f"name\n{'x' * LONGEST_LINE * 3}\nBob\n").rows)
    assert [(row.line, row.is_cut) for row in found] == [(2, True), (3, False)]
    assert found[1].cells == {"name": "Bob"}


def test_an_empty_file_has_no_rows() -> None:
    for text in ("", "\n\n", "name,website\n", "\ufeff"):
        assert cells(text) == []


class Endless(io.RawIOBase):
    """A file of so many rows, made as they are read."""

    def __init__(self, rows: int) -> None:
        self.chunks = self._made(rows)

    def _made(self, rows: int) -> Iterator[bytes]:
        yield b"name,website\n"
        for nth in range(0, rows, 1000):
            yield "".join(f"Business {nth + i},site-{nth + i}.example\n" for i in range(1000)).encode()

    def read(self, size: int = -1) -> bytes:
        return next(self.chunks, b"")


def test_many_rows_are_read_in_constant_memory() -> None:
    tracemalloc.start()
    rows = read_table(Endless(100_000), BUSINESS_COLUMNS).rows  # type: ignore[arg-type]
    assert sum(1 for _ in rows) == 100_000
    assert tracemalloc.get_traced_memory()[1] < 3_000_000
    tracemalloc.stop()


@given(st.binary(max_size=400))
def test_any_bytes_are_read_without_a_fault(content: bytes) -> None:
    for row in table(content).rows:
        assert "\x00" not in row.raw
        row.raw.encode("utf-8")
        assert all(cell == " ".join(cell.split()) and cell for cell in row.cells.values())


@given(st.lists(st.lists(st.text(min_size=1, max_size=20), min_size=2, max_size=2), min_size=1, max_size=8))
def test_what_a_spreadsheet_wrote_is_read_back(rows: list[list[str]]) -> None:
    import csv

    rows = [[" ".join(cell.replace("\x00", "").split()) for cell in row] for row in rows]
    written = io.StringIO()
    csv.writer(written).writerows([["name", "city"], *rows])
    found = cells(written.getvalue().encode("utf-8", "replace"))
    wanted = [{name: cell.encode("utf-8", "replace").decode() for name, cell in zip(("name", "city"), row, strict=True)
               if cell} for row in rows if any(row)]  # fmt: skip
    assert found == wanted

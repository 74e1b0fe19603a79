"""Bytes to text, the way the page's readers see it."""

from __future__ import annotations

import codecs
import encodings
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.charset import KNOWN, decode

TEXT = "<html><body>Zahnärzte in München, „Grüße“</body></html>"
META = '<html><head><meta charset="{0}"></head><body>Zahnärzte in München</body></html>'


@pytest.mark.parametrize(
    ("body", "content_type", "charset", "decided_by"),
    [
        (TEXT.encode(), "text/html; charset=utf-8", "utf-8", "header"),
        (TEXT.encode(), "text/html; charset=UTF8", "utf-8", "header"),
        (TEXT.encode(), 'text/html; Charset="utf-8"', "utf-8", "header"),
        (TEXT.encode(), "text/html", "utf-8", "content"),
        (TEXT.encode(), None, "utf-8", "content"),
        (TEXT.encode("cp1252"), "text/html; charset=iso-8859-1", "cp1252", "header"),
        (TEXT.encode("cp1252"), "text/html", "cp1252", "fallback"),
        (TEXT.encode("utf-16"), "text/html", "utf-16-le", "byte-order-mark"),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), None, "utf-16-be", "byte-order-mark"),
        (codecs.BOM_UTF8 + TEXT.encode(), "text/html; charset=iso-8859-1", "utf-8", "byte-order-mark"),
        # False declarations, as they are met every day.
        (TEXT.encode(), "text/html; charset=iso-8859-1", "utf-8", "content"),
        (TEXT.encode("cp1252"), "text/html; charset=utf-8", "cp1252", "fallback"),
        (TEXT.encode(), "text/html; charset=no-such-thing", "utf-8", "content"),
        (TEXT.encode(), "text/html; charset=rot13", "utf-8", "content"),
        (TEXT.encode(), "text/html; charset=hex", "utf-8", "content"),
    ],
)
def test_a_page_is_read_as_its_readers_see_it(
    body: bytes, content_type: str | None, charset: str, decided_by: str
) -> None:
    read = decode(body, content_type)
    assert (read.text, read.charset, read.decided_by) == (TEXT, charset, decided_by)


@pytest.mark.parametrize(
    ("label", "codec", "charset"),
    [("iso-8859-1", "cp1252", "cp1252"), ("windows-1250", "cp1250", "cp1250"), ("utf-16", "utf-8", "utf-8")],
)
def test_a_meta_element_is_believed(label: str, codec: str, charset: str) -> None:
    page = META.format(label)
    read = decode(page.encode(codec), "text/html")
    assert (read.text, read.charset, read.decided_by) == (page, charset, "meta")


def test_the_header_wins_over_meta() -> None:
    page = META.format("utf-8")
    assert decode(page.encode("cp1252"), "text/html; charset=windows-1252").text == page


def test_east_asian_pages_are_read() -> None:
    assert decode("東京の歯医者".encode("shift_jis"), "text/html; charset=Shift_JIS").text == "東京の歯医者"
    assert decode("北京牙医".encode("gbk"), "text/html; charset=gb2312").text == "北京牙医"


def test_as_many_whole_letters_as_broken_ones_keep_a_short_page_in_utf_8() -> None:
    body = "Zoë Carter, café".encode() + b"\xff\xfe"
    read = decode(body, "text/html; charset=utf-8")
    assert read.charset == "utf-8"
    assert read.text.startswith("Zoë Carter")


def test_a_page_whose_letters_are_nearly_all_broken_was_never_utf_8() -> None:
    body = "Zoë Carter, café, Müller".encode("latin-1") + "ä".encode()
    read = decode(body, "text/html; charset=utf-8")
    assert read.text.startswith("Zoë Carter, café, Müller")


def test_one_bad_byte_does_not_change_the_charset_of_a_long_page() -> None:
    body = ("ärger " * 200).encode() + b"\xff"
    read = decode(body, "text/html; charset=utf-8")
    assert read.charset == "utf-8"
    assert read.text.startswith("ärger")


@given(st.binary(max_size=300), st.none() | st.text(max_size=40) | st.just("text/html; charset=utf-16"))
def test_any_bytes_are_read(body: bytes, content_type: str | None) -> None:
    assert isinstance(decode(body, content_type).text, str)


@given(st.text(max_size=200))
def test_utf8_is_never_misread(text: str) -> None:
    scrubbed = text.encode("utf-8", "ignore").decode()
    assert decode(scrubbed.encode(), "text/html; charset=utf-8").text == scrubbed.removeprefix("\ufeff")


HOSTILE = {
    "spaces after the sign, in the header": (b"x", "text/html; charset=" + " " * 60_000 + ";"),
    "spaces after the sign, in the page": (b"<meta" * 50 + b"charset=" + b" " * 3500 + b">", None),
    "a name without end": (b"x", "text/html; charset=" + "a" * 100_000),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_declaration_takes_long_to_read(name: str) -> None:
    started = time.process_time()
    decode(*HOSTILE[name])
    assert time.process_time() - started < 0.5


@pytest.mark.parametrize("label", sorted(KNOWN))
def test_every_name_that_python_knows_can_be_declared(label: str) -> None:
    for body in (b"\x1b.A\x1bN\xe4\xff\x81", bytes(range(256)), b"\x1b$B~{\x0e" * 3, b"\xff"):
        assert decode(body, f"text/html; charset={label}").text


def test_names_that_strangers_make_up_are_not_remembered() -> None:
    """Python keeps every name it was ever asked for, also those it does not know."""
    remembered = len(getattr(encodings, "_cache"))  # noqa: B009 # no name of its own in the stubs
    for number in range(50):
        decode(b"x", f"text/html; charset=made-up-{number}")
        decode(b"x", f"text/html; charset=utf{'-' * number}8")
    assert len(getattr(encodings, "_cache")) - remembered <= 1  # noqa: B009

"""What a body is, by its own first bytes and then by its header."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.content import is_page, kind_of


@pytest.mark.parametrize(
    ("head", "content_type", "kind"),
    [
        (b"<!DOCTYPE html><html>", "text/html", "html"),
        (b"\xef\xbb\xbf  <!doctype HTML>", None, "html"),
        (b"<!-- a comment --><html lang=en>", "text/plain", "html"),
        (b'<?xml version="1.0"?><!DOCTYPE html PUBLIC "x">', "application/xhtml+xml", "html"),
        (b"Hello", "text/html", "html"),
        (b'<?xml version="1.0"?><urlset>', "text/html", "xml"),
        (b"<urlset xmlns='x'>", None, "xml"),
        (b"<rss version='2.0'>", "application/rss+xml", "xml"),
        (b"%PDF-1.7", "text/html", "pdf"),
        (b"\x1f\x8b\x08", "application/xml", "gzip"),
        (b"\x89PNG\r\n\x1a\n", "text/html", "image"),
        (b"PK\x03\x04", "text/html", "archive"),
        (b'{"a": 1}', "application/json", "json"),
        (b"https://foo.com/a\n", "text/plain", "text"),
        (b"hello", None, "text"),
        (b"a\x00b", None, "binary"),
        ("\ufeff<html>".encode("utf-16-le"), "text/html", "html"),
        (b"", None, "text"),
    ],
)
def test_kind_of(head: bytes, content_type: str | None, kind: str) -> None:
    assert kind_of(head, content_type) == kind


@pytest.mark.parametrize(
    ("head", "content_type", "answer"),
    [
        (b"<html>", None, True),
        (b"<html>", "application/octet-stream", True),
        (b"Call us", None, True),
        (b"Call us", "text/plain", True),
        (b"", "text/html", True),
        (b"Call us", "application/pdf", False),
        (b"%PDF-1.4", "text/html", False),
        (b"{}", "application/json", False),
        (b"body{}", "text/css", False),
        (b"<svg xmlns='x'>", "image/svg+xml", False),
    ],
)
def test_is_page(head: bytes, content_type: str | None, answer: bool) -> None:
    assert is_page(head, content_type) is answer


@given(st.binary(max_size=2000), st.none() | st.text(max_size=40))
def test_any_bytes_are_judged(head: bytes, content_type: str | None) -> None:
    assert kind_of(head, content_type)


@pytest.mark.parametrize("head", [b"<!---->" * 140 + b"x", b" <!-- -->" * 110 + b"<!--", b"<!--" * 250])
def test_comments_in_a_row_take_no_time(head: bytes) -> None:
    started = time.process_time()
    assert kind_of(head, "text/plain") == "text"
    assert time.process_time() - started < 0.5


def test_a_page_may_begin_with_comments() -> None:
    assert kind_of(b"<!-- one --> \n<!-- two --><html>", "text/plain") == "html"

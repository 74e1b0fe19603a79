"""What a page is by its address: a table of labelled addresses, the order in which pages are read, and any rubbish."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.page import classify
from tests.services.labelled_pages import labelled

KINDS = "home contact about team location legal careers services pricing blog product media other".split()  # noqa: SIM905
LEAST_PRECISION, LEAST_RECALL = 0.97, 0.93
# What no word explains ends here, so here lie the mistakes.
LEAST_PRECISION_OF_OTHER = 0.85


def test_the_table_is_large_and_has_every_kind() -> None:
    kinds = Counter(kind for kind, _ in labelled())
    assert kinds.total() >= 200
    assert set(kinds) == set(KINDS)
    assert min(kinds.values()) >= 8


@pytest.mark.parametrize("kind", KINDS)
def test_precision_and_recall_of_each_kind(kind: str) -> None:
    said = [(true, url) for true, url in labelled() if classify(url).kind == kind]
    meant = [url for true, url in labelled() if true == kind]
    right = sum(true == kind for true, _ in said)
    wrong = [f"{true}: {url}" for true, url in said if true != kind]
    missed = [url for url in meant if classify(url).kind != kind]
    least = LEAST_PRECISION_OF_OTHER if kind == "other" else LEAST_PRECISION
    assert right / len(said) >= least, wrong
    assert right / len(meant) >= LEAST_RECALL, missed


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("/contact", "/about"),
        ("/contact", "/austin/offices/contact"),
        ("/impressum", "/datenschutz"),
        ("/privacy-policy", "/cookie-policy"),
        ("/about", "/services"),
        ("/team", "/team/jane-smith"),
        ("/team/jane-smith", "/blog/jane-smith"),
        ("/", "/de/"),
        ("/services", "/services/implants"),
        ("/implants", "/how-to-choose-an-implant-that-lasts"),
        ("/implants", "/a/b/implants"),
        ("/blog", "/blog/post"),
        ("/blog", "/blog/page/2"),
        ("/?page_id=3", "/?p=3"),
        ("/contact", "/contact?replytocom=3"),
        ("/shop", "/cart"),
        ("/gallery", "/wp-content/uploads/a.jpg"),
    ],
)
def test_better_pages_score_higher(better: str, worse: str) -> None:
    assert classify(f"https://a.example{better}").score > classify(f"https://a.example{worse}").score


@pytest.mark.parametrize(
    ("url", "depth"),
    [
        ("https://a.example", 0),
        ("https://a.example/", 0),
        ("https://a.example/index.html", 0),
        ("https://a.example/a", 1),
        ("https://a.example/a/", 1),
        ("https://a.example/de/kontakt", 2),
        ("https://a.example/a//b/c.html?x=/y/z", 3),
    ],
)
def test_depth_counts_segments(url: str, depth: int) -> None:
    assert classify(url).depth == depth


@pytest.mark.parametrize("path", ["über-uns", "%C3%BCber-uns", "u%CC%88ber-uns", "UEBER_UNS", "ueberuns", "Uber+Uns"])
def test_spelling_does_not_matter(path: str) -> None:
    assert classify(f"https://a.example/{path}").kind == "about"


@given(st.text(max_size=300) | st.text(alphabet="/?&=%.-#:abc1", max_size=300))
def test_any_text_is_judged(url: str) -> None:
    for given_url in (url, f"https://a.example/{url}"):
        page = classify(given_url)
        assert page.kind in KINDS
        assert 0 <= page.score <= 1
        assert page.depth >= 0


@pytest.mark.parametrize("part", ["/", "a/", "-", "contact-", "%C3", "?p=", "&p=", "xn--", ".", "ü", "2024/", "0"])
def test_long_addresses_take_no_time(part: str) -> None:
    started = time.process_time()
    classify("https://a.example/" + part * 500_000)
    classify("https://a.example/?" + part * 500_000)
    assert time.process_time() - started < 0.5

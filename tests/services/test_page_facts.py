"""The facts of a page: one parse gives them beside its contacts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.page import PageFacts, PageRead, find_contacts, read
from services.page_facts import LONGEST_TITLE, LONGEST_URL_BYTES

URL = "https://smith.example/de/kontakt"
FIELDS = '<input name="name"><input type="email" name="email">'


def facts(html: str, url: str = URL) -> PageFacts:
    return read(html, url=url).facts


def test_a_page_is_read_for_its_facts_and_its_contacts() -> None:
    html = (
        '<html lang="en-US"><head><title> Smith &amp; Sons\n Dental </title>'
        '<link rel="canonical" href="/contact"></head><body>'
        '<p>Write to <a href="mailto:info@smith.com">us</a> today</p>'
        "<form><textarea></textarea></form></body></html>"
    )
    page = read(html, url=URL, region="US")
    assert page.facts == PageFacts("Smith & Sons Dental", "https://smith.example/contact", "en-us", 4, True)
    assert page.contacts == find_contacts(html, url=URL, region="US")
    assert [contact.value for contact in page.contacts] == ["info@smith.com"]


def test_an_empty_page_says_nothing() -> None:
    assert read("", url=URL) == PageRead(PageFacts(), [])


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title>Contact</title>", "Contact"),
        ("<title></title>", None),
        ("<svg><title>A picture</title></svg>", None),
        ("<svg><title>A picture</title></svg><title>Contact</title>", "Contact"),
        ("<title>One</title><title>Two</title>", "One"),
        (f"<title>{'long ' * 1000}</title>", ("long " * 100).strip()),
        ("<title>a\x00b</title>", "a\ufffdb"),
    ],
)
def test_the_title_is_tidied(html: str, title: str | None) -> None:
    assert facts(html).title == title


@pytest.mark.parametrize(
    ("link", "address"),
    [
        ('<link rel="canonical" href="https://smith.example/a">', "https://smith.example/a"),
        ('<link rel="CANONICAL" href="b">', "https://smith.example/de/b"),
        ('<base href="/en/"><link rel="canonical" href="b">', "https://smith.example/en/b"),
        ('<link rel="canonical" href="ftp://smith.example/a">', None),
        ('<link rel="canonical" href="javascript:alert(1)">', None),
        ('<link rel="canonical" href="">', None),
        ('<link rel="alternate" href="/a">', None),
        (f'<link rel="canonical" href="/{"a" * LONGEST_URL_BYTES}">', None),
    ],
)
def test_the_address_is_absolute_or_missing(link: str, address: str | None) -> None:
    assert facts(link).canonical_url == address


@pytest.mark.parametrize(
    ("said", "language"),
    [("en", "en"), ("EN-us", "en-us"), (" pt_BR ", "pt-br"), ("", None), ("<script>", None), ("x" * 99, None)],
)
def test_the_language_is_a_tag_in_small_letters(said: str, language: str | None) -> None:
    assert facts(f'<html lang="{said}"><p>Hello').language == language


@pytest.mark.parametrize(
    ("html", "count"),
    [
        ("<p>one two</p><p>three</p>", 3),
        ("<title>none</title><p>one", 1),
        ("<script>var none</script><style>p {}</style><p>one", 1),
        ("<p hidden>none at all</p><p>one", 1),
        ('<div style="display:none">none<div hidden>none</div></div>one', 1),
        ('<p>one<span style="display:none">none</span></p>', 1),
        ("<p>one</p><noscript>none at all</noscript>", 1),
        ("<p>on<b>e</b></p>", 1),
    ],
)
def test_only_words_that_visitors_see_are_counted(html: str, count: int) -> None:
    assert facts(html).word_count == count


@pytest.mark.parametrize(
    "html",
    [
        "<form><textarea name=message></textarea></form>",
        f"<form>{FIELDS}<input name=subject></form>",
        f'<form class="wpcf7-form">{FIELDS}<input name="your-message"></form>',
        '<form id="contact-search"><textarea></textarea></form>',
        "<table><form><tr><td><textarea></textarea></td></tr></form></table>",
        '<div class="nf-form-cont" id="nf-form-1-cont"></div>',
        '<div class="hs-form-frame" data-form-id="1"></div>',
        '<script>hbspt.forms.create({portalId: "1"});</script>',
        '<div data-tf-live="01H"></div>',
        '<div class="typeform-widget" data-url="https://x.typeform.com/to/a"></div>',
        '<iframe src="https://docs.google.com/forms/d/e/1/viewform?embedded=true"></iframe>',
        '<iframe data-src="https://form.jotform.com/123"></iframe>',
        '<iframe src="https://smith.typeform.com/to/abc"></iframe>',
        '<div class="gform_wrapper"><form id="gform_1"><textarea></textarea></form></div>',
    ],
)
def test_a_contact_form_is_seen(html: str) -> None:
    assert facts(html).has_contact_form is True


@pytest.mark.parametrize(
    "html",
    [
        '<form role="search"><input name="s"></form>',
        '<form action="/search"><input name="q"><textarea></textarea></form>',
        "<form><input name=user><input type=password></form>",
        f"<form>{FIELDS}<input type=password><textarea></textarea></form>",
        f'<form id="mc-embedded-subscribe-form">{FIELDS}<input name="PHONE"></form>',
        '<form class="newsletter"><input type="email"></form>',
        '<div class="wpforms-container"><form class="wpforms-form"><input type="email"></form></div>',
        '<form id="commentform" action="/wp-comments-post.php"><textarea name="comment"></textarea></form>',
        "<form><textarea hidden></textarea></form>",
        '<form class="tell-a-friend"><input type="email"><textarea></textarea></form>',
        '<form><textarea class="g-recaptcha-response"></textarea></form>',
        '<link rel="stylesheet" href="/wp-content/plugins/contact-form-7/wpcf7.css">',
        '<iframe src="https://www.google.com/maps/embed?pb=1"></iframe>',
        "<p>Use our contact form</p>",
        "<textarea></textarea>",
    ],
)
def test_other_forms_are_no_contact_forms(html: str) -> None:
    assert facts(html).has_contact_form is False


@pytest.mark.parametrize(
    ("language", "region", "number"),
    [
        ("de", "", "+4930901820"),
        ("en-gb", "", None),
        ("de", "US", "+4930901820"),
        ("", "DE", "+4930901820"),
        ("", "", None),
    ],
)
def test_without_a_region_the_language_decides_how_numbers_are_read(
    language: str, region: str, number: str | None
) -> None:
    page = read(f'<html lang="{language}"><p>Tel. 030 901820</p>', url="https://smith.example/", region=region)
    assert next((contact.value for contact in page.contacts if contact.kind == "phone"), None) == number


@given(
    st.text() | st.lists(st.sampled_from(["<form>", "<title>", "<textarea>", "<iframe src=x>", "a b", "<p hidden>"]))
)
def test_any_page_has_facts_that_can_be_stored(html: str | list[str]) -> None:
    found = facts(html if isinstance(html, str) else "".join(html))
    assert found.title is None or (0 < len(found.title) <= LONGEST_TITLE and "\x00" not in found.title)
    assert found.word_count >= 0

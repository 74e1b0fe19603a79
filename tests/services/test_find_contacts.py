"""Contacts on a page: every disguise, every look-alike, people, profiles, and any input at all."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.contacts import CONFIDENCE
from services.email_address import canonical
from services.page import FoundContact, find_contacts

URL = "https://www.smith-dental.example/contact"
CODE = bytes([7, *(byte ^ 7 for byte in b"info@smith.com")]).hex()


def found(html: str, kind: str, region: str = "US", url: str = URL) -> list[str]:
    return [contact.value for contact in find_contacts(html, url=url, region=region) if contact.kind == kind]


def only(html: str, kind: str, region: str = "US") -> FoundContact:
    (contact,) = [each for each in find_contacts(html, url=URL, region=region) if each.kind == kind]
    return contact


DISGUISED = """
<a href="mailto:info@smith.com">Mail</a>
<a href="MAILTO:info@smith.com">Mail</a>
<a href=" mailto:info@smith.com ">Mail</a>
<a href="mailto:info@SMITH.com?subject=Hello">Mail</a>
<a href="mailto:info%40smith.com">Mail</a>
<a href="mailto:%69nfo@smith.com?subject=a@b.com">Mail</a>
<a href="mailto:Smith%20%3Cinfo@smith.com%3E">Mail</a>
<a href="mailto: info@smith.com&subject=Hi">Mail</a>
<a href="mailto:?to=info@smith.com">Mail</a>
<a href="mailto://info@smith.com">Mail</a>
<a href="mailto:info[at]smith.com">Mail</a>
<a href="&#109;&#97;&#105;&#108;&#116;&#111;&#58;info&#64;smith.com">x</a>
<p>Write to info@smith.com.</p>
<p>Write to info@smith.com, please</p>
<p>(info@smith.com)</p>
<p>&lt;info@smith.com&gt;</p>
<p>"info@smith.com"</p>
<p>E-mail:info@smith.com</p>
<p>info@smith.com.Call us</p>
<p>info@smith.comPhone</p>
<p>info@smith.com512-343-1234</p>
<p>512-343-1234info@smith.com</p>
<p>info&#64;smith&#46;com</p>
<p>&#x69;nfo&commat;smith&period;com</p>
<p>info<b>@</b>smith.com</p>
<p>info<!-- no robots -->@smith.com</p>
<p>info<span style="display:none">nobody</span>@smith.com</p>
<p>info@smith<wbr>.com</p>
<p>info\u200b@smith\u00ad.com</p>
<p>info\uff20smith.com</p>
<p>\u90ae\u7bb1info@smith.com\u306e</p>
<p style="unicode-bidi:bidi-override; direction:rtl">moc.htims@ofni</p>
<td>info@smith.com</td><td>Fax</td>
<p>info (at) smith.com</p>
<p>info(at)smith(dot)com</p>
<p>info [at] smith [dot] com</p>
<p>info[at]smith.com</p>
<p>info{at}smith.com</p>
<p>info &lt;at&gt; smith.com</p>
<p>info(a)smith.com</p>
<p>info (@) smith.com</p>
<p>info_at_smith.com</p>
<p>info-at-smith-dot-com</p>
<p>info at smith dot com</p>
<p>info AT smith DOT com</p>
<p>info (ät) smith (punkt) com</p>
<p>info at smith punkt com</p>
<p>info klammeraffe smith punkt com</p>
<p>info arobase smith point com</p>
<p>info [arobase] smith [point] com</p>
<p>info arroba smith punto com</p>
<p>info (arroba) smith (punto) com</p>
<p>info arroba smith ponto com</p>
<p>info chiocciola smith punto com</p>
<p>info (chiocciola) smith.com</p>
<p>info apenstaartje smith punt com</p>
<p>info at smith punt com</p>
<p>info małpa smith kropka com</p>
<p>info (małpa) smith (kropka) com</p>
<p>Email: info @ smith.com</p>
<a class="__cf_email__" data-cfemail="CODE">[email protected]</a>
<span data-cfemail="CODE"></span>
<a href="/cdn-cgi/l/email-protection#CODE">Mail</a>
<a href="https://x.com/cdn-cgi/l/email-protection#CODE">Mail</a>
<script type="application/ld+json">{"@type":"Dentist","email":"info@smith.com"}</script>
<script type="application/ld+json">{"@type":"Dentist","email":"mailto:info@smith.com",}</script>
<script type="application/ld+json">[{"@graph":[{"contactPoint":{"email":"info@smith.com"}}]}]</script>
<script type="application/ld+json">//<![CDATA[ {"email":"info@smith.com"} //]]></script>
<script type="application/ld+json">﻿/* us */ {"email":"info@smith.com"};</script>
<p>email=info@smith.com</p>
<p>Anna|info@smith.com|Fax</p>
<p>?q=1%20info@smith.com</p>
<p>100%info@smith.com</p>
<script>var email='info@smith.com'; var x = "mailto='info@smith.com'"</script>
<meta itemprop="email" content="info@smith.com">
<span itemprop="email">info@smith.com</span>
<a itemprop="email" href="mailto:info@smith.com">Mail</a>
<a data-email="info@smith.com">Mail</a>
<a data-email="info(at)smith.com">Mail</a>
<a data-email="moc.htims@ofni">Mail</a>
<a data-mail="aW5mb0BzbWl0aC5jb20=">Mail</a>
<a data-user="info" data-domain="smith.com">Mail</a>
<a data-name="info" data-host="smith.com">Mail</a>
<a data-local="info" data-domain="smith" data-tld="com">Mail</a>
<a onclick="location.href='mailto:info@smith.com'">Mail</a><a href="http://smith.com/">x</a>
<a onclick="location='mai'+'lto:info'+'@'+'smith.com'">Mail</a><a href="http://smith.com/">x</a>
<a href="javascript:location.href='mailto:'+'info'+'@'+'smith.com'">Mail</a>
<meta name="description" content="Write to info@smith.com today">
<script>document.write('info' + '@' + 'smith.com')</script>
<script>document.write("info" + "@" + "smith" + "." + "com");</script>
<script>var u = 'info'; var d = 'smith.com'; document.write('<a href="mailto:' + u + '@' + d + '">');</script>
<script>var a = '&#105;nf&#111;' + '&#64;'; a = a + 'smith' + '&#46;' + 'com';</script>
<script>var a = 'info'; a += '@'; a += 'smith.com';</script>
<script>x = "moc.htims@ofni".split("").reverse().join("")</script>
<script>String.fromCharCode(105,110,102,111,64,115,109,105,116,104,46,99,111,109)</script>
<script>x = atob("aW5mb0BzbWl0aC5jb20=")</script>
<script>x = ['info', 'smith.com'].join('@')</script>
<script>x = 'info' + unescape('%40') + 'smith.com'</script>
<script>x = 'info\\x40smith.com'</script>
<script>{"email":"info\\u0040smith.com"}</script>
<script>{"text":"Email:\\ninfo@smith.com"}</script>
<div hidden><p>info@smith.com</p></div>
<div style="display: none">info@smith.com</div>
<noscript>info@smith.com</noscript>
<table><tr><td>Email<td>info@smith.com
<p>info@smith.com
""".strip().splitlines()


@pytest.mark.parametrize("html", DISGUISED)
def test_an_address_is_found_in_its_disguise(html: str) -> None:
    assert [value.lower() for value in found(html.replace("CODE", CODE), "email")] == ["info@smith.com"]


@pytest.mark.parametrize(
    ("html", "addresses"),
    [
        ('<a href="mailto:a@smith.com,b@smith.com;c@smith.com?cc=d@smith.com&bcc=e@smith.com">x</a>', "a b c d e"),
        ("<p>a@smith.com/b@smith.com</p>", "a"),
        ("<p>a@smith.com | b@smith.com|c@smith.com</p>", "a b c"),
        ("<table><tr><td>a@smith.com</td><td>b@smith.com</td></table>", "a b"),
    ],
)
def test_all_addresses_are_kept(html: str, addresses: str) -> None:
    assert found(html, "email") == [f"{local}@smith.com" for local in addresses.split()]


def test_an_ending_that_is_kept_for_examples_is_real_here() -> None:
    assert found("info at smith-dental dot example", "email") == ["info@smith-dental.example"]


def test_international_domains_are_written_in_ascii() -> None:
    assert found("<p>info@müller.de</p>", "email") == ["info@xn--mller-kva.de"]


NO_ADDRESS = """
<img src="/images/logo@2x.png" srcset="/images/logo@3x.webp 3x">
<p>logo@2x.png</p>
<p>team-photo@3x.webp</p>
<a href="https://www.google.com/maps/place/here/@30.267153,-97.743061,17z/data=!3m1">Map</a>
<p>@30.267153,-97.743061,17z</p>
<script>Sentry.init({dsn: "https://0123456789abcdef0123456789abcdef@o123.ingest.sentry.io/4504"});</script>
<p>0123456789abcdef0123456789abcdef@sentry-next.wixpress.com</p>
<p>605a7baede844d278b89dc95ae0a9123@sentry.wixpress.com</p>
<p>0123456789abcdef0123@smith.com</p>
<input type="email" placeholder="info@smith.com">
<p>user@domain.com</p>
<p>you@example.com</p>
<p>name@email.com</p>
<p>name@yourdomain.com</p>
<p>email@example.org</p>
<p>test@mail.example.net</p>
<p>yourname@gmail.com</p>
<p>your.email@smith.com</p>
<p>john.doe@gmail.com</p>
<p>vorname.nachname@firma.de</p>
<p>max.mustermann@beispiel.de</p>
<p>support@wix.com</p>
<p>support@intercom.io</p>
<p>help@zendesk.com</p>
<p>support@mailchimp.com</p>
<p>support@godaddy.com</p>
<p>help@squarespace.com</p>
<p>info@cookiebot.com</p>
<script src="https://cdn.jsdelivr.net/npm/swiper@8.4.5/swiper-bundle.min.js"></script>
<p>package@1.2.3</p>
<p>bootstrap@5.3.0-alpha1.min.css</p>
<script>import x from 'lodash@4.17.21'; require("@babel/core@7.0.0")</script>
<p>Follow @smithdental on X</p>
<p>@smith.dental</p>
<p>@user@mastodon.social</p>
<a href="https://medium.com/@smith.com">Blog</a>
<p>https://user:secret@smith.com/</p>
<p>ftp://info@smith.com/</p>
<p>we met at this point in time</p>
<p>look at the dot com boom</p>
<p>Meet us at smith-dental.example today</p>
<p>lunch @ joes.com</p>
<p>attorneys-at-law.example</p>
<p>info@localhost</p>
<p>info@smith</p>
<p>info@smith.notanending</p>
<p>info@server.local</p>
<p>info@-smith-.com</p>
<p>@</p>
<p>info@</p>
<p>price @ 5.00</p>
<!-- old: info@smith.com -->
<style>.a:after{content:"info@smith.com"}</style>
<meta name="author" content="Studio (web@studio.com)">
<a onmouseover="tip('sales@elsewhere.com')">Map</a>
<script>var config = {"author": "dev@plugin.com"}</script>
<a href="mailto:?subject=Look&body=http://smith.com">Share</a>
<a href="/cdn-cgi/l/email-protection#zz">x</a>
<a data-cfemail="00">x</a>
<a data-user="x" data-domain="not a domain">x</a>
<p>git clone git@bitbucket.org:smith/site.git</p>
""".strip().splitlines()


@pytest.mark.parametrize("html", NO_ADDRESS)
def test_what_only_looks_like_an_address_is_none(html: str) -> None:
    assert found(html, "email") == []


PHONES = [
    ("US", "+15123431234", "<p>(512) 343-1234</p>"),
    ("US", "+15123431234", '<a href="tel:512-343-1234,4">Call</a>'),
    ("US", "+15123431234", '<a href="tel:5123431234x12">Call</a>'),
    ("US", "+15123431234", '<a href="tel:512-343-1234%20ext.%204">Call</a>'),
    (
        "JP",
        "+81332345678",
        "<p>TEL &#65296;&#65299;&#65293;&#65299;&#65298;&#65299;&#65300;&#65293;&#65301;&#65302;&#65303;&#65304;</p>",
    ),
    ("US", "+15123431234", "<p>512-343-1234</p>"),
    ("US", "+15123431234", "<p>512.343.1234</p>"),
    ("US", "+15123431234", "<p>512 343 1234</p>"),
    ("US", "+15123431234", "<p>1-512-343-1234</p>"),
    ("US", "+15123431234", "<p>+1 (512) 343-1234</p>"),
    ("US", "+15123431234", "<p>Phone: 5123431234</p>"),
    ("US", "+15123431234", "<p>512\u2013343\u20131234</p>"),
    ("US", "+15123431234", "<p>512-343-1234 ext. 12</p>"),
    ("US", "+15123431234", "<p>512-343-1234x12</p>"),
    ("US", "+15123431234", "<p>Austin, TX 78701 512-343-1234</p>"),
    ("US", "+15123431234", "<p><b>(512)</b> 343-1234</p>"),
    ("US", "+15123431234", "<p>512-343-1234<span>Call</span></p>"),
    ("US", "+15123431234", '<a href="tel:5123431234">Call</a>'),
    ("US", "+15123431234", '<a href="tel:+1-512-343-1234">Call</a>'),
    ("US", "+15123431234", '<a href="TEL:%28512%29%20343-1234">Call</a>'),
    ("US", "+15123431234", '<a href="callto:+15123431234">Call</a>'),
    ("US", "+15123431234", '<span itemprop="telephone">512 343 1234</span>'),
    ("US", "+15123431234", '<script type="application/ld+json">{"telephone":"512-343-1234"}</script>'),
    ("US", "+18003569377", "<p>1-800-FLOWERS</p>"),
    ("US", "+442079460958", "<p>+44 (0)20 7946 0958</p>"),
    ("US", "+442079460958", "<p>011 44 20 7946 0958</p>"),
    ("US", "+862151758787", "<p>Tel (86) 21-5175-8787, Shanghai, China</p>"),
    ("DE", "+493023456789", "<p>Tel.: 030 23456789</p>"),
    ("DE", "+493023456789", "<p>Tel.: 030 / 23 45 67 89</p>"),
    ("DE", "+493023456789", "<p>0049 30 23456789</p>"),
    ("FR", "+33142345678", "<p>01 42 34 56 78</p>"),
    ("FR", "+33142345678", "<p>01.42.34.56.78</p>"),
    ("ES", "+34913456789", "<p>913 45 67 89</p>"),
    ("IT", "+390236512345", "<p>02 3651 2345</p>"),
    ("NL", "+31202345678", "<p>020 234 5678</p>"),
    ("PL", "+48223456789", "<p>22 345 67 89</p>"),
    ("PT", "+351213456789", "<p>213 456 789</p>"),
    ("GB", "+442071234567", "<p>020 7123 4567</p>"),
    ("AU", "+61282345678", "<p>(02) 8234 5678</p>"),
    ("US", "+31165852000", "<p>Tel 0165 - 852000, info@avt.nl</p>"),
    ("US", "+34952579800", "<p lang=es>Tlf. 952579800, España</p>"),
]


@pytest.mark.parametrize(("region", "number", "html"), PHONES)
def test_a_phone_is_found(region: str, number: str, html: str) -> None:
    assert found(html, "phone", region) == [number]


NO_PHONE = """
US <p>VAT ID: US123456789</p>
DE <p>USt-IdNr.: DE123456789</p>
DE <p>Art.-Nr. 030-12345678</p>
DE <p>Az. 030 12345/24</p>
DE <p>IBAN: DE89 3704 0044 0532 0130 00</p>
BE <p>BE68 5390 0754 7034</p>
US <p>Order no. 2024123456789012</p>
US <p>Order # 512-343-1234</p>
US <p>2019-03-04 - 2024-11-28</p>
DE <p>04.03.2019</p>
FR <p>01/02/2024 - 03/04/2024</p>
US <p>1999-2014</p>
US <p>$5,123,431,234</p>
US <p>$ 5123431234.00</p>
US <p>30.267153, -97.743061</p>
US <p>192.168.100.200</p>
US <p>ISBN 978-3-16-148410-0</p>
US <p>License: 512-343-1234</p>
US <p>5123431234</p>
US <p>a5123431234</p>
US <p>123-456-7890</p>
US <p>(555) 555-5555</p>
US <p>000-000-0000</p>
US <p>111 111 1111</p>
US <p>Mon-Fri 08:00-17:00</p>
US <p>78701-1234</p>
PL <p>NIP: 526-021-02-50</p>
PL <p>REGON: 123 456 785</p>
FR <p>SIRET 732 829 320 00074</p>
US <a href="tel:1234567890">x</a>
US <a href="tel:">x</a>
US <a href="tel:#">x</a>
US <script>var id = "512-343-1234";</script>
""".strip().splitlines()


@pytest.mark.parametrize("line", NO_PHONE)
def test_what_only_looks_like_a_phone_is_none(line: str) -> None:
    region, _, html = line.partition(" ")
    assert found(html, "phone", region) == []


@pytest.mark.parametrize(
    ("html", "labels"),
    [
        ("<p>Phone: 512-343-1234 Fax: 512-343-1235</p>", ["", "fax"]),
        ("<p>Fax 512-343-1235</p><p>Phone 512-343-1234</p>", ["fax", ""]),
        ("<table><tr><td>Fax</td><td>512-343-1235</td></table>", ["fax"]),
        ("<dt>Fax</dt><dd>512-343-1235</dd>", ["fax"]),
        ("<p>512-343-1235 (fax)</p>", ["fax"]),
        ("<p>Phone/Fax: 512-343-1235</p>", [""]),
        ("<p>Faks: 512-343-1235</p>", ["fax"]),
        ("<p>F: 512-343-1235</p>", ["fax"]),
        ('<p>Fax: <a href="tel:5123431235">512-343-1235</a></p>', ["fax"]),
    ],
)
def test_a_fax_is_recognised(html: str, labels: list[str]) -> None:
    assert [each.label for each in find_contacts(html, url=URL) if each.kind == "phone"] == labels


CARD = '<div class="team-card"><h3>{}</h3><p class="role">{}</p><p><a href="mailto:{}"><i></i></a></p></div>'


def test_people_of_cards_are_joined_to_their_addresses() -> None:
    html = CARD.format("Jane O'Brien", "Office Manager", "jane@smith.com") + CARD.format("Zoë Reed", "Owner", "z@a.com")
    contacts = find_contacts(f'<div class="team">{html}</div>', url=URL)
    assert [(each.kind, each.value, each.name, each.title) for each in contacts] == [
        ("email", "jane@smith.com", "Jane O'Brien", "Office Manager"),
        ("email", "z@a.com", "Zoë Reed", "Owner"),
        ("person", "Jane O'Brien", "Jane O'Brien", "Office Manager"),
        ("person", "Zoë Reed", "Zoë Reed", "Owner"),
    ]


@pytest.mark.parametrize(
    "html",
    [
        '<div class="vcard"><span class="fn">Jane Reed</span>, <span class="title">Owner</span></div>',
        '<div class="h-card"><b class="p-name">Jane Reed</b> <i class="p-job-title">Owner</i></div>',
        '<div class="staff-member"><strong>Dr. Jane Reed, DDS</strong><br>Owner</div>',
        '<div class="team"><h4>Jane Reed</h4><p>Owner</p><h4>Unsere Praxis</h4></div>',
        '<div itemscope itemtype="https://schema.org/Person"><b itemprop="name">Jane Reed</b> '
        '<i itemprop="jobTitle">Owner</i></div>',
        '<script type="application/ld+json">{"employee":[{"@type":"Person","name":"Jane Reed","jobTitle":"Owner"}]}'
        "</script>",
    ],
)
def test_a_person_is_found(html: str) -> None:
    person = only(html, "person")
    assert (person.value, person.title) == ("Jane Reed", "Owner")


@pytest.mark.parametrize(
    "html",
    [
        "<h3>Jane Reed</h3><p>Owner</p>",
        '<div class="team"><h3>Our Team</h3><p>Owner</p></div>',
        '<div class="team"><h3>Office Manager</h3><p>Owner</p></div>',
        '<div class="team"><h3>Teeth Whitening</h3><p>Read on</p><h3>Monday Friday</h3><p>Hours</p></div>',
        '<div class="member-benefits"><h3>Gold Plan</h3><p>Popular Choice</p></div>',
        '<div class="comment-author vcard"><cite class="fn">Jane Reed</cite></div>',
        '<div class="testimonial"><div class="person"><h3>Jane Reed</h3><p>Owner</p></div></div>',
        '<div class="vcard"><span class="fn org">Reed Dental</span></div>',
        '<script type="application/ld+json">{"review":{"author":{"@type":"Person","name":"Jane Reed"}}}</script>',
        '<script type="application/ld+json">{"@type":"Person","name":"admin"}</script>',
    ],
)
def test_strangers_and_headings_are_no_people(html: str) -> None:
    assert found(html, "person") == []


@pytest.mark.parametrize(
    ("address", "label"),
    [
        ("info@smith.com", "role"),
        ("kontakt@smith.com", "role"),
        ("sales.austin@smith.com", "role"),
        ("jane.reed@smith.com", "personal"),
        ("smithdental@gmail.com", "free-mail"),
    ],
)
def test_an_address_says_whose_it_is(address: str, label: str) -> None:
    assert only(f"<p>{address}</p>", "email").label == label


def test_each_contact_comes_once_with_its_best_method_and_a_snippet() -> None:
    contact = only('<p>Write to <a href="mailto:info@smith-dental.example">info@smith-dental.example</a></p>', "email")
    assert (contact.method, contact.methods, contact.confidence) == ("mailto", ("mailto", "text"), 0.95)
    assert contact.snippet == "Write to info@smith-dental.example"


def test_a_snippet_begins_at_a_word_and_shows_an_address_that_stands_in_a_link_alone() -> None:
    street = "3658 Hill Street, Austin, TX 78701, United States of America"
    contact = only(f'<p>{street} <a href="mailto:Info@smith-dental.example">Email</a></p>', "email")
    assert contact.snippet == f"Info@smith-dental.example: {street.partition(' ')[2]} Email"


PIECES = st.sampled_from(
    [*DISGUISED, *NO_ADDRESS, *(html for _, _, html in PHONES), CARD, "<", "@", '"', "</p>", "\ud800"]
)
PAGES = st.one_of(st.text(), st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=12).map("".join))


@settings(deadline=None, max_examples=200)
@given(PAGES, st.one_of(st.just(URL), st.text(max_size=20)), st.sampled_from(["US", "DE", "", "xx"]))
def test_any_page_is_read_and_every_value_is_canonical(html: str, url: str, region: str) -> None:
    contacts = find_contacts(html, url=url, region=region)
    assert len({(each.kind, each.value) for each in contacts}) == len(contacts)
    for each in contacts:
        assert each.method in CONFIDENCE
        assert 0 < each.confidence <= 1
        if each.kind == "email":
            assert canonical(each.value) == each.value
        elif each.kind == "phone":
            assert re.fullmatch(r"\+[1-9]\d{6,14}", each.value)
        elif each.kind == "social":
            assert found(f'<a href="{each.value}">x</a>', "social") == [each.value]

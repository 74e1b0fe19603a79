"""From what people type as their website to the domain they own."""

# ruff: noqa: RUF001 full-width letters are among what people type

from __future__ import annotations

import re
from ipaddress import ip_address

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sandbox.hosts import _BAD_WEBSITES, _FORMS, _PROFILES
from services.host import is_suffix
from services.local_business import DomainName, Rejected, domain_of
from services.shared_hosts import BUILDERS, HOSTS

DOMAINS = """
http://smith.com                                     smith.com
https://smith.com                                    smith.com
http://smith.com/                                    smith.com
smith.com                                            smith.com
smith.com/                                           smith.com
www.smith.com                                        smith.com
WWW.SMITH.COM                                        smith.com
HTTP://WWW.Smith.Com/Contact                         smith.com
http://www.smith.com/index.html#top                  smith.com
http://smith.com/?utm_source=google&utm_medium=gmb   smith.com
http://smith.com?gclid=x                             smith.com
http://smith.com#top                                 smith.com
http://smith.com:80/                                 smith.com
https://smith.com:8443                               smith.com
smith.com:8080/shop                                  smith.com
http://guest@smith.com/                              smith.com
http://user:password@smith.com/                      smith.com
http://user:p@ss@smith.com/                          smith.com
user:password@smith.com                              smith.com
http:/smith.com                                      smith.com
http:smith.com                                       smith.com
http//smith.com                                      smith.com
http//:smith.com                                     smith.com
https//www.smith.com                                 smith.com
http:://smith.com                                    smith.com
http;//smith.com                                     smith.com
http.//smith.com                                     smith.com
http:///smith.com                                    smith.com
http:\\\\smith.com\\contact                          smith.com
htp://smith.com                                      smith.com
htttp://smith.com                                    smith.com
hhttp://smith.com                                    smith.com
ttp://smith.com                                      smith.com
httpss://smith.com                                   smith.com
https:https://smith.com                              smith.com
http://http://smith.com                              smith.com
http://https//smith.com                              smith.com
http://www.http://smith.com                          smith.com
https://www.https://www.smith.com                    smith.com
//smith.com/about                                    smith.com
://smith.com                                         smith.com
ftp://smith.com                                      smith.com
http%3A%2F%2Fsmith.com%2Fabout                       smith.com
http:&#x2F;&#x2F;smith.com                           smith.com
http://&nbsp;smith.com                               smith.com
http:// smith.com                                    smith.com
http://smith .com                                    smith.com
www. smith.com                                       smith.com
www.smith. com                                       smith.com
www .smith.com                                       smith.com
smith . com                                          smith.com
http://smith dental.com                              smithdental.com
www.smith,com                                        smith.com
www,smith.com                                        smith.com
www.smith..com                                       smith.com
.smith.com                                           smith.com
smith.com.                                           smith.com
smith.com...                                         smith.com
smith.com,                                           smith.com
smith.com;                                           smith.com
smith.com!                                           smith.com
(smith.com)                                          smith.com
"smith.com"                                          smith.com
'http://smith.com'                                   smith.com
“smith.com”                                          smith.com
<http://smith.com>                                   smith.com
[Smith](http://smith.com)                            smith.com
[http://smith.com](http://smith.com)                 smith.com
**smith.com**                                        smith.com
`smith.com`                                          smith.com
<a href="http://smith.com/">Smith</a>                smith.com
<a href=http://smith.com/>Smith</a>                  smith.com
<p>smith.com</p>                                     smith.com
Website: smith.com                                   smith.com
Website:http://smith.com                             smith.com
visit us at www.smith.com today                      smith.com
http://smith.com, http://jones.com                   smith.com
http://smith.com http://jones.com                    smith.com
smith.com | jones.com                                smith.com
smith.com / jones.com                                smith.com
smith.com;jones.com                                  smith.com
n/a smith.com                                        smith.com
http://localhost http://smith.com                    smith.com
http://10.0.0.1/ http://smith.com                    smith.com
https://facebook.com/smith https://smith.com         smith.com
info@smith.com www.smith.com                         smith.com
https://www.google.com/url?q=http://smith.com/&sa=D  smith.com
https://l.facebook.com/l.php?u=https%3A%2F%2Fsmith.com%2F&h=A  smith.com
https://www.yelp.com/biz_redir?url=http%3A%2F%2Fsmith.com  smith.com
http://facebook.com@smith.com/                       smith.com
http://smith.com/facebook.com/x                      smith.com
http://smith.com/user@x                              smith.com
http://shop.smith.com                                smith.com
http://a.b.c.smith.com.au/x                          smith.com.au
http://www.smith.co.uk                               smith.co.uk
http://www2.smith.de                                 smith.de
http://wwwsmith.com                                  wwwsmith.com
http://www-smith.com                                 www-smith.com
http://my_shop.smith.com                             smith.com
http://r3---sn.smith.com                             smith.com
http://ab--cd.com                                    ab--cd.com
http://123.com                                       123.com
http://1-800-flowers.com                             1-800-flowers.com
http://smith.dental                                  smith.dental
http://smith.newsuffix                               smith.newsuffix
http://smith-dental.example/                         smith-dental.example
http://dns-7.invalid/                                dns-7.invalid
https://anna.wixsite.com/my-site/about               anna.wixsite.com
https://anna.wordpress.com                           anna.wordpress.com
https://www.anna.wordpress.com                       anna.wordpress.com
https://anna.github.io/dental                        anna.github.io
https://anna.blogspot.com                            anna.blogspot.com
https://anna.square.site                             anna.square.site
https://anna.myshopify.com                           anna.myshopify.com
https://anna.weebly.com                              anna.weebly.com
https://anna.jimdofree.com                           anna.jimdofree.com
http://münchen.de                                    xn--mnchen-3ya.de
http://www.MÜLLER.de                                 xn--mller-kva.de
http://www.straße.de                                 xn--strae-oqa.de
http://xn--mnchen-3ya.de                             xn--mnchen-3ya.de
http://żółw.pl                                       xn--w-uga1v8h.pl
http://日本語。jp                                      xn--wgv71a119e.jp
http://i❤.ws                                         xn--i-7iq.ws
http://smith。com                                     smith.com
http://smith．com                                     smith.com
ｈｔｔｐ：／／ｓｍｉｔｈ．ｃｏｍ                               smith.com
http://smi\u200bth.com                               smith.com
\ufeffhttp://smith.com                               smith.com
http://smi\u00adth.com                               smith.com
smith.com\u200f                                      smith.com
\u00a0smith.com\u00a0                                smith.com
http://smith.com%20                                  smith.com
"""

REJECTED = """
no-website   -
no-website   --
no-website   ???
no-website   n/a
no-website   N/A
no-website   n.a.
no-website   NA
no-website   none
no-website   None.
no-website   (none)
no-website   no website
no-website   No Website
no-website   no website yet
no-website   tbd
no-website   TBA
no-website   null
no-website   undefined
no-website   coming soon
no-website   keine Website
no-website   pas de site
no-website   no tiene
no-website   nessuno
no-website   geen
no-website   não tem
no-website   brak
bad-website  http://
bad-website  https://www.
bad-website  www
bad-website  http://203.0.113.7/
bad-website  203.0.113.7
bad-website  8.8.8.8:80
bad-website  http://2130706433/
bad-website  http://0x7f000001/
bad-website  http://0x7f.1/
bad-website  http://0177.0.0.1/
bad-website  http://127.1/
bad-website  http://１２７．０．０．１/
bad-website  http://①②⑦.0.0.1/
bad-website  http://127。0。0。1/
bad-website  http://user@127.0.0.1/
bad-website  https://[2001:db8::7]/
bad-website  http://[::1]:8080/
bad-website  http://[::ffff:127.0.0.1]/
bad-website  2001:db8::7
bad-website  http://localhost/
bad-website  http://localhost:3000
bad-website  http://app.localhost/
bad-website  http://printer.local
bad-website  http://db.internal
bad-website  http://router.lan
bad-website  http://server.corp
bad-website  http://intranet/
bad-website  smith
bad-website  Smith Dental
bad-website  Dr. Smith
bad-website  http://co.uk/
bad-website  com
bad-website  .com
bad-website  www.com
bad-website  http://www.co.uk/
bad-website  com.br
bad-website  github.io
bad-website  wixsite.com
bad-website  www.wordpress.com
bad-website  info@smith.com
bad-website  mailto:info@smith.com
bad-website  E-Mail:info@smith.com
bad-website  Smith <info@smith.com>
bad-website  +1 512 555 0100
bad-website  (512) 555-0100
bad-website  512-555-0100
bad-website  512.555.0100
bad-website  tel:+15125550100
bad-website  javascript:alert(1)
bad-website  index.html
bad-website  /home/index.php
bad-website  http://-/
bad-website  http://a_b.com
bad-website  http://-smith-.c_m
bad-website  http://xn--zz.com
"""

SHARED = """
https://www.facebook.com/SmithDental                 facebook    https://www.facebook.com/smithdental
https://m.facebook.com/smith.dental/?ref=page        facebook    https://www.facebook.com/smith.dental
facebook.com/smith                                   facebook    https://www.facebook.com/smith
http://fb.com/smith                                  facebook    https://www.facebook.com/smith
https://www.facebook.com/pages/Smith/123456789       facebook    https://www.facebook.com/123456789
https://www.facebook.com/people/Smith/100012345      facebook    https://www.facebook.com/100012345
https://www.facebook.com/p/Smith-Dental-100063712345678/  facebook  https://www.facebook.com/100063712345678
https://www.facebook.com/profile.php?id=100012345    facebook    https://www.facebook.com/100012345
https://www.facebook.com/pg/smith/about              facebook    https://www.facebook.com/smith
https://de-de.facebook.com/smith                     facebook    https://www.facebook.com/smith
https://www.facebook.com/sharer/sharer.php?u=x       facebook    -
https://www.facebook.com/groups/dentists             facebook    -
https://www.facebook.com                             facebook    -
https://instagram.com/Smith_Dental/?hl=en            instagram   https://www.instagram.com/smith_dental
https://www.instagram.com/p/Cabc123/                 instagram   -
https://www.linkedin.com/company/smith-dental/about  linkedin    https://www.linkedin.com/company/smith-dental
https://uk.linkedin.com/in/anna-smith                linkedin    https://www.linkedin.com/in/anna-smith
https://twitter.com/smith                            x           https://x.com/smith
https://x.com/smith/status/1                         x           https://x.com/smith
https://twitter.com/intent/tweet?text=x              x           -
https://www.youtube.com/@SmithDental                 youtube     https://www.youtube.com/@smithdental
https://youtube.com/channel/UCabcDEF123              youtube     https://www.youtube.com/channel/UCabcDEF123
https://www.youtube.com/watch?v=abc                  youtube     -
https://www.tiktok.com/@smith?lang=en                tiktok      https://www.tiktok.com/@smith
https://www.pinterest.de/smith/                      pinterest   https://www.pinterest.com/smith
https://wa.me/15125550100                            whatsapp    https://wa.me/15125550100
https://t.me/smith                                   telegram    https://t.me/smith
https://www.xing.com/pages/smith                     xing        https://www.xing.com/pages/smith
https://linktr.ee/Smith                              linktree    https://linktr.ee/smith
https://beacons.ai/smith                             beacons     https://beacons.ai/smith
https://www.yelp.com/biz/smith-austin?utm=x          yelp        https://www.yelp.com/biz/smith-austin
https://www.yelp.co.uk/biz/smith-london              yelp        https://www.yelp.com/biz/smith-london
https://www.tripadvisor.fr/Restaurant-d1.html        tripadvisor  https://www.tripadvisor.fr/Restaurant-d1.html
https://www.gelbeseiten.de/gsbiz/1                   gelbeseiten  https://www.gelbeseiten.de/gsbiz/1
https://www.pagesjaunes.fr/pros/1                    pagesjaunes  https://www.pagesjaunes.fr/pros/1
https://www.paginegialle.it/smith                    paginegialle  https://www.paginegialle.it/smith
https://www.znanylekarz.pl/anna                      znanylekarz  https://www.znanylekarz.pl/anna
https://www.goudengids.nl/nl/bedrijf/smith           goudengids  https://www.goudengids.nl/nl/bedrijf/smith
https://www.doctolib.de/zahnarzt/berlin/anna         doctolib    https://www.doctolib.de/zahnarzt/berlin/anna
https://smith.booksy.com                             booksy      https://smith.booksy.com/
https://calendly.com/smith                           calendly    https://calendly.com/smith
https://www.ubereats.com/store/smith                 ubereats    https://www.ubereats.com/store/smith
https://smith.business.site/                         google      https://smith.business.site/
https://sites.google.com/view/smith                  google      https://sites.google.com/view/smith
https://www.google.com/maps/place/Smith              google      https://www.google.com/maps/place/Smith
https://maps.google.de/                              google      https://maps.google.de/
https://g.page/smith?share                           google      https://g.page/smith
https://goo.gl/maps/abc                              google      https://goo.gl/maps/abc
https://www.google.com/search?q=smith                google      -
https://bit.ly/3abc                                  bit         -
https://www.amazon.co.uk/smith                       amazon      https://www.amazon.co.uk/smith
https://l.facebook.com/l.php?u=https%3A%2F%2Finstagram.com%2Fsmith  instagram  https://www.instagram.com/smith
"""


def lines(table: str, pattern: str) -> list[tuple[str, ...]]:
    return [re.fullmatch(pattern, line).groups() for line in table.strip().splitlines()]  # type: ignore[union-attr]


@pytest.mark.parametrize(("website", "name"), lines(DOMAINS, r"(.*\S)\s{2,}(\S+)"))
def test_own_domains(website: str, name: str) -> None:
    answer = domain_of(website)
    assert isinstance(answer, DomainName), answer
    assert answer.name == name
    assert answer.given == website
    assert answer.host == name or answer.host.endswith(f".{name}")
    assert re.fullmatch(rf"https?://{re.escape(answer.host)}/[\w-]*", answer.url)


@pytest.mark.parametrize(("reason", "website"), lines(REJECTED, r"(\S+)\s+(.*)"))
def test_no_domain(reason: str, website: str) -> None:
    assert domain_of(website) == Rejected(reason, website)  # type: ignore[arg-type]


@pytest.mark.parametrize("website", ["", " ", "\n", "\u200b"])
def test_nothing_is_no_website(website: str) -> None:
    assert domain_of(website) == Rejected("no-website", website)


@pytest.mark.parametrize(("website", "network", "profile"), lines(SHARED, r"(\S+)\s+(\S+)\s+(\S+)"))
def test_shared_hosts(website: str, network: str, profile: str) -> None:
    answer = domain_of(website)
    assert answer == Rejected("shared-host", website, None if profile == "-" else profile, network)
    if profile != "-":  # written the one way already, it stays as it is
        again = domain_of(profile)
        assert isinstance(again, Rejected)
        assert again.profile == profile


@pytest.mark.parametrize("form", _FORMS)
def test_every_form_of_the_sandbox(form: str) -> None:
    answer = domain_of(form.format(name="smith-dental.example", capitals="SMITH-DENTAL.EXAMPLE", index=7))
    assert isinstance(answer, DomainName)
    assert answer.name == "smith-dental.example"


@pytest.mark.parametrize(("canonical", "given_as"), _PROFILES)
def test_every_profile_of_the_sandbox(canonical: str, given_as: str) -> None:
    answer = domain_of(given_as.format("smith-7"))
    assert isinstance(answer, Rejected)
    assert (answer.reason, answer.profile) == ("shared-host", canonical.format("smith-7"))


@pytest.mark.parametrize("website", _BAD_WEBSITES)
def test_every_bad_website_of_the_sandbox(website: str) -> None:
    answer = domain_of(website)
    assert isinstance(answer, Rejected)
    assert answer.reason == ("no-website" if website in ("n/a", "none", "-") else "bad-website")


def test_every_shared_host_is_recognised() -> None:
    hosts = [host.replace("*", "com") for group in HOSTS.values() for host in group.split()]
    assert len(hosts) == len(set(hosts)) >= 150
    answers = {host: domain_of(f"https://www.{host}/") for host in hosts}
    assert [host for host, answer in answers.items() if getattr(answer, "reason", "") != "shared-host"] == []


def test_every_builder_gives_its_customers_a_site() -> None:
    for builder in BUILDERS:
        answer = domain_of(f"https://anna.{builder}/")
        assert isinstance(answer, DomainName), builder
        assert answer.name == f"anna.{builder}"
        assert getattr(domain_of(builder), "reason", "") == "bad-website"


def test_names_that_merely_look_like_a_shared_host_are_their_owners() -> None:
    for name in ("myfacebook.com", "facebook.com.smith.com", "notyelp.com", "x.company", "google-ads-smith.com"):
        assert isinstance(domain_of(name), DomainName), name


def test_only_the_beginning_is_read() -> None:
    assert isinstance(domain_of("smith.com " + "x" * 5_000_000), DomainName)
    assert domain_of(" " * 3000 + "smith.com").reason == "no-website"  # type: ignore[union-attr]


HOSTILE = (
    "http://",
    "http:",
    ".",
    "a.",
    "@",
    "%25",
    "&#",
    "[",
    "www.",
    "xn--",
    "\u0344",
    "\ufdfa",
    "https:https:",
    "ü.",
    " a",
)


@pytest.mark.parametrize("piece", HOSTILE)
def test_repetition_is_read_to_an_end(piece: str) -> None:
    for text in (piece * 100_000, "http://" + piece * 100_000, piece * 500 + "smith.com"):
        domain_of(text)


ALPHABET = st.sampled_from(
    [*"aB9.-_/:@?#%&=[]()<>\\ ,;'\"|üß。．①☃\u200b\u0130\ud800", "http://", "www.", ".com", ".co.uk", "xn--", "&amp;"]
)
HOSTS_AS_TYPED = st.lists(st.from_regex(r"[a-zA-Z0-9_-]{1,12}", fullmatch=True), min_size=1, max_size=5).map(".".join)
WEBSITES = st.one_of(
    st.text(max_size=300),
    st.lists(ALPHABET, max_size=40).map("".join),
    st.builds("{}{}{}{}".format, st.sampled_from(["", "http://", "https:", "//", "www."]), HOSTS_AS_TYPED,
              st.sampled_from([".com", ".co.uk", ".example", ".wixsite.com", ".local", ""]), st.text(max_size=20)),
    st.ip_addresses().map(str), st.ip_addresses().map("http://{}/".format),
)  # fmt: skip


@settings(max_examples=300)
@given(WEBSITES)
@example("http://n.a/")
@example("http://www.www.ck/")
@example("\ud800.com")
@example("http://x." + "a" * 63 + ".com")
def test_any_text_has_an_answer_that_holds(website: str) -> None:
    answer = domain_of(website)
    assert answer.given == website
    if isinstance(answer, Rejected):
        assert answer.reason in ("no-website", "bad-website", "shared-host")
        return
    assert re.fullmatch(r"[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+", answer.name)
    assert len(answer.host) <= 253
    assert not is_suffix(answer.name)
    with pytest.raises(ValueError, match="does not appear"):
        ip_address(answer.name)
    again = domain_of(answer.name)
    assert isinstance(again, DomainName)
    assert again.name == answer.name
    at_home = domain_of(answer.url)
    assert isinstance(at_home, DomainName)
    assert (at_home.name, at_home.host) == (answer.name, answer.host)


@given(st.ip_addresses(v=4), st.sampled_from(["{}", "http://{}/", "http://{}:8080", "http://u@{}/x", "{}."]))
def test_an_address_is_never_a_domain(address: object, form: str) -> None:
    octets = [int(part) for part in str(address).split(".")]
    number = int.from_bytes(bytes(octets))
    spellings = (
        str(address),
        str(number),
        hex(number),
        ".".join(map(hex, octets)),
        ".".join(f"0{o:o}" for o in octets),
    )
    assert all(isinstance(domain_of(form.format(spelling)), Rejected) for spelling in spellings)


@given(
    st.text(max_size=30),
    st.sampled_from(["https://www.facebook.com/", "https://linktr.ee/", "https://www.yelp.com/biz/"]),
)
def test_any_profile_is_written_the_one_way(handle: str, network: str) -> None:
    answer = domain_of(network + handle)
    if isinstance(answer, Rejected) and answer.profile:
        again = domain_of(answer.profile)
        assert isinstance(again, Rejected)
        assert again.profile == answer.profile

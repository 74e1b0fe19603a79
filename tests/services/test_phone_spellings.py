"""Phones as the pages of many countries write them, labelled and bare, and what stands beside them."""

from __future__ import annotations

import pytest

from services.page import find_contacts

SPELLINGS = """
US +442079460018 Phone: +44 (0)20 7946 0018
US +442079460018 Tel: 0044 20 7946 0018
US +442079460018 T 020 7946 0018 London, UK SW1A 1AA
US +4930901820   (+49) 30 901820
US +35891234567  +358 9 1234567
US +97145123456  Tel: +971 4 512 3456
US +551125097626 Fone: +55 (11) 2509-7626
US +74951234567  +7 495 123-45-67
US +15123431234  +1.512.343.1234
US +15123431234  512 / 343-1234
US +15123431234  (512)343.1234
US +15123431234  512 . 343 . 1234
US +15123431234  (512) - 343 - 1234
US +15123431234  ( 512 ) 343-1234
US +15123431234  512 · 343 · 1234
US +15123431234  512)343-1234
US +15123431234  512-343-1234/1235
US +15123431234  Call us at 5123431234 today
US +15123431234  001-512-343-1234
US +15123431234  Phone 1(512)343-1234
ES +15123431234  (512) 343-1234
DE +15123431234  1-512-343-1234
US +18003431234  Toll Free: 8003431234
US +18004633339  1-800-GO-FEDEX
US +18002255669  (800) CALL-NOW
AU +61298765432  (02) 9876 5432
AU +611300123456 1300 123 456
JP +81332345678  03-3234-5678
FR +33142685300  01.42.68.53.00
FR +33142685300  +33(0)142685300
DE +4930901820   0 30 / 90 18 20
DE +49309018200  Tel. (030) 90 18 20-0
NL +31612345678  06-12345678
ES +34911234567  Tfno. 91.123.45.67
IT +390212345678 02/12345678
PL +48221234567  tel/fax 22 1234567
BR +551125097626 (11) 2509-7626
IN +912224931234 Ph: 022-24931234
IN +919820012345 Mobile: 98200 12345
GB +442079460018 (020) 7946 0018
SE +4686916900   08-691 69 00
DK +4533123456   Tlf: 33123456
NO +4722334455   22 33 44 55
BE +3225123456   02 512 34 56
CH +41441234567  044 123 45 67
AT +4315123456   01 / 512 34 56
TR +902122454567 (0212) 245 45 67
MX +525551234567 55 5123 4567
CN +861065123456 010-65123456
HK +85225231234  Tel: 2523 1234
RU +74951234567  тел. 8 (495) 123-45-67
GR +302101234567 Τηλ. 210 1234567
IL +97235123456  03-5123456
ZA +27115123456  (011) 512 3456
NZ +6495123456   (09) 512 3456
KR +8225123456   02-512-3456
TW +886225123456 電話 02-2512-3456
""".strip().splitlines()


def phones(text: str, region: str = "US") -> dict[str, str]:
    found = find_contacts(f"<p>{text}</p>", url="https://smith.example/", region=region)
    return {contact.value: contact.label for contact in found if contact.kind == "phone"}


@pytest.mark.parametrize("line", SPELLINGS)
def test_a_phone_is_read_as_its_country_writes_it(line: str) -> None:
    region, number, text = line.split(maxsplit=2)
    assert number in phones(text, region)


@pytest.mark.parametrize("region", ["US", "DE", "BR", "ES", "PL"])
@pytest.mark.parametrize(
    "text",
    [
        "Austin, TX 78701-1234",
        "CEP 04571-000",
        "1 2 3 4 5 6 7 8 9 10 ... 13",
        "492/497/437/504/505",
        "Series 5000 / 6000 / 7000",
        "07/03/2012",
        "900.011 - 25",
    ],
)
def test_postcodes_pages_and_lists_are_no_phones(text: str, region: str) -> None:
    assert phones(text, region) == {}


@pytest.mark.parametrize(
    "text",
    [
        "800-343-1234 (toll free) 512-343-1235 (fax)",
        "Phone: 800-343-1234 512-343-1235 (fax)",
        "800-343-1234 (phone) 512-343-1235 (FAX)",
        "Phone: 800-343-1234, Fax: 512-343-1235",
        "800-343-1234 tel | 512-343-1235 fax",
        "800-343-1234 Fax: 512-343-1235E-mail: x",
    ],
)
def test_a_word_in_brackets_belongs_to_the_number_before_it(text: str) -> None:
    assert phones(text) == {"+18003431234": "", "+15123431235": "fax"}


def test_the_same_page_gives_the_same_numbers_every_time() -> None:
    """Two countries that are named equally often have an order of their own."""
    assert phones("Austria, Belgium. Tel. 02 512 34 56") == phones("Belgium, Austria. Tel. 02 512 34 56")

"""Whose an address is: the business's own in every place, and nobody else's in the places where strangers stand."""

from __future__ import annotations

import pytest

from services.page import find_contacts

URL = "https://www.smith-dental.example/contact"

THEIRS = """
<input type="hidden" name="recipient" value="ADDRESS">
<input type="hidden" name="subject" value="ADDRESS">
<meta name="reply-to" content="ADDRESS">
<select name="to"><option value="ADDRESS">Front desk</option></select>
<p>Website by ADDRESS</p>
<p>Site designed and built by our own people: <a href="mailto:ADDRESS">write</a></p>
<a class="icon-mail" href="mailto:ADDRESS"></a>
<a href="mailto:ADDRESS"><img src="/mail.png"></a>
<a href="mailto:ADDRESS"><i></i></a>
<map><area href="mailto:ADDRESS"></map>
<a href="#" onmouseover="tip('ADDRESS')">Map</a>
<img src="/team.jpg" alt="ADDRESS">
""".strip().splitlines()

OTHERS = """
<input type="hidden" name="subject" value="form@maker.com">
<input type="hidden" name="recipient" value="form@maker.com">
<input type="hidden" name="_fromaddress" value="noreply@smith-dental.example">
<input type="hidden" name="sender" value="someone.there@gmail.com">
<meta name="reply-to" content="web@maker.com">
<meta name="owner" content="web.maker@gmail.com">
<meta name="designer" content="web@smith-dental.example">
<p>Website by Maker: web@maker.com</p>
<p>Site designed by <a href="mailto:web@maker.com">Maker</a></p>
<p>Powered by Maker web.maker@gmail.com</p>
<p>\u00a9 2024 Webdesign: web@maker.com</p>
<p>Umsetzung: web@maker.com</p>
<a href="mailto:left@smith-dental.example"></a>
<a href="mailto:left@smith-dental.example" target="_blank"> </a>
<select name="to"><option value="desk@maker.com">Front desk</option></select>
<p>info@demolink.org</p>
<a href="#" onmouseover="tip('Our man in Oregon: somebody.there@aol.com')">Oregon</a>
""".strip().splitlines()


def emails(html: str) -> list[str]:
    return [contact.value for contact in find_contacts(html, url=URL) if contact.kind == "email"]


@pytest.mark.parametrize("html", THEIRS)
def test_an_address_of_the_site_itself_counts_wherever_it_stands(html: str) -> None:
    assert emails(html.replace("ADDRESS", "info@smith-dental.example")) == ["info@smith-dental.example"]


@pytest.mark.parametrize("html", OTHERS)
def test_an_address_of_somebody_else_is_left_out(html: str) -> None:
    assert emails(html) == []


@pytest.mark.parametrize("html", [html for html in THEIRS if "name=" in html or "alt" in html])
def test_an_address_beside_the_page_counts_under_a_domain_that_the_page_shows(html: str) -> None:
    page = "<p>Write to desk@smith.com</p>" + html.replace("ADDRESS", "jane@smith.com")
    assert set(emails(page)) == {"desk@smith.com", "jane@smith.com"}


def test_a_mailbox_that_is_free_for_all_counts_where_a_form_is_sent_to_it() -> None:
    assert emails('<input type="hidden" name="recipient" value="smithdental@gmail.com">') == ["smithdental@gmail.com"]
    assert emails('<input type="hidden" name="token" value="smithdental@gmail.com">') == []
    assert emails("<a onclick=\"location='mailto:smithdental@gmail.com'\">Mail</a>") == ["smithdental@gmail.com"]


def test_who_made_the_page_and_is_its_contact_too_is_kept() -> None:
    page = "<p>Write to info@maker.com</p><p>Website by <a href='mailto:info@maker.com'>Maker</a></p>"
    assert emails(page) == ["info@maker.com"]


def test_an_address_that_is_left_out_still_says_where_the_page_is_from() -> None:
    page = '<meta name="reply-to" content="web@maker.com.br"><p>Telefone: (11) 2509-7626</p>'
    assert [contact.value for contact in find_contacts(page, url=URL)] == ["+551125097626"]

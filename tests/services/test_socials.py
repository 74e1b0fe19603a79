"""Profiles on social networks: one spelling for each, and no share button, pixel, post or page of the platform."""

from __future__ import annotations

import pytest

from services.page import find_contacts

URL = "https://www.smith-dental.example/contact"


def profiles(href: str) -> list[str]:
    contacts = find_contacts(f'<a href="{href}">x</a>', url=URL)
    return [contact.value for contact in contacts if contact.kind == "social"]


PROFILES = """
https://www.facebook.com/Smith https://www.facebook.com/Smith
https://de-de.facebook.com/Smith/about/?ref=x https://www.facebook.com/Smith
//m.facebook.com/Smith/ https://www.facebook.com/Smith
https://www.facebook.com/profile.php?id=123456789&sk=about https://www.facebook.com/profile.php?id=123456789
https://www.facebook.com/pages/Smith-Dental/123456789 https://www.facebook.com/123456789
https://www.facebook.com/plugins/page.php?href=https%3A%2F%2Fwww.facebook.com%2FSmith https://www.facebook.com/Smith
http://instagram.com/Smith.Dental?igshid=1 https://www.instagram.com/smith.dental
https://uk.linkedin.com/company/smith-dental/about/ https://www.linkedin.com/company/smith-dental
https://www.linkedin.com/in/jane-smith-1a2b https://www.linkedin.com/in/jane-smith-1a2b
https://twitter.com/#!/SmithDental https://x.com/smithdental
https://x.com/SmithDental?s=20 https://x.com/smithdental
https://www.youtube.com/@SmithDental/videos https://www.youtube.com/@SmithDental
https://youtube.com/channel/UCabcdefghijklmnopqrstuv https://www.youtube.com/channel/UCabcdefghijklmnopqrstuv
https://www.tiktok.com/@smith.dental https://www.tiktok.com/@smith.dental
https://pinterest.co.uk/smithdental/ https://www.pinterest.com/smithdental
https://www.yelp.com/biz/smith-dental-austin?osq=x https://www.yelp.com/biz/smith-dental-austin
https://www.xing.com/companies/smith https://www.xing.com/companies/smith
https://wa.me/+15123431234?text=Hi https://wa.me/15123431234
https://api.whatsapp.com/send?text=a&phone=15123431234 https://wa.me/15123431234
""".strip().splitlines()


@pytest.mark.parametrize("line", PROFILES)
def test_a_profile_is_written_in_one_way(line: str) -> None:
    href, canonical_url = line.split()
    assert profiles(href) == [canonical_url]


NO_PROFILE = """
https://www.facebook.com/sharer/sharer.php?u=http://smith.com/
https://www.facebook.com/sharer.php?u=x
https://www.facebook.com/tr?id=123&ev=PageView
https://www.facebook.com/policies/cookies/
https://www.facebook.com/
https://www.facebook.com/Smith/posts/123456
https://www.facebook.com/events/123456
https://www.facebook.com/wix
https://facebook.com.evil.example/Smith
https://smith.com/?u=facebook.com/Smith
https://twitter.com/intent/tweet?url=http://smith.com/
https://twitter.com/share
https://x.com/smith/status/12345
https://twitter.com/hashtag/dental
https://www.instagram.com/p/Cabcdef/
https://www.instagram.com/explore/tags/x
https://www.linkedin.com/shareArticle?mini=true
https://www.linkedin.com/legal/privacy-policy
https://www.youtube.com/watch?v=abc
https://www.youtube.com/embed/abc
https://youtu.be/abc
https://www.pinterest.com/pin/create/button/?url=x
https://www.pinterest.com/pin/12345/
https://www.tiktok.com/@smith/video/123
https://www.yelp.com/writeareview/biz/x
https://api.whatsapp.com/send?text=Look
https://t.me/share/url?url=x
""".strip().splitlines()


@pytest.mark.parametrize("href", NO_PROFILE)
def test_what_is_no_profile_is_left_out(href: str) -> None:
    assert profiles(href) == []

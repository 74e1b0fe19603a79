"""What a page is made and run with, by the signs it leaves."""

from __future__ import annotations

import re

import pytest

from services.domain import SiteFacts, read_homepage
from services.technology import ALL_SIGNS
from services.technology_booking import BOOKING_TOOLS


def read(html: str) -> SiteFacts:
    return read_homepage(html, url="https://brook.com/")


@pytest.mark.parametrize(
    ("html", "names"),
    [
        ('<meta name="Generator" content="Joomla! - Open Source Content Management">', {"Joomla"}),
        ('<meta name="generator" content="Drupal 10 (https://www.drupal.org)">', {"Drupal"}),
        ('<meta name="generator" content="Squarespace">', {"Squarespace"}),
        ('<meta name="generator" content="Webflow">', {"Webflow"}),
        ('<meta name="generator" content="TYPO3 CMS">', {"TYPO3"}),
        ('<html data-wf-site="6123"><body>', {"Webflow"}),
        ('<script src="//cdn.shopify.com/s/files/1/theme.js"></script>', {"Shopify"}),
        ('<script src="/_next/static/chunks/main.js"></script>', {"Next.js"}),
        ('<link rel=stylesheet href="/wp-content/themes/Divi/style.css">', {"WordPress", "Divi"}),
        ('<link rel=stylesheet href="/wp-content/plugins/woocommerce/a.css">', {"WordPress", "WooCommerce"}),
        ('<div data-elementor-type="wp-page"></div>', {"Elementor"}),
        ('<script type="application/ld+json" class="yoast-schema-graph">{}</script>', {"Yoast"}),
        ('<img src="https://static.wixstatic.com/media/a.png">', {"Wix"}),
        ('<iframe src="https://www.google.com/maps/embed?pb=1"></iframe>', {"Google Maps"}),
        ('<link href="https://fonts.googleapis.com/css2?family=Inter" rel="stylesheet">', {"Google Fonts"}),
        ("<p>We build sites with WordPress, Wix, Shopify and /wp-content/ in text", set()),
        ('<a href="https://wordpress.org/">WordPress</a> <a href="https://www.wix.com/">Wix</a>', set()),
        ('<meta name="description" content="WordPress agency">', set()),
    ],
)
def test_technologies(html: str, names: set[str]) -> None:
    assert set(read(html).technologies) == names


@pytest.mark.parametrize(
    ("html", "version"),
    [
        ('<meta name="generator" content="WordPress 6.4.2">', "6.4.2"),
        ('<meta name="generator" content="Elementor 3.2"><meta name="generator" content="WordPress 6.4">', "6.4"),
        ('<script src="/wp-includes/js/wp-emoji-release.min.js?ver=6.5.3"></script>', "6.5.3"),
        ('<link rel=stylesheet href="/wp-includes/css/dist/block-library/style.min.css?ver=6.1">', "6.1"),
        ('<script src="/wp-includes/js/jquery/jquery.min.js?ver=3.7.1"></script>', None),
        ('<meta name="generator" content="WordPress">', None),
    ],
)
def test_wordpress_and_its_version(html: str, version: str | None) -> None:
    facts = read(html)
    assert facts.is_wordpress
    assert facts.wordpress_version == version


@pytest.mark.parametrize(
    ("html", "names"),
    [
        ('<script src="https://www.googletagmanager.com/gtag/js?id=G-ABC"></script>', ("Google Analytics",)),
        (
            "<script>(function(w){})('https://www.googletagmanager.com/gtm.js?id=GTM-X')</script>",
            ("Google Tag Manager",),
        ),
        ("<script>fbq('init', '1');</script>", ("Meta pixel",)),
        ("<script>var u='//stats.brook.com/';g.src=u+'matomo.js'</script>", ("Matomo",)),
        ("<script>a='https://static.hotjar.com/c/hotjar-';</script>", ("Hotjar",)),
        ("<p>Read about fbq('init') and matomo.js</p>", ()),
    ],
)
def test_analytics(html: str, names: tuple[str, ...]) -> None:
    assert read(html).analytics == names


@pytest.mark.parametrize(
    ("html", "names"),
    [
        ("<script>window.intercomSettings={app_id:'x'}</script>", ("Intercom",)),
        ("<script>t='https://js.driftt.com/include/'</script>", ("Drift",)),
        ('<script src="https://static.zdassets.com/ekr/snippet.js?key=1"></script>', ("Zendesk",)),
        ('<script src="//js.hs-scripts.com/1.js"></script>', ("HubSpot",)),
        ('<form action="https://brook.us1.list-manage.com/subscribe/post?u=1"></form>', ("Mailchimp",)),
        ("<script>s1.src='https://embed.tawk.to/1/default';</script>", ("tawk.to",)),
        ("<script>s.src='https://client.crisp.chat/l.js'</script>", ("Crisp",)),
        ('<a href="https://www.hubspot.com/">HubSpot</a>', ()),
    ],
)
def test_widgets(html: str, names: tuple[str, ...]) -> None:
    assert read(html).widgets == names


@pytest.mark.parametrize(
    ("html", "names"),
    [
        ('<a href="https://calendly.com/brook/30min">Book</a>', ("Calendly",)),
        ('<script src="https://assets.calendly.com/assets/external/widget.js"></script>', ("Calendly",)),
        ('<a href="https://www.zocdoc.com/practice/brook-1">Book</a>', ("Zocdoc",)),
        ('<a href="https://www.opentable.co.uk/r/brook">Book</a>', ("OpenTable",)),
        ('<a href="https://booksy.com/en-us/1_brook">Book</a>', ("Booksy",)),
        ('<iframe src="https://app.acuityscheduling.com/schedule.php?owner=1"></iframe>', ("Acuity",)),
        ('<a href="https://brook.simplybook.me">Book</a>', ("SimplyBook",)),
        ('<a href="https://www.doctolib.de/zahnarzt/berlin/brook">Termin</a>', ("Doctolib",)),
        ('<a href="https://www.treatwell.fr/salon/brook/">Réserver</a>', ("Treatwell",)),
        ('<a href="https://share.io/?u=https://calendly.com/brook">Share</a>', ()),
        ('<a href="https://notcalendly.com/brook">Book</a> <a href="https://wilshireblvd.co/">Us</a>', ()),
        ('<a href="/treatwell.html">Calendly</a> <p>opentable.com/r/x</p>', ()),
    ],
)
def test_booking_tools(html: str, names: tuple[str, ...]) -> None:
    assert read(html).booking_tools == names


def test_signs_are_written_in_lower_case_and_once() -> None:
    assert [sign for sign in ALL_SIGNS if sign.text != sign.text.lower() or not sign.text] == []
    assert len({sign[1:] for sign in ALL_SIGNS}) == len(ALL_SIGNS)
    assert len({sign.name for sign in ALL_SIGNS if sign.group == "technology"}) > 50


def test_a_booking_tool_is_named_by_its_host_or_the_path_of_a_plugin() -> None:
    assert [
        text for _, text in BOOKING_TOOLS if not re.fullmatch(r"/plugins/[\w-]+/?|[a-z0-9][\w.-]*(/.*)?", text)
    ] == []

"""Things that look like contacts and are none, as they stand in real pages."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from sandbox.contacts import Decoy
from sandbox.sites.disguises import mailto
from sandbox.sites.fragments import profile, tel

FORMS: dict[str, str] = {
    "placeholder": '<p><input type="email" name="email" placeholder="{value}"> <small>e.g. {value}</small></p>\n',
    "image-name": '<img src="/images/{value}" srcset="/images/{value} 2x" alt="" width="40" height="40">\n',
    "error-key": '<script>Sentry.init({{dsn: "https://{value}/4504", tracesSampleRate: 0.1}});</script>\n',
    "vendor-email": (
        '<div class="chat-widget" data-widget="chat"><small>Trouble with this chat window? Write to the makers of the '
        'widget: <a href="mailto:{value}">{value}</a></small></div>\n'
    ),
    "map-coordinates": '<a class="map" href="https://www.google.com/maps/place/here/{value}/data=!3m1">Map</a>\n',
    "vat-number": "<p><small>VAT ID: {value}</small></p>\n",
    "order-number": "<p><small>Order no. {value}</small></p>\n",
    "date-range": "<p><small>In these rooms: {value}</small></p>\n",
    "share-button": '<a class="share-button" href="{value}" target="_blank">Share</a>\n',
    "pixel": '<noscript><img height="1" width="1" style="display:none" alt="" src="{value}"></noscript>\n',
    "social-post": '<blockquote class="post"><a href="{value}">A post of ours</a></blockquote>\n',
    "platform-page": '<p><small>Cookies: <a href="{value}">how the platform uses them</a></small></p>\n',
}


def decoy_lines(decoys: Iterable[Decoy]) -> str:
    """Write the decoys of a page."""
    return "".join(
        FORMS[decoy.what].format(value=escape(decoy.value)) if decoy.what in FORMS else _real(decoy.value)
        for decoy in decoys
    )


def _real(value: str) -> str:
    """Show a real contact: it must not be read because of where it stands, not of how it looks."""
    if value.startswith("http"):
        return f'<p class="contact-line">{profile(value)}</p>\n'
    shown = tel(value) if value.startswith("+") else mailto(value)
    return f'<p class="contact-line">{shown}</p>\n'

"""Sites that answer well and say nothing: parked, for sale, under construction."""

from __future__ import annotations

from html import escape

from sandbox.message import Reply, page
from sandbox.sites.visit import Visit, misbehaves

FRAME = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
    '<meta name="viewport" content="width=device-width"><style>body{{font-family:arial;text-align:center}}</style>'
    "</head><body>{body}</body></html>"
)
PARKED = (
    "<h1>{host}</h1><p>This domain is parked free of charge. The owner has not set up a website yet.</p>"
    "<h2>Related searches</h2><ul>{links}</ul>"
    "<p><small>The sponsored listings displayed above are served automatically by a third party. "
    '<a href="/privacy">Privacy Policy</a></small></p>'
    '<script src="http://parking.adfeed.example/park.js" data-domain="{host}"></script>'
)
FOR_SALE = (
    "<h1>{host} is for sale</h1><p>This domain name is for sale. Buy this domain now or make an offer.</p>"
    '<form action="/offer" method="post"><label>Your offer in USD <input name="offer"></label>'
    "<button>Make an offer</button></form><p>Listed on a marketplace for premium domains since 2019.</p>"
)
CONSTRUCTION = (
    "<h1>Under construction</h1><p>{name}: our new website is coming soon. Please check back later.</p>"
    '<img src="/images/under-construction.png" alt="Under construction" width="320" height="200">'
)
SEARCHES = ("Car Insurance", "Dental Implants", "Cheap Flights", "Online Degrees", "Web Hosting", "Credit Cards")


@misbehaves("parked")
def parked(visit: Visit) -> Reply:
    """Show a registrar's advertising."""
    links = "".join(f'<li><a href="/search?q={word.replace(" ", "+")}">{word}</a></li>' for word in SEARCHES)
    return _only_page(visit.host, PARKED.format(host=visit.host, links=links))


@misbehaves("for-sale")
def for_sale(visit: Visit) -> Reply:
    """Offer the name itself."""
    return _only_page(f"{visit.host} is for sale", FOR_SALE.format(host=visit.host))


@misbehaves("under-construction")
def under_construction(visit: Visit) -> Reply:
    """Promise a site."""
    name = escape(visit.business.name)
    return _only_page(f"{name} - coming soon", CONSTRUCTION.format(name=name))


def _only_page(title: str, body: str) -> Reply:
    """Every address of such a site shows the same page."""
    return page(FRAME.format(title=title, body=body))

"""What stands in the middle of a page, by its kind and its site's template."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from sandbox.business import Business
from sandbox.sites.frame import Frame, Link

FORM = (
    '<form class="contact-form" action="%s" method="post"><label>%s <input name="name"></label>\n'
    '<label>%s <textarea name="message"></textarea></label>\n<button>%s</button></form>\n'
)
BOXES = "".join(
    f'<div id="comp-l{depth:04x}" class="wixui-box" data-mesh-id="comp-l{depth:04x}inline" data-testid="box">\n'
    for depth in range(24)
)
BOXES_END = "</div>" * 24 + "\n"
SECTIONS = ("about", "services", "team", "contact")


def address(business: Business, frame: Frame) -> str:
    """Write the street address."""
    line = escape(business.address)
    return f'<p class="address"><strong>{frame.words.words["address"]}:</strong> {line}</p>\n'


def opening_hours(business: Business, frame: Frame) -> str:
    """Write when it is open, a row a day."""
    words = frame.words
    rows = "".join(
        f"<tr><th>{day}</th><td>{_spans(business, number) or words.words['closed']}</td></tr>\n"
        for number, day in enumerate(words.days)
    )
    return f'<h3>{words.words["hours"]}</h3>\n<table class="hours">\n{rows}</table>\n'


def _spans(business: Business, day: int) -> str:
    return ", ".join(f"{opens}&ndash;{closes}" for opens, closes in business.hours.get(day, ()))


def form(path: str, frame: Frame) -> str:
    """Write a contact form."""
    words = frame.words.words
    return FORM % (escape(path), words["name"], words["message"], words["send"])


def link_list(links: Sequence[Link]) -> str:
    """List pages of the site."""
    rows = "".join(f'<li><a href="{escape(link.path)}">{escape(link.text)}</a></li>\n' for link in links)
    return f'<ul class="pages">\n{rows}</ul>\n' if rows else ""


def body(kind: str, path: str, title: str, contacts: str, business: Business, frame: Frame) -> str:
    """Write the middle of a page of a kind."""
    texts = frame.paragraphs
    heading = f"<h1>{title}</h1>\n"
    if kind == "home":
        return f"<h1>{frame.name}</h1>\n{''.join(texts)}{opening_hours(business, frame)}{contacts}"
    if kind == "contact":
        return heading + address(business, frame) + contacts + form(path, frame) + opening_hours(business, frame)
    if kind in ("legal", "privacy", "location"):
        return f"{heading}<p>{frame.name}</p>\n{address(business, frame)}{contacts}{texts[2]}{texts[3]}{texts[4]}"
    start = len(path) % len(texts)
    return heading + "".join((*texts[start:], *texts[:start])) + contacts


def one_page(contacts: str, people: str, business: Business, frame: Frame) -> str:
    """Write everything on one page, in sections that the menu jumps to."""
    pages, texts = frame.words.pages, frame.paragraphs
    insides = {
        "about": texts[1] + texts[2],
        "services": texts[3] + texts[4] + texts[5],
        "team": people + texts[5],
        "contact": address(business, frame) + contacts + form("/", frame) + opening_hours(business, frame),
    }
    sections = "".join(f'<section id="{name}"><h2>{pages[name]}</h2>\n{insides[name]}</section>\n' for name in SECTIONS)
    return f"<h1>{frame.name}</h1>\n{texts[0]}{sections}"


def nested(html: str) -> str:
    """Wrap the middle as deeply as site builders do."""
    return BOXES + html + BOXES_END

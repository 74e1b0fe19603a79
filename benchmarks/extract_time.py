"""Measure extraction: milliseconds of CPU to read the facts and contacts of pages of about 30 KB, each read once."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from itertools import count, islice

from sandbox.message import Request
from sandbox.siteplan import site_plan
from sandbox.sites import answer
from sandbox.world import World
from services.charset import decode
from services.page import read

LENGTH = 30_000
BUSINESSES = 300
PAGES = 400
WARM_UP = 100

# What fills up the sandbox's small pages has the shape of real ones: some 300 elements, 60 links, 3 KB of text.
STYLE = ".card-{n}{{display:flex;margin:0 auto;padding:{n}px 12px;background:url(/img/bg-{n}@2x.png) no-repeat}}\n"
SCRIPT = (
    "window.dataLayer=window.dataLayer||[];function track{n}(e){{for(var i=0;i<e.length;i++){{"
    "dataLayer.push({{'event':'view','id':e[i].id,'list':\"<li class='x'>\"}})}}}}\n"
)
LINK = (
    '<li class="menu-item menu-item-{n}"><a class="nav-link" href="/services/{n}-{word}.html" title="{word}">'
    "<span>{word} {n}</span></a></li>\n"
)
CARD = (
    '<div class="col-md-4 wow fadeIn" data-delay="0.{n}s"><div class="card"><img class="lazy" src="/img/{word}-{n}.jpg"'
    ' srcset="/img/{word}-{n}@2x.jpg 2x" alt="{word}" width="320" height="200"><h3>{word} since {n}</h3>\n'
    "<p>Our {word} is done with care, at {n} Main Street, from 8:00 to 17:30 (not on holidays).<br>Price: ${n}.00</p>"
    '<a class="btn btn-primary" href="/{word}/{n}">Read more</a></div></div>\n'
)
WORDS = ("repair", "cleaning", "advice", "delivery", "restoration", "planning", "training", "fitting")


def pages() -> Iterator[tuple[str, str]]:
    """Give the addresses and texts of pages of the sandbox, each brought to the length."""
    world = World(BUSINESSES, 1)
    for business in world:
        plan = site_plan(world, business) if business.host else None
        for page in plan.pages[:4] if plan else ():
            reply = answer(world, Request("GET", plan.host, page.path, visit=1_000)) if plan else None
            if plan and reply and reply.status == 200 and isinstance(reply.body, bytes):
                text = decode(reply.body, reply.content_type).text
                if "</body>" in text:
                    yield f"http://{plan.host}{page.path}", filled_up(text)


def filled_up(html: str) -> str:
    """Add styles, scripts, a menu and cards until a page has its length."""
    head, _, rest = html.partition("</head>")
    body, _, end = rest.rpartition("</body>")
    missing = max(0, LENGTH - len(html))
    style = f"<style>{taken(STYLE, missing * 20 // 100)}</style>"
    script = f"<script>{taken(SCRIPT, missing * 20 // 100)}</script>"
    menu = f'<nav><ul class="menu">{taken(LINK, missing * 20 // 100)}</ul></nav>'
    cards = f'<section class="row">{taken(CARD, missing * 40 // 100)}</section>'
    return f"{head}{style}{script}</head>{body}{menu}{cards}</body>{end}"


def taken(template: str, length: int) -> str:
    """Write a piece of markup again and again, up to a length."""
    parts: list[str] = []
    size = 0
    for n in count(1):
        part = template.format(n=n, word=WORDS[n % len(WORDS)])
        size += len(part)
        if size > length:
            return "".join(parts)
        parts.append(part)
    return ""


def measure() -> tuple[float, float, float]:
    """Give the median and the 99th percentile in milliseconds, and the mean length of a page in KB."""
    chosen = list(islice(pages(), WARM_UP + PAGES))
    times: list[float] = []
    for url, html in chosen:
        started = time.thread_time()  # not the wall's: others may work on the same machine
        read(html, url=url, region="US")
        times.append((time.thread_time() - started) * 1_000)
    measured = times[WARM_UP:]
    kilobytes = statistics.mean(len(html) for _, html in chosen[WARM_UP:]) / 1_000
    return statistics.median(measured), statistics.quantiles(measured, n=100)[98], kilobytes


def main() -> None:
    """Print the figures."""
    median, worst, kilobytes = measure()
    print(f"extract: p50_ms={median:.2f} p99_ms={worst:.2f} page_kb={kilobytes:.1f}")


if __name__ == "__main__":
    main()

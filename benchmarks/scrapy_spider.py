"""The yardstick: a Scrapy spider that fetches the same pages and runs a plain email regex into a file.

`python scrapy_spider.py ADDRESSES OUTPUT WARM_UP CONCURRENCY`, run by the Python that Scrapy is installed for. Nothing
that holds it back is on: no robots.txt, no throttle, no delay, no limit per domain, no filter of doubles, no names to
look up. The rest is as Scrapy comes. It prints what the pages after the first `WARM_UP` took, as JSON.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import scrapy  # type: ignore[import-not-found]
from scrapy.crawler import CrawlerProcess  # type: ignore[import-not-found]
from scrapy.resolver import dnscache  # type: ignore[import-not-found]

EMAIL = re.compile(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}")
LOOPBACK = "127.0.0.1"


class Emails(scrapy.Spider):  # type: ignore[misc]
    """Reads every address once."""

    name = "emails"

    def __init__(self, addresses: list[str], warm_up: int) -> None:
        super().__init__()
        self.addresses = addresses
        self.warm_up = warm_up
        self.read = 0
        self.began = self.ended = (0.0, 0.0)

    async def start(self) -> AsyncIterator[Any]:
        for address in self.addresses:
            yield scrapy.Request(address, dont_filter=True)

    def parse(self, response: Any) -> Iterator[dict[str, str]]:
        for email in set(EMAIL.findall(response.text)):
            yield {"url": response.url, "email": email}
        self.read += 1
        self.ended = time.perf_counter(), time.process_time()
        if self.read <= self.warm_up:
            self.began = self.ended


def settings(output: str, concurrency: int) -> dict[str, Any]:
    """Give the settings that take the brakes off."""
    return {
        "FEEDS": {output: {"format": "jsonlines"}},
        "CONCURRENT_REQUESTS": concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": concurrency,
        "DOWNLOAD_DELAY": 0,
        "ROBOTSTXT_OBEY": False,
        "AUTOTHROTTLE_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_LEVEL": "ERROR",
    }


def main() -> None:
    """Crawl, and print how many pages were read, in how many seconds and with how much CPU."""
    source, output, warm_up, concurrency = sys.argv[1:]
    addresses = Path(source).read_text(encoding="utf-8").split()
    process = CrawlerProcess(settings(output, int(concurrency)))
    crawler = process.create_crawler(Emails)
    process.crawl(crawler, addresses=addresses, warm_up=int(warm_up))
    for address in addresses:
        dnscache[str(urlsplit(address).hostname)] = LOOPBACK
    process.start()
    spider = crawler.spider
    (began, cpu_before), (ended, cpu) = spider.began, spider.ended
    told = {"pages": spider.read, "seconds": ended - began, "cpu_seconds": cpu - cpu_before}
    sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()

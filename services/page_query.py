"""Page query: what the parameters of an address say about its page."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import unquote_plus

MOST_PARAMETERS = 30

# What a parameter means, by its name: kind and score.
TELLING = {
    "p": ("blog", 0.08),
    "page_id": ("other", 0.25),
    "attachment_id": ("media", 0.01),
    "product_id": ("product", 0.05),
    "productid": ("product", 0.05),
    "product": ("product", 0.05),
    "add-to-cart": ("product", 0.01),
    "sku": ("product", 0.05),
    "variant": ("product", 0.03),
    "cat": ("blog", 0.03),
    "tag": ("blog", 0.03),
    "author": ("blog", 0.03),
    "m": ("blog", 0.03),
    "paged": ("blog", 0.02),
    "page": ("other", 0.05),
    "replytocom": ("blog", 0.01),
    "feed": ("blog", 0.01),
    "s": ("other", 0.01),
    "q": ("other", 0.01),
    "search": ("other", 0.01),
    "filter": ("product", 0.01),
    "sort": ("product", 0.01),
    "orderby": ("product", 0.01),
    "share": ("other", 0.01),
    "print": ("other", 0.02),
    "post_type": ("blog", 0.05),
}
# Small sites keep the name of the page in one of these.
NAMES = frozenset(
    (  # noqa: SIM905
        "action cmd content do go id inhalt menu mod name nav p pag page page_name pagina path pg route section seite "
        "show site sp strona template url view"
    ).split()
)


class Told(NamedTuple):
    """A page's name, or without one its kind and score."""

    name: str
    kind: str = "other"
    score: float = 0.0


def by_query(query: str) -> Told | None:
    """Tell what a query says about its page; None when nothing."""
    told = None
    for part in query.split("&", MOST_PARAMETERS)[:MOST_PARAMETERS]:
        key, _, value = part.partition("=")
        key = key.lower()
        if key in NAMES and (name := _name(value)):
            return Told(name)
        key = "filter" if key.startswith(("filter", "pa_", "min_price", "max_price")) else key
        if key in TELLING and told is None:
            told = Told("", *TELLING[key])
    return told


def _name(value: str) -> str:
    """Give the last part of a value when it has letters."""
    last = unquote_plus(value, errors="replace").rstrip("/").rpartition("/")[2]
    return last if any(letter.isalpha() for letter in last) else ""

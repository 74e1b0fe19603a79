"""Page kind: what a page is, and how likely it names somebody to talk to, by its address alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

from services.page_query import by_query
from services.page_slug import ENDING, Guess, guess, words

LONGEST_URL = 2048
MOST_SEGMENTS = 12

HOME, UNTOLD, DATED_POST, FILE = 0.75, 0.2, 0.05, 0.01
PAGINATED, BELOW, OTHER_LANGUAGE, HEADLINE = 0.1, 0.6, 0.9, 0.4
# Under these everything is of their kind, whatever it is called.
KEEPS_ITS_OWN = frozenset(("blog", "product", "media"))
# Under these a name counts even where it says more than one thing: /company/contact-sales.
ABOUT_THE_BUSINESS = frozenset(("about", "contact", "location", "team"))
INDEX_FILES = frozenset(("index", "default", "home", "startseite", "start", "main", "welcome"))
FILES = re.compile(
    r"(?i)(?:jpe?g|png|gif|webp|svg|avif|ico|bmp|tiff?|mp[34]|m4[av]|webm|mov|avi|wav|ogg|pdf|docx?|xlsx?|pptx?|zip|gz"
    r"|rar|csv|txt|xml|json|css|js|ics|vcf|epub|apk|exe|dmg|woff2?|ttf)"
)
LANGUAGE = re.compile(r"(?i)([a-z]{2})(?:[-_][a-z]{2,4})?")
LANGUAGES = frozenset(
    (  # noqa: SIM905
        "ar at au be bg br ca ch cn cs cz da de dk ee el en es et eu fi fr ga gb gr he hi hr hu id ie il is it ja jp "
        "ko kr lb lt lu lv mk mt mx nb nl nn no nz pl pt ro rs ru se sg sk sl sq sr sv th tr ua uk us vi za zh"
    ).split()
)
YEAR, DATE = re.compile(r"(?:19|20)\d\d"), re.compile(r"(?:19|20)\d\d[-_](?:0[1-9]|1[0-2])(?:[-_]\d\d)?(?!\d)")
PAGES = frozenset(("page", "seite", "pagina", "strona", "pag", "p", "sida", "side", "sivu", "stranka", "oldal"))
SUBDOMAINS = {
    "blog": ("blog", 0.15),
    "news": ("blog", 0.15),
    "shop": ("product", 0.1),
    "store": ("product", 0.1),
    "jobs": ("careers", 0.4),
    "careers": ("careers", 0.4),
    "karriere": ("careers", 0.4),
    "cdn": ("media", 0.02),
    "static": ("media", 0.02),
    "images": ("media", 0.02),
}

_PARTS = re.compile(r"(?i)\s*+(?:(?:[a-z][a-z0-9+.-]{0,20}:)?//([^/?#]*+))?([^?#]*+)(?:\?([^#]*+))?")


@dataclass(frozen=True, slots=True)
class PageKind:
    """What a page is; the higher the score, from 0 to 1, the better the chance of contacts."""

    kind: str
    score: float
    depth: int  # segments of the path


def classify(url: str) -> PageKind:
    """Tell a page's kind from its address, in many languages; any text can be judged."""
    found = _PARTS.match(url[:LONGEST_URL])
    host, path, query = found.groups("") if found else ("", "", "")
    segments = [segment for segment in path.split("/") if segment]
    if segments and "." in segments[-1]:
        if FILES.fullmatch(segments[-1].rpartition(".")[2]):
            return PageKind("media", FILE, len(segments))
        if _is_index(segments[-1]):
            segments.pop()
    kind, score = _judge(host, segments[:MOST_SEGMENTS], query)
    return PageKind(kind, round(score, 3), len(segments))


def _is_index(name: str) -> bool:
    return name.partition(".")[0].lower() in INDEX_FILES and ENDING.search(name) is not None


def _judge(host: str, segments: list[str], query: str) -> tuple[str, float]:
    names = _without_language(segments)
    told = by_query(query) if query else None
    if told is not None and told.name:
        names = [*names, told.name]
    elif told is not None:
        kind, score = _judge_path(host, names) if names else (told.kind, told.score)
        return (told.kind if kind == "other" else kind), min(score, told.score)
    kind, score = _judge_path(host, names)
    # A site speaks to most of its visitors on the page without a language in front of it.
    return kind, score * OTHER_LANGUAGE if kind == "home" and len(names) < len(segments) else score


def _without_language(segments: list[str]) -> list[str]:
    if segments and len(segments[0]) <= 7:
        found = LANGUAGE.fullmatch(segments[0])
        if found and found[1].lower() in LANGUAGES:
            return segments[1:]
    return segments


def _judge_path(host: str, names: list[str]) -> tuple[str, float]:
    factor = 1.0
    if len(names) >= 2 and names[-1].isdigit() and names[-2].lower() in PAGES:
        names, factor = names[:-2], PAGINATED
    site = SUBDOMAINS.get(host.partition(".")[0].lower())
    if not names:
        kind, score = site or ("home", HOME)
        return ("blog" if factor < 1 and kind == "home" else kind), score * factor
    if site is not None:
        return site[0], site[1] * BELOW * factor
    if _is_dated(names):
        return "blog", DATED_POST * factor
    kind, score = _by_names(names)
    return kind, score * factor


def _is_dated(names: list[str]) -> bool:
    """Tell posts by their date: /2024/05/…, /news/2024/…, /2024-05-17-…"""
    if len(names) > 1 and any(name[0] in "12" and YEAR.fullmatch(name) for name in names):
        return True
    return names[-1][0] in "12" and DATE.match(names[-1]) is not None


def _by_names(names: list[str]) -> tuple[str, float]:
    above = None
    for name in names[:-1]:
        parent = guess(name)
        if parent is not None and parent.kind in KEEPS_ITS_OWN:
            return _inside(parent, names[-1])
        above = parent or above
    own = guess(names[-1])
    if own is not None and own.kind == "home" and len(names) > 1:
        own = None
    if own is not None and (own.is_whole or above is None or above.kind in ABOUT_THE_BUSINESS):
        return own.kind, own.chance * max(0.7, 1.05 - 0.05 * len(names))
    if above is not None:
        return above.kind, above.chance * BELOW
    return "other", _untold(names)


def _inside(parent: Guess, name: str) -> tuple[str, float]:
    """Judge a page of a blog, shop or gallery: all are of its kind, but for the one that says how to reach it."""
    own = guess(name) if parent.chance >= 0.1 else None
    if own is not None and own.is_whole and own.kind in ("contact", "legal") and own.chance >= 0.8:
        return own.kind, own.chance * BELOW
    return parent.kind, parent.chance * 0.4


def _untold(names: list[str]) -> float:
    """Score what no word explains: the shorter and the nearer to the top, the likelier it is about the business."""
    score = UNTOLD / len(names)
    if names[-1].isdigit():
        return score * 0.5
    return score * HEADLINE if len(words(names[-1])) > 4 else score

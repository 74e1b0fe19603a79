"""Social: the one way to write the address of a profile, and what a network is called."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qs, quote, unquote

LONGEST_HANDLE = 120

# What a network is called where its host does not say it, or has several.
NETWORKS = {
    "fb.com": "facebook", "fb.me": "facebook", "fb.gg": "facebook", "m.me": "facebook", "messenger.com": "facebook",
    "instagr.am": "instagram", "twitter.com": "x", "t.co": "x", "youtu.be": "youtube", "lnkd.in": "linkedin",
    "linktr.ee": "linktree", "linktree.com": "linktree", "wa.me": "whatsapp", "t.me": "telegram",
    "telegram.me": "telegram", "pin.it": "pinterest", "g.page": "google", "goo.gl": "google", "g.co": "google",
    "business.site": "google", "negocio.site": "google", "business.page": "google", "forms.gle": "google",
    "threads.net": "threads", "threads.com": "threads", "bsky.app": "bluesky", "justeat.com": "just-eat",
}  # fmt: skip

_NAME = r"([\w.-]+)"
# Of each network: which paths are a profile, and how it is written; {0} is the handle. The first that fits counts.
PROFILES: dict[str, tuple[tuple[str, str], ...]] = {
    "facebook": (
        (r"(?:pages|people)/[^/]+/(\d{5,})", "https://www.facebook.com/{0}"),
        (r"p/[^/]*?-(\d{8,})", "https://www.facebook.com/{0}"),
        (rf"(?:pg/|pages/|business/)?{_NAME}", "https://www.facebook.com/{0}"),
    ),
    "instagram": ((_NAME, "https://www.instagram.com/{0}"),),
    "linkedin": (
        (r"(?:company|companies)/([^/]+)", "https://www.linkedin.com/company/{0}"),
        (r"(?:in|pub)/([^/]+)", "https://www.linkedin.com/in/{0}"),
        (r"(school|showcase)/([^/]+)", "https://www.linkedin.com/{0}/{1}"),
    ),
    "x": ((r"@?(\w{1,30})", "https://x.com/{0}"),),
    "youtube": (
        (rf"@{_NAME}", "https://www.youtube.com/@{0}"),
        (r"channel/(UC[\w-]{5,})", "https://www.youtube.com/channel/{0}"),
        (r"(c|user)/([^/]+)", "https://www.youtube.com/{0}/{1}"),
        (r"([\w.-]+)", "https://www.youtube.com/{0}"),
    ),
    "tiktok": ((rf"@{_NAME}", "https://www.tiktok.com/@{0}"),),
    "threads": ((rf"@{_NAME}", "https://www.threads.net/@{0}"),),
    "pinterest": ((_NAME, "https://www.pinterest.com/{0}"),),
    "snapchat": ((rf"(?:add/|@){_NAME}", "https://www.snapchat.com/add/{0}"),),
    "whatsapp": ((r"(\d{6,15})", "https://wa.me/{0}"),),
    "telegram": ((r"(?:s/)?(\w{3,})", "https://t.me/{0}"),),
    "bluesky": ((rf"profile/{_NAME}", "https://bsky.app/profile/{0}"),),
    "xing": ((r"(?:(?:companies|pages)/)([^/]+)", "https://www.xing.com/pages/{0}"),
             (r"profile/([^/]+)", "https://www.xing.com/profile/{0}")),
    "linktree": ((_NAME, "https://linktr.ee/{0}"),),
    "yelp": ((r"biz/([^/]+)", "https://www.yelp.com/biz/{0}"),),
}  # fmt: skip
# Handles mean the same in any case; ids and the names of paths do not.
KEEPS_CASE = re.compile(r"youtube\.com/(?:channel|c|user)/")
# First steps of paths that belong to the network itself, or to something that is not a profile.
NOT_A_PROFILE = frozenset(
    """
    about accounts ads advertise api app apps articles blog business careers contact dialog developers directory
    download embed events events.php explore feed feeds game games gaming groups hashtag help home home.php i
    index.php intent jobs l.php learning legal live login login.php logout marketplace media messages notes
    notifications p pages people permalink.php pg photo photo.php photos pin playlist plugins policies policy post
    posts premium privacy profile.php public reel reels results search settings share share.php sharer sharer.php
    shorts signin signup stories story.php terms tos tr tv url videos watch web
""".split()  # noqa: SIM905 a list of words reads best as words
)


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile on somebody else's site, written the one way."""

    network: str
    url: str


def network_of(host: str, registrable: str) -> str:
    """Name the network or directory behind a host: `facebook` for m.facebook.com, `yelp` for yelp.co.uk."""
    for name in (host, registrable):
        if name in NETWORKS:
            return NETWORKS[name]
    return registrable.partition(".")[0]


def profile_at(network: str, path: str, query: str = "") -> Profile | None:
    """Write the profile that a path on a network leads to; None when it is a post, a share button or the front page."""
    steps = unquote(path, errors="replace").strip("/").strip()
    number = parse_qs(query[:500], max_num_fields=50).get("id", [""])[0] if query.count("&") < 50 else ""
    if network == "facebook" and steps == "profile.php":
        is_id = number.isascii() and number.isdigit() and len(number) <= LONGEST_HANDLE
        return Profile(network, f"https://www.facebook.com/{number}") if is_id else None
    for pattern, form in PROFILES.get(network, ()):
        found = re.match(rf"{pattern}(?=/|$)", steps, re.IGNORECASE)
        if found and _is_handle(found.groups()):
            return Profile(network, _written(form, found.groups()))
    return None


def _is_handle(groups: tuple[str, ...]) -> bool:
    handle = groups[-1]
    usable = 0 < len(handle) <= LONGEST_HANDLE and handle.isprintable() and bool(handle.strip(".-_"))
    return usable and handle.lower() not in NOT_A_PROFILE


def _written(form: str, groups: tuple[str, ...]) -> str:
    handles = [quote(group.strip(), safe="@.-_", errors="replace") for group in groups]
    url = form.format(*handles)
    if KEEPS_CASE.search(url):
        return url
    return form.format(*(quote(group.strip().lower(), safe="@.-_", errors="replace") for group in groups))

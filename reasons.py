"""Reasons: the short words stored on work, each defined once here and documented from here."""

from __future__ import annotations

MEANINGS: dict[str, str] = {}


def reason(word: str, meaning: str) -> str:
    """Define a reason word and what it tells a person."""
    MEANINGS[word] = meaning
    return word


WORKER_DIED = reason("worker-died", "the worker process stopped renewing its lease while it ran this; it runs again")
POISON = reason(
    "poison", "this work was running in several worker processes when they died; retry it once the cause is known"
)
DEADLINE = reason("deadline", "it was still running after the stage's time limit")
DRAINED = reason("drained", "the worker was told to stop and handed it back; no attempt was spent")
CLAIM_UNANSWERED = reason(
    "claim-unanswered", "a claim was stored but its answer was lost on the way; no attempt was spent"
)
CANCELLED = reason("cancelled", "a person cancelled it")
UNDONE = reason("undone", "a person took back the decision that had queued it once more; select it to run it again")
LATE_FINISH = reason("late-finish", "a worker finished it after losing the right to; nothing of that was stored")
ENTITY_MISSING = reason("entity-missing", "the row this work is about no longer exists")
UNEXPECTED_ERROR = reason(
    "unexpected-error", "a bug in the stage; the error text names it and the log has the traceback"
)
NO_RESULT = reason("no-result", "the stage ended without children and without saying why: a bug in the stage")
SAVE_FAILED = reason("save-failed", "the result could not be stored; the error text says why")
NO_NEW_CHILDREN = reason("no-new-children", "everything this stage found has work already")

# What strangers' servers do, and what we refuse.
TIMEOUT = reason("timeout", "the site did not answer in time, or sent its answer too slowly")
DNS = reason("dns", "the site's name has no address")
TLS = reason("tls", "no safe connection could be made: the site's certificate is wrong or expired, or it broke off")
REFUSED = reason("refused", "nothing listens at the site's address")
UNREACHABLE = reason("unreachable", "no way leads to the site's address")
CONNECTION_LOST = reason("connection-lost", "the site closed the connection before its answer was complete")
BLOCKED = reason("blocked", "the site refuses programs like ours (401, 403, 451, or a challenge page)")
RATE_LIMITED = reason("rate-limited", "the site asked us to slow down (429); the whole host rests")
SERVER_ERROR = reason("server-error", "the site failed (5xx)")
NOT_FOUND = reason("not-found", "the site has no such page (404, 410)")
REQUEST_REJECTED = reason("request-rejected", "the site rejected the request for another reason (4xx)")
TOO_LARGE = reason("too-large", "the answer is larger than our limit, on the wire or once decompressed")
NOT_HTML = reason("not-html", "the answer is not a web page: a PDF, a picture, a download")
TOO_MANY_REDIRECTS = reason("too-many-redirects", "more than five redirects, or a circle")
BAD_REDIRECT = reason("bad-redirect", "a redirect without a usable target")
BAD_URL = reason("bad-url", "the address cannot be read as an http or https URL")
BAD_RESPONSE = reason(
    "bad-response", "the answer is not proper HTTP, cannot be decompressed, or is not the JSON that it should be"
)
UNSAFE_ADDRESS = reason(
    "unsafe-address", "the URL leads into a private network, to an unusual port, or is spelt to deceive; not followed"
)
PROXY = reason("proxy", "the proxy of PROXY_URL could not be reached or would not pass us on")

# Manners: what a host's rules and our own politeness say.
ROBOTS_DENIED = reason("robots-denied", "the site's robots.txt asks programs like ours not to read this page")
ROBOTS_UNAVAILABLE = reason(
    "robots-unavailable", "the site's robots.txt cannot be read now (5xx, 429 or no answer), so nothing of it is"
)
HOST_RESTING = reason("host-resting", "the host asked for a pause (429 or 503); it goes on when that is over")
HOST_BUSY = reason("host-busy", "other work is visiting the host to which this one was sent on; it waits for its turn")
CRAWL_DELAY = reason("crawl-delay", "the host wants a longer pause before the next request than a worker waits for")

# What place providers answer.
BAD_KEY = reason("bad-key", "the provider refuses the key, or it may not be used for this; correct it and resume")
BAD_REQUEST = reason("bad-request", "the provider cannot read what it was asked; the error text says why")
UNKNOWN_PLACE = reason("unknown-place", "the provider knows no town, region or address of this name")
STALE_PAGE = reason("stale-page", "the provider no longer knows the page to go on from; its area starts again")
CONTACT_NEEDED = reason(
    "contact-needed", "OpenStreetMap's public servers want to know who asks: set CRAWLER_CONTACT and retry"
)
BUDGET = reason("budget", "the search's budget or the provider's limit for the day is spent; it goes on with new money")
NO_SANDBOX = reason("no-sandbox", "the sandbox provider works only while SANDBOX_ADDRESS is set")

# What becomes of the rows of a list that a person brings.
NO_NAME_OR_WEBSITE = reason("no-name-or-website", "the row of the list holds neither a name nor a website")
ROW_TOO_LONG = reason("row-too-long", "the row of the list is longer than 65536 characters, so it was not read whole")
NO_ADDRESS = reason("no-address", "the row of the list holds no email, phone number or domain that can be read")
REPEATED = reason("repeated", "the same list holds it further up")
KNOWN_ALREADY = reason("known-already", "it was there before the list was brought; nothing of it was changed")

# What the stages from a search to domains find.
NO_PLACES = reason("no-places", "the provider knows nothing of the kind in this area")
ENOUGH_PLACES = reason("enough-places", "the search has found as many places as it was asked for")
CLOSED = reason("closed", "the business is permanently closed")
NO_PROVIDER = reason("no-provider", "the place comes from a person's own list, so nobody can be asked for more")
EXPIRED = reason("expired", "the provider's facts may no longer be kept and are gone; scan the place again")
NO_WEBSITE = reason("no-website", "the business has no website")
BAD_WEBSITE = reason("bad-website", "what is given as a website or an address names no public host")

# What becomes of sitemaps and their pages.
EMPTY_SITEMAP = reason("empty-sitemap", "the sitemap can be read and names no page")
HOSTILE_XML = reason(
    "hostile-xml", "the sitemap declares entities, a document type or inclusions, as attacks do; it was not read on"
)
NOT_A_SITEMAP = reason("not-a-sitemap", "the file is no sitemap, index, list of addresses or feed")
UNCHANGED = reason("unchanged", "the homepage, sitemap or page is the one that was read last time")
TRUNCATED = reason("truncated", "the sitemap breaks off or is damaged; it was read as far as it goes")
TOO_MANY_URLS = reason("too-many-urls", "the sitemap names more than SITEMAP_MAX_URLS pages; the rest was left out")
OTHER_DOMAIN = reason("other-domain", "the address belongs to another site; it was counted and left out")
BAD_ADDRESS = reason("bad-address", "the entry has no http or https address that can be read; counted and left out")
TOO_DEEP = reason("too-deep", "the sitemap is named by an index of an index of indexes, too far down to be followed")
TOO_MANY_SITEMAPS = reason(
    "too-many-sitemaps", "the domain has SITEMAP_MAX_FILES sitemaps already; further ones were left out"
)
SITEMAPS_OPEN = reason("sitemaps-open", "other sitemaps of the domain are still being read; all are chosen from")
CHOSEN = reason("chosen", "the page is among the best of its domain, so it is visited")
BROUGHT = reason("brought", "a person brought the page in a list; it is visited at once or when it is selected")
OVER_BUDGET = reason("over-budget", "PAGES_PER_DOMAIN better pages of its domain are visited; it can be selected")
LOW_SCORE = reason("low-score", "nothing in its address promises contacts (PAGE_SCORE_FLOOR); it can be selected")
VANISHED = reason("vanished", "no sitemap of its domain lists the page any longer")
HOMEPAGE_READ = reason("homepage-read", "the page is the homepage, which was read with its domain; it can be selected")
NOTHING_CHANGED = reason(
    "nothing-changed", "the chosen pages were visited before, and nothing tells that they have changed since"
)
NO_PAGES = reason("no-pages", "no page of the domain looks promising enough to be visited; one can be selected")

# What homepages tell, and where sitemaps are looked for.
PARKED = reason("parked", "the domain shows a registrar's or an advertiser's page, nobody's site")
FOR_SALE = reason("for-sale", "the domain itself is offered for sale")
UNDER_CONSTRUCTION = reason("under-construction", "the site is announced but not there yet")
ERROR_PAGE = reason("error-page", "the homepage is a server's page for a fault or for a missing one")
SOFT_404 = reason("soft-404", "the homepage says itself that there is no such page")
EMPTY = reason("empty", "the homepage has nothing on it")
REDIRECTED = reason("redirected", "the site has moved to another domain, which carries on")
SHARED_HOST = reason("shared-host", "it leads to a profile or page on somebody else's site, which is kept as a contact")
MORE_TO_ASK = reason("more-to-ask", "there are further places to look at on this site; it goes on where it was")

# What becomes of the contacts on pages.
NO_CONTACT = reason("no-contact", "the page was read, and there is no email, phone, profile or person on it")
NOTHING_TO_VALIDATE = reason(
    "nothing-to-validate", "the page shows profiles or people and neither an email nor a phone; they are kept as found"
)
SATURATED = reason(
    "saturated", "its domain has enough contacts (SATURATED_EMAILS, SATURATED_PHONES); it can be selected all the same"
)
ERASED = reason("erased", "the domain was erased on somebody's request, so it is neither read nor stored again")
OFF_SITE = reason("off-site", "the page leads to another site, which is not read for this one")

# What validation needs to judge contacts; the verdicts' own words are the stage's.
LIST_UNREADABLE = reason("list-unreadable", "the file of DISPOSABLE_DOMAINS_FILE cannot be read; correct it and retry")

# What becomes of what webhooks are told.
RECEIVER_REFUSED = reason(
    "receiver-refused", "the webhook's receiver answered something other than 2xx; told again later"
)
RECEIVER_GONE = reason("receiver-gone", "the webhook's receiver wants no more messages (410), so it was switched off")
WEBHOOK_OFF = reason("webhook-off", "the webhook was switched off before it was told; redeliver it once it is on again")
WEBHOOK_GONE = reason("webhook-gone", "the webhook was removed before it was told")
NOTHING_TO_TELL = reason(
    "nothing-to-tell", "what the webhook was to be told of has been suppressed, erased, turned down or deleted since"
)

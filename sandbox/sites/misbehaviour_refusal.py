"""Sites that are not there, turn visitors away or send them elsewhere."""

from __future__ import annotations

from sandbox.hosts import companion_host
from sandbox.message import Reply, page, redirect
from sandbox.sites.visit import Visit, misbehaves

INSIDE = (
    "http://10.0.0.1/admin",
    "http://169.254.169.254/latest/meta-data/",
    "http://127.0.0.1/",
    "http://192.168.1.1/login",
    "http://[::1]/",
    "http://localhost/",
    "http://172.16.0.9/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://[::ffff:10.0.0.1]/",
    "http://100.64.0.1/",
    "http://0.0.0.0/",
)
LOOP = {"/": "/welcome", "/welcome": "/start"}
PDF = (
    b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
    b"2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n"
    b"xref\n0 3\n0000000000 65535 f \n0000000015 00000 n \n0000000064 00000 n \n"
    b"trailer\n<< /Size 3 /Root 1 0 R >>\nstartxref\n116\n%%EOF\n"
)


@misbehaves("redirect-loop")
def redirect_loop(visit: Visit) -> Reply:
    """Send visitors round in a circle of three."""
    return redirect(f"http://{visit.request.host}{LOOP.get(visit.request.path, '/')}", status=302)


@misbehaves("redirect-private")
def redirect_private(visit: Visit) -> Reply:
    """Send visitors to an address inside their own network."""
    return redirect(INSIDE[visit.business.index % len(INSIDE)], status=302)


@misbehaves("redirect-elsewhere")
def redirect_elsewhere(visit: Visit) -> Reply:
    """Send visitors to the domain that the business has moved to, path and all."""
    target = companion_host("redirect-elsewhere", visit.business.index)
    if visit.host == target:
        return visit.normal()
    query = f"?{visit.request.query}" if visit.request.query else ""
    return redirect(f"http://{target}{visit.request.path}{query}")


@misbehaves("not-found")
def not_found(_: Visit) -> Reply:
    """Have no page, not even the first."""
    return page("<!doctype html><title>404 Not Found</title><h1>Not Found</h1>", status=404)


@misbehaves("blocked")
def blocked(_: Visit) -> Reply:
    """Turn everybody away."""
    return page("<!doctype html><title>403 Forbidden</title><h1>Access denied</h1>", status=403)


@misbehaves("challenge")
def challenge(visit: Visit) -> Reply:
    """Ask for proof of being a person, as Cloudflare does."""
    html = (
        '<!doctype html><html lang="en-US"><head><title>Just a moment...</title>'
        '<meta name="robots" content="noindex,nofollow"></head><body><noscript>Enable JavaScript and cookies to '
        "continue</noscript><script>window._cf_chl_opt={cvId:'3',cType:'managed'};</script>"
        '<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script></body></html>'
    )
    status = 503 if visit.business.index % 2 else 403
    return page(html, status=status, headers=(("cf-mitigated", "challenge"), ("Server", "cloudflare")))


@misbehaves("not-html")
def not_html(_: Visit) -> Reply:
    """Offer a leaflet as the homepage."""
    return Reply(200, PDF, "application/pdf")

"""Pages that are no business's are told from businesses' pages, however alike their words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services import fault_phrases, parked_phrases, unfinished_phrases
from services.domain import SiteFacts, read_homepage
from services.parked import fold

URL = "https://www.brook.com/"
MENU = "".join(
    f'<a href="/{name}">{name}</a> ' for name in ("about", "services", "prices", "team", "news", "shop", "contact")
)
STORY = (
    "<p>We have looked after people in this town for many years and most of our guests come by a friend's word. " * 6
)
NEWS = (
    "<ul>"
    + "".join(f'<li><a href="/search?q={word}">{word} offers</a></li>' for word in ("car", "dental", "loan"))
    + "</ul>"
)


def read(html: str) -> SiteFacts:
    return read_homepage(html, url=URL)


def page(title: str, body: str) -> str:
    return f"<!doctype html><html><head><title>{title}</title></head><body>{body}</body></html>"


NO_BUSINESS = [
    ("parked", page("brook.com", f"<h1>brook.com</h1><p>This domain is parked free of charge.</p>{NEWS}")),
    (
        "parked",
        page("brook.com", f"<h2>Related Searches</h2>{NEWS}<p>The Sponsored Listings displayed above are served."),
    ),
    ("parked", page("brook.com", '<script src="https://www.google.com/adsense/domains/caf.js"></script><div></div>')),
    ("parked", page("brook.com", '<div id=x></div><script src="https://img.sedoparking.com/js/main.js"></script>')),
    ("parked", '<html><head><script>window.onload=function(){window.location.href="/lander"}</script></head></html>'),
    ("parked", page("Brook", "<p>Diese Domain ist geparkt.")),
    ("parked", page("brook.com", "<h1>Glückwunsch!</h1><p>Diese Domain wurde erfolgreich registriert.")),
    ("parked", page("brook.com", "<p>Ce nom de domaine a été enregistré par un client.")),
    ("parked", page("brook.com", "<p>Este dominio ha sido registrado. Vuelva pronto.")),
    ("parked", page("brook.com", "<p>Questo dominio è stato registrato.")),
    ("parked", page("brook.com", "<p>Deze domeinnaam is geregistreerd voor een klant.")),
    ("parked", page("brook.com", "<p>Este domínio foi registado.")),
    ("parked", page("brook.com", "<p>Ta domena została zarejestrowana.")),
    ("parked", page("brook.com", "<h1>This domain has expired.</h1><p>Is it yours? Renew it now.")),
    ("parked", page("Parked domain", "<p>brook.com")),
    ("parked", page("Home", "<h1>Looks like this domain isn't connected to a website yet</h1>")),
    ("for-sale", page("brook.com is for sale", "<h1>brook.com</h1><p>Make an offer. <form><input></form>")),
    ("for-sale", page("Brook", "<p>The domain <b>www.brook.com</b> is for sale. Contact us.")),
    ("for-sale", page("brook.com", '<a href="https://dan.com/buy-domain/brook.com">Get a price</a>')),
    ("for-sale", page("brook.com", f"<h1>This domain may be for sale!</h1>{NEWS}<p>This domain is parked")),
    ("for-sale", page("Domain for sale", "<p>Price on request")),
    ("for-sale", page("brook.com", "<p>Die Domain brook.com steht zum Verkauf.")),
    ("for-sale", page("brook.com", "<p>Ce nom de domaine est à vendre !")),
    ("for-sale", page("brook.com", "<p>¡Este dominio está en venta!")),
    ("for-sale", page("brook.com", "<p>Questo dominio è in vendita")),
    ("for-sale", page("brook.com", "<p>Deze domeinnaam is te koop")),
    ("for-sale", page("brook.com", "<p>Este domínio está à venda")),
    ("for-sale", page("brook.com", "<p>Ta domena jest na sprzedaż")),
    ("under-construction", page("Brook Dental", "<h1>Coming soon</h1><p>Call us: 555 0100")),
    ("under-construction", page("Brook - Coming Soon", "<img src=/logo.png><p>Follow us")),
    ("under-construction", page("Brook", "<p>Our new website is coming soon. Please check back later.")),
    ("under-construction", page("Brook", "<p>Under construction")),
    ("under-construction", page("Maintenance", "<p>Briefly unavailable for scheduled maintenance. Check back soon.")),
    ("under-construction", page("Praxis", "<p>Hier entsteht eine neue Internetpräsenz.")),
    (
        "under-construction",
        page("Praxis", "<h1>Praxis Bach</h1><p>Unsere Website befindet sich im Aufbau. Tel. 030 123"),
    ),
    ("under-construction", page("Boulangerie", "<p>Notre site est en construction, revenez bientôt")),
    ("under-construction", page("Clínica", "<p>Página en construcción")),
    ("under-construction", page("Studio", "<p>Il sito è in costruzione")),
    ("under-construction", page("Tandarts", "<p>Deze website is in aanbouw")),
    ("under-construction", page("Clínica", "<p>Site em construção")),
    ("under-construction", page("Gabinet", "<p>Strona w budowie")),
    ("error-page", page("404 Not Found", "<center><h1>404 Not Found</h1></center><hr>nginx")),
    ("error-page", page("403 Forbidden", "<h1>Forbidden</h1><p>You don't have permission to access this resource.")),
    ("error-page", page("Forbidden", "<p>No")),
    ("error-page", page("Welcome to nginx!", "<h1>Welcome to nginx!</h1><p>If you see this page, it is installed.")),
    ("error-page", page("Apache2 Ubuntu Default Page: It works", "<p>This is the default welcome page")),
    ("error-page", "<html><body><h1>It works!</h1></body></html>"),
    ("error-page", page("Index of /", '<h1>Index of /</h1><a href="/cgi-bin/">cgi-bin/</a>')),
    ("error-page", page("Database Error", "<h1>Error establishing a database connection</h1>")),
    ("error-page", page("Account Suspended", "<p>This account has been suspended. Contact your host.")),
    ("error-page", page("Just a moment...", "<noscript>Enable JavaScript and cookies</noscript><script>x</script>")),
    ("error-page", page("", "<p>There has been a critical error on this website.")),
    ("soft-404", page("Page not found | Brook", f"{MENU}<h1>Page not found</h1>{STORY}")),
    ("soft-404", page("Brook", f"{MENU}<h1>Seite nicht gefunden</h1>")),
    ("soft-404", page("Page introuvable - Brook", MENU)),
    ("soft-404", page("Página no encontrada", MENU)),
    ("soft-404", page("Pagina non trovata", MENU)),
    ("soft-404", page("Pagina niet gevonden", MENU)),
    ("soft-404", page("Página não encontrada", MENU)),
    ("soft-404", page("Nie znaleziono strony", MENU)),
    ("empty", ""),
    ("empty", page("Brook", "")),
    ("empty", "<html><head></head><body>&nbsp;<!-- nothing --></body></html>"),
]

# Businesses, each with words that a careless reader would trip over.
BUSINESS = [
    page("Brook Cinema", f"{MENU}<h1>Coming soon</h1>{STORY}"),
    page("Brook Cinema - Coming soon", f"{MENU}{STORY}"),
    page("Brook Dental", f"{MENU}<h1>Brook Dental</h1><p>Coming soon: our second practice.</p>{STORY}"),
    page("Brook Dental", f"<h1>Brook Dental</h1><p>Online booking coming soon.{STORY}"),
    page("Brook Bakery", "<h1>Brook Bakery</h1><p>Fresh bread daily, 12 Main Street. Cakes coming soon! 555 0100"),
    page("Brook Homes", f"{MENU}<h1>Under construction</h1><p>Homes that are being built now.{STORY}"),
    page("Brook Builders", f"<h1>Brook Builders</h1><h2>Under construction</h2><p>12 Main Street, 4 houses.</p>{MENU}"),
    page("Brook Property Maintenance", "<h1>Brook Property Maintenance</h1><p>Gardens, roofs, gutters. Call 555 0100."),
    page("Wartung und Service Bach", "<h1>Wartung</h1><p>Heizung, Bad, Klima. Rufen Sie uns an: 030 123456."),
    page("Brook Names", f"{MENU}<h1>Domains from $5</h1><p>Find a domain for sale. Premium domain names.{STORY}"),
    page("Brook Names", f"<h1>Domain names</h1>{'<p>fine.net <a href=/buy>Buy this domain</a>' * 12}"),
    page("Brook Hosting", f"{MENU}<h2>Domain parking</h2><p>Your parked domain earns money.{STORY}"),
    page("Brook Hosting", f"{MENU}<p>What happens when this domain has expired? Read our guide.{STORY * 4}"),
    page("Brook Parking", "<h1>Brook Parking</h1><p>Your car is parked safely with us. Airport, day and night."),
    page("Brook Cars", f"{MENU}<h1>For sale</h1><p>This car is for sale.{STORY}"),
    page("Brook Estates", "<h1>For sale in Brook</h1><p>12 houses for sale. Make an offer. 555 0100"),
    page("Immobilien Bach", "<h1>Zu verkaufen</h1><p>Dieses Haus steht zum Verkauf. Tel. 030 123456"),
    page("Agence Bach", "<h1>À vendre</h1><p>Cette maison est à vendre. Appelez-nous."),
    page("Inmobiliaria", "<h1>En venta</h1><p>Esta casa está en venta. Llámenos."),
    page("Forbidden Fruit Florist", "<h1>Forbidden Fruit Florist</h1><p>Flowers for every day. 12 Main Street."),
    page("It Works! Wellness", "<h1>It works! Wellness for you</h1><p>Massage and yoga at 12 Main Street."),
    page("Access Denied Locksmiths", "<h1>Access Denied Locksmiths</h1><p>Locked out? Call 555 0100, day and night."),
    page("404 Plumbing Atlanta", "<h1>404 Plumbing</h1><p>Serving the 404 since 1990. Call 404 555 0100."),
    page("Not Found Records", "<h1>Records not found elsewhere</h1><p>Vinyl, tapes and books at 12 Main Street."),
    page("Index of Beauty Salon", "<h1>Index of Beauty</h1><p>Hair and nails. 12 Main Street, Brook."),
    page("500 Degrees Pizza", "<h1>500 Degrees</h1><p>Wood-fired pizza. Open 11 to 10. Call 555 0100."),
    page("Brook", "<p>Brook Dental, 12 Main Street. Call 555 0100."),
    page("Brook", '<img src="/front.jpg" alt="Brook Dental"><a href="tel:5550100">Call</a>'),
    page("Brook", '<div id="root"></div><script src="/static/js/main.js"></script>'),
    page("Brook", '<noscript>You need to enable JavaScript to run this app.</noscript><script src="/a.js"></script>'),
    page("Brook", '<iframe src="/start.html"></iframe>'),
    '<html><head><title>Brook</title></head><frameset><frame src="start.htm"></frameset></html>',
    '<html><head><meta http-equiv="refresh" content="0;url=/en/"></head></html>',
    page("Praxis Bach", f"{MENU}<p>Unser Team ist im Aufbau, demnächst mehr.{STORY}"),
    page("Boulangerie", f"{MENU}<h1>Bienvenue</h1><p>Bientôt disponible : nos gâteaux de Noël.{STORY}"),
    page("Clínica Bach", f"{MENU}<h1>Bienvenidos</h1><p>Próximamente nueva sede.{STORY}"),
    page("Costruzioni Bach", f"{MENU}<h1>In costruzione</h1><p>Case e ville in costruzione a Roma.{STORY}"),
    page("Bakkerij", f"{MENU}<h1>Welkom</h1><p>Binnenkort: verse taart.{STORY}"),
    page("Padaria", f"{MENU}<h1>Bem-vindo</h1><p>Em breve: novos bolos.{STORY}"),
    page("Domy Bach", f"{MENU}<h1>Domy w budowie</h1><p>Nasze domy w budowie: Kraków, Łódź.{STORY}"),
    page("Brook Web Design", f"{MENU}<p>Is your website under construction? Website coming soon? Ask us.{STORY}"),
    page("Brook Law", f"{MENU}<p>Page not found? Tell us.{STORY}"),
    page("Brook Dental", f"{MENU}<p>We are closed for maintenance on Friday.{STORY}"),
    page("Brook Museum", f"{MENU}<h1>Just a moment in time</h1>{STORY}"),
    page("Brook & Sons", f"{MENU}<p>Visit www.brook.com. Everything in our window is for sale.{STORY}"),
]  # fmt: skip


@pytest.mark.parametrize(("verdict", "html"), NO_BUSINESS)
def test_a_page_that_is_no_business_is_recognised(verdict: str, html: str) -> None:
    facts = read(html)
    assert facts.verdict == verdict, facts.evidence
    assert facts.evidence


@pytest.mark.parametrize("html", BUSINESS)
def test_a_business_is_not_taken_for_anything_else(html: str) -> None:
    facts = read(html)
    assert facts.verdict is None, facts.evidence


def test_there_are_enough_examples() -> None:
    assert len(BUSINESS) >= 40
    assert len([verdict for verdict, _ in NO_BUSINESS if verdict not in ("soft-404", "empty")]) >= 30


def test_words_are_folded_to_plain_ones() -> None:
    assert fold("Été, l'ŒUVRE; Łódź — www.Brook.com!", "brook.com") == " ete l oeuvre lodz {host} "


def test_phrases_are_written_as_pages_are_folded() -> None:
    tables = [
        table
        for module in (parked_phrases, unfinished_phrases, fault_phrases)
        for table in vars(module).values()
        if isinstance(table, tuple) and table and isinstance(table[0], tuple)
    ]
    phrases = [phrase for table in tables for _, phrase in table]
    assert [phrase for phrase in phrases if fold(phrase) != f" {phrase} "] == []
    assert all(len(set(table)) == len(table) for table in tables)
    assert {language for table in tables for language, _ in table} == {"en", "de", "fr", "es", "it", "nl", "pt", "pl"}


@given(st.text(max_size=200), st.text(max_size=20))
def test_any_text_can_be_folded(text: str, host: str) -> None:
    assert fold(text, host).isascii()

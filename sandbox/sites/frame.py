"""What all pages of a site share in one language: head, menu and footer, put together once per site."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from sandbox.business import Business
from sandbox.sites import snippets
from sandbox.sites.phrases import Phrases, phrases

PAGE = (
    '<!doctype html>\n<html lang="%s">\n<head>\n<meta charset="utf-8">\n<title>%s</title>\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    '<meta property="og:title" content="%s">\n<meta property="og:url" content="%s">\n'
    '<link rel="canonical" href="%s">\n%s%s</head>\n%s<main>\n%s</main>\n<footer>\n%s%s</body></html>\n'
)
MENU = ("home", "about", "services", "pricing", "team", "location", "blog", "careers", "contact")


@dataclass(frozen=True, slots=True)
class Link:
    """One entry of a menu."""

    path: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Frame:
    """The fixed parts of a site's pages in one language."""

    language: str
    words: Phrases
    name: str  # escaped
    base: str  # "http://host"
    head: str
    top: str
    footer: str
    end: str
    paragraphs: tuple[str, ...]

    def page(self, path: str, title: str, body: str, *, head: str = "", footer: str = "") -> str:
        """Put a page together; all parts but the path are HTML already."""
        url = self.base + escape(path)
        whole = f"{title} | {self.name}" if path != "/" else f"{self.name} | {title}"
        return PAGE % (
            self.language, whole, whole, url, url, self.head, head, self.top, body, footer + self.footer, self.end
        )  # fmt: skip


def frame(business: Business, host: str, template: str, language: str, links: Sequence[Link]) -> Frame:
    """Put the fixed parts together."""
    words = phrases(language)
    name, town, trade = escape(business.name), escape(business.town.name), escape(business.category.label)
    facts = {"name": name, "town": town, "trade": trade}
    mark = hashlib.blake2b(host.encode(), digest_size=5).hexdigest()
    marks = {"host": host, "mark": mark.upper(), "digits": int(mark, 16) + 10**14, "minor": business.index % 7 + 1}
    description = words.description.format(**facts)
    builder_head = _builder_head(template, business.index)
    return Frame(
        language=language,
        words=words,
        name=name,
        base=f"http://{host}",
        head=_head(name, description, f"{language}_{business.town.country}")
        + builder_head.format(**marks)
        + _style(template),
        top=_top(template, name, links),
        footer=_footer(name, words, links),
        end=_end(template, marks, business.index),
        paragraphs=tuple(f"<p>{text.format(**facts)}</p>\n" for text in (words.welcome, *words.paragraphs)),
    )


def _head(name: str, description: str, locale: str) -> str:
    return (
        f'<meta name="description" content="{description}">\n<meta property="og:description" content="{description}">\n'
        f'<meta property="og:site_name" content="{name}">\n<meta property="og:type" content="website">\n'
        f'<meta property="og:locale" content="{locale}">\n<meta property="og:image" content="/images/front.jpg">\n'
        '<link rel="icon" href="/favicon.ico">\n'
    )


def has_yoast(template: str, index: int) -> bool:
    """Tell whether a WordPress has the plugin, and with it the plugin's sitemap."""
    return template == "wordpress" and index % 2 == 0


def _builder_head(template: str, index: int) -> str:
    if template in ("wordpress", "blog-heavy"):
        plugins = snippets.YOAST if has_yoast(template, index) else snippets.ELEMENTOR
        return snippets.WORDPRESS_HEAD + plugins
    return snippets.WIX_HEAD if template == "wix" else ""


def _style(template: str) -> str:
    styles = {"wix": snippets.WIX_STYLE, "wordpress": snippets.WORDPRESS_STYLE, "blog-heavy": snippets.WORDPRESS_STYLE}
    return styles.get(template, snippets.PLAIN_STYLE + "\n")


def _top(template: str, name: str, links: Sequence[Link]) -> str:
    menu = "".join(
        f'<li class="menu-item"><a href="{escape(link.path)}">{escape(link.text)}</a></li>\n'
        for link in sorted((link for link in links if link.kind in MENU), key=lambda link: MENU.index(link.kind))
    )
    home = next((link.path for link in links if link.kind == "home"), "/")
    logo = (
        f'<a class="logo" href="{escape(home)}"><img src="/images/logo.png" alt="{name}" width="160" height="60"></a>'
    )
    return f'<body class="{template}">\n<header>{logo}\n<nav><ul>\n{menu}</ul></nav></header>\n'


def _footer(name: str, words: Phrases, links: Sequence[Link]) -> str:
    small = "".join(
        f' <a href="{escape(link.path)}">{escape(link.text)}</a>' for link in links if link.kind in ("legal", "privacy")
    )
    return f"<p>© 2026 {name}. {words.words['rights']}.{small}</p>\n</footer>\n"


def _end(template: str, marks: dict[str, object], index: int) -> str:
    builders = {"wix": snippets.WIX_END, "wordpress": snippets.WORDPRESS_END, "blog-heavy": snippets.WORDPRESS_END}
    analytics = snippets.ANALYTICS[index % len(snippets.ANALYTICS)]
    return (builders.get(template, "") + analytics).format(**marks)

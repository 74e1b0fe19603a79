"""Site: one business's site, its plan sorted by page, ready to make any of its pages."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from sandbox.business import Business
from sandbox.contacts import Decoy, PagePlan, Planted
from sandbox.message import Reply, page
from sandbox.siteplan import SitePlan
from sandbox.sites import bodies, posts
from sandbox.sites.assets import asset
from sandbox.sites.decoys import decoy_lines
from sandbox.sites.fragments import contact_lines, json_ld, people, social_links
from sandbox.sites.frame import Frame, Link, frame, has_yoast

PROTECTED = "/cdn-cgi/l/email-protection"


class Site:
    """A site. What its pages share is kept, the pages themselves never."""

    def __init__(self, plan: SitePlan, branches: Sequence[Business]) -> None:
        self.plan, self.host, self.business = plan, plan.host, plan.business
        self.has_yoast = has_yoast(plan.template, plan.business.index)
        self.is_catalogue = plan.template != "blog-heavy"
        self.pages = {each.path: each for each in plan.pages}
        self._branches = self._branch_pages(branches) if len(branches) > 1 else {}
        self._planted: dict[str, list[Planted]] = {}
        self._decoys: dict[str, list[Decoy]] = {}
        for planted in plan.planted:
            self._planted.setdefault(planted.page, []).append(planted)
        for decoy in plan.decoys:
            self._decoys.setdefault(decoy.page, []).append(decoy)
        self._links = {language: self._language_links(language) for language in {each.language for each in plan.pages}}
        self.frames = {language: self._frame(language) for language in self._links}
        self.main = self.frames[plan.pages[0].language]

    def answer(self, path: str, query: str) -> Reply | None:
        """Answer for a page or a file; None when there is nothing at that path."""
        found = self.pages.get("/" if path == "/index.html" else path)
        if found is not None:
            return page(self._page(found, query))
        return self._post(path) or asset(path) or self._protected(path)

    def missing(self) -> str:
        """Write the page for a path where nothing is."""
        words = self.main.words.words["missing"]
        return self.main.page("/404", words, f"<h1>{words}</h1>\n{bodies.link_list(self._links[self.main.language])}")

    def _page(self, found: PagePlan, query: str) -> str:
        frame = self.frames[found.language]
        business = self._branches.get(found.path, self.business)
        planted, decoys = self._planted.get(found.path, ()), self._decoys.get(found.path, ())
        contacts = contact_lines(planted, frame.words, frame.name) + decoy_lines(decoys)
        cards = people(planted)
        title = escape(found.title)
        if self.plan.template == "one-page":
            middle = bodies.one_page(contacts, cards, business, frame)
        else:
            middle = bodies.body(found.kind, found.path, title, cards + contacts, business, frame)
        middle += self._lists(found, query)
        if self.plan.template == "wix":
            middle = bodies.nested(middle)
        head = json_ld(business, self.host, planted) + self._alternates(found)
        return frame.page(found.path, title, middle, head=head, footer=social_links(planted))

    def _lists(self, found: PagePlan, query: str) -> str:
        """Link what the menu does not: branches from the list of them and from the homepage, posts from the blog."""
        links = self._links[found.language]
        if found.kind == "location" or (found.kind == "home" and self.plan.template != "one-page"):
            return bodies.link_list([link for link in links if link.kind == "location"])
        if found.kind == "blog" and self.plan.extra_urls:
            place = query.removeprefix("page=")
            number = int(place) if place.isdecimal() and len(place) < 6 else 0
            return posts.post_list(self.plan.extra_urls, number, found.path, is_catalogue=self.is_catalogue)
        return ""

    def _alternates(self, found: PagePlan) -> str:
        if len(self.frames) == 1:
            return ""
        return "".join(
            f'<link rel="alternate" hreflang="{each.language}" href="http://{self.host}{each.path}">\n'
            for each in self.plan.pages
            if each.kind == found.kind
        )

    def _post(self, path: str) -> Reply | None:
        number = posts.number_of(path, is_catalogue=self.is_catalogue) if self.plan.extra_urls else None
        if number is None or number >= self.plan.extra_urls:
            return None
        return page(posts.post_page(self.main, path, number))

    def _protected(self, path: str) -> Reply | None:
        """Answer as Cloudflare does to who follows a protected address without a script."""
        if path != PROTECTED:
            return None
        return page(self.main.page(path, "Email Protection", "<h1>Email Protection</h1><p>Turn on scripts.</p>"))

    def _branch_pages(self, branches: Sequence[Business]) -> dict[str, Business]:
        """Give each branch of a chain its page: the first page of the kind lists the others."""
        paths = [each.path for each in self.plan.pages if each.kind == "location"][1:]
        return dict(zip(paths, branches, strict=True))

    def _language_links(self, language: str) -> list[Link]:
        return [Link(each.path, each.kind, each.title) for each in self.plan.pages if each.language == language]

    def _frame(self, language: str) -> Frame:
        return frame(self.business, self.host, self.plan.template, language, self._menu(language))

    def _menu(self, language: str) -> list[Link]:
        """List one page of each kind, and the way to the other languages; one-page sites jump to their sections."""
        if self.plan.template == "one-page":
            return [Link("/", "home", "Home"), *(Link(f"/#{name}", name, name.title()) for name in bodies.SECTIONS)]
        firsts: dict[str, Link] = {}
        for link in self._links[language]:
            firsts.setdefault(link.kind, link)
        private = [link for link in self._links[language] if link.path.startswith("/private/")]
        others = [
            Link(links[0].path, "home", other.upper()) for other, links in self._links.items() if other != language
        ]
        return [*firsts.values(), *private, *sorted(others, key=lambda link: link.path)]

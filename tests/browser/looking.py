"""What is asked of every page: that anybody can read and use it, on any screen, and that nothing scraped runs."""

from __future__ import annotations

from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

from playwright.sync_api import FloatRect, Page

from tests.browser.every_page import name_of
from tests.browser.windows import PHONE, WIDE

AXE = Path(__file__).with_name("axe") / "axe.min.js"
PICTURES = Path(__file__).with_name("screenshots")
# A picture that is to be looked at; and a page that is longer than this has let a stranger's text run away with it.
TALLEST, MOST_PIXELS = 4_000, 30_000
GRAVE = ("serious", "critical")

# Parts that come after the page, and the stream that keeps it up to date.
SETTLED = """
() => !document.querySelector(".htmx-request")
   && (!document.querySelector("[data-live]") || document.querySelector("[data-live].is-live"))"""

RUN_AXE = "(options) => axe.run(document, {resultTypes: ['violations'], ...options}).then((found) => found.violations)"
# Darkness changes colours and nothing else.
RULES: dict[str, dict[str, Any]] = {"light": {}, "dark": {"runOnly": ["color-contrast"]}}

# Past the right edge of the screen, the names of what sticks out.
TOO_WIDE = """
() => {
  const edge = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= edge) return [];
  const scrolls = (each) => each.parentElement
    && (getComputedStyle(each.parentElement).overflowX !== "visible" || scrolls(each.parentElement));
  const wide = [...document.body.querySelectorAll("*")]
    .filter((each) => each.getBoundingClientRect().right > edge + 1 && !scrolls(each))
    .map((each) => each.outerHTML.slice(0, 120));
  return wide.length ? wide : ["something on it"];
}"""

# Whatever can be used with a mouse can be reached by keyboard, and shows that it was.
OUT_OF_REACH = """
() => {
  const wrong = [];
  const shown = (each) => each.checkVisibility({visibilityProperty: true, opacityProperty: false});
  const usable = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex], [hx-get],"
    + " [hx-post]";
  const byItself = "form, main, dialog, [tabindex='-1'], [hx-trigger*=load], [hx-trigger*='from:']";
  for (const each of document.querySelectorAll(usable)) {
    if (!shown(each) || each.disabled || each.matches(byItself)) continue;
    each.focus();
    const style = getComputedStyle(each);
    const mark = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
    if (document.activeElement !== each) wrong.push("no focus: " + each.outerHTML.slice(0, 120));
    else if (!mark) wrong.push("focus cannot be seen: " + each.outerHTML.slice(0, 120));
    if (each.tabIndex > 0) wrong.push("out of order: " + each.outerHTML.slice(0, 120));
  }
  return wrong;
}"""


def look_at(page: Page, address: str) -> list[str]:
    """Open an address, and tell what is wrong with its page."""
    answer = page.goto(address)
    if answer is None or answer.status != HTTPStatus.OK:
        return [f"{address} is no page"]
    settle(page)
    return faults(page, name_of(address))


def settle(page: Page) -> None:
    """Wait until everything that comes by itself has come."""
    page.wait_for_load_state("load")
    page.wait_for_function(SETTLED)


def faults(page: Page, name: str) -> list[str]:
    """Look at an open page in light, dark and small; keep pictures of it, and tell what is wrong."""
    found = [] if page.locator("h1").count() == 1 else ["not one h1"]
    found += barriers(page, name)
    found += _too_wide(page, name)
    found += _unusable_by_keyboard(page)
    return found if page.evaluate("window.hacked") is None else [*found, "a script of a stranger has run"]


def barriers(page: Page, name: str) -> list[str]:
    """Tell what keeps some people from reading or using what is shown, in dark and in light."""
    page.evaluate(_axe())
    found = []
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        _keep(page, f"{name}-{scheme}")
        found += [f"{scheme}: {each}" for each in _barriers(page, RULES[scheme])]
    return found


def _barriers(page: Page, rules: dict[str, Any]) -> list[str]:
    return [
        f"{rule['id']} ({rule['impact']}): {node['target']} {node['html'][:150]} {_why(node)}"
        for rule in page.evaluate(RUN_AXE, rules)
        if rule["impact"] in GRAVE
        for node in rule["nodes"][:3]
    ]


def _why(node: dict[str, Any]) -> str:
    return "; ".join(each["message"] for each in [*node["any"], *node["all"], *node["none"]])[:300]


def _unusable_by_keyboard(page: Page) -> list[str]:
    page.keyboard.press("Tab")  # from now on focus is shown as for somebody who has no mouse
    wrong: list[str] = page.evaluate(OUT_OF_REACH)
    return wrong[:5]


def _too_wide(page: Page, name: str) -> list[str]:
    page.set_viewport_size({"width": PHONE, "height": 844})
    _keep(page, f"{name}-phone")
    wide: list[str] = page.evaluate(TOO_WIDE)
    tall = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": WIDE, "height": 900})
    wrong = [f"wider than a phone: {each}" for each in wide[:5]]
    return wrong if tall <= MOST_PIXELS else [*wrong, f"taller than anybody scrolls on a phone: {tall} pixels"]


def _keep(page: Page, name: str) -> None:
    size = page.evaluate("[document.documentElement.clientWidth, document.documentElement.scrollHeight]")
    clip: FloatRect = {"x": 0, "y": 0, "width": size[0], "height": min(size[1], TALLEST)}
    page.screenshot(path=PICTURES / f"{name}.png", full_page=True, clip=clip, animations="disabled")


@cache
def _axe() -> str:
    return AXE.read_text(encoding="utf-8")

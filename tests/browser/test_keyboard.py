"""Without a mouse: from the log-in to every page of the menu and to its main action, by Tab and Enter."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.accounts.residents import PASSWORD, resident
from tests.browser.hands import focused, tab_to
from tests.browser.looking import settle
from tests.browser.windows import PHONE, Windows


def test_one_can_log_in_and_go_to_every_page_of_the_menu(windows: Windows) -> None:
    person = resident("admin")
    page = windows.open()
    page.goto("/account")
    page.keyboard.type(person["email"])  # the first field has the focus
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{windows.url}/account")
    menu = page.get_by_role("navigation", name="Pages").get_by_role("link")
    for name in menu.all_text_contents():
        tab_to(page, menu.get_by_text(name, exact=True))
        page.keyboard.press("Enter")
        settle(page)
        expect(menu.get_by_text(name, exact=True)).to_have_attribute("aria-current", "page")
        expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_the_menu_can_be_skipped_and_the_find_box_is_one_key_away(enter: Callable[..., Page]) -> None:
    page = enter("viewer")
    page.goto("/account")
    page.keyboard.press("Tab")
    assert focused(page) == "Skip to the content"
    expect(page.get_by_role("link", name="Skip to the content")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("/nobody@nowhere.example")
    page.keyboard.press("Enter")
    expect(page).to_have_url("/journey?value=%2Fnobody%40nowhere.example")


def test_on_a_phone_the_menu_opens_and_closes(enter: Callable[..., Page]) -> None:
    page = enter("viewer", width=PHONE)
    page.goto("/account")
    menu = page.get_by_role("navigation", name="Pages")
    expect(menu).to_be_hidden()
    tab_to(page, page.locator("summary", has_text="Menu"))
    page.keyboard.press("Enter")
    expect(menu).to_be_visible()
    page.locator("summary", has_text="Menu").tap()
    expect(menu).to_be_hidden()

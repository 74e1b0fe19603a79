"""Who looks at pages sees what is wrong with them: each fault here is put into a sound page, and is told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.looking import faults
from tests.browser.windows import Windows

ADD = "(html) => document.querySelector('main').insertAdjacentHTML('beforeend', html)"
FAULTS = {
    "image-alt": '<img src="/favicon.ico" width="20" height="20">',
    "color-contrast": '<p class="hint"><font color="#888888">hardly to be seen</font></p>',
    "no focus": '<div hx-get="/login">only for a mouse</div>',
    "out of order": '<button tabindex="3">first</button>',
    "wider than a phone": '<svg width="900" height="9"></svg>',
    "taller than anybody scrolls": f"<div>{'<br>' * 2000}</div>",
    "not one h1": "<h1>another</h1>",
}
# What a page does, and what is said of it.
DEEDS = {
    "console.error('broken')": "console error: broken",
    "setTimeout(() => undefined.x)": "Cannot read properties of undefined",
    "fetch('http://127.0.0.1:9/').catch(() => 0)": "Content Security Policy",
    "document.body.append(Object.assign(document.createElement('script'), {text: 'window.hacked = 1'}))": "script-src",
    "location.assign('http://127.0.0.1:9/')": "asked a stranger",
}


@pytest.fixture
def unwatched(browser: Browser, url: str) -> Iterator[Windows]:
    """Windows whose troubles the test reads itself."""
    made = Windows(browser, url)
    yield made
    made.troubles()


def sound_page(windows: Windows) -> Page:
    page = windows.open()
    page.goto("/login/link")
    return page


def test_what_is_wrong_with_a_page_is_told(unwatched: Windows) -> None:
    page = sound_page(unwatched)
    assert faults(page, "login-link") == []
    for fault, html in FAULTS.items():
        page.reload()
        page.evaluate(ADD, html)
        assert fault in " ".join(faults(page, "faulty")), fault


def test_what_a_page_does_wrong_is_told(unwatched: Windows) -> None:
    for deed in DEEDS:
        page = sound_page(unwatched)
        page.evaluate(f"() => {{ {deed} }}")
        page.wait_for_timeout(200)
    told = "\n".join(unwatched.troubles())
    assert [says for says in DEEDS.values() if says not in told] == []

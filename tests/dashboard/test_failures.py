"""Failures: grouped with what to do, opened, narrowed down, and retried or cancelled exactly as counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.api.labour import add_failure, add_work, execute, rows, status_of
from tests.dashboard.browsers import Browser

SCRIPT = "<script>window.hacked=1</script>"
GROUP = "/failures/rows?stage=domain_metadata&reason=dns"


def plant(
    browser: Browser, *names: str, status: str = "Error", reason: str = "dns", error: str = "no address"
) -> list[int]:
    """Add work on domains that has ended, each in its host's lane."""
    for name in names:
        execute("INSERT INTO hosts (host) VALUES (%s) ON CONFLICT DO NOTHING", name)
    tenant = browser.person.tenant_id
    return [add_work(tenant, name, status, reason=reason, error=error, lane=name, attempts=5) for name in names]


def ticked(browser: Browser, path: str) -> set[int]:
    """Give the work that a page lets one choose."""
    boxes = browser.see(path).css('input[name="id"]')
    return {int(box.attributes["value"] or 0) for box in boxes}


def noted() -> list[str]:
    return [row["action"] for row in rows("SELECT action FROM audit_entries WHERE entity = 'work' ORDER BY id")]


def test_what_has_failed_is_grouped_with_its_meaning_its_hosts_and_what_to_do(
    viewer: Browser, stranger: Browser
) -> None:
    plant(viewer, "anna.example", "bert.example")
    plant(viewer, "cora.example", reason="unexpected-error", error=SCRIPT)
    plant(stranger, "zoe.example")
    page = viewer.see("/failures")
    first, second = (each.text() for each in page.css(".failure-group"))
    assert "Domain metadata: dns" in first
    assert "The site's name has no address." in first
    assert "retry it later" in first
    assert "no address" in first
    assert "anna.example" in first
    assert "A fault of ours" in second
    assert SCRIPT in second
    assert all("src" in each.attributes for each in page.css("script"))
    assert "zoe.example" not in viewer.text("/failures")
    assert page.css_first(".failure-group a[href^='/failures/ask']") is None


def test_nothing_has_failed_is_said(viewer: Browser) -> None:
    assert "Nothing has failed" in viewer.text("/failures")
    assert "Nothing waits because of a failure" in viewer.text("/failures/waiting", htmx=True)
    assert "Nothing here has failed" in viewer.text("/failures/rows")


def test_a_group_shows_each_piece_with_its_history_and_is_narrowed_down(admin: Browser, viewer: Browser) -> None:
    anna, bert = plant(admin, "anna.example", "bert.example")
    (cora,) = plant(admin, "cora.example", error="No such HOST")
    (other,) = plant(admin, "dora.example", reason="tls")
    add_failure(anna, 1, error=f"try one {SCRIPT}")
    add_failure(anna, 2, kind="final", reason="dns", error="try two")
    assert ticked(admin, GROUP) == {anna, bert, cora}
    assert ticked(admin, f"{GROUP}&host=bert.example") == {bert}
    assert ticked(admin, f"{GROUP}&error=such+host") == {cora}
    assert ticked(admin, "/failures/rows?stage=&reason=&host=&error=") == {anna, bert, cora, other}
    page = viewer.see(GROUP)
    row = next(each for each in page.css("tbody tr") if f"/journey/work/{anna}" in (each.html or ""))
    assert "2 failures" in row.text()
    assert "try one <script>" in row.text()
    assert row.css_first("script") is None
    assert page.css_first('input[name="id"], button.danger') is None


def test_pages_of_rows_go_on_where_the_one_before_ended(admin: Browser) -> None:
    made = plant(admin, *(f"site{nth}.example" for nth in range(60)))
    page = admin.see(GROUP)
    following = page.css_first('a[rel="next"]')
    assert following is not None
    first, second = ticked(admin, GROUP), ticked(admin, following.attributes["href"] or "")
    assert (len(first), len(second)) == (50, 10)
    assert first | second == set(made)


def test_rows_that_are_ticked_are_retried_or_given_up_and_noted(admin: Browser) -> None:
    anna, bert, cora = plant(admin, "anna.example", "bert.example", "cora.example")
    given: dict[str, Any] = {"stage": "domain_metadata", "reason": "dns", "host": "", "error": "", "state": "failed"}
    done = admin.send("/failures/act", verb="retry", id=[anna], **given)
    assert (done.status_code, done.headers["location"]) == (303, GROUP)
    assert "1 piece of work was retried" in admin.text(GROUP)
    assert "was retried" not in admin.text(GROUP)
    admin.send("/failures/act", verb="cancel", id=[bert], **given)
    assert [status_of(each) for each in (anna, bert, cora)] == ["Queued", "Cancelled", "Error"]
    assert noted() == ["retry", "cancel"]
    again = admin.send("/failures/act", verb="cancel", id=[bert], **given)
    assert again.status_code == 303
    assert "Nothing was cancelled" in admin.text(GROUP)


def test_what_a_removed_stage_has_left_is_found_and_cancelled(admin: Browser) -> None:
    (left,) = plant(admin, "anna.example")
    execute("UPDATE work SET stage = 'old_stage' WHERE id = %s", left)
    (group,) = admin.see("/failures").css(".failure-group")
    assert "no such stage" in group.text()
    assert group.css_first("a[href^='/failures/ask']") is None
    path = next(a.attributes["href"] or "" for a in group.css("a.button"))
    assert ticked(admin, path) == {left}
    admin.send("/failures/act", verb="cancel", id=[left], reason="dns")
    assert status_of(left) == "Cancelled"


def test_all_that_match_are_counted_first_and_then_retried(admin: Browser, stranger: Browser) -> None:
    mine = plant(admin, "anna.example", "bert.example")
    (other,) = plant(admin, "cora.example", reason="tls")
    (theirs,) = plant(stranger, "zoe.example")
    dialog = admin.see("/failures/ask?verb=retry&stage=domain_metadata&reason=dns", htmx=True)
    form = dialog.css_first("dialog form")
    assert form is not None
    assert "Retry 2" in form.text()
    fields: dict[str, Any] = {
        field.attributes["name"] or "": field.attributes.get("value") or "" for field in form.css("input")
    }
    assert [status_of(each) for each in mine] == ["Error", "Error"]
    assert admin.send(form.attributes["action"] or "", htmx=True, **fields).headers["HX-Redirect"] == GROUP
    assert {status_of(each) for each in mine} == {"Queued"}
    assert (status_of(other), status_of(theirs)) == ("Error", "Error")
    (entry,) = rows("SELECT detail FROM audit_entries WHERE entity = 'work'")
    assert (entry["detail"]["changed_count"], entry["detail"]["reason"]) == (2, "dns")


def test_what_waits_for_another_try_is_shown_and_cancelled(admin: Browser) -> None:
    (waits,) = plant(admin, "anna.example", status="Queued", reason="rate-limited", error="HTTP 429")
    (held,) = plant(admin, "bert.example", status="Queued", reason="rate-limited")
    execute("UPDATE work SET due_at = timestamptz '9999-01-01 00:00:00+00' WHERE id = %s", held)
    fresh = add_work(admin.person.tenant_id, "cora.example")
    assert "Domain metadata rate-limited" in admin.text("/failures/waiting", htmx=True)
    path = "/failures/rows?state=waiting&stage=domain_metadata&reason=rate-limited"
    assert ticked(admin, path) == {waits, held}
    assert "Paused" in admin.text(path)
    given: dict[str, Any] = {"state": "waiting", "stage": "domain_metadata", "reason": "rate-limited"}
    refused = admin.send("/failures/act", verb="retry", all="true", **given)
    assert (refused.status_code, "it can be cancelled, not retried" in refused.text) == (400, True)
    assert "2 pieces of work match" in admin.text("/failures/ask?verb=cancel&" + path.partition("?")[2])
    admin.send("/failures/act", verb="cancel", all="true", **given)
    assert [status_of(each) for each in (waits, held, fresh)] == ["Cancelled", "Cancelled", "Queued"]


def test_only_who_operates_changes_anything_and_only_their_own(visit: Callable[..., Browser], admin: Browser) -> None:
    (work,) = plant(admin, "anna.example")
    for role in ("viewer", "curator"):
        browser = visit(role)
        assert browser.send("/failures/act", verb="retry", id=[work]).status_code == 403
        assert browser.client.get("/failures/ask?verb=retry&stage=domain_metadata").status_code == 403
    stranger = visit("admin", is_stranger=True)
    stranger.send("/failures/act", verb="retry", id=[work])
    stranger.send("/failures/act", verb="cancel", all="true", stage="domain_metadata")
    assert admin.client.post("/failures/act", data={"verb": "retry", "id": work}).status_code == 403
    assert status_of(work) == "Error"
    assert noted() == []


ODD = {
    "rows?stage=shoes": 400,
    "rows?state=odd": 422,
    "rows?cursor=nonsense": 400,
    "rows?host=%00": 422,
    "rows?reason=" + "x" * 2001: 422,
    "ask?verb=delete": 422,
    "ask?verb=retry&stage=shoes": 400,
    "ask?verb=retry&state=waiting": 400,
}
ODD_ORDERS: tuple[dict[str, Any], ...] = (
    {},
    {"id": "0"},
    {"id": "x"},
    {"id": str(2**63)},
    {"verb": "explode", "all": "true"},
    {"all": "true", "stage": "shoes"},
)


def test_an_odd_address_is_answered_with_one_sentence(admin: Browser) -> None:
    for path, status in ODD.items():
        page = admin.see(f"/failures/{path}", status=status)
        assert page.css_first("h1") is not None
        assert "Traceback" not in (page.html or "")


def test_an_order_that_names_no_work_changes_nothing(admin: Browser) -> None:
    (work,) = plant(admin, "anna.example")
    for fields in ODD_ORDERS:
        assert admin.send("/failures/act", **{"verb": "retry"} | fields).status_code in (400, 422)
    assert status_of(work) == "Error"

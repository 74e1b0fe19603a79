"""The suppression list on a page: put on, looked up, brought as a file and taken off; by curators of the tenant."""

from __future__ import annotations

from tests.accounts.residents import value
from tests.api.doors import audited, rows
from tests.dashboard.browsers import Browser

PAGE = "/suppressions"
LIST = b"email\nann@acme.example\nbob@acme.example\nnobody\n"


def test_who_is_put_on_the_list_is_found_there_until_taken_off(curator: Browser) -> None:
    answer = curator.send(PAGE, values="ann@acme.example\n\n+1 512 555 0100\n", reason="<i>letter</i>")
    assert answer.status_code == 303
    page = curator.client.get(PAGE).text
    assert "2 put on the list, 0 were on it before." in page
    assert "<i>letter" not in page
    assert "ann@acme" not in page.partition("<tbody>")[2].partition("</tbody>")[0]
    found = curator.text(f"{PAGE}?value=ANN@acme.example")
    assert "ann@acme.example (email): suppressed" in found
    assert "not listed" in curator.text(f"{PAGE}?value=eve@acme.example")
    assert len(curator.see(f"{PAGE}?kind=phone").css("tbody tr")) == 1
    entry = value("SELECT id FROM suppressions WHERE kind = 'email'")
    assert curator.send(f"{PAGE}/{entry}/delete").status_code == 303
    assert "not listed" in curator.text(f"{PAGE}?value=ann@acme.example")
    assert audited(curator.person.tenant_id)[-2:] == [("suppress", "suppressions"), ("unsuppress", "suppressions")]


def test_a_file_is_put_on_the_list_and_its_bad_rows_are_named(curator: Browser) -> None:
    answer = curator.send(f"{PAGE}/uploads", files={"file": ("list.csv", LIST, "text/csv")})
    assert answer.status_code == 303
    shown = curator.text(PAGE)
    assert "2 put on the list, 0 were on it before, 1 could not be read." in shown
    assert "row 4" in shown
    assert curator.send(f"{PAGE}/uploads", files={"file": ("x.csv", b"", "text/csv")}).status_code == 400


def test_nothing_is_listed_when_one_value_cannot_be_read(curator: Browser) -> None:
    refused = curator.send(PAGE, values="ann@acme.example\n<script>x")
    assert refused.status_code == 400
    assert "<script>x" not in refused.text
    assert "ann@acme.example" in refused.text
    assert rows("SELECT id FROM suppressions") == []
    for path, status in ((f"{PAGE}?value=%3Cb%3E", 400), (f"{PAGE}?kind=fax", 400), (f"{PAGE}?cursor=x", 400)):
        assert curator.client.get(path).status_code == status
    assert curator.send(PAGE, values=" \n").status_code == 400
    assert curator.send(PAGE, values="ann@acme.example", region="ZZ").status_code == 400


def test_others_only_look_and_another_tenants_list_is_its_own(
    curator: Browser, viewer: Browser, stranger: Browser
) -> None:
    curator.send(PAGE, values="ann@acme.example")
    entry = value("SELECT id FROM suppressions")
    assert viewer.see(PAGE).css("main form[method=post]") == []
    assert "suppressed" in viewer.text(f"{PAGE}?value=ann@acme.example")
    assert viewer.send(PAGE, values="bob@acme.example").status_code == 403
    assert viewer.send(f"{PAGE}/{entry}/delete").status_code == 403
    assert "not listed" in stranger.text(f"{PAGE}?value=ann@acme.example")
    assert stranger.send(f"{PAGE}/{entry}/delete").status_code == 404
    assert len(rows("SELECT id FROM suppressions")) == 1

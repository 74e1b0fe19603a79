"""Proof: what a form brings along, and sentences that travel in a cookie."""

from __future__ import annotations

import base64

import pytest

from dashboard import proof
from errors import NotAllowed
from settings import settings


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JWT_SECRET_KEY", "a-secret-for-tests-that-is-long-enough")
    settings.cache_clear()


@pytest.mark.parametrize("said", ["", "It is done.", "é 日本 \u202e \x00 \n", "<script>", "a.b", "x" * 600])
def test_a_sentence_comes_back_as_it_was(said: str) -> None:
    assert proof.unseal(proof.seal(said)) == (said or None)


def test_a_sentence_that_is_too_long_for_a_cookie_is_cut() -> None:
    assert proof.unseal(proof.seal("é" * 5000)) == "é" * proof.LONGEST_SAID
    assert len(proof.seal("日" * 5000)) < 4000


@pytest.mark.parametrize("sealed", [None, "", ".", "x", "x.y", ".y", "é.é", "AA==." + "0" * 64, "\x00", "a" * 100_000])
def test_a_sentence_of_anybody_else_is_none(sealed: str | None) -> None:
    assert proof.unseal(sealed) is None


def test_another_sentence_under_our_signature_is_none() -> None:
    _, _, mac = proof.seal("It is done.").partition(".")
    forged = base64.urlsafe_b64encode(b"Call this number.").decode()
    assert proof.unseal(f"{forged}.{mac}") is None


def test_one_log_ins_proof_is_not_anothers_nor_a_guests_nor_a_sentences() -> None:
    made = {proof.of_session("a"), proof.of_session("b"), proof.of_guest("a"), proof.seal("a").partition(".")[2]}
    assert len(made) == 4


@pytest.mark.parametrize("given", ["", "x", "é", "0" * 64])
def test_any_other_proof_is_refused(given: str) -> None:
    with pytest.raises(NotAllowed):
        proof.check(given, proof.of_session("a"))


def test_another_key_makes_every_proof_old(monkeypatch: pytest.MonkeyPatch) -> None:
    before = proof.of_session("a")
    monkeypatch.setenv("JWT_SECRET_KEY", "another-secret-for-tests-that-is-long")
    settings.cache_clear()
    with pytest.raises(NotAllowed):
        proof.check(before, proof.of_session("a"))


def test_guests_differ() -> None:
    assert proof.new_nonce() != proof.new_nonce()

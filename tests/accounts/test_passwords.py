"""Passwords are argon2 hashes, renewed when the parameters change, and none fits nobody."""

from __future__ import annotations

import pytest
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from accounts.passwords import LONGEST, SHORTEST, check, hash_password
from errors import BadInput

WEAK = PasswordHash((Argon2Hasher(time_cost=1, memory_cost=1024, parallelism=1),))


def test_the_same_password_fits_and_another_does_not() -> None:
    stored = hash_password("correct horse battery")
    assert stored.startswith("$argon2id$")
    assert check("correct horse battery", stored) == (True, None)
    assert check("correct horse batterz", stored) == (False, None)


def test_two_hashes_of_one_password_differ() -> None:
    assert hash_password("correct horse battery") != hash_password("correct horse battery")


@pytest.mark.parametrize("length", [0, SHORTEST - 1, LONGEST + 1])
def test_too_short_and_too_long_a_password_is_refused(length: int) -> None:
    with pytest.raises(BadInput, match="12 to 256 characters"):
        hash_password("x" * length)


def test_a_hash_of_weaker_parameters_is_renewed_when_the_password_is_seen() -> None:
    fits, renewed = check("correct horse battery", WEAK.hash("correct horse battery"))
    assert fits
    assert renewed is not None
    assert check("correct horse battery", renewed) == (True, None)


def test_a_wrong_password_renews_nothing() -> None:
    assert check("wrong horse battery", WEAK.hash("correct horse battery")) == (False, None)


def test_nothing_fits_a_user_without_a_password() -> None:
    assert check("", None) == (False, None)
    assert check("correct horse battery", None) == (False, None)


def test_a_hash_that_cannot_be_read_fits_nothing() -> None:
    assert check("correct horse battery", "plain") == (False, None)


def test_letters_that_look_the_same_are_the_same() -> None:
    assert check("Zu\u0308rich-Zu\u0308rich", hash_password("Zürich-Zürich"))[0]

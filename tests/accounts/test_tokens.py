"""Only a token that we signed, for us, in our one way, and lately, says anything."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts import tokens
from accounts.tokens import Claims
from settings import settings
from tests.accounts.residents import SECRET

SOMEBODY = Claims(uuid4(), uuid4(), uuid4())


@pytest.fixture(autouse=True)
def _secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JWT_SECRET_KEY", SECRET)
    settings.cache_clear()


def body(**changed: Any) -> dict[str, Any]:
    """What a good token says, with something changed; None leaves it out."""
    now = datetime.now(UTC)
    good = {
        "sub": str(SOMEBODY.user_id),
        "tenant": str(SOMEBODY.tenant_id),
        "session": str(SOMEBODY.session_id),
        "iat": now,
        "exp": now + timedelta(minutes=5),
        "aud": tokens.AUDIENCE,
        "iss": tokens.ISSUER,
    }
    return {name: value for name, value in (good | changed).items() if value is not None}


def forged(given: dict[str, Any], secret: str = SECRET, algorithm: str = "HS256") -> str:
    return jwt.encode(given, secret, algorithm)


def unsigned(alg: str) -> str:
    """A token that names an algorithm and has no signature."""
    now = datetime.now(UTC)
    times = {"iat": int(now.timestamp()), "exp": int(now.timestamp()) + 300}
    parts = [{"alg": alg, "typ": "JWT"}, body() | times]
    return ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts) + "."


def test_a_token_says_whose_it_is() -> None:
    assert tokens.read(tokens.sign(SOMEBODY)) == SOMEBODY
    assert tokens.read(forged(body())) == SOMEBODY, "the forger below must fail for what is wrong, not for all"


def test_a_token_ends_after_the_time_that_was_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCESS_TOKEN_MINUTES", "3")
    settings.cache_clear()
    said = jwt.decode(tokens.sign(SOMEBODY), options={"verify_signature": False})
    assert said["exp"] - said["iat"] == 180


@pytest.mark.parametrize(
    "changed",
    [
        {"exp": datetime(2020, 1, 1, tzinfo=UTC)},
        {"iat": datetime(2100, 1, 1, tzinfo=UTC)},
        {"aud": "somebody-else"},
        {"iss": "somebody-else"},
        {"sub": "anna"},
        {"sub": None},
        {"tenant": None},
        {"tenant": 7},
        {"session": None},
        {"session": ["x"]},
        {"exp": None},
        {"iat": None},
        {"aud": None},
        {"iss": None},
    ],
)
def test_a_token_that_says_anything_else_says_nothing(changed: dict[str, Any]) -> None:
    assert tokens.read(forged(body(**changed))) is None


def test_another_secret_or_algorithm_is_refused() -> None:
    assert tokens.read(forged(body(), secret="another-secret-that-is-long-enough-too")) is None
    assert tokens.read(forged(body(), secret="x" * 64, algorithm="HS512")) is None
    assert tokens.read(forged(body(), secret=SECRET * 2, algorithm="HS384")) is None


@pytest.mark.parametrize("alg", ["none", "None", "NONE", "nOnE", "HS256"])
def test_a_token_without_a_signature_is_refused(alg: str) -> None:
    assert tokens.read(unsigned(alg)) is None


def test_a_changed_body_or_signature_is_refused() -> None:
    head, said, signature = tokens.sign(SOMEBODY).split(".")
    other = tokens.sign(Claims(uuid4(), uuid4(), uuid4())).split(".")[1]
    assert tokens.read(f"{head}.{other}.{signature}") is None
    assert tokens.read(f"{head}.{said}.") is None
    assert tokens.read(f"{head}.{said}") is None


def test_a_deep_header_is_not_even_read() -> None:
    deep = base64.urlsafe_b64encode(b"[" * 1400).decode()
    assert tokens.read(f"{deep}.e30.x") is None


@given(st.text(max_size=300), st.booleans())
def test_no_text_raises(text: str, begins_like_ours: bool) -> None:
    assert tokens.read(f"{tokens.HEADER}.{text}" if begins_like_ours else text) is None

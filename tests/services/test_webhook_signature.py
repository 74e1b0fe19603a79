"""Signatures are those of Standard Webhooks."""

from __future__ import annotations

import base64
import hashlib
import hmac

from hypothesis import given
from hypothesis import strategies as st

from services.webhook_signature import secret_of, sign, signed_headers

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def test_the_standard_s_own_example_is_signed_as_it_says() -> None:
    signature = sign(SECRET, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@given(st.binary(min_size=24, max_size=64), st.binary(max_size=200), st.integers(0, 2**33))
def test_whoever_has_the_secret_finds_the_same_signature(key: bytes, body: bytes, timestamp: int) -> None:
    expected = hmac.new(key, b"msg_1." + str(timestamp).encode() + b"." + body, hashlib.sha256).digest()
    assert sign(secret_of(key), "msg_1", timestamp, body) == "v1," + base64.b64encode(expected).decode()


def test_every_secret_signs() -> None:
    other = secret_of(b"x" * 32)
    headers = dict(signed_headers([SECRET, other], "msg_1", 7, b"{}"))
    assert headers["webhook-id"] == "msg_1"
    assert headers["webhook-timestamp"] == "7"
    assert headers["webhook-signature"].split(" ") == [sign(SECRET, "msg_1", 7, b"{}"), sign(other, "msg_1", 7, b"{}")]


def test_a_secret_bears_its_mark_and_its_key() -> None:
    secret = secret_of(bytes(range(32)))
    assert secret.startswith("whsec_")
    assert base64.b64decode(secret.removeprefix("whsec_")) == bytes(range(32))

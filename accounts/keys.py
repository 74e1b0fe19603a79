"""Keys: how programs call in the name of a user. A key is shown once; only its hash is kept."""

from __future__ import annotations

import hashlib
import secrets

from accounts.caller import ROLE_SCOPES, SCOPES, Caller
from pipeline.database import statement

MARK = "ssk_"

# The user's role still counts: who is no longer an admin has no admin keys either.
FIND = b"""
UPDATE api_keys SET used_at = clock_timestamp() FROM users
WHERE api_keys.secret_hash = %s AND users.id = api_keys.user_id AND users.is_active
  AND api_keys.revoked_at IS NULL AND (api_keys.expires_at IS NULL OR api_keys.expires_at > clock_timestamp())
RETURNING api_keys.id, api_keys.tenant_id, users.id, users.role, api_keys.scopes"""


def new_key() -> str:
    """Make a key that nobody can guess."""
    return MARK + secrets.token_urlsafe(32)


def hash_of(secret: str) -> str:
    """Hash what is long and random, so that a fast hash is enough."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def find(key: str) -> Caller | None:
    """Give whose key this is, or None when it is none that counts."""
    with statement() as connection:
        row = connection.execute(FIND, (hash_of(key),)).fetchone()
    if row is None:
        return None
    key_id, tenant_id, user_id, role, scopes = row
    allowed = ROLE_SCOPES[role] & {scope for scope in SCOPES if scope in scopes}
    return Caller(tenant_id, user_id, role, frozenset(allowed), api_key_id=key_id)

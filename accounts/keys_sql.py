"""The statements about keys."""

from __future__ import annotations

# The user's role still counts: who is no longer an admin has no admin keys either. When a key was last used is written
# at most once a minute, because a write costs more than all the rest of a request.
FIND = b"""
WITH found AS (
    SELECT api_keys.id, api_keys.tenant_id, users.id AS user_id, users.role, api_keys.scopes, api_keys.used_at
    FROM api_keys JOIN users ON users.id = api_keys.user_id AND users.tenant_id = api_keys.tenant_id
    WHERE api_keys.secret_hash = %s AND users.is_active AND api_keys.revoked_at IS NULL
      AND (api_keys.expires_at IS NULL OR api_keys.expires_at > clock_timestamp())),
used AS (
    UPDATE api_keys SET used_at = clock_timestamp() FROM found WHERE api_keys.id = found.id
    AND (found.used_at IS NULL OR found.used_at < clock_timestamp() - interval '1 minute'))
SELECT id, tenant_id, user_id, role, scopes FROM found"""

WHERE = """
FROM api_keys AS key JOIN users ON users.id = key.user_id
WHERE key.tenant_id = %(tenant)s AND (%(user)s::uuid IS NULL OR key.user_id = %(user)s)
  AND (%(id)s::bigint IS NULL OR key.id = %(id)s)"""

LIST = f"""
SELECT key.id, key.name, key.prefix, key.scopes, key.user_id, users.email AS user_email, key.made_with_id,
       key.created_at, key.used_at, key.expires_at, key.revoked_at
{WHERE} AND (%(after)s::bigint IS NULL OR key.id < %(after)s)
ORDER BY key.id DESC LIMIT %(most)s""".encode()

COUNT = f"SELECT count(*) {WHERE}".encode()

BY_NAME = b"SELECT id FROM api_keys WHERE tenant_id = %s AND name = %s"

# The key with which it is made is held until this commits: whoever revokes it then sees the new one.
ADD = b"""
WITH maker AS (
    SELECT expires_at FROM api_keys
    WHERE id = %(with)s AND tenant_id = %(tenant)s AND revoked_at IS NULL FOR SHARE)
INSERT INTO api_keys (tenant_id, user_id, made_with_id, name, prefix, secret_hash, scopes, expires_at)
SELECT %(tenant)s, %(user)s, %(with)s, %(name)s, %(prefix)s, %(hash)s, %(scopes)s,
       least(%(expires)s::timestamptz, (SELECT expires_at FROM maker))
WHERE %(with)s::bigint IS NULL OR EXISTS (SELECT FROM maker)
RETURNING id"""

REVOKE = b"""
WITH RECURSIVE ended AS (
    SELECT id FROM api_keys WHERE id = %(id)s AND tenant_id = %(tenant)s
    UNION
    SELECT made.id FROM api_keys AS made JOIN ended ON made.made_with_id = ended.id)
UPDATE api_keys SET revoked_at = clock_timestamp() FROM ended
WHERE api_keys.id = ended.id AND api_keys.revoked_at IS NULL RETURNING api_keys.name"""

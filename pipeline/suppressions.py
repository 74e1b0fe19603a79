"""Suppressions: who is on a tenant's list, asked one by one while streaming or as a condition in SQL."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from uuid import UUID

from errors import BadInput
from pipeline.database import statement
from services.suppression import digest_of, domains_above, email_key, phone_key

SALT = b"SELECT suppression_salt FROM tenants WHERE id = %s"
DIGESTS = b"SELECT decode(value_hash, 'hex') FROM suppressions WHERE tenant_id = %s"


def hash_sql(kind: str, value: str, salt: str = "salted.suppression_salt") -> str:
    """Write the SQL that hashes a normalised value: the same hex as `services.suppression.digest_of`."""
    return f"encode(sha256(convert_to({salt}::text || ':' || {kind} || ':' || lower({value}), 'UTF8')), 'hex')"


# A CASE, because it alone promises that nothing is hashed where a tenant has no list at all.
_UNLESS_LISTED = """
(CASE WHEN NOT EXISTS (SELECT 1 FROM suppressions AS listed WHERE listed.tenant_id = {tenant}) THEN true
 ELSE NOT EXISTS (
    SELECT 1 FROM tenants AS salted CROSS JOIN LATERAL ({named}) AS named(kind, value)
    JOIN suppressions AS listed ON listed.tenant_id = salted.id AND listed.kind = named.kind
                               AND listed.value_hash = {hash}
    WHERE salted.id = {tenant})
 END)"""

# `contact` is the row of contacts, `domain` that of its owner in domains, LEFT JOINed where it has none. An email is
# covered by itself and by every domain above it, a phone by itself, and everything by the domain that owns it.
NOT_SUPPRESSED = _UNLESS_LISTED.format(
    tenant="contact.tenant_id",
    hash=hash_sql("named.kind", "named.value"),
    named="""
        SELECT contact.kind, contact.value WHERE contact.kind IN ('email', 'phone')
        UNION ALL SELECT 'domain', domain.name WHERE domain.name IS NOT NULL
        UNION ALL SELECT 'domain', array_to_string(labels[nth:], '.')
        FROM string_to_array(split_part(contact.value, '@', 2), '.') AS labels, generate_subscripts(labels, 1) AS nth
        WHERE contact.kind = 'email' AND nth < cardinality(labels)""",
)

# The same for the number that a provider gave of a business: `business` is the row of local_businesses.
PHONE_NOT_SUPPRESSED = _UNLESS_LISTED.format(
    tenant="business.tenant_id",
    hash=hash_sql("named.kind", "named.value"),
    named="SELECT 'phone', business.phone WHERE business.phone IS NOT NULL",
)


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A tenant's list, held in memory as 32 bytes an entry for as long as an export runs."""

    salt: UUID
    digests: Collection[bytes] = field(repr=False)

    @classmethod
    def load(cls, tenant_id: UUID) -> Suppressed:
        """Read a tenant's whole list."""
        salt = salt_of(tenant_id)
        with statement() as connection:
            rows = connection.cursor(binary=True).execute(DIGESTS, (tenant_id,))
            return cls(salt, frozenset(digest for (digest,) in rows))

    def email(self, value: str) -> bool:
        """Tell whether an address is listed, or the domain it is at, or one above that."""
        if not self.digests:
            return False
        key = email_key(value) or value
        return self._has("email", [key]) or self.domain(key.rpartition("@")[2])

    def phone(self, value: str) -> bool:
        """Tell whether a number is listed."""
        return bool(self.digests) and self._has("phone", [phone_key(value) or value])

    def domain(self, name: str | None) -> bool:
        """Tell whether a domain, or one above it, is listed."""
        return bool(self.digests and name) and self._has("domain", domains_above(name or ""))

    def covers(self, kind: str, value: str, domain: str | None = None) -> bool:
        """Tell whether a contact of a kind, owned by a domain, must not leave the house."""
        itself = (kind == "email" and self.email(value)) or (kind == "phone" and self.phone(value))
        return itself or self.domain(domain)

    def _has(self, kind: str, values: Iterable[str]) -> bool:
        return any(digest_of(self.salt, kind, value) in self.digests for value in values)


def salt_of(tenant_id: UUID) -> UUID:
    """Give the salt of a tenant's hashes."""
    with statement() as connection:
        row = connection.execute(SALT, (tenant_id,)).fetchone()
    if row is None:
        raise BadInput("There is no such tenant: correct DEFAULT_TENANT_ID, or run `scrapersky db upgrade`.")
    salt: UUID = row[0]
    return salt

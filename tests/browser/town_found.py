"""What was found in the town: places, businesses, sites, pages and contacts, some of them hostile."""

from __future__ import annotations

HACK = "<script>window.hacked=1</script>"
NAMES = (
    "Acme Dental", "Bright Smile Clinic", HACK, "Zoë & Söhne", '"><img src=x onerror=window.hacked=1>',
    "Cedar Park Orthodontics", "\u202elatneD emcA\u202c", "日本歯科", "' onmouseover='window.hacked=1",
    "=cmd|'/c calc'!A1", "Round Rock Family Dentistry", "{{ 7*7 }}${7*7}", "W" * 2000, "javascript:window.hacked=1",
    "Hyde Park Dental Studio", "Oak Hill Endodontics",
)  # fmt: skip
SITES = ("https://site{n}.example/", "javascript:window.hacked=1", 'https://site{n}.example/"><script>window.hacked=1')
PLACES, BUSINESSES, DOMAINS, SITEMAPS, PAGES, CONTACTS = 130, 120, 100, 90, 5_000, 300

FOUND = (
    """
INSERT INTO searches (tenant_id, created_by_id, what, where_text, provider, south, west, north, east, radius_meters,
                      mode, max_places, budget_usd, spent_usd, calls, coverage, searched_at)
SELECT @tenant, @user, what, 'Austin, TX', 'sandbox', 30.1, -98.0, 30.5, -97.5, 20000, mode, 500, 25, spent, 41,
       coverage, now()
FROM (VALUES (1, 'dentists', 'auto', 3.1415, 0.75), (2, @hack, 'curated', 0, 0), (3, 'plumbers', 'auto', 0.5, 1))
     AS given(n, what, mode, spent, coverage)
ORDER BY n""",
    """
INSERT INTO search_areas (tenant_id, search_id, south, west, north, east, depth, found, is_full, searched_at)
SELECT @tenant, 1, 30.1 + 0.2 * (n / 2), -98 + 0.25 * (n % 2), 30.3 + 0.2 * (n / 2), -97.75 + 0.25 * (n % 2), 1,
       CASE WHEN n < 3 THEN 40 END, CASE WHEN n < 3 THEN n = 1 END, CASE WHEN n < 3 THEN now() END
FROM generate_series(0, 3) n""",
    """
INSERT INTO places (tenant_id, provider, provider_place_id, name, address, latitude, longitude, website, phone,
                    main_category, categories, rating, review_count, business_status, attribution)
SELECT @tenant, 'sandbox', 'place ' || n, @names[1 + n % cardinality(@names)],
       n || ' Main St, Austin, TX', 30.1 + 0.4 * (n * 37 % 100) / 100.0, -98 + 0.5 * (n * 61 % 100) / 100.0,
       replace(@sites[1 + n % 3], '{{n}}', n::text), '+1512555' || lpad(n::text, 4, '0'), 'dentist',
       '["dentist", "health"]', 3 + n % 20 / 10.0, n * 7 % 300, 'operational', 'made up by the sandbox'
FROM generate_series(1, {places}) n""",
    """
INSERT INTO search_places (tenant_id, search_id, place_id, rank)
SELECT @tenant, 1, id, id FROM places UNION ALL SELECT @tenant, 2, id, id FROM places WHERE id % 10 = 0""",
    """
INSERT INTO local_businesses (tenant_id, place_id, name, formatted_address, street, city, region, postal_code,
    country_code, phone, website, main_category, categories, rating, review_count, opening_hours, latitude, longitude,
    business_status, scanned_at, attribution, curation_status)
SELECT tenant_id, id, name, address, id || ' Main St', CASE WHEN id % 9 = 0 THEN @hack ELSE 'Austin' END, 'TX',
       '78701', 'US', phone, website, main_category, categories, rating, review_count,
       '{{"monday": [["09:00", "17:00"]], "tuesday": [["09:00", "17:00"]], "sunday": []}}', latitude, longitude,
       business_status, now() - id * interval '1 minute', attribution, statuses[1 + id % 5]
FROM places, (SELECT ARRAY['New', 'Selected', 'Maybe', 'Not a Fit', 'Archived'] AS statuses) s
WHERE id <= {businesses} ORDER BY id""",
    """
INSERT INTO domains (tenant_id, name, final_url, status_code, title, description, language, generator, is_wordpress,
                     technologies, analytics, social_profiles, fetched_at, blank_reason)
SELECT @tenant, CASE WHEN n = 7 THEN '<script>window.hacked=1</script>.example' ELSE 'site' || n || '.example' END,
       'https://site' || n || '.example/', 200, @names[1 + n % cardinality(@names)], @hack || ' We care.',
       'en', 'WordPress 6.7', n % 2 = 0, '["WordPress", "PHP", "<b>Wix</b>"]', '["Google Analytics"]',
       '["https://www.facebook.com/site", "javascript:window.hacked=1"]', now() - n * interval '1 minute',
       CASE WHEN n % 10 = 0 THEN 'timeout' END
FROM generate_series(1, {domains}) n""",
    """
INSERT INTO local_business_domains (tenant_id, local_business_id, domain_id, website)
SELECT @tenant, id, id, 'https://site' || id || '.example/' FROM domains ORDER BY id""",
    """
INSERT INTO sitemap_files (tenant_id, domain_id, url, host, kind, method, status_code, size_bytes, url_count,
                           fetched_at)
SELECT @tenant, n, 'https://site' || n || '.example/sitemap.xml?' || @hack, 'site' || n || '.example', 'standard',
       'robots_txt', 200, 4096 * n, 50, now()
FROM generate_series(1, {sitemaps}) n""",
    """
INSERT INTO pages (tenant_id, domain_id, sitemap_file_id, url, host, kind, score, depth, decision_reason, title,
                   status_code, fetched_at, word_count)
SELECT @tenant, 1 + n % 80, 1 + n % 80, 'https://site' || 1 + n % 80 || '.example/page-' || n,
       'site' || 1 + n % 80 || '.example',
       (ARRAY['contact', 'about', 'team', 'services', 'blog', 'blog', 'blog', 'product', 'legal', 'other'])[1 + n % 10],
       n * 7 % 100, 1 + n % 4, CASE WHEN n % 3 = 0 THEN 'low-score' END,
       @names[1 + n % cardinality(@names)], CASE WHEN n % 4 = 0 THEN 200 END,
       CASE WHEN n % 4 = 0 THEN now() END, n
FROM generate_series(1, {pages}) n""",
    """
INSERT INTO sitemap_pages (sitemap_file_id, page_id, tenant_id)
SELECT sitemap_file_id, id, tenant_id FROM pages""",
    """
INSERT INTO contacts (tenant_id, domain_id, owner_key, kind, value, label, person_name, person_title, confidence,
                      verdict, validated_at, verdict_reasons, gone_at)
SELECT @tenant, owner, 'domain:' || owner, kind,
       CASE kind WHEN 'email' THEN 'info' || n || '@site' || owner || '.example'
                 WHEN 'phone' THEN '+1512556' || lpad(n::text, 4, '0')
                 WHEN 'social' THEN CASE WHEN n % 8 = 2 THEN 'javascript:window.hacked=1//' || n
                                         ELSE 'https://www.facebook.com/site' || n END
                 ELSE @hack || n END,
       CASE WHEN n % 2 = 0 THEN 'role' END, @names[1 + n % cardinality(@names)], 'Owner', n % 10 / 10.0,
       (ARRAY['valid', 'risky', 'invalid', 'unknown'])[1 + n % 4], now(), '["well-formed"]',
       CASE WHEN n % 11 = 0 THEN now() END
FROM (SELECT n, 1 + n % 60 AS owner, (ARRAY['email', 'phone', 'social', 'person'])[1 + n / 60 % 4] AS kind
      FROM generate_series(1, {contacts}) n) given""",
    """
INSERT INTO sightings (tenant_id, contact_id, page_id, url, method, snippet, extractor_version)
SELECT @tenant, contacts.id, contacts.domain_id, 'https://site' || contacts.domain_id || '.example/contact', 'mailto',
       'Write to ' || contacts.value || ' or ' || @hack || ' ring us', '0.1.0'
FROM contacts""",
)  # fmt: skip


def statements() -> list[str]:
    """Give the statements that fill the town, in order."""
    many = {
        "places": PLACES, "businesses": BUSINESSES, "domains": DOMAINS, "sitemaps": SITEMAPS, "pages": PAGES,
        "contacts": CONTACTS,
    }  # fmt: skip
    return [sql.format(**many) for sql in FOUND]

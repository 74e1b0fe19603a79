"""The workflow stages, one file each, imported in pipeline order."""

# isort: off
import actors.search as search
import actors.search_area as search_area
import actors.deep_scan as deep_scan
import actors.domain_extraction as domain_extraction
import actors.domain_metadata as domain_metadata
import actors.sitemap_analysis as sitemap_analysis
import actors.sitemap_import as sitemap_import
import actors.page_ranking as page_ranking
import actors.page_curation as page_curation
import actors.contact_validation as contact_validation
import actors.webhook_delivery as webhook_delivery

__all__ = [  # noqa: RUF022 - in pipeline order
    "search",
    "search_area",
    "deep_scan",
    "domain_extraction",
    "domain_metadata",
    "sitemap_analysis",
    "sitemap_import",
    "page_ranking",
    "page_curation",
    "contact_validation",
    "webhook_delivery",
]

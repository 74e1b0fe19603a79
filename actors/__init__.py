"""The workflow stages, one file each, imported in pipeline order."""

# isort: off
import actors.search as search
import actors.search_area as search_area
import actors.deep_scan as deep_scan
import actors.domain_extraction as domain_extraction

__all__ = ["search", "search_area", "deep_scan", "domain_extraction"]  # noqa: RUF022 - in pipeline order

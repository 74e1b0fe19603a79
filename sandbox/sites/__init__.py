"""The sites of the made-up world: pages, sitemaps and misbehaviour, all made on request and none stored."""

from sandbox.sites.sites import Sites, answer

__all__ = ["Sites", "answer"]

"""A small deterministic internet to prove the product on: place providers, good sites, slow sites, hostile sites."""

from sandbox.child import NotServed, Served, serving

__all__ = ["NotServed", "Served", "serving"]

"""A small deterministic internet to prove the product on: place providers, good sites, slow sites, hostile sites."""

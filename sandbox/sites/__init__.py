"""The sites of the made-up world: pages, sitemaps and misbehaviour, all made on request and none stored."""

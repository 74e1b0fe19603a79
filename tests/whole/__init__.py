"""The whole product as its users start it: `scrapersky demo` and `scrapersky run`, with all their processes."""

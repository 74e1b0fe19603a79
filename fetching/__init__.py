"""The only code that opens sockets to strangers: guarded client, robots, politeness, place providers."""

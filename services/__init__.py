"""The pure core: text and bytes in, frozen dataclasses out. No database, no sockets, no settings."""

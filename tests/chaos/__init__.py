"""Chaos: real processes under load while workers, broker and database are killed, stopped and lied to."""

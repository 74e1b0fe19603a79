"""Politeness, seen from the other side: what the sites' own log says of two worker processes."""

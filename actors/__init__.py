"""The workflow stages, one file each, imported in pipeline order. The first arrive with the place search."""

"""One row in, rows out: the product's stages against the sandbox."""

"""Pieces: what is written to a stream, taken out again while it is being written, so that it never grows large."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

PIECE_BYTES = 64 * 1024


class Pieces(BytesIO):
    """A stream to write to, whose content is taken out in pieces."""

    def taken(self, *, all_of_it: bool = False) -> Iterator[bytes]:
        """Give what was written since the last time, once that is worth it or when all of it is wanted."""
        if self.tell() >= (1 if all_of_it else PIECE_BYTES):
            yield self.getvalue()
            self.seek(0)
            self.truncate()

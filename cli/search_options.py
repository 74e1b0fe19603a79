"""What a search can be told, the same for `scrapersky search start` and `scrapersky run`."""

from __future__ import annotations

from typing import Annotated

import typer

What = Annotated[str, typer.Argument(metavar="WHAT", help="What to look for, such as dentists.")]
Near = Annotated[str | None, typer.Option(help="Where: a town or address, such as 'Austin, TX'.")]
Radius = Annotated[str | None, typer.Option(help="How far around it: 10km, 5mi, 800m.")]
Box = Annotated[str | None, typer.Option(metavar="S,W,N,E", help="Where: the edges of a box in degrees.")]
Provider = Annotated[
    str | None, typer.Option(help="google, osm or sandbox; google where GOOGLE_MAPS_API_KEY is set, else osm.")
]
Mode = Annotated[str, typer.Option(help="auto goes straight on; curated lets you decide at each stage.")]
Most = Annotated[int, typer.Option("--max", help="At most so many places.")]
Budget = Annotated[str, typer.Option(help="At most so many US dollars for the provider.")]

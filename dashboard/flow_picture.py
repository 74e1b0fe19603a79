"""The flow's picture: stages in rows like words in lines, and the ways between them.

Stages that are neighbours in a row have an arrow between them. Ways from one row to the next are drawn in the channel
between the rows. All others, such as the way of a stage to itself, are written into the node where they begin.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log10

from operations.flow import Flow, Node

COLUMNS = 5
# Of the width: must be as in flow.css, where the same columns are laid out.
NODE_SHARE, GAP_SHARE = 6, 2
WHOLE = COLUMNS * NODE_SHARE + (COLUMNS - 1) * GAP_SHARE
# Across in percent of the width, down in pixels.
CHANNEL_HEIGHT, HEAD_HEIGHT = 60, 7
HEAD_WIDTH, APART = 0.5, 2.5
THINNEST, THICKEST = 1.5, 6.0


@dataclass(frozen=True, slots=True)
class Way:
    """What one stage hands on to another, per minute."""

    source: str
    target: str
    per_minute: float

    @property
    def width(self) -> float:
        """Thicker the more goes over; ten times as much is one step."""
        return min(THICKEST, THINNEST + 1.2 * log10(1 + self.per_minute)) if self.per_minute else THINNEST

    @property
    def level(self) -> int:
        """The same in words of a style sheet: 0 for nothing, to 3."""
        return 0 if not self.per_minute else min(3, 1 + int(log10(1 + self.per_minute)))


@dataclass(frozen=True, slots=True)
class Turn:
    """A way from one row to the next: its path through the channel, and in which column its label stands."""

    way: Way
    is_straight: bool
    label_column: int
    path: str
    head: str


@dataclass
class Cell:
    """A node, the arrow to its neighbour, and the ways that are only written."""

    node: Node
    arrow: Way | None = None
    written: list[Way] = field(default_factory=list)


@dataclass
class Line:
    """A row of nodes, and the ways that lead to the next row."""

    cells: list[Cell]
    turns: list[Turn] = field(default_factory=list)


@dataclass
class Picture:
    """The rows of the pipeline, and the stages that nothing leads to or from."""

    lines: list[Line]
    beside: list[Cell]


def arrange(flow: Flow) -> Picture:
    """Lay the stages out."""
    linked = {name for node in flow.nodes for target in node.stage.successors for name in (node.stage.name, target)}
    chain = [Cell(node) for node in flow.nodes if node.stage.name in linked]
    lines = [Line(chain[at : at + COLUMNS]) for at in range(0, len(chain), COLUMNS)]
    places = {
        cell.node.stage.name: (row, column) for row, line in enumerate(lines) for column, cell in enumerate(line.cells)
    }
    for name, place in places.items():
        _lead_on(flow, lines, places, name, place)
    return Picture(lines, [Cell(node) for node in flow.nodes if node.stage.name not in linked])


def _lead_on(
    flow: Flow, lines: list[Line], places: dict[str, tuple[int, int]], name: str, place: tuple[int, int]
) -> None:
    """Draw or write every way that begins at one stage."""
    row, column = place
    cell = lines[row].cells[column]
    for target in cell.node.stage.successors:
        way = Way(name, target, flow.hand_offs.get((name, target), 0.0))
        to_row, to_column = places[target]
        if (to_row, to_column) == (row, column + 1):
            cell.arrow = way
        elif to_row == row + 1:
            lines[row].turns.append(_turn(way, column, to_column, len(lines[row].turns)))
        else:
            cell.written.append(way)


def _turn(way: Way, column: int, target_column: int, nth: int) -> Turn:
    """Draw a way; each one after the first runs a little to the right of those before."""
    begin, end = (_middle(each) + APART * nth for each in (column, target_column))
    is_straight = column == target_column
    bend = "" if is_straight else f" V {CHANNEL_HEIGHT / 2:g} H {end:.2f}"
    tip = CHANNEL_HEIGHT - HEAD_HEIGHT
    return Turn(
        way,
        is_straight,
        (column + target_column) // 2,
        f"M {begin:.2f} 0{bend} V {CHANNEL_HEIGHT}",
        f"M {end - HEAD_WIDTH:.2f} {tip} L {end:.2f} {CHANNEL_HEIGHT - 1} L {end + HEAD_WIDTH:.2f} {tip}",
    )


def _middle(column: int) -> float:
    """Give where a column's middle is, in percent of the width."""
    return 100 * (column * (NODE_SHARE + GAP_SHARE) + NODE_SHARE / 2) / WHOLE

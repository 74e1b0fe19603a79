"""How right a demo's result is: files, the comparison with the truth, and one line that says it all."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cli.leads_report import write
from cli.sandbox_score import compare
from cli.text import print_table, say
from pipeline.search_view import View
from sandbox.scoring import Score
from sandbox.truth import truth_of
from sandbox.world import World
from scheduling import invariants

DIRECTORY = Path("demo")
LEAST = 0.99


@dataclass(frozen=True, slots=True)
class Result:
    """What the demo has to answer for."""

    precision: float
    recall: float
    reconciled: bool

    @property
    def is_right(self) -> bool:
        return self.reconciled and min(self.precision, self.recall) >= LEAST

    @property
    def why(self) -> str:
        """Say what is not as it should be."""
        short = [f"{name} is {value:.4f}, less than {LEAST}" for name, value in self._shares() if value < LEAST]
        return "; ".join(short + ([] if self.reconciled else ["the counts do not reconcile"]))

    def _shares(self) -> list[tuple[str, float]]:
        return [("precision", self.precision), ("recall", self.recall)]


def report(view: View, world: World, *, seconds: float) -> Result:
    """Write the files, print the comparison, and the last line."""
    search_id, made = view.found.row["id"], compare([truth_of(world, business) for business in world])
    DIRECTORY.mkdir(exist_ok=True)
    for name in ("leads.csv", "leads.xlsx"):
        exported = write(search_id, DIRECTORY / name)
        say(f"{exported.rows} leads are in {(DIRECTORY / name).resolve()}")
    _print_truth(made)
    result = Result(made.total.precision, made.total.recall, _is_reconciled(view))
    row = view.found.row
    say(f"demo: businesses={row['businesses']} domains={row['domains']} pages={_pages(view)}"
        f" contacts={sum(view.contacts.values())} precision={result.precision:.4f} recall={result.recall:.4f}"
        f" reconciled={'yes' if result.reconciled else 'no'} seconds={seconds:.1f}")  # fmt: skip
    return result


def _print_truth(made: Score) -> None:
    lines = [
        [kind, own.planted, own.found, f"{own.recall:.4f}", own.stored, own.right, f"{own.precision:.4f}"]
        for kind, own in sorted(made.kinds.items())
    ]
    headers = ("kind", "planted", "found", "recall", "stored", "right", "precision")
    print_table(headers, lines, title="Beside what was hidden in that world")


def _is_reconciled(view: View) -> bool:
    """Tell whether nothing is open, everything has ended, and the rules that must always hold do."""
    return (
        view.found.status == "Completed"
        and not view.is_open
        and not any(found.violations for found in invariants.check())
    )


def _pages(view: View) -> int:
    return view.found.progress.counts.get("page_curation", {}).get("Completed", 0)

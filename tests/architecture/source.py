"""The product's source as trees, read once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = tuple(
    """accounts actors api cli dashboard embedded entities fetching leads migrations models notices operations
    pipeline sandbox scheduling services""".split()  # noqa: SIM905
)


@dataclass(frozen=True)
class Module:
    """One file of ours."""

    path: Path
    tree: ast.Module
    lines: int

    @property
    def name(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @property
    def package(self) -> str:
        """The top-level folder, or the module itself when it lies at the top."""
        return self.path.relative_to(ROOT).parts[0].removesuffix(".py")

    def imports(self) -> Iterator[tuple[str, int]]:
        """Every module named in an import, wherever it stands, with its line."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from ((alias.name, node.lineno) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                module = "." * node.level + (node.module or "")
                yield module, node.lineno
                yield from ((f"{module}.{alias.name}", node.lineno) for alias in node.names)

    def functions(self) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node

    def calls(self) -> Iterator[ast.Call]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call):
                yield node

    @property
    def is_migration(self) -> bool:
        return self.name.startswith("migrations/versions/")


@cache
def product() -> tuple[Module, ...]:
    """Every module that is shipped."""
    files = [*ROOT.glob("*.py"), *(file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))]
    return tuple(_read(file) for file in sorted(files))


def _read(file: Path) -> Module:
    text = file.read_text(encoding="utf-8")
    return Module(file, ast.parse(text), len(text.splitlines()))

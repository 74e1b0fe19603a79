"""House rules, checked where a person would forget: who reads the environment, commits, swallows, prints; and sizes."""

from __future__ import annotations

import ast

from tests.architecture.source import Module, product

MOST_LINES_OF_A_FILE = 250
MOST_LINES_OF_A_FUNCTION = 60

# Children get their environment from their parent.
MAY_READ_THE_ENVIRONMENT = {"settings.py", "cli/procfile.py"}
MAY_COMMIT = {"pipeline/database.py"}
# The stage frame, and the first function of a process.
MAY_CATCH_EVERYTHING = {"pipeline/run.py", "cli/main.py", "scheduling/clock.py"}

# Middleware, and streams that wait for hours: each would hold a thread.
CALLED_BY_THE_SERVER = ("api/limits.py", "api/stream.py", "dashboard/app.py", "dashboard/live.py")


def where(module: Module, node: ast.AST) -> str:
    return f"{module.name}:{getattr(node, 'lineno', 1)}"


def test_only_settings_reads_the_environment() -> None:
    wrong = [
        where(module, node)
        for module in product()
        if module.name not in MAY_READ_THE_ENVIRONMENT
        for node in ast.walk(module.tree)
        if _reads_environment(node)
    ]
    assert wrong == []


def _reads_environment(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return node.value.id == "os" and node.attr in ("environ", "environb", "getenv")
    return isinstance(node, ast.ImportFrom) and node.module == "os" and _names(node) & {"environ", "getenv"} != set()


def _names(node: ast.ImportFrom) -> set[str]:
    return {alias.name for alias in node.names}


def test_only_the_frame_commits() -> None:
    wrong = [
        where(module, call)
        for module in product()
        if module.name not in MAY_COMMIT and module.package != "migrations"
        for call in module.calls()
        if isinstance(call.func, ast.Attribute) and call.func.attr == "commit"
    ]
    assert wrong == []


def test_only_the_frame_and_entry_points_catch_everything() -> None:
    wrong = [
        where(module, node)
        for module in product()
        if module.name not in MAY_CATCH_EVERYTHING
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ExceptHandler) and _catches_everything(node.type)
    ]
    assert wrong == []


def _catches_everything(caught: ast.expr | None) -> bool:
    if caught is None:
        return True
    kinds = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return any(isinstance(kind, ast.Name) and kind.id in ("Exception", "BaseException") for kind in kinds)


def test_nothing_is_swallowed() -> None:
    wrong = [
        where(module, node)
        for module in product()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ExceptHandler) and _catches_everything(node.type) and _does_nothing(node.body)
    ]
    assert wrong == []


def _does_nothing(body: list[ast.stmt]) -> bool:
    return all(isinstance(step, ast.Pass | ast.Continue) for step in body)


def test_only_the_command_line_prints() -> None:
    wrong = [
        where(module, call)
        for module in product()
        if module.package != "cli"
        for call in module.calls()
        if isinstance(call.func, ast.Name) and call.func.id == "print"
    ]
    assert wrong == []


def test_files_are_short() -> None:
    long = [
        f"{module.name}: {module.lines} lines"
        for module in product()
        if module.lines > MOST_LINES_OF_A_FILE and not module.is_migration
    ]
    assert long == []


def test_functions_are_short() -> None:
    long = [
        f"{where(module, function)} {function.name}: {_length(function)} lines"
        for module in product()
        if not module.is_migration
        for function in module.functions()
        if _length(function) > MOST_LINES_OF_A_FUNCTION
    ]
    assert long == []


def _length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


def test_functions_have_one_colour() -> None:
    """Actors run on threads, routes are plain `def`, the driver is synchronous; only what the server calls is not."""
    wrong = [
        f"{where(module, function)} {function.name}"
        for module in product()
        for function in module.functions()
        if isinstance(function, ast.AsyncFunctionDef) and module.name not in CALLED_BY_THE_SERVER
    ]
    assert wrong == []


def test_every_module_opens_with_a_sentence() -> None:
    silent = [module.name for module in product() if module.tree.body and not ast.get_docstring(module.tree)]
    assert silent == []


def test_no_name_says_helper_or_manager() -> None:
    forbidden = ("manager", "helper", "utils", "util", "base_", "new_", "fixed", "v2")
    wrong = [module.name for module in product() if module.path.stem.startswith(forbidden)]
    assert wrong == []

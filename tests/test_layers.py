"""The house: imports go down only, nothing heavy is loaded before it is needed."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import tailsafe

SOURCE = Path(tailsafe.__file__).parent
FLOORS = [
    *("errors", "arrays", "keys", "table", "task", "mdp", "policy", "unseen", "known"),
    *("termination", "values", "batch", "kernels", "posterior", "samples", "problem"),
    *(
        "executors",
        "engine",
        "evaluate",
        "candidate",
        "ranks",
        "risk",
        "risk_names",
        "extremes",
        "moments",
    ),
    *("domains", "simulate", "solvers", "portfolio", "propose", "race", "certificate"),
    *("selection", "select", "mc2ps", "evc", "explain", "estimators", "data"),
    *("record", "report", "plots", "study", "cli"),
]
LIGHT = ("import tailsafe", "import tailsafe.select", "import tailsafe.cli")
HEAVY = ("numba", "scipy.stats", "rich", "loky", "pandas", "matplotlib", "narwhals", "dask")


def modules():
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if not name.startswith("__"):
            yield name, path


def imported(path):
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "tailsafe" and len(parts) > 1 and parts[1] in FLOORS:
                yield parts[1], node.lineno


def test_every_module_has_its_floor():
    assert {name for name, _ in modules()} <= set(FLOORS)


def test_imports_go_down_only():
    climbs = [
        f"{path.relative_to(SOURCE)}:{line} imports {target}"
        for name, path in modules()
        for target, line in imported(path)
        if FLOORS.index(target) > FLOORS.index(name)
    ]
    assert climbs == []


@pytest.mark.parametrize("statement", LIGHT)
def test_nothing_heavy_is_loaded_before_it_is_needed(statement):
    code = f"{statement}, sys; print([m for m in {HEAVY} if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_no_backend_is_chosen_by_comparing_strings():
    assert [path for _, path in modules() if "backend ==" in path.read_text()] == []


def test_every_public_name_can_be_loaded():
    for name in tailsafe.__all__:
        assert getattr(tailsafe, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = tailsafe.nothing


def test_a_function_keeps_its_name_when_the_file_of_that_name_is_loaded():
    for name in ("propose", "mc2ps", "evc", "simulate"):
        import_module(f"tailsafe.{name}")
        assert callable(getattr(tailsafe, name))


def test_type_checkers_see_the_public_names():
    stub = ast.parse((SOURCE / "__init__.pyi").read_text())
    listed = {
        (node.module, alias.name)
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    home = {(f"tailsafe.{module}", name) for name, module in tailsafe._HOME.items()}
    assert listed == home | {("tailsafe", module) for module in tailsafe._MODULES}

"""Agreement with the golden numbers: `./run python -m benchmarks.golden [FOLDER] [--only WORD]`.

For each array of each case the largest deviation, "-" where the case has none. FOLDER holds
case_<name>.npz; by default the cases that ship with the tests. A deviation above its tolerance is
marked with "!" and makes the command fail.
"""

import argparse
import importlib.util
import sys
from pathlib import Path

import numpy as np

SHIPPED = Path(__file__).parent.parent / "tests" / "golden"
MODULES = ("benchmarks.golden_data_solvers", "benchmarks.golden_robust_solvers")
TOLERANCE = 1e-8


def golden_case_class():
    """Return the class that the tests read cases with."""
    path = SHIPPED.parent / "conftest.py"
    spec = importlib.util.spec_from_file_location("golden_conftest", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.GoldenCase


def cases(folder):
    """Return the cases of a folder, packed or not."""
    base = golden_case_class()

    class Case(base):
        """A case from any folder."""

        def __init__(self, path):
            self.name = path.stem.removeprefix("case_")
            self._file = np.load(path, allow_pickle=False)
            names = self._file.files
            alias = self._file["alias"].tolist() if "alias" in names else []
            target = self._file["alias_of"].tolist() if "alias" in names else []
            self._alias = dict(zip(alias, target, strict=True))
            self._loaded = {}

    return [Case(path) for path in sorted(Path(folder).glob("case_*.npz"))]


def checks():
    """Return (name, function, tolerance) of every check there is."""
    found = []
    for name in MODULES:
        if importlib.util.find_spec(name) is None:
            continue
        module = importlib.import_module(name)
        special = getattr(module, "TOLERANCES", {})
        found += [(label, f, special.get(label, TOLERANCE)) for label, f in module.CHECKS]
    return found


def deviation(check, case):
    """Return the largest deviation, nan where the case has no such array."""
    try:
        return float(check(case))
    except KeyError:
        return float("nan")


def shown(value, tolerance):
    if np.isnan(value):
        return "-"
    return f"{value:.1e}{'!' if value > tolerance else ''}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", default=SHIPPED)
    parser.add_argument("--only", default="", help="checks whose name holds this word")
    arguments = parser.parse_args()
    listed, bad = cases(arguments.folder), 0
    print(f"{'array':<40}{'tolerance':>10}" + "".join(f"{c.name:>11}" for c in listed))
    for label, check, tolerance in checks():
        if arguments.only not in label:
            continue
        found = [deviation(check, case) for case in listed]
        bad += sum(value > tolerance for value in found)
        line = "".join(f"{shown(value, tolerance):>11}" for value in found)
        print(f"{label:<40}{tolerance:>10.0e}{line}", flush=True)
    print(f"{bad} deviations above their tolerance")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()

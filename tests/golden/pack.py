"""Pack the golden cases into this folder: `./run python tests/golden/pack.py FOLDER`.

FOLDER holds case_<name>.npz and a README that names every array. What is packed keeps the names
and the exact numbers. Arrays equal to an earlier one are stored once: `alias` lists such names,
`alias_of` where their numbers are. Of the posterior models P of the two largest cases only the
first three are kept, as P_first: the budget of the folder is 3 MB. The rest can be checked against
FOLDER itself.
"""

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
CASES = ("ring", "chain", "garnet1", "garnet2", "garnet3", "lake4")
WITHOUT_MODELS = ("garnet3", "lake4")
FIRST = 3


def packed(arrays):
    """Return the arrays without repetitions, and the aliases that stand for these."""
    kept, alias, places = {}, {}, {}
    for name, array in arrays.items():
        place = places.setdefault((array.dtype.str, array.shape, array.tobytes()), name)
        if place == name:
            kept[name] = array
        else:
            alias[name] = place
    return kept | {"alias": np.array(list(alias)), "alias_of": np.array(list(alias.values()))}


def main(folder):
    """Write case_<name>.npz of every case."""
    for case in CASES:
        with np.load(Path(folder) / f"case_{case}.npz", allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        if case in WITHOUT_MODELS:
            arrays["P_first"] = arrays.pop("P")[:FIRST]
        np.savez_compressed(HERE / f"case_{case}.npz", **packed(arrays))


if __name__ == "__main__":
    main(sys.argv[1])

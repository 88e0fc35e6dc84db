"""Prints the log that ships with the package, for ``tailsafe demo``:

./run python benchmarks/machine_log.py > src/tailsafe/shipped/machine.csv

100 machines of the machine replacement problem (tailsafe.domains), 20 weeks each, kept by a crew
that repairs the more readily the more a machine is worn, and that does not always do the same.
"""

import csv
import sys

import numpy as np

import tailsafe as ts

STATES = ("new", *(f"worn {wear}" for wear in range(1, 7)), "broken", "long repair", "short repair")
ACTIONS = ("wait", "repair")
REPAIRS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.1)
"""How readily the crew repairs, in the order of the states."""
MACHINES, WEEKS, SEED = 100, 20, 2010


def main():
    """Print the log."""
    repair = np.array(REPAIRS)
    crew = ts.Policy(np.stack([1.0 - repair, repair], axis=1))
    log = ts.simulate(ts.domains.machine_replacement(), crew, MACHINES, WEEKS, SEED)
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(("episode", "time", "state", "action", "reward", "next_state"))
    columns = (log.episode, log.state, log.action, log.reward, log.next_state)
    for row, (machine, state, action, reward, following) in enumerate(zip(*columns, strict=True)):
        names = STATES[state], ACTIONS[action], f"{reward:g}", STATES[following]
        table.writerow((f"M{machine + 1:03}", row % WEEKS + 1, *names))


if __name__ == "__main__":
    main()

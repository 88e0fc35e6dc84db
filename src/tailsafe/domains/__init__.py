"""Small problems with a known truth, to try methods on: one a file, each a function."""

# All at once, not on first use as elsewhere: a function and its file share a name (`ring`), and
# loading the file later would put the module where the function was.
from tailsafe.domains.chain import chain, chain_published
from tailsafe.domains.domain import Domain, dense_domain, start_in
from tailsafe.domains.garnet import garnet, pair_rewards, sparse_rewards, transition_rewards
from tailsafe.domains.inventory import GammaRate, inventory
from tailsafe.domains.machine_replacement import machine_replacement
from tailsafe.domains.ring import ring, ring_published
from tailsafe.domains.riverswim import riverswim
from tailsafe.domains.wet_chicken import wet_chicken

__all__ = [
    "Domain",
    "GammaRate",
    "chain",
    "chain_published",
    "dense_domain",
    "garnet",
    "inventory",
    "machine_replacement",
    "pair_rewards",
    "ring",
    "ring_published",
    "riverswim",
    "sparse_rewards",
    "start_in",
    "transition_rewards",
    "wet_chicken",
]

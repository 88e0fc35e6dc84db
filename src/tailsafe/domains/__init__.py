"""Small problems with a known truth, to try methods on: one a file, each a function."""

# All at once, not on first use as elsewhere: a function and its file share a name (`ring`), and
# loading the file later would put the module where the function was.
from tailsafe.domains.chain import chain, chain_published
from tailsafe.domains.domain import Domain, dense_domain, start_in, without_ends
from tailsafe.domains.frozen_lake import LAKE_4, LAKE_8, frozen_lake
from tailsafe.domains.garnet import garnet, pair_rewards, sparse_rewards, transition_rewards
from tailsafe.domains.icu_sepsis import icu_sepsis, icu_sepsis_expert
from tailsafe.domains.inventory import GammaRate, inventory
from tailsafe.domains.machine_replacement import machine_replacement
from tailsafe.domains.random_lake import random_lake, random_lake_published
from tailsafe.domains.ring import ring, ring_published
from tailsafe.domains.riverswim import riverswim
from tailsafe.domains.toy_text import from_gymnasium, toy_text
from tailsafe.domains.wet_chicken import wet_chicken

__all__ = [
    "LAKE_4",
    "LAKE_8",
    "Domain",
    "GammaRate",
    "chain",
    "chain_published",
    "dense_domain",
    "from_gymnasium",
    "frozen_lake",
    "garnet",
    "icu_sepsis",
    "icu_sepsis_expert",
    "inventory",
    "machine_replacement",
    "pair_rewards",
    "random_lake",
    "random_lake_published",
    "ring",
    "ring_published",
    "riverswim",
    "sparse_rewards",
    "start_in",
    "toy_text",
    "transition_rewards",
    "wet_chicken",
    "without_ends",
]

"""Studies: many logs of known domains, what each method makes of them, and what it is worth.

Only here is the true model known. A study is a grid of units (domain, profile, size, trial); each
unit is determined by its key and the seed of the study, so it can be done anywhere, and again.
"""

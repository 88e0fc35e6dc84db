"""What may be said of one policy's performance, judged on models drawn for nothing else.

Every probability is over the posterior: it is as good as the log and the prior.
"""

from tailsafe.certificate.bounds import models_needed, quantile_bounds
from tailsafe.certificate.certificate import Certificate
from tailsafe.certificate.certify import Judge, certified, certify, exact, worst_case
from tailsafe.certificate.estimate import Estimate, estimate
from tailsafe.certificate.hoeffding import hoeffding, hoeffding_bound

__all__ = [
    "Certificate",
    "Estimate",
    "Judge",
    "certified",
    "certify",
    "estimate",
    "exact",
    "hoeffding",
    "hoeffding_bound",
    "models_needed",
    "quantile_bounds",
    "worst_case",
]

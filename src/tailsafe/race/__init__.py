"""The sequential choice: all candidates on the same models, looked at after n_1 < n_2 < ... models.

``loop`` runs it; what it needs to know of a risk measure stands in ``quantile`` (VaR) and
``tail`` (CVaR and the mean).
"""

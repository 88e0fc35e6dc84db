"""Every probability that tailsafe prints, measured by simulation: nominal beside observed."""

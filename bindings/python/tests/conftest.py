"""Tests with Hypothesis use the same examples in every run."""

import hypothesis

hypothesis.settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
hypothesis.settings.load_profile("fixed")

"""Settings of all tests: no test is timed (speed lives in benchmarks/), and the same commit gives the same cases."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("assay", deadline=None, derandomize=True)
settings.load_profile("assay")

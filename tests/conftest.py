"""Settings of all tests: no test is timed (speed lives in benchmarks/), and the same commit gives the same cases."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "assay", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("assay")

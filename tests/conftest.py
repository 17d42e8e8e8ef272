"""Settings of all tests: no test is timed (speed lives in benchmarks/), and the same commit gives the same cases.

Properties are tried on half as many cases as hypothesis does by itself; `make test-all` tries all of them.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

for name, cases in (("fast", 50), ("all", 100)):
    settings.register_profile(
        name,
        max_examples=cases,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))

"""Desk: what this machine offers a sandbox, as data: whether candidates can be run here, and if not, why."""

from __future__ import annotations

from collections.abc import Mapping

from assay.api.sandboxes import guest_codec
from assay.sandbox import doctor
from assay.sandbox.base import Level, Standing
from assay.sandbox.doctor import Examination


def examine() -> Examination:
    """Try every part of the sandbox and both levels, by acting; takes some seconds and leaves nothing behind."""
    return doctor.examine(guest_codec())


def fix(found: Examination) -> str:
    """The first thing that keeps level A away, with what mends it, in one line; empty where level A is reached."""
    if found.best is Level.A:
        return ""
    broken = [tried.why for tried in found.tried if not tried.works]
    strongest = next(reached for reached in found.levels if reached.level is Level.A)
    return (
        strongest.why or "; ".join(broken[:1]) or f"level A is not reached: {', '.join(lacking(strongest.properties))}"
    )


def lacking(properties: Mapping[str, Standing]) -> list[str]:
    """The properties that were not seen to hold, each with how it stands."""
    return [f"`{name}` is {standing}" for name, standing in properties.items() if standing is not Standing.ENFORCED]


def document(found: Examination) -> dict[str, object]:
    """The examination as JSON: `level` is the best that was reached, null where nothing may run."""
    return {
        "level": found.best.value if found.best is not None else None,
        "fix": fix(found) or None,
        "system": found.system,
        "machine": found.machine,
        "kernel": found.kernel,
        "python": found.python,
        "as_root": found.as_root,
        "landlock_abi": found.landlock_abi,
        "tried": [{"name": one.name, "works": one.works, "why": one.why or None} for one in found.tried],
        "levels": [
            {
                "level": one.level.value,
                "reached": one.reached,
                "properties": {name: str(standing) for name, standing in one.properties.items()},
                "open_acts": list(one.open_acts),
                "why": one.why or None,
            }
            for one in found.levels
        ],
    }

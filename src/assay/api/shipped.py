"""Desk: the tasks with drafts that are shipped for the demo, from the data folder (data/deliveries/NOTICE.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from assay.api.data import data_dir
from assay.api.gating import Draft

FOLDER: Final = "deliveries"
MODEL: Final = "CodeGen 16B, temperature 0.8"


@dataclass(frozen=True, slots=True)
class ShippedTask:
    """A task's document, its suite, and five drafts in the order in which the model made them."""

    name: str
    task: bytes
    suite: bytes
    drafts: tuple[Draft, ...]


def shipped_tasks() -> tuple[ShippedTask, ...]:
    """The two tasks: of one the third draft passes, of the other none.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    root = data_dir() / FOLDER
    found = []
    for name in ("HumanEval_30", "HumanEval_85"):
        folder = root / name
        drafts = tuple(Draft((folder / f"{number}.py").read_bytes(), MODEL) for number in range(1, 6))
        task, suite = (folder / "task.json").read_bytes(), (folder / "suite.json").read_bytes()
        found.append(ShippedTask(name.replace("_", "/"), task, suite, drafts))
    return tuple(found)

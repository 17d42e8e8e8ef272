"""Pipes: a worker slot on Linux: two warm zygotes, one candidate at a time, each in a process of its own."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import zip_longest
from typing import Final, Self, assert_never

from assay.kernel.grade import How
from assay.sandbox.base import (
    Calls,
    Candidate,
    Ending,
    Inputs,
    Isolation,
    Limits,
    Observation,
    Printed,
    Program,
    RunReport,
    Usage,
)
from assay.sandbox.channel import Channel
from assay.sandbox.clocks import PATIENCE
from assay.sandbox.linux.endings import KILLED
from assay.sandbox.linux.lane import Lane, Talk, Terms
from assay.sandbox.linux.observing import accompany, converse

_ENTRY_POINT_BYTES: Final = 1000


class LinuxSlot:
    """One worker's sandbox. Not to be shared by threads."""

    def __init__(self, lanes: tuple[Lane, Lane], isolation: tuple[Isolation, Isolation]) -> None:
        self._lanes = lanes
        self.isolation = isolation

    def run(self, candidate: Candidate, program: Program, limits: Limits, *, again: bool = False) -> RunReport:
        """Report what the candidate did, case by case (`assay.sandbox.base.Sandbox`)."""
        report = self._run(candidate, program, limits, again=again)
        # Once: a candidate that comes to this end by itself comes to it again, and has failed (docs/adr/0032).
        is_killed = report.ending == Ending(How.CRASH, report.ending.at, KILLED)
        return self._run(candidate, program, limits, again=again) if is_killed else report

    def _run(self, candidate: Candidate, program: Program, limits: Limits, *, again: bool) -> RunReport:
        lane, isolation = self._lanes[again], replace(self.isolation[again], limits=limits)
        match program:
            case Calls():
                return _calls(lane, candidate, program, limits, isolation)
            case Inputs():
                return _inputs(lane, candidate, program, limits, isolation)
            case _:
                assert_never(program)

    def close(self) -> None:
        """End every process of the slot."""
        for lane in self._lanes:
            lane.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _calls(lane: Lane, candidate: Candidate, program: Calls, limits: Limits, isolation: Isolation) -> RunReport:
    if len(program.entry_point.encode()) > _ENTRY_POINT_BYTES:
        return RunReport((), Usage(), Ending(How.ENTRY_POINT_MISSING), isolation)
    seen: list[Observation] = []

    def talk(channel: Channel, state: Talk) -> None:
        converse(channel, state, candidate, program, seen)

    life = lane.live(Terms(limits, limits.cpu_s, limits.wall_s), talk)
    return RunReport(tuple(seen), life.usage, life.ending, isolation)


def _inputs(lane: Lane, candidate: Candidate, program: Inputs, limits: Limits, isolation: Isolation) -> RunReport:
    seen: list[Observation] = []
    used = Usage()
    end = Ending()
    until = time.monotonic() + limits.candidate_wall_s
    waited_s = 0.0
    for case, following in zip_longest(program.inputs, program.inputs[1:]):
        cpu_s = min(limits.cpu_s, limits.candidate_cpu_s - used.cpu_s)
        wall_s = min(limits.wall_s, until + waited_s - time.monotonic())
        if cpu_s <= 0 or wall_s <= 0:
            end = Ending(How.CPU if cpu_s <= 0 else How.TIMEOUT, case.index, "the limit over all cases")
            break
        ended: list[Observation] = []

        def talk(channel: Channel, state: Talk, index: int = case.index, ended: list[Observation] = ended) -> None:
            accompany(channel, state, candidate, index, ended)

        life = lane.live(Terms(limits, cpu_s, wall_s, case.stdin, (following.stdin,) if following else ()), talk)
        used = _sum(used, life.usage)
        waited_s = min(waited_s + life.waited_s, PATIENCE * limits.candidate_wall_s)
        if life.ending.how is not None:
            end = life.ending
            break
        printed = Printed(case.index, life.stdout, life.stderr)
        seen += [printed if isinstance(outcome, Printed) else outcome for outcome in ended]
    return RunReport(tuple(seen), used, end, isolation)


def _sum(first: Usage, second: Usage) -> Usage:
    return Usage(
        first.cpu_s + second.cpu_s,
        first.wall_s + second.wall_s,
        max(first.peak_memory_bytes, second.peak_memory_bytes),
        first.page_faults + second.page_faults,
        first.output_bytes + second.output_bytes,
    )

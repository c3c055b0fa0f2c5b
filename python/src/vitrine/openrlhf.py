"""OpenRLHF: the refine loop as its AgentExecutor. Single-turn rewards need no Python: see docs/trainers/openrlhf.md.

A file for --train.agent_func_path needs one line:

    from vitrine.openrlhf import AgentExecutor

The module can be imported without OpenRLHF."""

from __future__ import annotations

import asyncio
import importlib
from dataclasses import dataclass, field
from typing import Any


class Scalar(float):
    """A reward as OpenRLHF reads it: it calls .item(), as of a tensor, and nothing else."""

    def item(self) -> float:
        """The number."""
        return float(self)


@dataclass
class Group:
    """The samples of one prompt that are made together: how many have not ended, and the rewards of the others."""

    pending: int = 0
    rewards: list[float] = field(default_factory=list)
    settled: asyncio.Event = field(default_factory=asyncio.Event)


class Groups:
    """Gives a stand-in for a reward that there is not: the mean of the sample's group.

    OpenRLHF has no missing reward, an exception ends its run, and any fixed number would be learned from. With the
    mean of its siblings a sample's advantage is zero under group baselines. A group without any judged sample gets
    the mean of all samples so far, each member the same."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str, str], Group] = {}
        self._sum, self._count = 0.0, 0

    def join(self, key: tuple[str, str]) -> Group:
        """Counts one sample into its group."""
        group = self._groups.setdefault(key, Group())
        group.pending += 1
        return group

    def settle(self, key: tuple[str, str], group: Group, reward: float | None) -> None:
        """One sample of the group has ended, with a reward or without."""
        group.pending -= 1
        if reward is not None:
            group.rewards.append(reward)
            self._sum, self._count = self._sum + reward, self._count + 1
        if group.pending == 0:
            self._groups.pop(key, None)
            group.settled.set()

    async def neutral(self, group: Group) -> float:
        """The stand-in, once all samples of the group have ended."""
        await group.settled.wait()
        if group.rewards:
            return sum(group.rewards) / len(group.rewards)
        return self._sum / self._count if self._count else 0.0


def __getattr__(name: str) -> Any:
    if name in ("AgentExecutor", "AgentInstance"):  # need OpenRLHF
        return getattr(importlib.import_module("vitrine.openrlhf_agent"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

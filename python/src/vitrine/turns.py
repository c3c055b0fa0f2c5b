"""The turns of a refine session, the same for every trainer: what the policy wrote is trained on (mask 1), what
the service said is not (mask 0), and the session ends when the service says so or there is no room left.

A trainer's adapter brings a Writer: how to generate, and how its tokens are kept."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from .answers import Loop, Step
from .client import Client, Session
from .errors import Unjudged, VitrineError
from .outputs import text_of
from .settings import Settings


@dataclass(frozen=True)
class Draft:
    """One generation: the text that the service judges, and its tokens with their log-probabilities."""

    text: str
    ids: Sequence[int]
    logprobs: Sequence[float] | None = None
    extra: Any = None
    """Whatever else the trainer's engine gave and its adapter needs back."""


class Keeper(Protocol):
    """The tokens of one trajectory, as a trainer keeps them."""

    async def keep(self, draft: Draft) -> None:
        """Puts what was last heard, then the draft, on the trajectory."""

    async def hear(self, text: str) -> bool:
        """Takes the service's words as the next thing to be read; False when there is no room for them."""


class Writer(Keeper, Protocol):
    """A policy at one trajectory."""

    async def write(self) -> Draft | None:
        """Generates after what is kept and heard; None when there is no room for it."""


@dataclass
class Transcript:
    """Tokens of one trajectory after its prompt, with their mask (1 policy, 0 environment) and log-probabilities
    (0.0 for environment tokens). What is heard waits until the policy has answered it: a trajectory
    never ends with words without an answer."""

    prompt: list[int]
    room: int
    """Most tokens after the prompt."""
    ids: list[int] = field(default_factory=list)
    mask: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    heard: list[int] = field(default_factory=list)

    @property
    def context(self) -> list[int]:
        """What the policy continues."""
        return self.prompt + self.ids + self.heard

    @property
    def left(self) -> int:
        """Tokens that the policy may still write."""
        return self.room - len(self.ids) - len(self.heard)

    def keep(self, draft: Draft) -> None:
        """Appends what was heard with mask 0 and the draft with mask 1."""
        if draft.logprobs is not None and len(draft.logprobs) != len(draft.ids):
            raise ValueError(f"{len(draft.ids)} tokens with {len(draft.logprobs)} log-probabilities")
        self.ids += [*self.heard, *draft.ids]
        self.mask += [0] * len(self.heard) + [1] * len(draft.ids)
        self.logprobs += [0.0] * len(self.heard) + list(draft.logprobs or [0.0] * len(draft.ids))
        self.heard = []

    def hear(self, ids: Sequence[int]) -> bool:
        """Holds environment tokens for the next turn, if one policy token fits behind them."""
        if len(self.ids) + len(ids) >= self.room:
            return False
        self.heard = list(ids)
        return True


@dataclass
class Rollout:
    """One session and one trajectory. `take` gives it a draft; when that is the last, over is true and reward is set."""

    session: Session
    keeper: Keeper
    keep_rejected: bool = False
    """Whether rejected drafts stay on the trajectory; else only drafts that improved do, as in ReLook."""
    over: bool = False
    reward: float | None = None
    turns: int = 0
    rejected: int = 0
    history: list[tuple[str, Step]] = field(default_factory=list)
    """Each draft's text, and what the service said of it."""
    _kept: bool = False

    async def take(self, draft: Draft | None) -> bool:
        """Has a draft judged, keeps or drops it, and says whether the session is over. None ends it: no room.
        Raises Unjudged."""
        if draft is None:
            await self._finish(None)
            return True
        step = await self.session.step(draft.text, len(draft.ids))
        self.turns += 1
        self.history.append((draft.text, step))
        keep = step.accepted or self.keep_rejected
        self.rejected += not step.accepted
        if keep:
            await self._keep(draft)
        if step.done:
            await self._end(step.reward, draft)
        elif keep or step.action != "resample":
            if not keep:
                await self._keep(draft)  # the service wants an answer to it, so it must be there to be read
            if not await self.keeper.hear(step.feedback):
                await self._finish(draft)
        return self.over

    async def _keep(self, draft: Draft) -> None:
        await self.keeper.keep(draft)
        self._kept = True

    async def _finish(self, draft: Draft | None) -> None:
        state = await self.session.finish()
        if state.reward is None:
            raise Unjudged(f"session {self.session.id} ended without a reward", state.error)
        await self._end(state.reward, draft)

    async def _end(self, reward: float | None, draft: Draft | None) -> None:
        if reward is None:
            raise Unjudged(f"session {self.session.id} ended without a reward")
        if not self._kept and draft is not None:
            await self._keep(draft)  # a trajectory without a policy token cannot be trained on
        self.over, self.reward = True, reward


async def refine(session: Session, writer: Writer, *, keep_rejected: bool = False) -> Rollout:
    """Runs a session to its end. The rollout's reward is a number; Unjudged is raised where there is none."""
    rollout = Rollout(session, writer, keep_rejected)
    while not rollout.over:
        await rollout.take(await writer.write())
    return rollout


@asynccontextmanager
async def opened(settings: Settings, loop: Loop | None, task: Mapping[str, str]) -> AsyncIterator[Session]:
    """A session that is deleted if it did not end: none is left behind at the service."""
    async with Client(settings) as client:
        session = await client.session(loop=loop, **task)
        try:
            yield session
        finally:
            if not session.done:
                with suppress(VitrineError):  # the error that brought us here says more
                    await session.delete()


def task_of(*sources: Any, prompt: Any = None) -> dict[str, str]:
    """Which task a row of a data set is about: {"task_id"} or {"instruction"}.

    The sources are looked at in order: a mapping by its members task_id and instruction, a string as a task's id or
    as such a mapping in JSON. Without any, the last user message of the prompt is the instruction.
    Raises ValueError if there is neither.
    """
    for source in sources:
        if isinstance(source, str) and source.lstrip().startswith("{"):
            source = json.loads(source)
        if isinstance(source, str) and source:
            return {"task_id": source}
        if isinstance(source, Mapping):
            for key in ("task_id", "instruction"):
                if source.get(key):
                    return {key: str(source[key])}
    if text := _instruction(prompt):
        return {"instruction": text}
    raise ValueError("the row names no task: give it a column task_id or instruction")


def _instruction(prompt: Any) -> str:
    if isinstance(prompt, str) or prompt is None:
        return prompt or ""
    turns = list(prompt)
    if len(turns) == 1 and isinstance(turns[0], str):
        return turns[0]
    users = [turn for turn in turns if isinstance(turn, Mapping) and turn.get("role") == "user"]
    return text_of(users[-1].get("content")) if users else ""
